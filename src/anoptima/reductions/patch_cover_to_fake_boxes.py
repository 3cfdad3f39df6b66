"""Patch cover to fake boxes: the geometric half of Alvarez, Chambers and Kozma's Theorem 1.

Construction: a cell is a square of side 1/5, a window a unit box. Boxes are stacked so that the patches have depth k - 1 and every other
cell that a window with a patch can reach has k or more: see `planar_boxes.compiler`.
Why: a window that holds a patch makes no cell sparse, so a cover by windows is feasible as fake boxes. Conversely the upper right corner
of a patch must lie in a fake box (q, q + 1]; so the window that begins at the cells floor(5 q) holds the patch, wherever the fakes
lie. Hence both optima are equal, for every k >= 2.
Not for every set of patches: where a cell near them is in no window without a patch, it cannot be made deep.
Size: k boxes a stack and k - 1 a patch; there are fewer stacks than cells that are near patches, 80 a patch (less than 3 in the layouts
of formulas).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, as_integer
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import AddedBoxes, FakeBoxes
from anoptima.problems.sources.patch_cover import SIDE, Cell, PatchCover, Windows
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduction
from anoptima.reductions.planar_boxes.compiler import Stackwork, compile_patches

K = 2
"""The k of the boxes, unless another is asked for."""


@dataclass(frozen=True, eq=False)
class PatchesAsBoxes(Affine[Windows, AddedBoxes]):
    """Patches and the boxes that leave them one short, with the stacks and bases they are made of."""

    work: Stackwork

    def forward(self, solution: Windows) -> AddedBoxes:
        """Lay a fake box at every window that holds a patch; others may make cells sparse, and are left out."""
        assert isinstance(self.source, PatchCover)
        return AddedBoxes(box_at(corner) for corner in solution.corners if self.source.held(corner))

    def backward(self, solution: AddedBoxes) -> Windows:
        """Move every fake down to the grid; what holds no patch then is left out."""
        assert isinstance(self.source, PatchCover)
        corners = {(floor(SIDE * x), floor(SIDE * y)) for x, y in solution.corners}
        return Windows(frozenset(corner for corner in corners if self.source.held(corner)))

    @property
    def offset(self) -> Exact:
        """The costs are the same."""
        return 0


def why_no_k(k: int) -> str | None:
    """Say why the theorem does not speak of this k; None if it does.

    >>> why_no_k(1)
    'k is 1; it must be at least 2, because with k = 1 nothing is asked for'
    """
    return None if k >= 2 else f"k is {k}; it must be at least 2, because with k = 1 nothing is asked for"


def box_at(corner: Cell) -> tuple[Fraction, Fraction]:
    """Return the lower corner of the box that a window is.

    >>> [str(x) for x in box_at((3, -5))]
    ['3/5', '-1']
    """
    return Fraction(corner[0], SIDE), Fraction(corner[1], SIDE)


@lru_cache(maxsize=4)
def _compiled(patches: tuple[Cell, ...]) -> Stackwork | str:
    """Return the stacks and bases, or why there are none; the last few are kept, since one asks first and then builds."""
    try:
        return compile_patches(patches)
    except NotApplicable as refusal:
        return str(refusal)


@reductions.register
@dataclass(frozen=True)
class PatchCoverToFakeBoxes(Reduction[Windows, AddedBoxes]):
    """Patch cover as fake boxes: everything is deep enough but the patches, which lie in one box too few.

    Parameters
    ----------
    k
        In how many boxes a place that is in one must lie; at least 2.

    Examples
    --------
    >>> reduced = PatchCoverToFakeBoxes(k=3).apply(PatchCover([(0, 0)]))
    >>> reduced.target.size()["boxes"], len(reduced.work.stacks)
    (14, 4)
    """

    k: int = K

    name = "patch-cover-to-fake-boxes"
    cites = "Alvarez, Chambers, Kozma: Privacy by fake data: a geometric approach, Theorem 1"
    problems = (PatchCover,)

    def __post_init__(self) -> None:
        reason = why_no_k(as_integer(self.k, "k"))
        if reason is not None:
            raise BadInput(reason)

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for patch cover, if the cells around the patches can be made deep."""
        if not isinstance(problem, PatchCover):
            return super().why_not(problem)
        work = _compiled(problem.patches)
        return work if isinstance(work, str) else None

    def target_size(self, problem: Problem[Windows]) -> Mapping[str, int]:
        """K boxes a stack and k - 1 a patch."""
        assert isinstance(problem, PatchCover)
        work = _compiled(problem.patches)
        assert isinstance(work, Stackwork)
        return {"boxes": self.k * len(work.stacks) + (self.k - 1) * len(problem.patches)}

    def apply_unchecked(self, problem: Problem[Windows]) -> PatchesAsBoxes:
        """Choose the stacks and bases. O(cells of the patches' bounding box)."""
        assert isinstance(problem, PatchCover)
        work = _compiled(problem.patches)
        assert isinstance(work, Stackwork)
        return PatchesAsBoxes(problem, FakeBoxes(map(box_at, work.corners(self.k)), self.k), work)
