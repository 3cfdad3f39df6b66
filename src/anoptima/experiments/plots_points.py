"""Pictures of fake points in the plane: the data with their fakes, and the depth of every place in corner space.

Needs the extra `anoptima[plots]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import NotApplicable
from anoptima.exact import counted
from anoptima.experiments.canvas import axes_on, new_figure
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.depths import Point
from anoptima.problems.fake_boxes import AddedBoxes, FakeBoxes
from anoptima.problems.fake_points import FakePoints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DATA, _FAKE, _SPARSE, _TOO_FEW = "#1f4e79", "#c55a11", "#b3261e", "#f3c1bc"
_EMPTY, _ENOUGH = "#ffffff", ("#dcefdc", "#b5dcb5", "#8cc68c")
_MOST_CELLS = 250_000
_LONGEST = 8
"""How many times its other side a picture's longer side may be; beyond that, the axes have scales of their own."""
_FARTHEST = 10**15
"""The largest coordinate that is drawn, and what the least width may be a part of: numbers beyond are not told apart as floats."""
_LONG = 10**5
"""From here on the numbers at an axis are so long that side by side they would overlap."""
_LEAST_CELL = 0.07
"""The share of a picture's side that a cell has at least for each digit of the number that is written in it: others would overlap."""


@checked
def plot_points(
    problem: FakePoints, solution: AddedPoints | None = None, axes: Axes | None = None, title: str | None = None
) -> Axes:
    """Draw the data as discs, fakes as diamonds, each with how often it is there if more than once; and one test box, if any, that
    holds too few points.

    >>> print(plot_points(FakePoints([(1, 1), ("1.4", "1.2")], 3)).get_title())
    the points as they are:
    some test boxes hold only 1 or 2
    """
    _require_plane(problem)
    solution = solution or AddedPoints()
    drawn: Axes = axes_on(axes)
    _draw_frame(drawn, problem.domain, "domain", float(problem.widths[0] / problem.widths[1]))
    faulty = next(problem.sparse(solution), None)
    if faulty is not None:
        corner, held = faulty
        _draw_box(drawn, corner, problem.widths, f"{held} of {problem.k}")
    for x, y in (*problem.points, *solution.points):
        # In sight is as much around each point as the test boxes that hold it in their middle take.
        room = [float(width) / 2 for width in problem.widths]
        drawn.update_datalim([(float(x) + sign * room[0], float(y) + sign * room[1]) for sign in (-1, 1)])
    _draw_places(drawn, Counter(problem.points), "o", _DATA, "data", (-9, 5))
    _draw_places(drawn, Counter(solution.points), "D", _FAKE, "fake", (6, -11))
    _finish(drawn, title or _verdict(problem, solution, faulty is None, "points", ("test box", "holds", "hold")))
    return drawn


@checked
def plot_depths(
    problem: FakeBoxes, solution: AddedBoxes | None = None, axes: Axes | None = None, title: str | None = None
) -> Axes:
    """Draw corner space: green where enough boxes lie on each other, red where some do and too few, white where none does.

    Every box that is there is outlined, fakes dashed. Only places that are tested are coloured.

    >>> axes = plot_depths(FakeBoxes([(0, 0), ("0.4", "0.2")], 2))
    >>> print(axes.get_title())
    the boxes as they are:
    some places lie in only 1
    """
    points = problem.as_points()
    _require_plane(points)
    solution = solution or AddedBoxes()
    drawn: Axes = axes_on(axes)
    _draw_frame(drawn, problem.region, "region")
    both = (*problem.corners, *solution.corners)
    lacking = _draw_cells(drawn, both, points)
    outlines = ((problem.corners, _DATA, "-", "data"), (solution.corners, _FAKE, "--", "fake"))
    for corners, colour, line, what in outlines:
        if corners:
            drawn.plot([], [], line, color=colour, label=f"{what}: {len(corners)}")
        for x, y in sorted(set(corners)):
            drawn.add_patch(
                _rectangle((float(x), float(y)), 1, 1, fill=False, edgecolor=colour, linestyle=line, lw=1.4)
            )
    for colour, what in ((_TOO_FEW, f"in {_too_few(problem.k)}"), (_ENOUGH[0], f"in {problem.k} or more")):
        if lacking or colour != _TOO_FEW:
            drawn.plot([], [], "s", color=colour, markeredgecolor="grey", label=what)
    feasible = next(points.sparse(problem.points_of(solution)), None) is None
    _finish(drawn, title or _verdict(problem, solution, feasible, "boxes", ("place", "lies in", "lie in")))
    return drawn


@checked
def plot_before_and_after(problem: FakePoints, solution: AddedPoints) -> Figure:
    """Draw four pictures: points and depths, before and after the fakes are added; all in units of the widths.

    >>> import anoptima as ao
    >>> problem = ao.FakePoints([(1, 1), ("1.4", "1.2")], 2)
    >>> figure = plot_before_and_after(problem, problem.trivial())
    >>> [axes.get_title().splitlines()[0] for axes in figure.axes]
    ['the points as they are:', '2 fake points:', 'the boxes as they are:', '2 fake boxes:']
    """
    problem, solution = problem.as_points(), problem.points_of(solution)
    figure: Figure = new_figure((10.5, 9.6))
    (a, b), (c, d) = figure.subplots(2, 2)
    boxes = FakeBoxes.of(problem)
    plot_points(problem, None, a)
    plot_points(problem, solution, b)
    plot_depths(boxes, None, c)
    plot_depths(boxes, boxes.from_points(solution), d)
    for above, below in ((a, b), (c, d)):
        limits = [
            (min(one[0], two[0]), max(one[1], two[1]))
            for one, two in ((above.get_xlim(), below.get_xlim()), (above.get_ylim(), below.get_ylim()))
        ]
        for axes in (above, below):
            axes.set(xlim=limits[0], ylim=limits[1])
    return figure


def _draw_cells(drawn: Any, corners: Sequence[Point], problem: FakePoints) -> bool:
    """Colour every cell by its depth; return whether some cell lies in too few boxes."""
    from matplotlib.colors import ListedColormap

    edges = [_edges([corner[i] for corner in corners], problem, i) for i in range(2)]
    if len(edges[0]) * len(edges[1]) > _MOST_CELLS:
        raise NotApplicable(
            f"plot_depths draws up to {_MOST_CELLS:,} cells, and these boxes make {len(edges[0]) * len(edges[1]):,}; take fewer"
        )
    depth = np.zeros([len(edges[1]) - 1, len(edges[0]) - 1], dtype=int)
    for x, y in corners:
        columns = [x < b and a < x + 1 for a, b in zip(edges[0], edges[0][1:], strict=False)]
        rows = [y < b and a < y + 1 for a, b in zip(edges[1], edges[1][1:], strict=False)]
        depth += np.outer(rows, columns)
    k = problem.k
    shade = np.where(depth == 0, 0, np.where(depth < k, 1, 2 + np.minimum(2, depth // k - 1)))
    colours = ListedColormap([_EMPTY, _TOO_FEW, *_ENOUGH])
    drawn.pcolormesh(*(np.array(edge, dtype=float) for edge in edges), shade, cmap=colours, vmin=-0.5, vmax=4.5)
    if depth.size <= 400:
        middles = [(np.array(edge[:-1], dtype=float) + np.array(edge[1:], dtype=float)) / 2 for edge in edges]
        wide = [np.diff(np.array(edge, dtype=float)) for edge in edges]
        least = _LEAST_CELL * max(float(edge[-1] - edge[0]) for edge in edges)
        for (i, j), value in np.ndenumerate(depth):
            room = wide[0][j] / len(str(value)), wide[1][i]
            if value and min(room) >= least:
                drawn.text(
                    middles[0][j], middles[1][i], str(value), ha="center", va="center", fontsize=7,
                    color=_SPARSE if value < k else "#2e6b2e",
                )  # fmt: skip
    return bool((shade == 1).any())


def _edges(lower: list[Fraction], problem: FakePoints, axis: int) -> list[Fraction]:
    found = {x + shift for x in lower for shift in (0, 1)}
    if problem.tested is not None:
        low, high = problem.tested[axis]
        found = {x for x in found if low < x < high} | {low, high}
    return sorted(found)


def _draw_places(
    drawn: Any, places: Counter[Point], marker: str, colour: str, label: str, shift: tuple[int, int]
) -> None:
    if not places:
        return
    xs, ys = zip(*((float(x), float(y)) for x, y in places), strict=True)
    hollow = marker == "D"
    drawn.scatter(
        xs, ys, s=110 if hollow else 34, marker=marker, facecolors="none" if hollow else colour, edgecolors=colour,
        linewidths=1.6, label=f"{label}: {places.total()}", zorder=3,
    )  # fmt: skip
    for (x, y), number in places.items():
        if number > 1:
            drawn.annotate(
                f"x{number}", (float(x), float(y)), shift, textcoords="offset points", color=colour, fontsize=8
            )


def _draw_box(drawn: Any, corner: Point, widths: Sequence[Fraction], text: str) -> None:
    (x, y), (width, height) = map(float, corner), map(float, widths)
    drawn.add_patch(_rectangle((x, y), width, height, facecolor=_TOO_FEW, edgecolor=_SPARSE, alpha=0.5, zorder=1))
    drawn.annotate(text, (x + width / 2, y + height / 2), color=_SPARSE, ha="center", va="center", fontsize=8)
    drawn.plot([], [], "s", color=_TOO_FEW, markeredgecolor=_SPARSE, label="a test box with too few")


def _draw_frame(drawn: Any, sides: Sequence[tuple[Fraction, Fraction]] | None, label: str, aspect: float = 1.0) -> None:
    if sides is not None:
        (a, b), (c, d) = [(float(low), float(high)) for low, high in sides]
        drawn.add_patch(
            _rectangle((a, c), b - a, d - c, fill=False, edgecolor="grey", linestyle=":", lw=1.4, label=label)
        )
    drawn.set_aspect(aspect)


def _finish(drawn: Any, title: str) -> None:
    drawn.autoscale_view()
    drawn.margins(0.06)
    height, width = np.ptp(drawn.get_ylim()) * drawn.get_aspect(), np.ptp(drawn.get_xlim())
    if max(height, width) > _LONGEST * min(height, width):
        drawn.set_aspect("auto")
        title += " (axes to different scales)"
    drawn.ticklabel_format(useOffset=False, style="plain")
    handles, _ = drawn.get_legend_handles_labels()
    if handles:
        drawn.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=3, frameon=False)
    drawn.tick_params(labelsize=7)
    if max(map(abs, drawn.get_xlim())) >= _LONG:
        drawn.locator_params("x", nbins=3)
    drawn.set_title(title, fontsize=9)


def _verdict(problem: Any, solution: Any, feasible: bool, what: str, tested: tuple[str, str, str]) -> str:
    added, (one, holds, hold) = problem.cost(solution), tested
    before = counted(added, f"fake {what}") if added else f"the {what} as they are"
    many = f"{one}es" if one.endswith("x") else f"{one}s"
    found = f"every {one} {holds} none or at least" if feasible else f"some {many} {hold} only"
    return f"{before}:\n{found} {problem.k if feasible else _too_few(problem.k)}"


def _too_few(k: int) -> str:
    """Return the numbers above 0 and below k in words: '1', '1 or 2', '1 to 4'."""
    return "1" if k == 2 else f"1 {'or' if k == 3 else 'to'} {k - 1}"


def _require_plane(problem: FakePoints) -> None:
    if problem.dimensions != 2:
        raise NotApplicable(
            f"this picture is of the plane, and these points have {counted(problem.dimensions, 'coordinates')}"
        )
    lengths = [abs(number) for numbers in (*problem.points, problem.widths) for number in numbers]
    if max(lengths) > _FARTHEST or min(problem.widths) * _FARTHEST < 1:
        raise NotApplicable(
            f"the axes of a picture go up to {_FARTHEST:,}, and what is to be drawn is larger or smaller than they show"
        )


def _rectangle(*arguments: Any, **options: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(*arguments, **options)
