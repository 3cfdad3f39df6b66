"""A release to begin with, by greedy choice: of patterns under k-anonymity, of large legal groups under rules."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anoptima.solvers.approximate.greedy_patterns import GreedyPatterns
from anoptima.solvers.exact.sifting.releases.greedy import greedy_releases
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules, StandingUnderSize

GREEDY_SHARE, GREEDY_ARCS_PER_S, GREEDY_PATTERNS_PER_S = 0.6, 5e6, 1e5
"""A greedy release is tried beside a start if it takes no more than this share of the time that is left, at so many arcs or patterns a
second. Annealed releases are the better for it: of 30,162 rows (3.2 million arcs) by 1 % after 2 s, k = 5 and k = 10. Of 100,000 rows of
eight columns of 20 values, k = 3, it takes 8.6 s for 744,751 patterns with 10.2 million arcs."""
POOR_SHARE, ENDS_SHARE = Fraction(2, 3), 0.75
"""A start that costs more than the first part of what one group of all rows does is none, and a greedy release is tried all the same: on
a busy machine quick approximations of 100,000 rows are cut short. It ends after the second part of the time, with what it has."""

SECOND_SHARE = 0.15
"""A second end of a greedy release takes about as long as the first, and is tried if that took no more than this share of what is left. Of
200,000 rows, l = 3, both take 3.5 s, and the second is better by 1 %. Of 30,162, they take half a second: l = 2 has 13,171 stars after
2 s with the second one and 15,567 without, k = 3 and l = 2 17,779 and 19,347."""


@dataclass(eq=False)
class FirstRelease(Stage[StandingUnderSize]):
    """Choose patterns greedily. Beside a start that the run was given this is done only where it is quick."""

    started: bool
    is_needed = True

    def why_not(self) -> str | None:
        """There is a start, and a greedy release would take too long."""
        seconds, arcs = self.standing.share_of_left(GREEDY_SHARE), self.standing.instance.arcs
        is_long = len(arcs.member) > seconds * GREEDY_ARCS_PER_S or len(arcs) > seconds * GREEDY_PATTERNS_PER_S
        if self.started and is_long and not self._is_poor():
            return "there is a start, and another would take too long"
        return None

    def run(self, limit: float) -> None:
        """Offer a greedy release."""
        standing, ledger = self.standing, self.standing.ledger
        ledger.phase("a first release")
        end = ledger.clock.seconds() + standing.share_of_left(ENDS_SHARE)
        found = GreedyPatterns().partition(
            standing.instance.problem, lambda: standing.is_over() or ledger.clock.seconds() >= end
        )
        ledger.offer(found, "greedy-patterns")

    def _is_poor(self) -> bool:
        """Tell whether the start costs nearly what it does to have all rows in one group."""
        cost, arcs = self.standing.ledger.cost, self.standing.instance.arcs
        most = self.standing.instance.problem.unscale(int(arcs.copies.sum()) * int(arcs.cost.max(initial=0)))
        return cost is None or cost > POOR_SHARE * most


class GreedyRelease(Stage[StandingUnderRules]):
    """Offer greedy releases by what guides the run at this time: later, the patterns that multipliers say are worth opening."""

    @property
    def is_needed(self) -> bool:
        """The first time there is no other release."""
        return bool(np.isneginf(self.standing.point.value))

    def run(self, limit: float) -> None:
        """Choose groups, cheapest column sets first."""
        standing, began = self.standing, time.monotonic()
        standing.ledger.phase("a release")
        for release in greedy_releases(standing.instance, standing.worth_opening, standing.chance):
            standing.offer(release, "greedy")
            if time.monotonic() - began > standing.share_of_left(SECOND_SHARE):
                return
