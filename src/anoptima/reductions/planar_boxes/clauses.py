"""Clauses: a patch in the middle with a wire to each literal, each wire of an even number of patches.

The middle c0 = (0, 0) is the end of one to three arms: left from (-4, -2) about the axis y = -1, right from (4, 2) about y = 1, down
from (2, -4) about x = 1. The arms to the left and to the right bend downwards above their literals; at a bend both steps are 4, and the
patches next to the corner are on its outer side, because with steps of 3 they would be too close to each other. Arms end on the cell e
of their literal's slot. A clause below the line is mirrored.

With 2 q patches in the arms, q windows hold at most q of the patches at an odd distance from c0, each with one neighbour. So of the
q + 1 patches at an even distance, c0 among them, q windows leave one uncovered, wherever they are; and if one end e is covered by the
loop of its variable, the others can be.

*Sizes.* From an arm's end to c0 it is `rise` = 40 (level + 1) cells down and `reach` = |x(e) - x(c0) - 1| across, a multiple of 8 that
is at least 32. With steps of 4 throughout, as far as they go, the numbers of patches are even of themselves:

    down    rise / 4
    left    reach / 4 + rise / 4
    right   reach / 4 + rise / 4 + 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anoptima.problems.sources.patch_cover import Cell
from anoptima.reductions.planar_boxes.rings import HEIGHT, PITCH, TIP, Slot
from anoptima.reductions.planar_boxes.wires import fewest_steps, straight


@dataclass(frozen=True)
class Arm:
    """A wire from a clause's middle to a literal: its patches from the middle on, the last one being the slot's end."""

    slot: Slot
    patches: tuple[Cell, ...]


@dataclass(frozen=True)
class ClauseGadget:
    """A clause: its place in the formula, its middle, and its arms from left to right."""

    clause: int
    middle: Cell
    arms: tuple[Arm, ...]

    @property
    def windows(self) -> int:
        """The number of windows that the arms need, q."""
        return sum(len(arm.patches) for arm in self.arms) // 2


def clause_gadget(clause: int, slots: Sequence[Slot], above: bool, level: int) -> ClauseGadget:
    """Return the clause at a nesting level with arms to slots, which are given from left to right: one to three.

    >>> from anoptima.reductions.planar_boxes.rings import ring
    >>> made = clause_gadget(0, ring(1, [(1, 0)], [], 0).slots, True, 0)
    >>> made.middle, made.windows, made.arms[0].patches[:2], made.arms[0].patches[-1]
    ((16, 53), 5, ((18, 49), (17, 45)), (17, 13))
    """
    ends = [slot.end[0] for slot in slots]
    rise = PITCH * (level + 1)
    axis = ends[0] + 8 * round((ends[1] - ends[0]) / 16) if len(ends) == 2 else ends[len(ends) // 2]
    middle = (axis - 1, TIP + rise)
    paths = [_down(rise)] if len(ends) == 1 else [_left(axis - ends[0], rise), _right(ends[-1] - axis, rise)]
    if len(ends) == 3:
        paths.insert(1, _down(rise))

    def placed(x: int, y: int) -> Cell:
        y += middle[1]
        return middle[0] + x, y if above else HEIGHT - y

    arms = (Arm(slot, tuple(placed(x, y) for x, y in path)) for slot, path in zip(slots, paths, strict=True))
    return ClauseGadget(clause, placed(0, 0), tuple(arms))


def _down(rise: int) -> list[Cell]:
    first = (4, 1)
    path = [first, *straight(first, (rise, 0), fewest_steps(rise - 4))]
    return [(1 + offset, -place) for place, offset in path]


def _left(reach: int, rise: int) -> list[Cell]:
    corner = (-(reach - 1), -1)
    across = [(4, -1), *straight((4, -1), (reach - 5, 1), fewest_steps(reach - 9))]
    return [*((-place, -1 + offset) for place, offset in across), *_descent(corner, -1, rise - 1)]


def _right(reach: int, rise: int) -> list[Cell]:
    corner = (reach + 1, 1)
    across = [(4, 1), *straight((4, 1), (reach - 3, 1), fewest_steps(reach - 7))]
    return [*((place, 1 + offset) for place, offset in across), *_descent(corner, 1, rise + 1)]


def _descent(corner: Cell, outward: int, height: int) -> list[Cell]:
    """Return the patches from a corner down to an end: first a step of 4 to the outer side."""
    path = [(0, 0), (4, 1), *straight((4, 1), (height, 0), fewest_steps(height - 4))]
    return [(corner[0] + outward * offset, corner[1] - place) for place, offset in path]
