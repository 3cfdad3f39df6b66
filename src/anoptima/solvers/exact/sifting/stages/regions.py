"""Regions of the release let go and solved again, until many of them have gained nothing."""

from __future__ import annotations

from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

MOST_PATIENCE = 400
"""After so many regions without a gain, or one for each arc of the release, the search for a proof is tried."""


class Regions(Stage[StandingUnderRules]):
    """Search regions; a region that is the whole table is searched once."""

    def run(self, limit: float) -> None:
        """Search until nothing has been gained for long."""
        standing, search = self.standing, self.standing.search
        patience = 1 if search.is_whole else min(MOST_PATIENCE, len(search.release.arc))
        stale = 0
        while not standing.is_over() and stale < patience:
            stale += 1
            if standing.shared.step(search, standing.seconds(SECONDS), standing.is_over):
                standing.offer(search.release)
                stale = 0
