"""Under closeness: the cheapest arcs of the whole table as one program, if they are few."""

from __future__ import annotations

import time

import numpy as np

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases.region_program import Region
from anoptima.solvers.exact.sifting.stages.ascend_worths import WHILE_S
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

SOME_ARCS, MOST_ARCS = 4_000, 8_000
"""Closeness to the table makes large programs: a core is cut off at so many arcs, and has no more if many are as cheap."""
SHARE = 0.3
"""The part of what is left that the program may take."""


class CoreProgram(Stage[StandingUnderRules]):
    """Solve the core as an integer program."""

    part = Part.CORE_UNDER_CLOSENESS

    def why_not(self) -> str | None:
        """Without closeness linear programs lead further."""
        return None if self.standing.is_close else "it is for closeness alone"

    def run(self, limit: float) -> None:
        """Solve it, for a share of the time that is left."""
        standing = self.standing
        standing.ledger.phase("bound and releases")
        reduced = standing.point.reduced
        count = min(SOME_ARCS, len(reduced))
        reach = np.partition(reduced, count - 1)[count - 1] if count else 0.0
        reach = min(reach, standing.instance.unit)
        arcs = np.union1d(np.flatnonzero(reduced <= reach), standing.search.release.arc)
        if len(arcs) > MOST_ARCS:
            return
        standing.ledger.log(f"a core of {len(arcs):,} arcs of reduced cost up to {reach:,.2f}")
        began = time.monotonic()
        region, seconds = Region(arcs, standing.instance.arcs.copies), standing.share_of_left(SHARE, WHILE_S)
        found = standing.instance.programs.improve(region, standing.search.release, seconds, standing.is_over)
        if found.release is not None:
            standing.search.take(found.release)
            standing.offer(standing.shared.meet(standing.search))
        standing.ledger.log(f"the core took {time.monotonic() - began:.0f} s: at least {found.bound:,.1f}")
