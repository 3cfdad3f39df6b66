"""Rounds of passes for tables too large for a core program: averaged passes, cut off and priced.

Beside them the search for releases goes on, here or on a thread of its own, and hears of the means.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.core_rounds import CoreRounds
from anoptima.solvers.exact.sifting.stages.searching import BOUND, both_sides, search_a_turn
from anoptima.solvers.exact.sifting.stages.separate import averaged_rounds
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

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
        standing = self.standing
        standing.ledger.phase("cuts and releases")
        sides, rounds = both_sides(), 0
        averaged = averaged_rounds(standing, standing.is_over)
        while not standing.is_over() and not self._is_fine:
            began, lower = time.monotonic(), standing.point.value
            if standing.shared.is_in_background or sides.next() == BOUND:
                one = averaged.go_round(standing.point, standing.terms)
                rounds += 1
                standing.prove(one.look, one.terms)
                if standing.uses(Part.PROGRAM_NEAR):
                    standing.shared.hint(one.x)
                sides.note(BOUND, standing.point.value - lower, time.monotonic() - began)
                standing.ledger.log(
                    f"round {rounds:,}: {one.found:,} new cuts, {len(standing.terms.rows):,} in force, "
                    f"proved {standing.point.value:,.2f}"
                )
                standing.offer(standing.release)
            else:
                search_a_turn(standing, sides)
