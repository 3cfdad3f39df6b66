"""Rings: the loop of patches that stands for a variable, with slots where clauses are attached.

A loop of 2 mu patches needs mu windows, and there are two ways to do with mu: *true* takes the patches 0 and 1 together, 2 and 3, and
so on; *false* takes 1 and 2, 3 and 4, up to the last and 0.

The loop runs along the top (axis y = 8) to the right, down a side, along the bottom (axis y = 0) to the left, and up. A *slot* on the
top at x is the patches (x - 4, 7), (x, 9), (x + 1, 9), (x + 5, 7); the wire of a clause ends at e = (x - 3, 13). The window with corner
(x - 3, 9) holds e together with the pair (x, 9), (x + 1, 9), and no window holds e with another pair. So e is covered along the way
exactly in the state that takes this pair together: *true* if the first of them has an even place in the loop. Condensing the wire
before the slot moves its place by one, and turns a literal into its negation. On the bottom everything is mirrored: y becomes 8 - y.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from anoptima.problems.sources.patch_cover import Cell
from anoptima.reductions.planar_boxes.wires import LARGEST_STEP, fewest_steps, straight, with_parity

HEIGHT = 8
"""Between the axes of the two long sides."""

PITCH = 40
"""From one slot to the next."""

FIRST = 20
"""The place of the first slot."""

TIP = HEIGHT + 5
"""The height at which wires of clauses end, above the bottom's axis."""


@dataclass(frozen=True)
class Slot:
    """Where a literal is attached.

    Attributes
    ----------
    literal
        The literal, x or -x.
    clause
        The clause's place in the formula.
    end
        The cell e, the wire's last patch.
    window
        The corner of the window that holds e and a pair of the loop.
    first
        The place in the loop of the first of that pair; even for a variable, odd for its negation.
    """

    literal: int
    clause: int
    end: Cell
    window: Cell
    first: int

    def is_true(self, true: Collection[int]) -> bool:
        """Tell whether the literal holds when just these variables are true."""
        return (abs(self.literal) in true) == (self.literal > 0)


@dataclass(frozen=True)
class Ring:
    """A variable's loop: its patches in order, and its slots."""

    variable: int
    patches: tuple[Cell, ...]
    slots: tuple[Slot, ...]

    @property
    def windows(self) -> int:
        """The number of windows that the loop needs, mu."""
        return len(self.patches) // 2

    def pairs(self, true: bool) -> list[tuple[int, int]]:
        """Return the pairs of places that are taken together in a state.

        >>> ring(1, [], [], 0).pairs(False)
        [(1, 2), (3, 4), (5, 6), (7, 0)]
        """
        size = len(self.patches)
        return [(place, (place + 1) % size) for place in range(0 if true else 1, size, 2)]


def width(slots: int) -> int:
    """Return the width of a ring from the number of slots on its longer side.

    >>> width(0), width(1)
    (8, 48)
    """
    return PITCH * slots + 2 * LARGEST_STEP


def ring(variable: int, above: Sequence[tuple[int, int]], below: Sequence[tuple[int, int]], left: int) -> Ring:
    """Return the ring of a variable from x = `left` on; slots are (literal, clause) from left to right.

    >>> made = ring(1, [(1, 0)], [], 0)
    >>> made.windows, made.slots[0].end, made.slots[0].first
    (15, (17, 13), 6)
    """
    size = width(max(len(above), len(below)))
    maker = _Maker(variable, left, size)
    maker.side(above, top=True)
    maker.patches.append((left + size + 1, HEIGHT // 2))
    maker.side(below, top=False)
    maker.patches.append((left - 1, HEIGHT // 2))
    return Ring(variable, tuple(maker.patches), tuple(maker.slots))


def loop_length(above: Sequence[bool], below: Sequence[bool]) -> int:
    """Return the number of patches of a ring by formula, from whether the literals at its slots are positive, left to right.

    Along a side from one corner to the next, both counted, with t of the s slots that the ring has room for: without any, 10 s + 3. With
    some, 3 steps in each slot, 12 cells before the first, 31 between two, 19 + 40 (s - t) after the last. These are
    3 or 4 steps, 8 or 9, and 5 + 10 (s - t) or one more, as the literals' signs want it: 9 between equal ones. Below everything runs
    from right to left, so that the cells after the last slot come first. One step more at the end where the loop would be odd.

    >>> loop_length([True], []), loop_length([], [])
    (30, 8)
    """
    room = max(len(above), len(below))
    length = 0
    for signs, top in ((list(above), True), (list(below)[::-1], False)):
        before, after = 3, 5 + 10 * (room - len(signs))
        if not top:
            before, after = after, before
        if signs:
            # A pair's first patch has the place `length`, 2 patches at the corner, the steps before the slot and 1 in it.
            before += (length + before + 2) % 2 != (not signs[0])
            between = sum(9 if one == other else 8 for one, other in itertools.pairwise(signs))
            length += 3 + before + 3 * len(signs) + between + after
        else:
            length += 3 + 10 * room
        length += 1
    return length + length % 2


class _Maker:
    """Walks along a ring; places on a side count from the corner where the walk along it begins, offsets outward."""

    def __init__(self, variable: int, left: int, size: int) -> None:
        self.variable, self.left, self.size = variable, left, size
        self.patches: list[Cell] = []
        self.slots: list[Slot] = []

    def side(self, wanted: Sequence[tuple[int, int]], top: bool) -> None:
        self._add([(0, 0), (LARGEST_STEP, 1)], top)
        here = (LARGEST_STEP, 1)
        places = range(FIRST, FIRST + PITCH * len(wanted), PITCH)
        for (literal, clause), x in list(zip(wanted, places, strict=True))[:: 1 if top else -1]:
            begin = x - 4 if top else self.size - x - 5
            fewest = fewest_steps(begin - here[0])
            # The pair follows the slot's first patch, which is `number` steps from the last one there is.
            number = with_parity(fewest, odd=(len(self.patches) % 2 == 1) == (literal > 0))
            self._add(straight(here, (begin, -1), number), top)
            first = len(self.patches)
            self._add([(begin + 4, 1), (begin + 5, 1), (begin + 9, -1)], top)
            here = (begin + 9, -1)
            end, window = (x - 3, TIP if top else HEIGHT - TIP), (x - 3, TIP - 4 if top else HEIGHT - TIP)
            self.slots.append(
                Slot(literal, clause, (self.left + end[0], end[1]), (self.left + window[0], window[1]), first)
            )
        target = (self.size - LARGEST_STEP, 1)
        if here[0] < target[0]:
            fewest = fewest_steps(target[0] - here[0])
            # On the bottom the corner and the last side patch follow, and the loop is to be even.
            number = fewest if top else with_parity(fewest, odd=len(self.patches) % 2 == 1)
            self._add(straight(here, target, number), top)
        self._add([(self.size, 0)], top)

    def _add(self, places: Sequence[tuple[int, int]], top: bool) -> None:
        for place, offset in places:
            x = place if top else self.size - place
            self.patches.append((self.left + x, HEIGHT + offset if top else -offset))
