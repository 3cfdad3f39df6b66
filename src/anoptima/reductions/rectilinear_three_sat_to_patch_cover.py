"""Planar 3-SAT on a line to patch cover: the combinatorial half of Alvarez, Chambers and Kozma's Theorem 1.

Construction: a loop of patches for each variable, whose two ways of being covered by as few windows as possible are its two values; a
clause is a middle patch with a wire to each of its literals, which leaves the middle or an end over, unless a loop covers an end: see
`planar_boxes` for wires, loops, clauses and the layout, with what must hold of them.
Threshold: with l = sum of mu + sum of q windows (`planar_boxes.layout`) all patches can be covered exactly if the formula is
satisfiable, and no fewer ever do. An assignment that leaves c clauses unsatisfied is pushed to l + c windows.
More exactly the theorem decides questions about the optimum b with b max(1, floor(D / 2)) <= b: all of them, if no variable is in more
than three clauses.
Backwards: a cover with e windows more than l comes back as an assignment that leaves at most e max(1, floor(D / 2)) clauses
unsatisfied, D being the largest number of clauses that a variable is in. For a clause with exactly q windows of its own has an end that
a loop covers; so if it fails, a loop of one of its literals is in no pure state, and took the value that serves most of its clauses.
OPT - l is not always the number of clauses that must fail: one more window can switch a loop from one state to the other on the way.
Size: 2 l + m patches for m clauses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.sources.patch_cover import SIDE, Cell, Windows
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat, TruthAssignment
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.planar_boxes.clauses import ClauseGadget
from anoptima.reductions.planar_boxes.layout import Layout, lay_out, threshold
from anoptima.reductions.planar_boxes.rings import Ring

REACH = SIDE - 1


@dataclass(frozen=True, eq=False)
class FormulaInPatches(Reduced[TruthAssignment, Windows]):
    """A formula and its patches, with the layout that says which is which."""

    layout: Layout

    def forward(self, solution: TruthAssignment) -> Windows:
        """Cover the loops by their values, and each clause's wires from a true literal's end on.

        The middle of a clause that fails takes a window of its own.
        """
        corners: list[Cell] = []
        for loop in self.layout.rings:
            at_slot = {slot.first: slot.window for slot in loop.slots}
            for first, second in loop.pairs(loop.variable in solution.true):
                corners.append(at_slot.get(first) or _around(loop.patches[first], loop.patches[second]))
        for clause in self.layout.clauses:
            corners += self._windows_of(clause, solution)
        return Windows(frozenset(corners))

    @staticmethod
    def _windows_of(clause: ClauseGadget, solution: TruthAssignment) -> list[Cell]:
        free = next((arm for arm in clause.arms if arm.slot.is_true(solution.true)), None)
        corners = [_around(clause.middle, clause.middle)] if free is None else []
        for arm in clause.arms:
            row = [clause.middle, *arm.patches[:-1]] if arm is free else list(arm.patches)
            corners += [_around(row[i], row[i + 1]) for i in range(0, len(row), 2)]
        return corners

    def backward(self, solution: Windows) -> TruthAssignment:
        """Read each loop's state; where it is in neither, take the value that serves more clauses whose ends it covers."""
        touching: list[list[Cell]] = [[] for _ in self.layout.rings]
        for corner in solution.corners:
            places = {self.layout.loop_of.get(self.layout.patches[i]) for i in self.layout.cover.held(corner)} - {None}
            for place in places:
                touching[place].append(corner)  # type: ignore[index]
        pairs = zip(self.layout.rings, touching, strict=True)
        return TruthAssignment.of(loop.variable for loop, corners in pairs if self._is_true(loop, corners))

    def _is_true(self, loop: Ring, corners: list[Cell]) -> bool:
        cover = self.layout.cover
        place = {cover.position[patch]: i for i, patch in enumerate(loop.patches)}
        held = [{place[i] for i in cover.held(corner) if i in place} for corner in corners]
        if len(corners) == loop.windows:  # no mutant: tests add every window
            return any(len(pair) == 2 and _first(pair, len(place)) % 2 == 0 for pair in held)
        served = {patch for corner in corners for patch in map(cover.patches.__getitem__, cover.held(corner))}
        votes = [slot.literal for slot in loop.slots if slot.end in served]
        true, false = votes.count(loop.variable), votes.count(-loop.variable)
        return true > false  # no mutant: at a tie both values serve as many clauses

    def target_cost(self, source_cost: Exact) -> Exact:
        """Return l and a window for each clause that fails."""
        return self.layout.threshold + source_cost

    def source_cost(self, target_cost: Exact) -> Exact:
        """Return the most clauses that can fail: a window more than l costs half the clauses of a variable, or one."""
        largest = max(len(loop.slots) for loop in self.layout.rings)
        each = max(1, largest // 2)  # no mutant: tests try the formula
        return (target_cost - self.layout.threshold) * each


def _around(patch: Cell, other: Cell) -> Cell:
    """Return the corner of a window that holds both patches, in its middle."""
    return (patch[0] + other[0] - REACH) // 2, (patch[1] + other[1] - REACH) // 2


def _first(pair: set[int], size: int) -> int:
    a, b = sorted(pair)
    return b if (a, b) == (0, size - 1) else a


@reductions.register
class RectilinearThreeSatToPatchCover(Reduction[TruthAssignment, Windows]):
    """Planar 3-SAT on a line as cells to be covered by windows: satisfiable exactly if the threshold is enough.

    >>> from anoptima.problems.sources.formula import Formula, RectilinearEmbedding
    >>> formula = PlanarThreeSat(Formula(3, [(1, 2, 3)]), RectilinearEmbedding((1, 2, 3), (True,)))
    >>> reduced = RectilinearThreeSatToPatchCover().apply(formula)
    >>> reduced.threshold(), reduced.target.lower_bound(), reduced.target.size()["patches"]
    (79, 79, 159)
    """

    name = "rectilinear-3-sat-to-patch-cover"
    cites = (
        "Alvarez, Chambers, Kozma: Privacy by fake data: a geometric approach, Theorem 1; the wires are laid out anew"
    )
    problems = (PlanarThreeSat,)

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for planar 3-SAT with a rectilinear embedding."""
        if not isinstance(problem, PlanarThreeSat):
            return super().why_not(problem)
        if problem.embedding is None:
            return "it needs a rectilinear embedding; planar-3-sat-to-rectilinear-3-sat finds one"
        return None

    def target_size(self, problem: Problem[TruthAssignment]) -> Mapping[str, int]:
        """2 l + m patches."""
        assert isinstance(problem, PlanarThreeSat)
        assert problem.embedding is not None
        return {"patches": 2 * threshold(problem.formula, problem.embedding) + len(problem.formula.clauses)}

    def apply_unchecked(self, problem: Problem[TruthAssignment]) -> FormulaInPatches:
        """Lay out the formula, and look whether the proof holds for what came out. Linear in the number of patches."""
        assert isinstance(problem, PlanarThreeSat)
        assert problem.embedding is not None
        layout = lay_out(problem.formula, problem.embedding)
        wrong = layout.why_unsound()
        assert wrong is None, wrong
        return FormulaInPatches(problem, layout.cover, layout)
