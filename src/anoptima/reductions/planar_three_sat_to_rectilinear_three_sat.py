"""Planar 3-SAT to planar 3-SAT on a line (Lichtenstein 1982; Knuth and Raghunathan 1992).

Construction: nothing, if there is a rectilinear embedding. Else a closed curve through all variables of a plane drawing, cut open into
the line. Where the curve must cross the edge from x to a clause, a *copy* x' is put on the line and takes the place of x in the clause;
a clause (x or not x') ties it to x, or (not x or x') if the negation of x was there. A chain of crossings makes a chain of copies. See
`planar_boxes.line` for how the curve is found, and when without copies.
Why: an assignment extends to the copies and leaves the same clauses unsatisfied. Conversely let the copy's literal hold where x's does
not: then the tie is unsatisfied, and making them equal satisfies it and can only break the one other clause that the copy is in. Where
x's literal holds and the copy's does not, making them equal breaks nothing. So, along each chain from its end, forgetting the copies never
leaves more clauses unsatisfied, and the optima are equal.
Size: a variable, a clause and two literals more for each copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat, TruthAssignment
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduction
from anoptima.reductions.planar_boxes.line import Lined, on_a_line


@dataclass(frozen=True, eq=False)
class OnALine(Affine[TruthAssignment, TruthAssignment]):
    """A formula and the same with copies; `original` says for each copy what it copies."""

    original: tuple[int, ...]

    def forward(self, solution: TruthAssignment) -> TruthAssignment:
        """Let every copy be what it copies."""
        given = self._given
        copies = (given + i for i, x in enumerate(self.original, start=1) if x in solution.true)
        return TruthAssignment.of([*solution.true, *copies])

    def backward(self, solution: TruthAssignment) -> TruthAssignment:
        """Forget the copies."""
        return TruthAssignment.of(x for x in solution.true if x <= self._given)

    def copied(self, variable: int) -> int | None:
        """Return which variable of the source this one is a copy of; None if it is one of the source's own."""
        copies = dict(enumerate(self.original, start=self._given + 1))  # no mutant: tests try it; it is for pictures
        return copies.get(variable)

    @property
    def _given(self) -> int:
        assert isinstance(self.source, PlanarThreeSat)
        return self.source.formula.variables

    @property
    def offset(self) -> Exact:
        """The costs are the same."""
        return 0


@reductions.register
class PlanarThreeSatToRectilinearThreeSat(Reduction[TruthAssignment, TruthAssignment]):
    """Planar 3-SAT with its variables on a line: copies where the line must cross what it may not cross.

    >>> from anoptima.problems.sources.formula import Formula
    >>> reduced = PlanarThreeSatToRectilinearThreeSat().apply(PlanarThreeSat(Formula(2, [(1, 2), (1, -2), (-1, 2), (-1, -2)])))
    >>> reduced.target.embedding.order, reduced.original
    ((1, 2), ())
    """

    name = "planar-3-sat-to-rectilinear-3-sat"
    cites = (
        "Lichtenstein: Planar formulae and their uses (1982), Lemma 1; "
        "Knuth, Raghunathan: The problem of compatible representatives (1992)"
    )
    problems = (PlanarThreeSat,)

    def target_size(self, problem: Problem[TruthAssignment]) -> Mapping[str, int]:
        """With c copies: c variables, c clauses and 2 c literals more."""
        assert isinstance(problem, PlanarThreeSat)
        size, copies = problem.size(), len(_lined(problem).original)
        more = {"variables": copies, "clauses": copies, "literals": 2 * copies}
        return {quantity: size[quantity] + more[quantity] for quantity in size}

    def apply_unchecked(self, problem: Problem[TruthAssignment]) -> OnALine:
        """Draw the curve. O(n^2 L) for n variables and L literals, crossings included; up to seven variables, 360 planarity tests more."""
        assert isinstance(problem, PlanarThreeSat)
        lined = _lined(problem)
        return OnALine(problem, PlanarThreeSat(lined.formula, lined.embedding), lined.original)


def _lined(problem: PlanarThreeSat) -> Lined:
    return on_a_line(problem.formula) if problem.embedding is None else Lined(problem.formula, problem.embedding, ())
