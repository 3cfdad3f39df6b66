"""Pictures: a released table with its groups and stars, costs side by side. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from anoptima.answer import Answer
from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, exact_text
from anoptima.experiments.comparison import Run
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.table import STAR

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUP_COLOURS = ("#dbe9f6", "#fde5cd", "#dff0d8", "#ece2f0", "#fbe3e8", "#e8e6d1")
_STAR_COLOUR = "#b3261e"
_MOST_ROWS = 60
_MARKS = "os^Dv*"


@checked
def plot_release(answer: Answer[Partition], axes: Axes | None = None, title: str | None = None) -> Axes:
    """Draw a released table: one line a row, sorted by group; each group a colour, each star red. For tables of up to 60 rows."""
    problem = answer.problem
    if not isinstance(problem, CellSuppression):
        raise NotApplicable(f"plot_release draws the groups of cell-suppression, not of {problem.name}")
    if problem.table.rows > _MOST_ROWS:
        raise NotApplicable(
            f"plot_release draws up to {_MOST_ROWS} rows, and this table has {problem.table.rows:,}; take a part of it"
        )
    axes = _axes(axes)
    groups = answer.require_solution().groups()
    release = answer.release
    columns = [str(name) for name in release.columns]
    cells, colours = [], []
    for number, group in enumerate(groups):
        for row in group:
            values = [str(value) for value in release.iloc[row]]
            cells.append([str(row + 1), *values])
            colours.append([_GROUP_COLOURS[number % len(_GROUP_COLOURS)]] * (len(columns) + 1))
    drawn = axes.table(
        cellText=cells, cellColours=colours, colLabels=["row", *columns], loc="upper center", cellLoc="center"
    )
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(8)
    drawn.auto_set_column_width(list(range(len(columns) + 1)))
    for (row, _), cell in drawn.get_celld().items():
        cell.set_edgecolor("white")
        if row == 0:
            cell.set_text_props(weight="bold")
        elif cell.get_text().get_text() == STAR:
            cell.get_text().set_color(_STAR_COLOUR)
    axes.set_axis_off()
    axes.set_title(
        title or f"{problem.describe_cost(answer.cost or 0)} under {problem.principle} ({answer.solver})", fontsize=9
    )
    return axes


@checked
def plot_costs(
    costs: Mapping[str, Sequence[Exact]], places: Sequence[str], axes: Axes | None = None, unit: str = "stars"
) -> Axes:
    """Draw bars of costs, one colour a solver, one cluster a place (a k, a table); the figure stands on each bar."""
    axes = _axes(axes)
    width = 0.8 / max(1, len(costs))
    for number, (solver, values) in enumerate(costs.items()):
        if len(values) != len(places):
            raise BadInput(f"{solver} has {len(values)} costs for {len(places)} places")
        left = np.arange(len(places)) + number * width
        bars = axes.bar(left, [float(value) for value in values], width * 0.95, label=solver)
        axes.bar_label(bars, labels=[exact_text(value) for value in values], fontsize=7)
    axes.set_xticks(np.arange(len(places)) + width * (len(costs) - 1) / 2, places)
    axes.set_ylabel(unit)
    # Bars start at 0, so that their lengths can be compared; room above for the legend.
    axes.set_ylim(0, axes.get_ylim()[1] * 1.2)
    axes.legend(fontsize=8, ncols=len(costs), loc="upper left")
    return axes


@checked
def plot_ratios(runs: Sequence[Run], axes: Axes | None = None) -> Axes:
    """Draw the proven ratios of a comparison: a line a solver, the best at the top, with a mark for each problem.

    An upright dash is the ratio that a solver guarantees. Guarantees above twice the largest ratio are left out: what they are above
    says enough.
    """
    known = [(run, ratio) for run in runs if (ratio := run.ratio) is not None]
    if not known:
        raise NotApplicable("there is no ratio to draw: no run has a solution and a bound above 0")
    most = max(ratio for _, ratio in known)
    worst: dict[str, float] = {}
    for run, ratio in known:
        worst[run.solver] = max(ratio, worst.get(run.solver, 0.0))
    line = {solver: place for place, solver in enumerate(sorted(worst, key=lambda name: (-worst[name], name)))}
    places = {run.number: run.asks for run in runs}
    axes = _axes(axes, height=1.2 + 0.26 * len(line))
    for number, (place, asks) in enumerate(places.items()):
        own = [(run, ratio) for run, ratio in known if run.number == place]
        # Marks of several problems stand beside one another, not on top.
        shift = 0.5 * ((number + 1) / (len(places) + 1) - 0.5)
        heights = [line[run.solver] - shift for run, _ in own]
        colour = f"C{number % 10}"
        axes.plot([ratio for _, ratio in own], heights, _MARKS[number % len(_MARKS)], color=colour, label=asks)
        for (run, _), height in zip(own, heights, strict=True):
            if run.guaranteed is not None and run.guaranteed <= 2 * most:
                axes.plot(float(run.guaranteed), height, "|", markersize=9, color=colour)
    axes.axvline(1, color="grey", linewidth=0.8)
    axes.set_yticks(list(line.values()), list(line), fontsize=8)
    axes.set_ylim(-0.7, len(line) - 0.3)
    axes.grid(axis="x", linewidth=0.3)
    axes.set_xlabel("cost / best bound (upright dash: guaranteed)")
    axes.legend(fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    return axes


def write_plot(axes: Axes, stream: IO[bytes], ending: str) -> None:
    """Write a picture to a file, in the format that `ending` (".svg") names, and let go of it."""
    import matplotlib.pyplot as plt

    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.savefig(stream, format=ending.lstrip(".").lower(), bbox_inches="tight")
    plt.close(figure)


def _axes(axes: Axes | None, height: float | None = None) -> Any:
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise NotApplicable("pictures need matplotlib; install anoptima[plots]") from None
    return plt.subplots(figsize=None if height is None else (6.4, height))[1]
