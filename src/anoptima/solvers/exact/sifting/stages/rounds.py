"""Rounds of passes: averaged passes, cut off and priced.

They need no linear program, so they are all there is for the largest tables. Where core programs are slow they come first: while one is
solved once, they find hundreds of cuts, and it goes on from those. Beside them the search for releases goes on, here or on a
thread of its own, and hears of the means.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.core_rounds import GAIN_SHARE, CoreRounds
from anoptima.solvers.exact.sifting.stages.searching import BOUND, both_sides, search_a_turn
from anoptima.solvers.exact.sifting.stages.separate import averaged_rounds
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

FINE_UNITS = 3
"""A gap that is tried to be closed by search rather than by better multipliers."""
MORE_RECORDS, LEAST_K = 700, 4
"""Tables of more records than the first number have rounds before their core program, if k is the second number or more; for a lower k core
programs are solved soon. Of 2,000 census rows, k = 5, 10 s of a processor prove 3,839, and 3,827 where the core program comes first
(`python -m benchmarks.ablation --rows 2000 --questions k5 --parts "averaged rounds" --seconds 10 --processor`)."""
PATIENCE = 2
"""After so many rounds in a row without a gain (`core_rounds.GAIN_SHARE`) it is the turn of the core program, if there is one."""


@dataclass(eq=False)
class Rounds(Stage[StandingUnderSize]):
    """Raise the bound and search for better releases, whichever gains more."""

    part = Part.ROUNDS

    core: CoreRounds
    _stale: int = 0

    def why_not(self) -> str | None:
        """The table has hardly a gap, or a core program: at once if that is solved soon, and else once rounds have come to rest."""
        if not self.core.is_too_large and not (self._is_slow_in_core and self.standing.is_compiled):
            return "it has a core program"
        if self._rests:
            return "its core program, or the tree that it has led to, does better now"
        return "the gap is fine" if self._is_fine else None

    @property
    def _is_slow_in_core(self) -> bool:
        arcs = self.standing.instance.arcs
        return len(arcs.copies) > MORE_RECORDS and arcs.k >= LEAST_K

    @property
    def _rests(self) -> bool:
        is_done = self.standing.tree is not None or self._stale >= PATIENCE
        return is_done and not self.core.is_too_large

    @property
    def _is_fine(self) -> bool:
        return self.standing.cost - self.standing.point.value <= FINE_UNITS * self.standing.instance.unit

    def run(self, limit: float) -> None:
        """Go round after round until the gap is fine, or a core program does better."""
        standing = self.standing
        standing.ledger.phase("cuts and releases")
        sides, rounds = both_sides(), 0
        averaged = averaged_rounds(standing, standing.is_over)
        while not (standing.is_over() or self._is_fine or self._rests):
            began, lower = time.monotonic(), standing.point.value
            if standing.shared.is_in_background or sides.next() == BOUND:
                one = averaged.go_round(standing.point, standing.terms)
                rounds += 1
                standing.prove(one.look, one.terms)
                if standing.uses(Part.PROGRAM_NEAR):
                    standing.shared.hint(one.x)
                gap = standing.cost - lower
                self._stale = 0 if standing.point.value > lower + GAIN_SHARE * gap else self._stale + 1
                sides.note(BOUND, standing.point.value - lower, time.monotonic() - began)
                standing.ledger.log(
                    f"round {rounds:,}: {one.found:,} new cuts, {len(standing.terms.rows):,} in force, "
                    f"proved {standing.point.value:,.2f}"
                )
                standing.offer(standing.release)
            else:
                search_a_turn(standing, sides)
