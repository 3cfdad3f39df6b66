"""Pictures of formulas laid out as fake boxes: loops and wires of patches, and the windows that cover them.

Needs the extra `anoptima[plots]`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.experiments.canvas import axes_on
from anoptima.problems.fake_boxes import AddedBoxes
from anoptima.problems.sources.patch_cover import SIDE, Cell, Windows
from anoptima.problems.sources.planar_three_sat import TruthAssignment
from anoptima.reductions.planar_boxes.clauses import ClauseGadget
from anoptima.reductions.planar_boxes.layout import Layout
from anoptima.reductions.planar_boxes.rings import HEIGHT, Ring
from anoptima.reductions.planar_three_sat_to_fake_boxes import FormulaInBoxes
from anoptima.reductions.rectilinear_three_sat_to_patch_cover import FormulaInPatches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRUE, FALSE, WIRE, OVER = "#2e7d32", "#c55a11", "#1f4e79", "#b3261e"
_INK, _NOTHING = "#222222", "#8a8a8a"
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_MARGIN = 8
_WIDEST = 24.0
"""Inches of a picture that nobody gave axes for; beyond it, cells get smaller."""

_CELLS_AN_INCH = 20.0


@checked
def plot_formula(
    reduced: FormulaInBoxes | FormulaInPatches,
    solution: TruthAssignment | AddedBoxes | Windows | None = None,
    axes: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Draw a formula's loops and wires, and a solution as windows: green where a loop is true, orange where it is false, blue on wires.

    A patch is a dark cell. A window with a fat outline holds the end of a wire together with a pair of a loop: the literal there is true,
    and what it leaves over on the wire reaches the clause's middle. A red window is one more than the threshold has for that clause.

    Parameters
    ----------
    reduced
        What a reduction of planar 3-SAT to fake boxes or to patch cover returned.
    solution
        An assignment, fake boxes or windows; without one, patches alone are drawn. `BadInput` if it leaves a patch uncovered.

    Examples
    --------
    >>> import anoptima as ao
    >>> line = ao.get_reduction("planar-3-sat-to-rectilinear-3-sat").apply(ao.PlanarThreeSat(ao.Formula(1, [(-1,)])))
    >>> layout = ao.get_reduction("rectilinear-3-sat-to-patch-cover").apply(line.target)
    >>> plot_formula(layout).get_title()
    '41 patches, threshold 20'
    """
    patches = reduced.patches if isinstance(reduced, FormulaInBoxes) else reduced
    windows = _windows(reduced, patches, solution)
    layout = patches.layout
    drawn = axes_on(axes, _size(layout))
    true = patches.pull(windows).true if windows is not None else None
    for loop in layout.rings:
        _draw_loop(drawn, loop, None if true is None else loop.variable in true, reduced)
    for clause in layout.clauses:
        _draw_clause(drawn, clause, layout, true)
    if windows is not None:
        _draw_windows(drawn, layout, patches, windows)
    _draw_patches(drawn, layout.patches)
    _finish(drawn, layout, title or _verdict(patches, windows, true))
    return drawn  # type: ignore[no-any-return]


@checked
def plot_stackwork(reduced: FormulaInBoxes, axes: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the depth of every cell that the data's boxes make: green where it is k or more, dark red on the patches, where it is k - 1.

    >>> import anoptima as ao
    >>> reduced = ao.get_reduction("planar-3-sat-to-fake-boxes").apply(ao.PlanarThreeSat(ao.Formula(1, [(-1,)])))
    >>> plot_stackwork(reduced).get_title()
    '281 boxes: every cell lies in none or at least 2, but for the patches'
    """
    layout = reduced.patches.layout
    drawn = axes_on(axes, _size(layout))

    from matplotlib.colors import ListedColormap

    k = reduced.target.k  # type: ignore[attr-defined]
    depth, (left, low) = reduced.boxes.work.depths(k)
    shade = np.where(depth == 0, 0, np.where(depth < k, 1, 2 + np.minimum(2, depth // k - 1)))
    colours = ListedColormap(["#ffffff", OVER, "#dcefdc", "#b5dcb5", "#8cc68c"])
    xs, ys = (np.arange(size + 1) + first for size, first in zip(depth.shape, (left, low), strict=True))
    drawn.pcolormesh(xs, ys, shade.T, cmap=colours, vmin=-0.5, vmax=4.5)
    for colour, what in ((OVER, f"in {k - 1}: the patches"), ("#dcefdc", f"in {k} or more"), ("#ffffff", "in none")):
        drawn.plot([], [], "s", color=colour, markeredgecolor="grey", label=what)
    size = reduced.target.size()["boxes"]
    _finish(drawn, layout, title or f"{size:,} boxes: every cell lies in none or at least {k}, but for the patches")
    return drawn  # type: ignore[no-any-return]


def literal_text(literal: int) -> str:
    """Write a literal the way a person would.

    >>> literal_text(1), literal_text(-12)
    ('x₁', '¬x₁₂')
    """
    return f"{'¬' if literal < 0 else ''}x{str(abs(literal)).translate(_SUBSCRIPTS)}"


def _windows(
    reduced: FormulaInBoxes | FormulaInPatches,
    patches: FormulaInPatches,
    solution: TruthAssignment | AddedBoxes | Windows | None,
) -> Windows | None:
    if isinstance(solution, TruthAssignment):
        if isinstance(reduced, FormulaInBoxes):
            solution = reduced.line.push(solution)
        return patches.push(solution)
    if isinstance(solution, AddedBoxes):
        if not isinstance(reduced, FormulaInBoxes):
            raise NotApplicable("fake boxes are drawn on a reduction to fake-boxes; this one is to patch-cover")
        solution = reduced.boxes.pull(solution)
    wrong = patches.target.violations(solution) if solution is not None else []
    if wrong:
        raise BadInput(f"this is no solution to draw: {wrong[0]}")
    return solution


def _draw_loop(drawn: Any, loop: Ring, true: bool | None, reduced: FormulaInBoxes | FormulaInPatches) -> None:
    colour = _NOTHING if true is None else TRUE if true else FALSE
    row = [*loop.patches, loop.patches[0]]
    drawn.plot(*_middles(row), color=colour, lw=1.2, alpha=0.55, zorder=1)
    left, right = min(x for x, _ in loop.patches) + 1, max(x for x, _ in loop.patches)
    words = _name(loop.variable, reduced)
    if true is not None and right - left > 8:
        words += " = true" if true else " = false"
    drawn.text(
        (left + right) / 2, HEIGHT / 2 + 0.5, words, ha="center", va="center", color=colour, weight="bold", fontsize=11,
        zorder=6, bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 0.6},
    )  # fmt: skip


def _draw_clause(drawn: Any, clause: ClauseGadget, layout: Layout, true: Collection[int] | None) -> None:
    for arm in clause.arms:
        drawn.plot(*_middles([clause.middle, *arm.patches]), color=WIRE, lw=1.2, alpha=0.45, zorder=1)
        literal = arm.slot.literal
        colour = _NOTHING if true is None else TRUE if arm.slot.is_true(true) else FALSE
        x, y = arm.slot.end
        up = 1 if y > HEIGHT else -1
        drawn.text(
            x + 5.5,
            y + 0.5 + up * 2.5,
            literal_text(literal),
            ha="left",
            va="center",
            color=colour,
            fontsize=10,
            weight="bold",
        )
    x, y = clause.middle
    up = 1 if y > HEIGHT else -1
    literals = layout.formula.clauses[clause.clause]
    fails = true is not None and clause.clause in layout.formula.unsatisfied(true)
    words = " or ".join(map(literal_text, literals)) + (" fails" if fails else "")
    drawn.text(
        x + 0.5, y + 0.5 + up * 5.5, words, ha="center", va="bottom" if up > 0 else "top", fontsize=11,
        color=OVER if fails else _INK,
    )  # fmt: skip
    drawn.add_patch(_circle((x + 0.5, y + 0.5), 2.1, fill=False, edgecolor=_INK, lw=1.1, zorder=5))


def _draw_windows(drawn: Any, layout: Layout, patches: FormulaInPatches, windows: Windows) -> None:
    true = patches.pull(windows).true
    slots = {slot.window for slot in layout.slots}
    middles = {clause.middle for clause in layout.clauses}
    used = set()
    for corner in sorted(windows.corners):
        held = [layout.patches[place] for place in layout.cover.held(corner)]
        loops = {layout.rings[layout.loop_of[patch]].variable for patch in held if patch in layout.loop_of}
        fat = corner in slots
        if loops:
            colour = TRUE if loops & true else FALSE
        else:
            alone = len(held) == 1 and held[0] in middles
            colour = OVER if alone else WIRE
        used.add(colour)
        inset = 0.25
        drawn.add_patch(
            _rectangle(
                (corner[0] + inset, corner[1] + inset), SIDE - 2 * inset, SIDE - 2 * inset,
                facecolor=(*_rgb(colour), 0.22), edgecolor=(*_rgb(colour), 0.95), lw=2.2 if fat else 0.9, zorder=3 if fat else 2,
            )
        )  # fmt: skip
    words = {TRUE: "on a loop: true", FALSE: "on a loop: false", WIRE: "on a wire", OVER: "one too many"}
    for colour, what in words.items():
        if colour in used:
            drawn.plot([], [], "s", ms=11, color=(*_rgb(colour), 0.22), markeredgecolor=colour, label=f"window {what}")


def _draw_patches(drawn: Any, patches: Sequence[Cell]) -> None:
    from matplotlib.collections import PatchCollection

    cells = [_rectangle(patch, 1, 1) for patch in patches]
    drawn.add_collection(PatchCollection(cells, facecolor=_INK, edgecolor="none", zorder=4))


def _verdict(patches: FormulaInPatches, windows: Windows | None, true: Collection[int] | None) -> str:
    layout = patches.layout
    begin = f"{len(layout.patches)} patches, threshold {layout.threshold}"
    if windows is None or true is None:
        return begin
    fails = len(layout.formula.unsatisfied(true))
    total = len(layout.clauses)
    clauses = f"{fails} of {total} clauses {'fails' if fails == 1 else 'fail'}" if fails else "every clause holds"
    return f"{begin}; covered by {len(windows.corners)} windows: {clauses}"


def _finish(drawn: Any, layout: Layout, title: str) -> None:
    (left, low), (right, high) = _extent(layout)
    drawn.set(xlim=(left - _MARGIN, right + _MARGIN), ylim=(low - _MARGIN, high + _MARGIN), aspect="equal")
    drawn.set_axis_off()
    handles, _ = drawn.get_legend_handles_labels()
    if handles:
        drawn.legend(fontsize=10, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=5, frameon=False)
    drawn.set_title(title, fontsize=12, pad=12)


def _extent(layout: Layout) -> tuple[Cell, Cell]:
    xs, ys = zip(*layout.patches, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _name(variable: int, reduced: FormulaInBoxes | FormulaInPatches) -> str:
    line = reduced.line if isinstance(reduced, FormulaInBoxes) else None
    original = line.copied(variable) if line is not None else None
    return literal_text(variable) + ("" if original is None else f" (copy of {literal_text(original)})")


def _middles(row: Sequence[Cell]) -> tuple[list[float], list[float]]:
    return [x + 0.5 for x, _ in row], [y + 0.5 for _, y in row]


def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def _rectangle(*arguments: Any, **options: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(*arguments, **options)


def _circle(*arguments: Any, **options: Any) -> Any:
    from matplotlib.patches import Circle

    return Circle(*arguments, **options)


def _size(layout: Layout) -> tuple[float, float]:
    """Return how large a picture of all cells is, in inches."""
    (left, low), (right, high) = _extent(layout)
    wide, tall = right - left + 2 * _MARGIN, high - low + 2 * _MARGIN
    scale = min(1 / _CELLS_AN_INCH, _WIDEST / max(wide, tall))
    return max(5.0, wide * scale), max(3.0, tall * scale + 0.5)
