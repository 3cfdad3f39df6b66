"""Pictures of a proof by prices: prices beside rows, and what groups cost beside their rows' prices. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, exact_text, simplest
from anoptima.experiments.canvas import as_written, axes_on, new_figure
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.explaining import GroupCost
from anoptima.solvers.approximate.remembered import Remembered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_GROUPS = 20_000
_MOST_ROWS = 60
_MOST_NUMBERS = 40
"""At how many places at most the number of groups is written; more numbers would overlap."""
_SIDE = 5.5
"""Inches for each half of a picture; more for a table that is wider."""
_LETTER = 0.1
"""Inches that a letter of the table takes, with its share of the room beside each word."""
_CHOSEN = "#ffe3a3"
_DEAR, _PAID, _BROKEN = "#8fa8bf", "#1f4e79", "#b3261e"


@checked
def plot_group_prices(
    problem: CellSuppression, prices: Sequence[Exact], size: int | None = None, axes: Axes | None = None
) -> Axes:
    """Draw every group of `size` rows that satisfies the principle: how much its rows' prices add up to, and how much the group costs.

    Groups at one place share a dot, with their number beside it.

    The prices prove their sum as a bound if no group lies below the diagonal, whatever its size between k and 2k - 1. Groups on the
    diagonal may be in an optimal release. Where groups lie below it, drawn as red crosses, the prices alone do not prove their sum.

    Parameters
    ----------
    prices
        One for each row, such as `row_prices(problem).prices`.
    size
        How many rows a group has; as few as some group that satisfies the principle unless given.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> axes = plot_group_prices(problem, ao.row_prices(problem).prices)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['98 cost more', '22 cost their prices']
    """
    rows = problem.table.rows
    size = _least_size(problem) if size is None else size
    if len(prices) != rows:
        raise BadInput(f"there are {len(prices)} prices for {rows} rows; there must be one for each row")
    if not 1 <= size <= rows:
        raise BadInput(f"size is {size}; it must be between 1 and the table's {rows} rows")
    if size < problem.plain.principle.least_size(problem.table):
        raise BadInput(
            f"size is {size}; no group of fewer than {problem.plain.principle.least_size(problem.table)} rows satisfies the principle"
        )
    if math.comb(rows, size) > _MOST_GROUPS:
        raise NotApplicable(f"there are {math.comb(rows, size):,} groups to draw; {_MOST_GROUPS:,} are the most")
    places = Counter(
        (sum(prices[row] for row in group), group_cost(problem, group)) for group in _satisfying(problem, size)
    )
    if not places:
        raise NotApplicable(f"no group of {size} rows satisfies {problem.plain.principle}; name another size")
    drawn: Any = axes_on(axes, (5.6, 4.6))
    sorts = (
        ("o", _DEAR, "cost more", [place for place in places if place[1] > place[0]]),
        ("o", _PAID, "cost their prices", [place for place in places if place[1] == place[0]]),
        ("X", _BROKEN, "cost less: sum not proved", [place for place in places if place[1] < place[0]]),
    )
    for marker, colour, what, which in sorts:
        if which:
            number = sum(places[place] for place in which)
            xs, ys = zip(*((float(x), float(y)) for x, y in which), strict=True)
            areas = [16 * math.sqrt(places[place]) for place in which]
            drawn.scatter(xs, ys, areas, color=colour, marker=marker, label=f"{number} {what}", zorder=3)
    if len(places) <= _MOST_NUMBERS:
        for (price, cost), number in places.items():
            drawn.annotate(str(number), (float(price), float(cost)), (8, -10), textcoords="offset points", fontsize=8)
    ends = [float(f(part for place in places for part in place)) for f in (min, max)]
    drawn.plot(ends, ends, color="grey", linewidth=0.9)
    drawn.set_xlabel(f"prices of the group's {size} rows, added up")
    drawn.set_ylabel(f"{problem.unit} of the group")
    drawn.margins(0.08)
    drawn.legend(
        fontsize=8,
        loc="upper left",
        bbox_to_anchor=(0, 1.12),
        ncols=3,
        frameon=False,
        columnspacing=1,
        handletextpad=0.2,
    )
    return drawn  # type: ignore[no-any-return]


class PricedProof(Protocol):
    """A proof that gives each row a price."""

    @property
    def value(self) -> Exact:
        """The bound."""

    def row_prices(self, problem: CellSuppression) -> Sequence[Exact]:
        """Return the prices in the order of the rows."""


@checked
def plot_proof(
    proof: PricedProof, problem: CellSuppression, group: Iterable[int] = (), figure: Figure | None = None
) -> Figure:
    """Draw a proof by row prices: the prices beside the rows, and what groups cost against the sum of their rows' prices.

    Parameters
    ----------
    proof
        One that has `row_prices`, such as `solve(problem, "sifting").proof.simplified(problem)` or `row_prices(problem).proof`.
    group
        Row numbers, from 0, of a group to be marked in both halves; `proof.explain(group, problem)` says the same in words.

    Notes
    -----
    For tables of up to 60 rows. The right half has every group of the least size that satisfies the principle, where these are at most
    20,000, and the marked group. A proof may have groups that cost less than their prices, below the diagonal: its bound is then less
    than the sum of the prices.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> figure = plot_proof(ao.row_prices(problem).proof, problem, group=[0, 1, 2])
    >>> len(figure.axes)
    2
    """
    if not hasattr(proof, "row_prices"):
        raise NotApplicable(
            f"{type(proof).__name__} is no proof by row prices; `row_prices(problem).proof` is one, "
            "and `solve(problem, 'sifting')` gives one"
        )
    if problem.table.rows > _MOST_ROWS:
        raise NotApplicable(
            f"proofs are drawn for up to {_MOST_ROWS} rows, and this table has {problem.table.rows:,}; take a part of it"
        )
    rows, prices = list(group), proof.row_prices(problem)
    chosen = GroupCost.of(problem, rows) if rows else None
    cells = _cells(problem, prices)
    wide = max(_SIDE, _LETTER * sum(max(map(len, column)) for column in zip(*cells, strict=True)))
    drawn: Figure = figure or new_figure((wide + _SIDE, max(4.6, 0.24 * problem.table.rows)))
    left, right = drawn.subplots(1, 2, width_ratios=[wide, _SIDE])
    _draw_prices(left, cells, set(rows))
    total = exact_text(simplest(sum(map(Fraction, prices), Fraction(0))))
    left.set_title(f"prices of the rows: {total} together; proved: {exact_text(simplest(proof.value))}", fontsize=9)
    size = _least_size(problem)
    if math.comb(problem.table.rows, size) <= _MOST_GROUPS:
        plot_group_prices(problem, prices, size, right)
    if chosen is not None:
        own = simplest(sum((Fraction(prices[row]) for row in rows), Fraction(0)))
        right.scatter([float(own)], [float(chosen.cost)], 160, facecolors=_CHOSEN, edgecolors="black", zorder=2)
        right.annotate(
            f"rows {', '.join(map(str, chosen.rows))}: cost {exact_text(chosen.cost)}, prices {exact_text(own)}",
            (float(own), float(chosen.cost)),
            (0.98, 0.03),
            textcoords="axes fraction",
            ha="right",
            fontsize=8,
            arrowprops={"arrowstyle": "-", "linewidth": 0.6},
        )
    if figure is not None:
        figure.tight_layout()
    return drawn


def _cells(problem: CellSuppression, prices: Sequence[Exact]) -> list[list[str]]:
    """Return what is written in a table of the rows: a line of headings, then the rows, with their prices last."""
    names = problem.table.quasi
    values = problem.table.frame[list(names)].map(as_written).to_numpy().tolist()
    rows = [[str(row), *its, exact_text(prices[row])] for row, its in enumerate(values)]
    return [["row (from 0)", *map(as_written, names), "price"], *rows]


def _draw_prices(axes: Any, cells: list[list[str]], chosen: set[int]) -> None:
    """Draw the table of the rows; chosen rows marked."""
    (head, *rows), width = cells, len(cells[0])
    drawn = axes.table(
        cellText=rows,
        cellColours=[[_CHOSEN if row in chosen else "white"] * width for row in range(len(rows))],
        colLabels=head,
        loc="upper center",
        cellLoc="center",
    )
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(8)
    drawn.auto_set_column_width(list(range(width)))
    for (row, column), cell in drawn.get_celld().items():
        cell.set_edgecolor("lightgrey")
        if row == 0 or column == width - 1:
            cell.set_text_props(weight="bold")
    axes.set_axis_off()


def _least_size(problem: CellSuppression) -> int:
    """Return the size of the smallest group that satisfies the principle; or the first size at which groups are too many to look at."""
    rows, least = problem.table.rows, problem.plain.principle.least_size(problem.table)
    sizes = (
        size
        for size in range(least, rows + 1)
        if math.comb(rows, size) > _MOST_GROUPS or any(True for _ in _satisfying(problem, size))
    )
    return next(sizes, least)


def _satisfying(problem: CellSuppression, size: int) -> Iterator[tuple[int, ...]]:
    """Yield the groups of so many rows that satisfy the principle."""
    remembered = Remembered(problem.plain)
    groups = itertools.combinations(range(problem.table.rows), size)
    return (group for group in groups if remembered.hold([np.array(group)]))


def group_cost(problem: CellSuppression, group: Sequence[int]) -> Exact:
    """Return what a group of rows costs: its size times the weights of the columns on which its rows differ.

    >>> from anoptima import KAnonymity, ten_rows
    >>> group_cost(CellSuppression(ten_rows(), KAnonymity(3)), [7, 8, 9])
    15
    """
    labels = np.arange(problem.table.rows)
    labels[list(group)] = group[0]
    return problem.cost(Partition.from_labels(labels))
