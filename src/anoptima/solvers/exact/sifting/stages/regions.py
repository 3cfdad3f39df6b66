"""Regions of the release, let go and solved again under rules: here until many of them have gained nothing, and on other threads."""

from __future__ import annotations

from dataclasses import dataclass

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.stages.branch_by_size import MOST_ARCS, BranchBySize
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

MOST_PATIENCE = 400
"""After this many regions without a gain, or one for each arc of the release, the search for a proof is tried."""


@dataclass(eq=False)
class SearchInBackground(Stage[StandingUnderRules]):
    """Begin as many searches as there are other threads, from here to the end of the run."""

    part = Part.BACKGROUND

    branch: BranchBySize

    def why_not(self) -> str | None:
        """There is one thread, or so little to search that two would be in each other's way."""
        standing = self.standing
        if self.branch.why_not_dive() is None:
            return "dives find better releases, and a second thread slows them down"
        if standing.instance.patterns.arcs <= MOST_ARCS:
            return "one search is enough for so small a table"
        return None if standing.ledger.threads > 1 else "there is one thread"

    def run(self, limit: float) -> None:
        """Begin them."""
        self.standing.search_in_background(self.standing.ledger.threads - 1)


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
