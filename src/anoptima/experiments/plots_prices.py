"""A picture of a proof by prices: what every group of a small table costs beside its rows' prices. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact
from anoptima.experiments.canvas import axes_on
from anoptima.problems.cell_suppression import CellSuppression, Partition

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_GROUPS = 20_000
_DEAR, _PAID, _BROKEN = "#8fa8bf", "#1f4e79", "#b3261e"


@checked
def plot_group_prices(
    problem: CellSuppression, prices: Sequence[Exact], size: int | None = None, axes: Axes | None = None
) -> Axes:
    """Draw every group of `size` rows: how much its rows' prices add up to, and how much the group costs.

    The prices prove their sum as a bound if no group lies below the diagonal, whatever its size between k and 2k - 1. Groups on the
    diagonal may be in an optimal release; groups below it, drawn as red crosses, break the proof.

    Parameters
    ----------
    prices
        One for each row, such as `row_prices(problem).prices`.
    size
        How many rows a group has; the least that the principle allows unless given.
    """
    rows = problem.table.rows
    size = problem.plain.principle.least_size(problem.table) if size is None else size
    if len(prices) != rows:
        raise BadInput(f"there are {len(prices)} prices for {rows} rows; there must be one for each row")
    if not 1 <= size <= rows:
        raise BadInput(f"size is {size}; it must be between 1 and the table's {rows} rows")
    if math.comb(rows, size) > _MOST_GROUPS:
        raise NotApplicable(f"there are {math.comb(rows, size):,} groups to draw; {_MOST_GROUPS:,} are the most")
    places = Counter(
        (sum(prices[row] for row in group), group_cost(problem, group))
        for group in itertools.combinations(range(rows), size)
    )
    drawn: Any = axes_on(axes, (5.6, 4.6))
    sorts = (
        ("o", _DEAR, "cost more", [place for place in places if place[1] > place[0]]),
        ("o", _PAID, "cost their prices", [place for place in places if place[1] == place[0]]),
        ("X", _BROKEN, "cost less: no proof", [place for place in places if place[1] < place[0]]),
    )
    for marker, colour, what, which in sorts:
        if which:
            number = sum(places[place] for place in which)
            xs, ys = zip(*((float(x), float(y)) for x, y in which), strict=True)
            areas = [16 * math.sqrt(places[place]) for place in which]
            drawn.scatter(xs, ys, areas, color=colour, marker=marker, label=f"{number} {what}", zorder=3)
    ends = [float(f(part for place in places for part in place)) for f in (min, max)]
    drawn.plot(ends, ends, color="grey", linewidth=0.9)
    drawn.set_xlabel(f"prices of {size} rows")
    drawn.set_ylabel(f"{problem.unit} of the group")
    drawn.legend(fontsize=8, loc="upper left", bbox_to_anchor=(0, 1.12), ncols=3, frameon=False)
    return drawn  # type: ignore[no-any-return]


def group_cost(problem: CellSuppression, group: Sequence[int]) -> Exact:
    """Return what a group of rows costs: its size times the weights of the columns on which its rows differ.

    >>> from anoptima import KAnonymity, ten_rows
    >>> group_cost(CellSuppression(ten_rows(), KAnonymity(3)), [7, 8, 9])
    15
    """
    labels = np.arange(problem.table.rows)
    labels[list(group)] = group[0]
    return problem.cost(Partition.from_labels(labels))
