"""Planar 3-SAT to fake boxes: fake boxes are NP-hard for every k >= 2 (Alvarez, Chambers, Kozma, Theorem 1).

Construction, in three steps that are reductions of their own:

1. *On a line* (`planar_three_sat_to_rectilinear_three_sat`): copies where needed; nothing, if a rectilinear embedding is given.
2. *In patches* (`rectilinear_three_sat_to_patch_cover`): loops for variables, wires for clauses.
3. *In boxes* (`patch_cover_to_fake_boxes`): stacks everywhere but on the patches.

It is the path of the three, with the layout at hand; the self-test tries the steps.

The paper's patches, wires and loops; its clause gadget, where three wires meet in a patch of their own, is in a figure that is lost, and
here the wires belong to the clauses. With l from step 2: satisfiable exactly if OPT <= l, and then OPT = l.
Size: k boxes a stack and k - 1 a patch, with 2 l + m patches for m clauses (those of the copies included).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import AddedBoxes
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat, TruthAssignment
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.patch_cover_to_fake_boxes import K, PatchCoverToFakeBoxes, PatchesAsBoxes, why_no_k
from anoptima.reductions.planar_three_sat_to_rectilinear_three_sat import OnALine, PlanarThreeSatToRectilinearThreeSat
from anoptima.reductions.rectilinear_three_sat_to_patch_cover import FormulaInPatches, RectilinearThreeSatToPatchCover


@dataclass(frozen=True, eq=False)
class FormulaInBoxes(Reduced[TruthAssignment, AddedBoxes]):
    """The three steps."""

    line: OnALine
    patches: FormulaInPatches
    boxes: PatchesAsBoxes

    def forward(self, solution: TruthAssignment) -> AddedBoxes:
        """Carry an assignment to fakes: l, and one more for each clause that fails."""
        return self.boxes.forward(self.patches.forward(self.line.forward(solution)))

    def backward(self, solution: AddedBoxes) -> TruthAssignment:
        """Carry fakes, wherever they lie, to an assignment; with l fakes it satisfies the formula."""
        return self.line.backward(self.patches.backward(self.boxes.backward(solution)))

    def target_cost(self, source_cost: Exact) -> Exact:
        """Return l and a fake for each clause that fails."""
        return self.patches.target_cost(source_cost)

    def source_cost(self, target_cost: Exact) -> Exact:
        """Return the most clauses that can fail: see `rectilinear_three_sat_to_patch_cover`."""
        return self.patches.source_cost(target_cost)


@reductions.register
@dataclass(frozen=True)
class PlanarThreeSatToFakeBoxes(Reduction[TruthAssignment, AddedBoxes]):
    """Planar 3-SAT as fake boxes: satisfiable exactly if the threshold's number of fakes is enough.

    Parameters
    ----------
    k
        In how many boxes a place that is in one must lie; at least 2.

    Examples
    --------
    >>> from anoptima.problems.sources.formula import Formula
    >>> reduced = PlanarThreeSatToFakeBoxes().apply(PlanarThreeSat(Formula(1, [(1,)])))
    >>> fakes = reduced.push(TruthAssignment.of([1]))
    >>> reduced.threshold(), reduced.target.cost(fakes), reduced.target.violations(fakes)
    (20, 20, [])
    """

    k: int = K

    name = "planar-3-sat-to-fake-boxes"
    cites = "Alvarez, Chambers, Kozma: Privacy by fake data: a geometric approach, Theorem 1"
    problems = (PlanarThreeSat,)
    composed = True

    def __post_init__(self) -> None:
        reason = why_no_k(as_integer(self.k, "k"))
        if reason is not None:
            raise BadInput(reason)

    def target_size(self, problem: Problem[TruthAssignment]) -> Mapping[str, int]:
        """K boxes a stack and k - 1 a patch."""
        patches = _in_patches(problem)[1].target
        return PatchCoverToFakeBoxes(self.k).target_size(patches)

    def apply_unchecked(self, problem: Problem[TruthAssignment]) -> FormulaInBoxes:
        """Go through the steps. O(cells of the layout), which is 40 literals wide and 80 levels high at most."""
        line, patches = _in_patches(problem)
        boxes = PatchCoverToFakeBoxes(self.k).apply(patches.target)
        assert isinstance(boxes, PatchesAsBoxes)
        return FormulaInBoxes(problem, boxes.target, line, patches, boxes)


def _in_patches(problem: Problem[TruthAssignment]) -> tuple[OnALine, FormulaInPatches]:
    assert isinstance(problem, PlanarThreeSat)
    line = PlanarThreeSatToRectilinearThreeSat().apply(problem)
    patches = RectilinearThreeSatToPatchCover().apply(line.target)
    assert isinstance(line, OnALine)
    assert isinstance(patches, FormulaInPatches)
    return line, patches
