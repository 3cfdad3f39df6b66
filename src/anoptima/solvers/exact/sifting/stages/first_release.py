"""The first stage: a release to begin with, by greedy choice of patterns."""

from __future__ import annotations

from anoptima.solvers.approximate.greedy_patterns import GreedyPatterns
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

GREEDY_SHARE, GREEDY_ARCS_PER_S = 0.3, 2e6
"""A greedy release is tried beside a start if it takes no more than this share of the time that is left, at so many arcs a second: in
single runs annealed releases were the better for it."""


class FirstRelease(Stage[StandingUnderSize]):
    """Choose patterns greedily. Beside a start that the run was given this is done only where it is quick."""

    def __init__(self, standing: StandingUnderSize, *, started: bool) -> None:
        super().__init__(standing)
        self._started = started

    @property
    def is_needed(self) -> bool:
        """There is no other release."""
        return True

    def why_not(self) -> str | None:
        """There is a start, and a greedy release would take too long."""
        seconds = self.standing.share_of_left(GREEDY_SHARE)
        if self._started and len(self.standing.instance.arcs.member) > seconds * GREEDY_ARCS_PER_S:
            return "there is a start, and another would take too long"
        return None

    def run(self, limit: float) -> None:
        """Offer a greedy release."""
        standing = self.standing
        standing.ledger.phase("a first release")
        standing.ledger.offer(
            GreedyPatterns().partition(standing.instance.problem, standing.is_over), "greedy-patterns"
        )
