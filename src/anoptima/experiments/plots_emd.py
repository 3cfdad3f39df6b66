"""A picture of closeness: the mass that an earth mover's distance moves. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import exact_text
from anoptima.experiments.canvas import as_written, axes_on, legend_above
from anoptima.spaces import EqualDistance, Space, transport
from anoptima.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUP, _WHOLE, _MOVED = "#1f4e79", "#c7d3df", "#c55a11"
_ARROWS = 2.4
"""Heights of the highest bar that all arrows may take together; where they need more, they come closer and have no numbers."""
_TICKS, _LETTERS, _ACROSS = 30, 28, 60
"""Values that are written below the axis, letters of each, and letters of all together that have room beside one another."""


@checked
def plot_emd(
    table: Table,
    rows: Sequence[int],
    space: Space | None = None,
    column: str | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw how a group of rows is turned into the whole table: both distributions of a sensitive column, and a cheapest plan.

    An arrow from v to w says which share of the group moves from value v to value w. Shares times distances add up to the earth mover's
    distance, which t-closeness limits.

    Parameters
    ----------
    rows
        The group's rows, by number from 0.
    space
        How far apart values are; all at distance 1 unless given.
    column
        The sensitive column; the table's only one unless given.

    Examples
    --------
    >>> import anoptima as ao
    >>> plot_emd(ao.ten_rows(), [0, 1, 2]).get_title("left")
    "earth mover's distance 2/5"
    """
    if column is None and len(table.sensitive) != 1:
        raise BadInput(f"the table has {len(table.sensitive)} sensitive columns; name one as column")
    rows = [int(row) for row in rows]
    if not rows or len(set(rows)) != len(rows) or not all(0 <= row < table.rows for row in rows):
        raise BadInput(f"rows is {rows}; it must be different row numbers from 0 to {table.rows - 1}")
    sensitive = table.sensitive_column(column or table.sensitive[0])
    metric = (space or EqualDistance()).fit(sensitive.values)
    whole = [int(count) for count in sensitive.counts]
    group = [int(count) for count in np.bincount(sensitive.codes[rows], minlength=len(whole))]
    # Both in parts of 1 / (rows of the group * rows of the table), so that they balance in whole numbers.
    _, plan = transport(
        [table.rows * count for count in group], [len(rows) * count for count in whole], metric.distances().tolist()
    )
    values = list(range(len(whole)))
    texts = [
        text if len(text) <= _LETTERS else f"{text[: _LETTERS // 2]}…{text[-_LETTERS // 2 + 1 :]}"
        for text in map(str, sensitive.values)
    ]
    texts = [as_written(text) for text in texts]
    every = -(-len(texts) // _TICKS)
    upright = sum(map(len, texts[::every])) > _ACROSS
    drawn: Any = axes_on(axes, (6.4, 3.8 + 0.1 * max(map(len, texts)) * upright))
    drawn.bar([x - 0.2 for x in values], [count / len(rows) for count in group], 0.38, color=_GROUP, label="group")
    drawn.bar(
        [x + 0.2 for x in values], [count / table.rows for count in whole], 0.38, color=_WHOLE, label="whole table"
    )
    top = max(max(count / len(rows) for count in group), max(whole) / table.rows)
    moves = sorted((i, j, amount) for (i, j), amount in plan.items() if i != j and amount)
    step = min(0.16, _ARROWS / max(1, len(moves)))
    for number, (i, j, amount) in enumerate(moves):
        height = top * (1.12 + step * number)
        drawn.annotate(
            "", (j, height), (i, height), arrowprops={"arrowstyle": "-|>", "color": _MOVED, "linewidth": 1.6}
        )
        share = amount / (len(rows) * table.rows)
        if step * len(moves) < _ARROWS:
            drawn.text(
                (i + j) / 2, height + 0.015 * top, f"{share:.3g}", ha="center", va="bottom", fontsize=9, color=_MOVED
            )
    drawn.set_ylim(0, top * (1.06 + step * len(moves)))
    drawn.set_yticks([tick for tick in drawn.get_yticks() if tick <= top])  # above the bars are arrows, and no shares
    drawn.set_xticks(values[::every], texts[::every])
    if upright:
        drawn.tick_params("x", rotation=90)
    drawn.set_xlabel(as_written(sensitive.name))
    drawn.set_ylabel("share of rows")
    drawn.set_title(f"earth mover's distance {exact_text(metric.emd(group, whole))}", fontsize=9, loc="left", pad=22)
    legend_above(drawn, 9, 2)
    return drawn  # type: ignore[no-any-return]
