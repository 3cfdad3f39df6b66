"""Rounds of passes for tables too large for a core program: averaged passes, cut off and priced.

Beside them the search for releases goes on; where that has a thread of its own, the whole table is searched near the last mean here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases.annealed_regions import WHOLE_LEAST
from anoptima.solvers.exact.sifting.releases.program_near import ProgramNear
from anoptima.solvers.exact.sifting.stages.core_rounds import CoreRounds
from anoptima.solvers.exact.sifting.stages.searching import BOUND, RELEASE, both_sides, search_a_turn
from anoptima.solvers.exact.sifting.stages.separate import averaged_rounds
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

NEAR_SHARE = 0.1
"""A search of the whole table near a mean may take this share of the seconds that have passed."""
FINE_UNITS = 3
"""A gap that is tried to be closed by search rather than by better multipliers."""


@dataclass(eq=False)
class Rounds(Stage[StandingUnderSize]):
    """Raise the bound and search for better releases, whichever gains more."""

    part = Part.ROUNDS

    core: CoreRounds

    def why_not(self) -> str | None:
        """The table has a core program, which does better, or hardly a gap."""
        if not self.core.is_too_large:
            return "it has a core program"
        return "the gap is fine" if self._is_fine else None

    @property
    def _is_fine(self) -> bool:
        return self.standing.cost - self.standing.point.value <= FINE_UNITS * self.standing.instance.unit

    def run(self, limit: float) -> None:
        """Go round after round until the gap is fine."""
        standing, instance = self.standing, self.standing.instance
        standing.ledger.phase("cuts and releases")
        sides, rounds, near = both_sides(), 0, ProgramNear(instance.programs, instance.unit)
        averaged = averaged_rounds(standing, standing.is_over)
        while not standing.is_over() and not self._is_fine:
            began, lower = time.monotonic(), standing.point.value
            if sides.next() == BOUND or (standing.shared.is_in_background and not near.is_ready):
                one = averaged.go_round(standing.point, standing.terms)
                rounds += 1
                standing.prove(one.look, one.terms)
                if standing.uses(Part.PROGRAM_NEAR):
                    (near if standing.shared.is_in_background else standing.shared).hint(one.x)
                sides.note(BOUND, standing.point.value - lower, time.monotonic() - began)
                standing.ledger.log(
                    f"round {rounds:,}: {one.found:,} new cuts, {len(standing.terms.rows):,} in force, "
                    f"proved {standing.point.value:,.2f}"
                )
                standing.offer(standing.release)
            elif not standing.shared.is_in_background:
                search_a_turn(standing, sides)
            else:
                sides.note(RELEASE, self._search_near(near), time.monotonic() - began)

    def _search_near(self, near: ProgramNear) -> int:
        """Search the whole table near the last mean; return by how much that is better than the release there was."""
        standing, instance = self.standing, self.standing.instance
        release = standing.release
        seconds = standing.share_of_spent(NEAR_SHARE, WHOLE_LEAST)
        found = near.search(release, standing.guide, seconds, standing.is_over)
        if found is None:
            return 0
        gain = instance.programs.cost_of(release) - instance.programs.cost_of(found)
        standing.ledger.log(f"the whole table near the mean: {gain:,} less")
        if gain > 0:
            standing.take(found)
        return max(0, gain)
