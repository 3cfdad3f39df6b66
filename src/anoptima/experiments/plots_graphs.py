"""Pictures of graphs: one beside the table that a reduction makes of it, and groups of rows as a matching. Needs `anoptima[plots]`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import exact_text
from anoptima.experiments.canvas import as_written, axes_on, new_figure
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.simplex_matching import SimplexMatching
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.reductions.base import Reduced

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _CHOSEN, _STARRED, _KEPT, _GROUP = "#1f4e79", "#c55a11", "#b3261e", "#dbe8f4", "#8cc68c"
_MOST_ROWS, _PANEL = 240, 40
_MOST_VERTICES = 60
_HEAD_LETTERS = 26
"""So many letters of this size stand above a panel side by side; longer heads stand upright."""


@checked
def plot_reduction(reduced: Reduced[VertexSet, Partition], chosen: VertexSet | None = None) -> Figure:
    """Draw the graph of a reduction beside the table that it becomes; with a solution, its vertices and the stars they make.

    Rows stand in panels of 40, one below the other. With `chosen`, a solution of the source, its vertices are orange and the cells that
    the solution carried over stars are red.

    >>> import anoptima as ao
    >>> cover = ao.VertexCover(ao.Graph(range(1, 5), [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3), (2, 4)]))
    >>> figure = plot_reduction(ao.get_reduction("vertex-cover-to-k-anonymity").apply(cover), ao.VertexSet.of([1, 2, 3]))
    >>> print(figure.axes[0].get_title())
    4 vertices, 6 edges; 106 rows
    a cover of 3 makes 137 stars
    """
    graph, target = getattr(reduced.source, "graph", None), reduced.target
    if not isinstance(graph, Graph) or not isinstance(target, CellSuppression):
        raise NotApplicable(
            f"this picture is of a graph that becomes a table, not of {reduced.source.name} that becomes {target.name}"
        )
    if target.table.rows > _MOST_ROWS:
        raise NotApplicable(f"the table has {target.table.rows:,} rows, and {_MOST_ROWS} are the most that are drawn")
    panels = math.ceil(target.table.rows / _PANEL)
    figure: Any = new_figure((4.2 + 1.5 * panels, 5.2))
    left, *right = figure.subplots(1, 1 + panels, width_ratios=[3.2, *[1.4] * panels])
    _draw_graph(left, graph, chosen)
    stars = None if chosen is None else target.stars(reduced.push(chosen))
    for number, axes in enumerate(right):
        _draw_rows(axes, target, stars, range(_PANEL * number, min(_PANEL * (number + 1), target.table.rows)))
    words = f"{len(graph.vertices)} vertices, {len(graph.edges)} edges; {target.table.rows} rows"
    if chosen is not None and stars is not None:
        words += f"\na cover of {len(chosen.vertices)} makes {int(stars.sum())} stars"
    left.set_title(words, fontsize=9)
    return figure  # type: ignore[no-any-return]


@checked
def plot_matching(problem: SimplexMatching, matching: Matching, axes: Axes | None = None) -> Axes:
    """Draw vertices on a circle and the pairs and triples of a matching, each with what it costs; vertices are numbered from 0.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    >>> reduced = ao.get_reduction("2-anonymity-to-simplex-matching").apply(problem)
    >>> plot_matching(reduced.target, reduced.push(ao.solve(problem, "simplex-matching").solution)).get_title()
    '5 groups, cost 46'
    """
    if len(problem.vertices) > _MOST_VERTICES:
        raise NotApplicable(
            f"there are {len(problem.vertices)} vertices, and {_MOST_VERTICES} are the most that are drawn"
        )
    faults = problem.violations(matching)
    if faults:
        raise BadInput(f"the matching is none for this problem: {faults[0]}")
    side = max(5, 0.16 * len(problem.vertices))
    drawn: Any = axes_on(axes, (side, side))
    # Members of one group stand side by side, so that groups do not cross.
    groups = sorted(sorted(problem.position[name] for name in edge) for edge in matching.edges)
    place = _circle([vertex for group in groups for vertex in group])
    for group in groups:
        corners = [place[vertex] for vertex in group]
        xs, ys = ([corner[i] for corner in [*corners, corners[0]]] for i in range(2))
        drawn.fill(xs, ys, facecolor=_GROUP, edgecolor=_GROUP, alpha=0.7, linewidth=5, joinstyle="round")
        cost = problem.cost_of[tuple(problem.vertices[vertex] for vertex in group)]
        x, y = (sum(corner[i] for corner in corners) / len(corners) * 0.8 for i in range(2))
        drawn.text(x, y, exact_text(cost), ha="center", va="center", fontsize=9)
    _draw_vertices(drawn, {str(problem.vertices[vertex]): spot for vertex, spot in place.items()}, set())
    drawn.set_title(f"{len(groups)} groups, cost {exact_text(problem.cost(matching))}", fontsize=9)
    return drawn  # type: ignore[no-any-return]


def _circle(members: Sequence[Any]) -> dict[Any, tuple[float, float]]:
    turn = 2 * math.pi / max(1, len(members))
    return {member: (math.sin(i * turn), math.cos(i * turn)) for i, member in enumerate(members)}


def _draw_graph(drawn: Any, graph: Graph, chosen: VertexSet | None) -> None:
    place = _circle(graph.vertices)
    for x, y in graph.edges:
        drawn.plot(*zip(place[x], place[y], strict=True), color=_INK, linewidth=1.2, zorder=1)
    _draw_vertices(
        drawn,
        {str(vertex): spot for vertex, spot in place.items()},
        set() if chosen is None else set(map(str, chosen.vertices)),
    )


def _draw_vertices(drawn: Any, place: dict[str, tuple[float, float]], chosen: set[str]) -> None:
    for name, (x, y) in place.items():
        style = {"boxstyle": "circle,pad=0.35", "facecolor": _CHOSEN if name in chosen else "white", "edgecolor": _INK}
        ink = "white" if name in chosen else "black"
        drawn.text(x, y, as_written(name), ha="center", va="center", fontsize=9, color=ink, bbox=style, zorder=3)
    drawn.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    drawn.set_axis_off()


def _draw_rows(drawn: Any, problem: CellSuppression, stars: Any, rows: range) -> None:
    from matplotlib.colors import ListedColormap

    columns = problem.table.quasi_columns
    shown = [[0 if stars is None else int(stars[row][j]) for j in range(len(columns))] for row in rows]
    drawn.imshow(shown, cmap=ListedColormap([_KEPT, _STARRED]), vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            starred = stars is not None and stars[row][x]
            text = "*" if starred else as_written(column.values[column.codes[row]])
            drawn.text(x, y, text, ha="center", va="center", fontsize=6.5, color="white" if starred else "black")
    drawn.set_ylim(_PANEL - 0.5, -0.5)
    heads = [as_written(column.name) for column in columns]
    is_wide = len(" ".join(heads)) > _HEAD_LETTERS
    drawn.set_xticks(range(len(columns)), heads, fontsize=7, rotation=90 if is_wide else 0)
    drawn.set_yticks([])
    drawn.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    for side in drawn.spines.values():
        side.set_visible(False)
