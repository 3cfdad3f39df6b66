"""Closing the gap under rules: a search, on HiGHS, of all arcs that can still be part of something better.

Every release with an arc of a pattern whose best group is worth F_p < 0 costs L - F_p or more, whatever else it has. So the best release
over the other arcs is the best there is as soon as L - F_p >= UB - 1 (in steps of cost) for all that were left out. The result is a claim.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.models.conditions import why_not_stated
from anoptima.solvers.exact.sifting.arcs import TINY
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases.region_program import Region
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize, BranchSoon
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

PATTERN_ARCS_PER_S = 3000
"""How many arcs of the patterns that are searched there may be for a second that there is; most of them are dear."""
BEFORE_SEARCH_SHARE = 0.3
"""The part of what is left that a tree under diversity may take before a search, where it is grown soon."""
ROUGH = 1e-3
"""How far a bound of HiGHS may be off."""
BACKEND = "highs"


@dataclass(eq=False)
class CloseUnderRules(Stage[StandingUnderRules]):
    """Search among ever more arcs, as long as the searches end and there are few arcs enough, where programs state all that is asked."""

    part = Part.CLOSING
    arcs_per_s: ClassVar[int] = PATTERN_ARCS_PER_S

    branch: BranchBySize

    def run(self, limit: float) -> None:
        """Search from the best release as it is published, whose groups may have more in common than their patterns say."""
        standing, asked = self.standing, self.standing.instance.asked
        unknown = why_not_stated(asked.principle, asked.table)
        if unknown is not None:
            standing.ledger.notes.append(f"what is left was not searched to its end: {unknown}")
            standing.is_done = True
            return
        standing.take(standing.published)
        if (
            standing.uses(Part.TREE)
            and not standing.instance.is_close
            and BranchSoon(standing, self.branch).why_not() is None
        ):
            self.branch.settle(standing.share_of_left(BEFORE_SEARCH_SHARE, limit))
        self._close(limit)

    def _close(self, limit: float) -> None:
        """Search for about `limit` seconds; the run is done if nothing better is left."""
        standing, instance = self.standing, self.standing.instance
        standing.ledger.phase("closing the gap")
        proved, reach = standing.point.value, float(instance.unit)
        # In floats: what is a little above `reach` is taken in, too.
        reduced = np.maximum(0, standing.forced - TINY)[instance.arcs.pattern_of]

        def enough() -> float:
            return standing.cost - instance.step_of_cost - proved

        while not standing.is_over():
            reach = max(0, min(reach, enough()))
            arcs = np.union1d(np.flatnonzero(reduced <= reach), standing.release.arc)
            if len(arcs) > self.arcs_per_s * limit:
                return
            is_searched = self._search(arcs, proved + reach, limit)
            is_last = reach >= enough()
            if is_last:
                if standing.uses(Part.TREE) and self.branch.why_not_settle() is None:
                    # A proof is worth more than a word, and the next search may end.
                    self.branch.settle(limit)
                if is_searched and not standing.is_over():
                    standing.ledger.notes.append(f"the last {len(arcs):,} arcs were searched by {BACKEND}")
                    standing.claim(standing.cost, BACKEND)
                standing.is_done = is_searched
            if is_last or not is_searched:
                return
            reach *= 2

    def _search(self, arcs: NDArray[np.int64], others: float, limit: float) -> bool:
        """Search among some arcs; tell whether none of their releases costs less than the best one now. Those with others cost `others`."""
        standing, instance, step = self.standing, self.standing.instance, self.standing.instance.step_of_cost
        gap = standing.cost - standing.point.value
        standing.ledger.log(
            f"a search over {len(arcs):,} arcs, with {gap:,.2f} to close; all others cost {others:,.2f} or more"
        )
        region, seconds = Region(arcs, instance.arcs.copies), standing.seconds(limit)
        found = instance.programs.improve(region, standing.release, seconds, standing.is_over, careful=True)
        if found.release is not None:
            standing.take(found.release)
        is_searched = found.bound > standing.cost - step + ROUGH
        lowest = min(found.bound, others, float(standing.cost))
        if np.isfinite(lowest) and not is_searched:
            standing.claim(step * math.ceil(lowest / step - ROUGH), BACKEND)
        return is_searched
