"""Pictures: a released table with its groups and stars, costs side by side. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from anoptima.answer import Answer, Claim, Stop
from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, exact_text, simplest
from anoptima.experiments.canvas import as_written, axes_on, colour_of, legend_above
from anoptima.packages import pd
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.table import STAR

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUP_COLOURS = ("#dbe9f6", "#fde5cd", "#dff0d8", "#ece2f0", "#fbe3e8", "#e8e6d1")
_STAR_COLOUR = "#b3261e"
_MOST_ROWS = 60
_LETTER, _LINE, _SMALL, _BOLD = 0.09, 0.24, 0.8, 1.2
"""Inches that a letter and a line of a released table take; the widths of small letters (on given axes, in a title) and of bold ones
are shares of that."""
_MARKS = "os^Dv*"
_BAR, _WIDE_BAR = 0.2, 0.5
"""Inches for each bar beside others, and those that a number upon it takes, which is turned where there are fewer."""


@checked
def plot_release(
    answer: Answer[Partition],
    axes: Axes | None = None,
    title: str | None = None,
    prices: Sequence[Exact] | None = None,
) -> Axes:
    """Draw a released table: one line a row, sorted by group; each group a colour, each star red. For tables of up to 60 rows.

    `prices`, one for each row, such as `row_prices(problem).prices`, stand in a last column, with their sum in the title.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> plot_release(ao.solve(problem), prices=ao.row_prices(problem).prices).get_title()
    '54 stars of 80 cells under 3-anonymity (subset-dp); the prices add up to 54'
    """
    problem = answer.problem
    if not isinstance(problem, CellSuppression):
        raise NotApplicable(f"plot_release draws the groups of cell-suppression, not of {problem.name}")
    if problem.table.rows > _MOST_ROWS:
        raise NotApplicable(
            f"plot_release draws up to {_MOST_ROWS} rows, and this table has {problem.table.rows:,}; take a part of it"
        )
    if prices is not None and len(prices) != problem.table.rows:
        raise BadInput(f"there are {len(prices)} prices for {problem.table.rows} rows; there must be one for each row")
    groups = answer.require_solution().groups()
    release = answer.release
    columns = ["row", *(as_written(name) for name in release.columns), *(["price"] if prices is not None else [])]
    cells, colours = [], []
    for number, group in enumerate(groups):
        for row in group:
            values = [as_written(value) for value in release.iloc[row]]
            values += [exact_text(prices[row])] if prices is not None else []
            cells.append([str(row + 1), *values])
            colours.append([_GROUP_COLOURS[number % len(_GROUP_COLOURS)]] * len(columns))
    said = title or as_written(f"{problem.describe_cost(answer.cost or 0)} under {problem.principle} ({answer.solver})")
    if prices is not None and title is None:
        said += f"; the prices add up to {exact_text(simplest(Fraction(sum(prices))))}"
    drawn, axes = _table(cells, colours, columns, axes, len(said))
    for (row, _), cell in drawn.get_celld().items():
        cell.set_edgecolor("white")
        if row == 0:
            cell.set_text_props(weight="bold")
        elif cell.get_text().get_text() == STAR:
            cell.get_text().set_color(_STAR_COLOUR)
    axes.set_axis_off()
    axes.set_title(said, fontsize=9)
    return axes


def _table(
    cells: list[list[str]], colours: list[list[str]], columns: list[str], axes: Axes | None, title: int
) -> tuple[Any, Axes]:
    """Draw a table on given axes, at their top, or on new ones that it fills, in letters that a telephone can show.

    `title` is the number of the title's letters, for which new axes are wide enough.
    """
    widths = [max(_BOLD * len(name), *map(len, column)) + 1.5 for name, *column in zip(columns, *cells, strict=True)]
    if axes is not None:
        figure: Any = axes_on(axes).figure
        room = axes.get_position().width * figure.get_figwidth()
        shares = [min(width * _LETTER * _SMALL / room, width / sum(widths)) for width in widths]
        drawn = axes.table(cells, colours, colLabels=columns, colWidths=shares, loc="upper center", cellLoc="center")
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(8)
        return drawn, axes
    from matplotlib.transforms import Bbox

    axes = axes_on(None, (_LETTER * max(sum(widths), _SMALL * title), _LINE * (len(cells) + 3)))
    shares = [width / sum(widths) for width in widths]
    drawn = axes.table(cells, colours, colLabels=columns, colWidths=shares, cellLoc="center", bbox=Bbox.unit())
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(10)
    return drawn, axes


@checked
def plot_costs(comparison: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw the costs of what `compare` returned: one colour a solver, one cluster of bars a question; the cost stands on each bar.

    A dashed line across a cluster is the best bound that any solver gave on the question: no release costs less.

    >>> import anoptima as ao
    >>> axes = plot_costs(ao.compare("ten-rows", ["mondrian", "peel"]))
    >>> [text.get_text() for text in axes.get_legend().get_texts()], [text.get_text() for text in axes.texts]
    (['best bound', 'mondrian', 'peel'], ['51', '57', '48', '58'])
    """
    known = _runs(comparison, "cost", "no run has a solution")
    solvers, places = list(dict.fromkeys(known["solver"])), _labels(known)
    many = len(solvers) * len(places)
    drawn: Any = axes_on(axes, (max(6.4, 1 + _BAR * many), 4.8 + 0.1 * (len(solvers) // 3)))
    is_narrow = drawn.get_position().width * drawn.figure.get_figwidth() < _WIDE_BAR * many
    width = 0.8 / len(solvers)
    place_of = {question: place for place, question in enumerate(places)}
    for number, solver in enumerate(solvers):
        own = known[known["solver"] == solver]
        left = [place_of[question] + number * width for question in own["question"]]
        costs = [float(cost) for cost in own["cost"]]
        bars = drawn.bar(left, costs, width * 0.95, label=solver, color=colour_of(number))
        labels = [exact_text(Fraction(cost)) for cost in own["cost"]]
        drawn.bar_label(bars, labels=labels, fontsize=7, rotation=90 if is_narrow else 0, padding=2)
    bounds = comparison[comparison["bound"].notna()].groupby("question")["bound"].max()
    for number, question in enumerate(one for one in places if one in bounds):
        left_end, bound = place_of[question] - width / 2, float(bounds[question])
        label = None if number else "best bound"
        drawn.plot([left_end, left_end + 0.8], [bound, bound], "k--", linewidth=1, label=label)
    drawn.set_xticks(np.arange(len(places)) + width * (len(solvers) - 1) / 2, list(places.values()))
    drawn.set_ylabel("cost")
    # Bars start at 0, so that their lengths can be compared; where all are 0, the scale is of whole numbers still.
    drawn.set_ylim(0, max(1, drawn.get_ylim()[1]) * (1.15 if is_narrow else 1))
    legend_above(drawn, most=max(3, int(drawn.figure.get_figwidth() // 2)))
    return drawn  # type: ignore[no-any-return]


@checked
def plot_ratios(comparison: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw cost / best bound of what `compare` returned: a line a solver, the best at the top, with a mark for each question.

    An upright dash is the ratio that a solver guarantees. Guarantees above twice the largest ratio are left out: what they are above
    says enough.

    >>> import anoptima as ao
    >>> axes = plot_ratios(ao.compare("ten-rows", ["mondrian", "auto"]))
    >>> [text.get_text() for text in axes.get_yticklabels()]
    ['mondrian', 'auto']
    """
    known = _runs(comparison, "ratio", "no run has a solution and a bound above 0")
    most = known["ratio"].max()
    worst = known.groupby("solver")["ratio"].max()
    line = {solver: place for place, solver in enumerate(sorted(worst.index, key=lambda name: (-worst[name], name)))}
    places = _labels(known)
    axes = axes_on(axes, (6.4, 1.2 + 0.26 * len(line)))
    for number, (question, label) in enumerate(places.items()):
        own = known[known["question"] == question]
        # Marks of several problems stand beside one another, not on top.
        shift = 0.5 * ((number + 1) / (len(places) + 1) - 0.5)
        heights = [line[solver] - shift for solver in own["solver"]]
        colour = colour_of(number)
        axes.plot(own["ratio"].tolist(), heights, _MARKS[number % len(_MARKS)], color=colour, label=label)
        for guaranteed, height in zip(own["guaranteed"], heights, strict=True):
            if not pd.isna(guaranteed) and guaranteed <= 2 * most:
                axes.plot(float(guaranteed), height, "|", markersize=9, color=colour)
    axes.axvline(1, color="grey", linewidth=0.8)
    axes.set_yticks(list(line.values()), list(line), fontsize=8)
    axes.set_ylim(-0.7, len(line) - 0.3)
    axes.grid(axis="x", linewidth=0.3)
    axes.set_xlabel("cost / best bound (upright dash: guaranteed)")
    legend_above(axes)
    return axes


_NEEDED = (
    "question",
    "asks",
    "problem",
    "table",
    "k",
    "l",
    "t",
    "space",
    "solver",
    "claim",
    "stop",
    "cost",
    "bound",
    "ratio",
    "guaranteed",
)


def _runs(comparison: pd.DataFrame, column: str, nothing: str) -> pd.DataFrame:
    """Return the whole runs that have something in a column; refuse a frame that is no comparison, and one without such runs."""
    absent = [name for name in _NEEDED if name not in comparison.columns]
    if absent:
        raise BadInput(
            f"the frame has no column {absent[0]!r}; it must be what `compare` returned, with all of its columns"
        )
    known = pd.DataFrame(comparison[comparison[column].notna() & _went_on(comparison)])
    if not len(known):
        raise NotApplicable(f"there is no {column} to draw: {nothing}")
    return known


def _went_on(comparison: pd.DataFrame) -> Any:
    """Tell of each run whether it went on until it ended by itself or by its limits: Ctrl-C says nothing about a solver."""
    return comparison["stop"] != Stop.CANCELLED.value


@checked
def plot_ratio_profile(comparison: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw for every factor on how many questions of what `compare` returned a solver's cost is within it of the best bound.

    A line that rises early is a good solver; how far it is from the top at its end are the questions that it did not answer. Questions
    that are proved to have no solution are left out.

    >>> import anoptima as ao
    >>> axes = plot_ratio_profile(ao.compare("ten-rows", ["mondrian", "auto"]))
    >>> axes.get_xlabel(), len(axes.get_lines())
    ('cost / best bound, at most', 2)
    """
    known = _runs(comparison, "ratio", "no run has a solution and a bound above 0")
    insoluble = comparison[comparison["claim"] == Claim.INFEASIBLE.value]["question"]
    asked = comparison[_went_on(comparison) & ~comparison["question"].isin(insoluble)].groupby("solver").size()
    axes = axes_on(axes, (5.6, 2.8 + 0.14 * len(asked)))
    end = 1 + max(0.05, 1.08 * (float(known["ratio"].max()) - 1))
    for number, (solver, runs) in enumerate(known.groupby("solver")):
        ratios = sorted(float(ratio) for ratio in runs["ratio"])
        shares = [(number + 1) / int(asked[solver]) for number in range(len(ratios))]
        # Lines that coincide stay visible: each is thinner than those below it.
        width = 1.5 + 6 * (1 - (number + 1) / len(asked))
        within, reached = [1, *ratios, end], [0, *shares, shares[-1]]
        axes.step(within, reached, where="post", label=str(solver), color=colour_of(number), linewidth=width)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.set_ylim(0, 1.04)
    axes.set_xlabel("cost / best bound, at most")
    axes.set_ylabel("share of the questions")
    axes.grid(linewidth=0.3)
    legend_above(axes)
    return axes


def _labels(known: pd.DataFrame) -> dict[int, str]:
    """Return what tells each question from the others: 'k = 3'; the whole question where that is not enough."""
    each = known.drop_duplicates("question").set_index("question")
    differing = [name for name in _TOLD_BY if each[name].nunique(dropna=False) > 1]
    for told in ([name for name in differing if name != "table"], differing):
        labels = [
            ", ".join(_part(name, row[name]) for name in told if not pd.isna(row[name])) for _, row in each.iterrows()
        ]
        if all(labels) and len(set(labels)) == len(labels):
            break
    else:
        labels = each["asks"].tolist()
    return dict(zip(each.index.tolist(), map(as_written, labels), strict=True))


_TOLD_BY = ("table", "problem", "k", "l", "t", "space")


def _part(name: str, value: Any) -> str:
    return f"{name} = {value}" if name in ("k", "l", "t") else str(value)


def write_plot(axes: Axes, stream: IO[bytes], ending: str) -> None:
    """Write a picture to a file, in the format that `ending` (".svg") names, and let go of it."""
    import matplotlib.pyplot as plt

    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.savefig(stream, format=ending.lstrip(".").lower(), bbox_inches="tight")
    plt.close(figure)
