"""Passes over all arcs: the first multipliers, and, as soon as there are some, the search for releases that they guide.

Under k-anonymity the search of large tables begins after a quarter of the passes, on a thread of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from anoptima.proofs.group_cases import has_cases
from anoptima.solvers.exact.sifting.bound.ascent import FIRST_STEP, PASSES, Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.read_back import Earlier, EarlierWorths
from anoptima.solvers.exact.sifting.releases import repair
from anoptima.solvers.exact.sifting.stages.branch import MOST_ARCS as TREE_ARCS
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules, StandingUnderSize

MANY_ARCS, LEAST_PASSES = 20_000_000, 200
"""Over more arcs than this there are fewer passes to begin with, but never fewer than the second number."""
FEW_PASSES_ARCS, FEW_PASSES = 1_000, 60
"""Over at most this many arcs there are only these passes: a core program of so few arcs, or a tree under diversity, takes less time than
more passes would."""
DUAL_SHARE = 0.3
"""The part of the time that is left that the first passes may take: then there is still time for releases."""
SOON_ARCS, SECOND_STEP_UNITS = 5_000_000, 0.05
"""Over more arcs than this, a search for releases begins after a quarter of the passes; and the first step of the remaining ones."""
SHORTER = 0.3
"""How much shorter the first step is where an earlier run has been."""
FAR, FARTHEST = 3, 6
"""Under closeness worths move far from the first ones: steps are longer by these factors, on trees and at equal distance."""


@dataclass(eq=False)
class Ascend(Stage[StandingUnderSize]):
    """Raise the bound by passes from the multipliers of an `earlier` run, if there was one, or from the cheapest patterns."""

    earlier: Earlier | None
    is_needed = True

    def run(self, limit: float) -> None:
        """Go through all passes, and begin to search for releases."""
        standing, instance = self.standing, self.standing.instance
        standing.ledger.phase("raising the bound")
        terms, at = self._first()
        arcs = len(instance.arcs.member)
        passes = max(LEAST_PASSES, int(PASSES * min(1.0, MANY_ARCS / max(1, arcs))))
        if arcs <= FEW_PASSES_ARCS:
            passes = FEW_PASSES
        two_threads = standing.is_large and standing.ledger.threads > 1 and standing.uses(Part.BACKGROUND)
        soon = passes // 4 if two_threads and arcs > SOON_ARCS else passes
        course = Course(soon, seconds=standing.share_of_left(DUAL_SHARE))
        standing.prove(ascend(instance.arcs, terms, at, standing.is_over, course, unit=instance.unit), terms)
        if two_threads:
            # A tree needs threads, too.
            standing.search_in_background(1 if arcs <= TREE_ARCS else standing.ledger.threads - 1)
        if soon < passes:
            course, at = Course(passes - soon, SECOND_STEP_UNITS), standing.point.at
            standing.prove(ascend(instance.arcs, terms, at, standing.is_over, course, unit=instance.unit), terms)

    def _first(self) -> tuple[Terms, Multipliers]:
        """Return the multipliers to begin with, and the cuts that their prices are of."""
        standing, instance = self.standing, self.standing.instance
        if self.earlier is not None:
            standing.proved = self.earlier.proved
            terms, at = Terms(instance.arcs, standing.kernels, self.earlier.rows), self.earlier.multipliers
            standing.prove(terms.look(instance.arcs, at), terms)
            return terms, at
        return Terms(instance.arcs, standing.kernels), first_multipliers(instance.arcs)


def first_step_of(standing: StandingUnderRules) -> float:
    """Return the length of the first step, in units."""
    if standing.instance.is_equal_closeness and repair.serves(standing.instance):
        return FARTHEST * FIRST_STEP
    return FAR * FIRST_STEP if standing.instance.is_close else FIRST_STEP


@dataclass(eq=False)
class AscendWorths(Stage[StandingUnderRules]):
    """Raise the bound from the costs of the cheapest patterns on, or from the worths of an `earlier` run, by shorter steps."""

    earlier: EarlierWorths | None
    is_needed = True

    def run(self, limit: float) -> None:
        """Go through all passes for which there is time."""
        standing, instance = self.standing, self.standing.instance
        standing.ledger.phase("raising the bound")
        arcs, pricing = instance.arcs, standing.pricing
        start, step = first_multipliers(arcs, len(pricing.steps)), first_step_of(standing)
        if self.earlier is not None:
            start, step = self.earlier.multipliers(pricing), SHORTER * step
        is_branched_on = has_cases(instance.conditions) and not instance.is_close
        passes = FEW_PASSES if is_branched_on and len(arcs.member) <= FEW_PASSES_ARCS else PASSES
        course = Course(passes, step, pricing.pace, standing.share_of_left(DUAL_SHARE))
        standing.prove(ascend(arcs, pricing, start, standing.is_over, course, unit=instance.unit))
