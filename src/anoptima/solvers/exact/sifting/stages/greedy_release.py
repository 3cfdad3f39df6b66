"""A release by greedy choice of large legal groups; the second time by the patterns that multipliers say are worth opening."""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules


class GreedyRelease(Stage[StandingUnderRules]):
    """Offer a greedy release by what guides the run at this time."""

    @property
    def is_needed(self) -> bool:
        """The first time there is no other release."""
        return bool(np.isneginf(self.standing.point.value))

    def run(self, limit: float) -> None:
        """Choose groups, cheapest column sets first."""
        standing = self.standing
        standing.ledger.phase("a release")
        standing.offer(greedy_release(standing.instance, standing.worth_opening, standing.chance), "greedy")
