"""Other searches at the same release, on threads of their own, from here to the end of the run."""

from __future__ import annotations

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.branch_by_size import MOST_ARCS
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules


class SearchBeside(Stage[StandingUnderRules]):
    """Begin as many searches as there are other threads."""

    part = Part.BACKGROUND

    def why_not(self) -> str | None:
        """There is one thread, or so little to search that two would be in each other's way."""
        standing = self.standing
        if standing.instance.patterns.arcs <= MOST_ARCS:
            return "one search is enough for so small a table"
        return None if standing.ledger.threads > 1 else "there is one thread"

    def run(self, limit: float) -> None:
        """Begin them."""
        self.standing.search_beside(self.standing.ledger.threads - 1)
