"""Planar 3-SAT to fake boxes: fake boxes are NP-hard for every k >= 2 (Alvarez, Chambers, Kozma, Theorem 1).

Construction, in three steps that are reductions of their own:

1. *On a line* (`planar_three_sat_to_rectilinear`), if no rectilinear embedding is given: copies where needed.
2. *In patches* (`planar_three_sat_to_patch_cover`): loops for variables, wires for clauses.
3. *In boxes* (`patch_cover_to_fake_boxes`): stacks everywhere but on the patches.

The paper's patches, wires and loops; its clause gadget, where three wires meet in a patch of their own, is in a figure that is lost, and
here the wires belong to the clauses. With l from step 2: satisfiable exactly if OPT <= l, and then OPT = l.
Size: k boxes a stack and k - 1 a patch, with 2 l + m patches for m clauses (those of the copies included).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import AddedBoxes
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat, TruthAssignment
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.patch_cover_to_fake_boxes import K, PatchCoverToFakeBoxes, PatchesAsBoxes
from anoptima.reductions.planar_three_sat_to_patch_cover import FormulaInPatches, PlanarThreeSatToPatchCover
from anoptima.reductions.planar_three_sat_to_rectilinear import OnALine, PlanarThreeSatToRectilinear


@dataclass(frozen=True, eq=False)
class FormulaInBoxes(Reduced[TruthAssignment, AddedBoxes]):
    """The three steps; `line` is None where the formula came with an embedding."""

    line: OnALine | None
    patches: FormulaInPatches
    boxes: PatchesAsBoxes

    @property
    def threshold(self) -> int:
        """The number of fake boxes, l, that is enough exactly if the formula is satisfiable."""
        return self.patches.threshold

    def push(self, solution: TruthAssignment) -> AddedBoxes:
        """Carry an assignment to fakes: l, and one more for each clause that fails."""
        lined = self.line.push(solution) if self.line is not None else solution
        return self.boxes.push(self.patches.push(lined))

    def pull(self, solution: AddedBoxes) -> TruthAssignment:
        """Carry fakes, wherever they lie, to an assignment; with l fakes it satisfies the formula."""
        lined = self.patches.pull(self.boxes.pull(solution))
        return self.line.pull(lined) if self.line is not None else lined

    def target_cost(self, source_cost: Exact) -> Exact:
        """Return l and a fake for each clause that fails."""
        return self.patches.target_cost(source_cost)

    def most_unsatisfied(self, target_cost: Exact) -> Exact:
        """Return how many clauses an assignment leaves unsatisfied, at most, that is pulled from so many fakes."""
        return self.patches.most_unsatisfied(target_cost)


@reductions.register
class PlanarThreeSatToFakeBoxes(Reduction[TruthAssignment, AddedBoxes]):
    """Planar 3-SAT as fake boxes: satisfiable exactly if the threshold's number of fakes is enough. For any k of at least 2.

    >>> from anoptima.problems.sources.planar_three_sat import Formula
    >>> reduced = PlanarThreeSatToFakeBoxes().apply(PlanarThreeSat(Formula(1, [(1,)])))
    >>> fakes = reduced.push(TruthAssignment.of([1]))
    >>> reduced.threshold, reduced.target.cost(fakes), reduced.target.violations(fakes)
    (20, 20, [])
    """

    name = "planar-3-sat-to-fake-boxes"
    cites = "Alvarez, Chambers, Kozma: Privacy by fake data: a geometric approach, Theorem 1"

    def __init__(self, k: int = K) -> None:
        self.k = k

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for planar 3-SAT, and k of at least 2."""
        if not isinstance(problem, PlanarThreeSat):
            return "it is for planar-3-sat"
        if self.k < 2:
            return f"k is {self.k}; it has to be at least 2, because with k = 1 nothing is asked for"
        return None

    def apply_unchecked(self, problem: Problem[TruthAssignment]) -> FormulaInBoxes:
        """Go through the steps. O(cells of the layout), which is 40 literals wide and 80 levels high at most."""
        assert isinstance(problem, PlanarThreeSat)
        line = PlanarThreeSatToRectilinear().apply_unchecked(problem) if problem.embedding is None else None
        patches = PlanarThreeSatToPatchCover().apply_unchecked(line.target if line is not None else problem)
        boxes = PatchCoverToFakeBoxes(self.k).apply(patches.target)
        assert isinstance(boxes, PatchesAsBoxes)
        return FormulaInBoxes(problem, boxes.target, line, patches, boxes)
