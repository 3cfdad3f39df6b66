"""Passes over all arcs: the first multipliers, and, as soon as there are some, the search for releases that they guide.

Of large tables the search begins after a quarter of the passes, on a thread of its own.
"""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.bound.ascent import PASSES, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.read_back import Earlier
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.background import Background
from anoptima.solvers.exact.sifting.releases.pattern_annealing import chains_of
from anoptima.solvers.exact.sifting.releases.release import Release, release_of
from anoptima.solvers.exact.sifting.releases.row_annealing import annealing_of
from anoptima.solvers.exact.sifting.stages.branch import MOST_ARCS as TREE_ARCS
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

MANY_ARCS, LEAST_PASSES = 20_000_000, 200
"""Over more arcs there are fewer passes to begin with, but so many at least."""
FEW_PASSES_ARCS, FEW_PASSES = 1_000, 60
"""Over at most so many arcs there are these passes: the core program of so few takes less time than more of them."""
DUAL_SHARE = 0.3
"""The part of the time that is left that the first passes may take: then there is still time for releases."""
SOON_ARCS, SECOND_STEP_UNITS = 5_000_000, 0.05
"""Over so many arcs a search for releases begins after a quarter of the passes; and the first step of the others."""
LARGE_RECORDS = 100
"""Tables of more records are worth annealing, and a second thread."""


class Ascend(Stage[StandingUnderSize]):
    """Raise the bound by passes from the multipliers of an `earlier` run, if there was one, or from the cheapest patterns."""

    def __init__(self, standing: StandingUnderSize, earlier: Earlier | None) -> None:
        super().__init__(standing)
        self._earlier = earlier

    @property
    def is_needed(self) -> bool:
        """There is no other bound, nor a search."""
        return True

    def run(self, limit: float) -> None:
        """Go through all passes, and begin to search for releases."""
        standing, question = self.standing, self.standing.question
        standing.ledger.phase("raising the bound")
        terms, at = self._first()
        arcs, is_large = len(question.arcs.member), len(question.arcs.copies) > LARGE_RECORDS
        passes = max(LEAST_PASSES, int(PASSES * min(1.0, MANY_ARCS / max(1, arcs))))
        if arcs <= FEW_PASSES_ARCS:
            passes = FEW_PASSES
        two_threads = is_large and standing.ledger.threads > 1 and standing.uses(Part.BACKGROUND)
        soon = passes // 4 if two_threads and arcs > SOON_ARCS else passes
        left = standing.ledger.clock.left()
        seconds = None if left is None else DUAL_SHARE * left
        first = ascend(question.arcs, terms, at, standing.is_over, unit=question.unit, seconds=seconds, passes=soon)
        standing.prove(first, terms)
        self._begin_to_search(standing.ledger.threads - 1 if two_threads else 0)
        if soon < passes:
            better = ascend(
                question.arcs,
                terms,
                standing.point.at,
                standing.is_over,
                unit=question.unit,
                passes=passes - soon,
                first_step=SECOND_STEP_UNITS,
            )
            standing.prove(better, terms)

    def _first(self) -> tuple[Terms, Multipliers]:
        """Return the multipliers to begin with, and the cuts that their prices are of."""
        standing, question = self.standing, self.standing.question
        if self._earlier is not None:
            terms, at = Terms(question.arcs, standing.kernels, self._earlier.rows), self._earlier.multipliers
            standing.prove(terms.look(question.arcs, at), terms)
            return terms, at
        return Terms(question.arcs, standing.kernels), first_multipliers(question.arcs)

    def _begin_to_search(self, threads: int) -> None:
        """Search on so many threads beside this one; here, in turns, if there are none."""
        standing, question = self.standing, self.standing.question
        assert standing.ledger.solution is not None
        release = release_of(question.plain, question.patterns, standing.ledger.solution)
        if not threads:
            standing.search = self._search(release, 0)
            return
        # A tree needs threads, too.
        count = 1 if len(question.arcs.member) <= TREE_ARCS else threads
        background: Background[AnnealedRegions] = Background(question.programs, release, standing.is_over)
        background.start([self._search(release, number) for number in range(count)])
        standing.search = background

    def _search(self, release: Release, number: int) -> AnnealedRegions:
        """Return a search from a release on, with chances of its own."""
        standing, question = self.standing, self.standing.question
        seed, is_large = standing.ledger.budget.seed + number, len(question.arcs.copies) > LARGE_RECORDS
        rows = is_large and standing.uses(Part.ROW_ANNEALING)
        annealing = annealing_of(question.catalogue, question.unit, seed) if rows else None
        patterns = is_large and standing.uses(Part.PATTERN_ANNEALING)
        return AnnealedRegions(
            question.programs,
            release,
            standing.guide,
            np.random.default_rng(seed + 1),
            annealing=annealing,
            chains=chains_of(question.catalogue, question.unit, seed) if patterns else None,
            left=standing.ledger.clock.left,
        )
