"""The layout of a formula: rings side by side on a line, clauses above and below it at heights by how deep they are nested.

*Threshold.* l = sum of mu over the loops + sum of q over the clauses. The formula is satisfiable exactly if l windows cover all
patches. For a window that touches a loop holds at most two of its patches, neighbours; a clause's arm patches at an odd distance from
its middle are q in number, no two of them in one window, none in a window with a patch of a loop. So l windows are needed, and with l
every loop is in a pure state, and q windows a clause leave one of its q + 1 patches at an even distance to a loop: an end, of a
literal that is true. What this needs of the windows is looked at on every layout: `Layout.why_unsound`.

*Size.* A loop has 2 mu patches and a clause 2 q + 1, so there are 2 l + m patches for m clauses.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from anoptima.problems.sources.formula import Formula, RectilinearEmbedding
from anoptima.problems.sources.patch_cover import Cell, PatchCover
from anoptima.reductions.planar_boxes.clauses import ClauseGadget, clause_gadget
from anoptima.reductions.planar_boxes.rings import PITCH, Ring, Slot, loop_length, ring, width

GAP = 24
"""Between two rings."""


@dataclass(frozen=True)
class Layout:
    """Rings and clauses of a formula, in the plane."""

    formula: Formula
    rings: tuple[Ring, ...]
    clauses: tuple[ClauseGadget, ...]

    @property
    def threshold(self) -> int:
        """The number of windows with which all patches can be covered exactly if the formula is satisfiable."""
        return sum(ring.windows for ring in self.rings) + sum(clause.windows for clause in self.clauses)

    @cached_property
    def patches(self) -> tuple[Cell, ...]:
        """All patches: loop by loop, then clause by clause, its middle first and then arm by arm."""
        return tuple(self._patches())

    def _patches(self) -> Iterator[Cell]:
        for loop in self.rings:
            yield from loop.patches
        for clause in self.clauses:
            yield clause.middle
            for arm in clause.arms:
                yield from arm.patches

    @cached_property
    def loop_of(self) -> Mapping[Cell, int]:
        """The place in `rings` of each patch of a loop."""
        return {patch: number for number, loop in enumerate(self.rings) for patch in loop.patches}

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All slots, ring by ring."""
        return tuple(slot for loop in self.rings for slot in loop.slots)

    @cached_property
    def cover(self) -> PatchCover:
        """The question in patches; loops and odd patches of arms are blocks, which proves that l windows are needed."""
        place = {patch: number for number, patch in enumerate(self.patches)}
        blocks = [[place[patch] for patch in loop.patches] for loop in self.rings]
        blocks += [[place[patch] for arm in clause.arms for patch in arm.patches[::2]] for clause in self.clauses]
        return PatchCover(self.patches, blocks)

    def why_unsound(self) -> str | None:
        """Say what of the proof does not hold for the windows of this layout; None if all of it does. O(patches)."""
        if len(set(self.patches)) < len(self.patches):
            return "two patches are in one place"
        for loop in self.rings:
            if len(loop.patches) % 2:
                return f"the loop of variable {loop.variable} has an odd number of patches"
        for clause in self.clauses:
            if any(len(arm.patches) % 2 for arm in clause.arms):
                return f"an arm of clause {clause.clause + 1} has an odd number of patches"
        return self._wrong_slot() or self._wrong_pair() or self._wrong_window()

    def _wrong_slot(self) -> str | None:
        for loop in self.rings:
            for slot in loop.slots:
                pair = {loop.patches[slot.first], loop.patches[slot.first + 1]}
                if (slot.first % 2 == 0) != (slot.literal > 0):
                    return (
                        f"the slot of literal {slot.literal} in clause {slot.clause + 1} has the parity of its negation"
                    )
                held = {self.patches[place] for place in self.cover.held(slot.window)}
                if held != {slot.end, *pair}:
                    return f"the window of the slot of literal {slot.literal} in clause {slot.clause + 1} holds {sorted(held)}"
        wanted = [(number, literal) for number, clause in enumerate(self.formula.clauses) for literal in clause]
        attached = [(arm.slot.clause, arm.slot.literal) for clause in self.clauses for arm in clause.arms]
        ending = all(arm.patches[-1] == arm.slot.end for clause in self.clauses for arm in clause.arms)
        if (
            sorted(wanted) != sorted(attached)
            or set(self.slots) != {a.slot for c in self.clauses for a in c.arms}
            or not ending
        ):
            return "the arms do not end at the slots of the clauses' literals"
        return None

    def _wrong_pair(self) -> str | None:
        """Neighbours along loops and wires must fit into a window."""
        rows = [(*loop.patches, loop.patches[0]) for loop in self.rings]
        rows += [(clause.middle, *arm.patches) for clause in self.clauses for arm in clause.arms]
        for row in rows:
            for (x, y), (u, v) in itertools.pairwise(row):
                if max(abs(x - u), abs(y - v)) > 4:
                    return f"the neighbours {(x, y)} and {(u, v)} do not fit into a window"
        return None

    def _wrong_window(self) -> str | None:
        """A window holds two neighbours of one loop at most; one odd patch of an arm at most, and then none of a loop and one even one of
        the same clause at most; an end with a pair of a loop only if it is its slot's.

        A window with an end and one patch of a loop does no harm: no state of the loop has it.
        """
        place = {patch: (number, i) for number, loop in enumerate(self.rings) for i, patch in enumerate(loop.patches)}
        odd = {p: c for c, clause in enumerate(self.clauses) for arm in clause.arms for p in arm.patches[::2]}
        even = {p: c for c, clause in enumerate(self.clauses) for arm in clause.arms for p in arm.patches[1::2]}
        even |= {clause.middle: c for c, clause in enumerate(self.clauses)}
        pair = {
            slot.end: {(number, slot.first), (number, slot.first + 1)}
            for number, loop in enumerate(self.rings)
            for slot in loop.slots
        }
        for corner, held in self.cover.maximal.items():
            patches = [self.patches[i] for i in held]
            loops = [place[p] for p in patches if p in place]
            wires = [p for p in patches if p not in place]
            odds, evens = [odd[p] for p in wires if p in odd], [even[p] for p in wires if p in even]
            if len({number for number, _ in loops}) > 1 or not _are_neighbours(self.rings, loops):
                return f"the window at {corner} holds patches of loops that are no neighbours"
            if len(odds) > 1 or (odds and (loops or set(evens) - set(odds) or len(evens) > 1)):
                return f"the window at {corner} holds a patch of an arm with what is no neighbour of it"
            if loops and any(p not in pair or (len(loops) == 2 and set(loops) != pair[p]) for p in wires):
                return f"the window at {corner} holds a pair of a loop with a patch of a wire that does not end there"
            if not odds and len(evens) > 1:
                return f"the window at {corner} holds two patches of wires that are no neighbours"
        return None


def _are_neighbours(rings: tuple[Ring, ...], places: list[tuple[int, int]]) -> bool:
    if len(places) < 2:
        return True
    size = len(rings[places[0][0]].patches)
    return len(places) == 2 and (places[0][1] - places[1][1]) % size in (1, size - 1)


def threshold(formula: Formula, embedding: RectilinearEmbedding) -> int:
    """Return l by formula, without laying out anything: what `Layout.threshold` counts. O(literals).

    mu follows from the signs of a variable's literals in the order of their slots (`rings.loop_length`). A clause of level v with a > 1
    arms from x(e) = left to right has q = 5 a (v + 1) + (right - left) / 8 + 1, one with a single arm q = 5 (v + 1).

    >>> threshold(Formula(3, [(1, 2, 3)]), RectilinearEmbedding((1, 2, 3), (True,)))
    79
    """
    total = left = 0
    ends: list[list[int]] = [[] for _ in formula.clauses]
    for above, below in _slots(formula, embedding):
        signs = [[literal > 0 for literal, _ in side] for side in (above, below)]
        total += loop_length(*signs) // 2
        for side in (above, below):
            for place, (_, clause) in enumerate(side):
                ends[clause].append(left + PITCH * place)
        left += width(max(len(above), len(below))) + GAP
    for reached, level in zip(ends, embedding.levels(formula), strict=True):
        total += 5 * len(reached) * (level + 1)
        if len(reached) > 1:
            total += (max(reached) - min(reached)) // 8 + 1
    return total


Attached = list[tuple[int, int]]
"""Literals and their clauses, from left to right."""


def _slots(formula: Formula, embedding: RectilinearEmbedding) -> Iterator[tuple[Attached, Attached]]:
    """Yield what is attached above and below each variable, in the order of the line."""
    legs = {above: embedding.legs(formula, above) for above in (True, False)}
    sign = [{abs(literal): literal for literal in clause} for clause in formula.clauses]
    attached: dict[tuple[int, bool], Attached] = {}
    for side, found in legs.items():
        for variable, clause in found:
            attached.setdefault((variable, side), []).append((sign[clause][variable], clause))
    for variable in embedding.order:
        yield attached.get((variable, True), []), attached.get((variable, False), [])


def lay_out(formula: Formula, embedding: RectilinearEmbedding) -> Layout:
    """Lay out a formula by its rectilinear embedding. Linear in the number of patches.

    >>> lay_out(Formula(3, [(1, 2, 3)]), RectilinearEmbedding((1, 2, 3), (True,))).threshold
    79
    """
    rings = []
    left = 0
    for variable, (above, below) in zip(embedding.order, _slots(formula, embedding), strict=True):
        rings.append(ring(variable, above, below, left))
        left += width(max(len(above), len(below))) + GAP
    at: list[list[Slot]] = [[] for _ in formula.clauses]
    for loop in rings:
        for slot in loop.slots:
            at[slot.clause].append(slot)
    levels = embedding.levels(formula)
    clauses = [
        clause_gadget(number, sorted(slots, key=lambda slot: slot.end), embedding.above[number], levels[number])
        for number, slots in enumerate(at)
    ]
    return Layout(formula, tuple(rings), tuple(clauses))
