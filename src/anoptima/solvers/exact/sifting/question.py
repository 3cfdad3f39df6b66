"""The question as numbers, under k-anonymity: patterns and what matches them, costs in whole numbers, and what they are counted in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import rows_alone
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.arcs import Arcs, arcs_of
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.instance import Weighed, without_others
from anoptima.solvers.exact.sifting.proofs import denominator_of
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.release import Release


@dataclass(frozen=True, eq=False)
class Question(Weighed):
    """A problem, the same without the columns that play no part, its patterns and arcs, and what cuts are looked up in."""

    plain: CellSuppression
    patterns: Patterns
    arcs: Arcs
    catalogue: Catalogue

    @cached_property
    def programs(self) -> Programs:
        """Programs over the arcs."""
        return Programs(self.catalogue, self.plain)

    @cached_property
    def d(self) -> int:
        """D: whole multipliers are counted in parts of it."""
        return denominator_of(self.plain)

    def cost_of(self, release: Release) -> int:
        """Return the scaled cost of a release."""
        return self.programs.cost_of(release)


def question_of(problem: CellSuppression) -> Question:
    """Return a problem's question. O(2^m R (m + log R)) for R row types, as for all patterns."""
    k = rows_alone(problem.principle.conditions(problem.table))
    assert k is not None
    plain = without_others(problem)
    patterns = closed_patterns(plain)
    copies = patterns.table.records.multiplicity.astype(np.int64)
    arcs = arcs_of(patterns, copies, k)
    return Question(problem, plain, patterns, arcs, Catalogue(arcs))
