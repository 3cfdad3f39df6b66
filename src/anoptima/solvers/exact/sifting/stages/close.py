"""Closing the gap: a search, on HiGHS, of all arcs that can still be part of something better.

Every release with an arc of reduced cost above d costs more than L + d, whatever else it has. So the best release over the other arcs is
the best there is as soon as L + d >= UB - 1 (in steps of cost). Under k-anonymity reduced costs are counted in whole numbers, arc by arc,
so that the claim rests on the search alone. Under rules they are those of patterns: opening one whose best group is worth F_p < 0 costs
-F_p.
"""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import union
from anoptima.models.conditions import why_not_stated
from anoptima.solvers.exact.sifting.arcs import TINY, Numbers
from anoptima.solvers.exact.sifting.bound.cuts import Row
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.proofs import reduced_in_integers
from anoptima.solvers.exact.sifting.releases.region_program import Region
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize, BranchSoon
from anoptima.solvers.exact.sifting.stages.searching import search_once
from anoptima.solvers.exact.sifting.stages.stage import S, Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules, StandingUnderSize

ARCS_PER_S, PATTERN_ARCS_PER_S = 150, 3000
"""A search over 3,000 arcs may end within twenty seconds, one over 6,000 within forty. The second number is for all arcs of the patterns
that are searched, most of which are dear."""
SHARE_BESIDE_TREE = 0.25
"""Beside a tree, which proves the same, this may take this share of its seconds."""
BEFORE_SEARCH_SHARE = 0.3
"""The part of what is left that a tree under diversity may take before a search, where it is grown soon."""
NEAR_SHARE = 0.5
"""The part of what is left that a search may take which can prove nothing. Not measured."""
ROUGH = 1e-3
"""How far a bound of HiGHS may be off."""
BACKEND = "highs"


class Closing(Stage[S]):
    """Search among ever more arcs, as long as the searches end and there are few arcs enough."""

    part = Part.CLOSING
    arcs_per_s: int
    """How many arcs are searched in a second that there is."""

    @abstractmethod
    def _reduced(self) -> tuple[float, Numbers, int]:
        """Return D times the bound of the best multipliers, D times what using each arc adds to it at least, and D."""

    @abstractmethod
    def _prove(self, limit: float, *, is_searched: bool) -> None:
        """Prove what a search says that came to its end, or may do so the next time; a proof is worth more than its word."""

    def _rows(self) -> list[Row]:
        """Return cuts that make a search shorter."""
        return []

    def run(self, limit: float) -> None:
        """Search for about `limit` seconds; the run is done if nothing better is left."""
        standing, instance = self.standing, self.standing.instance
        standing.ledger.phase("closing the gap")
        proved, reduced, d = self._reduced()
        reach: float = d * instance.unit

        def enough() -> float:
            return (standing.cost - instance.step_of_cost) * d - proved

        while not standing.is_over():
            reach = max(0, min(reach, enough()))
            arcs = union(np.flatnonzero(reduced <= reach), standing.release.arc)
            if len(arcs) > self.arcs_per_s * limit:
                return
            is_searched = self._search(arcs, (proved + reach) / d, limit)
            is_last = reach >= enough()
            if is_last:
                self._prove(limit, is_searched=is_searched)
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
        region = Region(arcs, instance.arcs.copies, rows=self._rows())
        seconds = standing.seconds(limit)
        found = instance.programs.improve(region, standing.release, seconds, standing.is_over, careful=True)
        if found.release is not None:
            standing.take(found.release)
        is_searched = found.bound > standing.cost - step + ROUGH
        lowest = min(found.bound, others, float(standing.cost))
        if np.isfinite(lowest) and not is_searched:
            standing.claim(step * math.ceil(lowest / step - ROUGH), BACKEND)
        return is_searched


@dataclass(eq=False)
class Close(Closing[StandingUnderSize]):
    """Under k-anonymity; where a search takes too long, or there are too many arcs, regions are searched for as long."""

    arcs_per_s = ARCS_PER_S

    branch: Branch

    def run(self, limit: float) -> None:
        """Search for about `limit` seconds, less of them beside a tree."""
        standing = self.standing
        if standing.tree is not None:
            limit *= SHARE_BESIDE_TREE
        super().run(limit)
        until = time.monotonic() + limit
        while not (standing.is_done or standing.shared.is_in_background or standing.is_over()):
            if time.monotonic() >= until:
                return
            search_once(standing)

    def _reduced(self) -> tuple[float, Numbers, int]:
        standing, instance = self.standing, self.standing.instance
        whole = standing.point.at.in_parts(instance.d)
        return *reduced_in_integers(instance.arcs, standing.terms, whole, instance.d), instance.d

    def _prove(self, limit: float, *, is_searched: bool) -> None:
        if is_searched and self.standing.uses(Part.TREE) and self.branch.why_not() is None:
            self.branch.run(limit)

    def _rows(self) -> list[Row]:
        return self.standing.terms.rows


@dataclass(eq=False)
class CloseUnderRules(Closing[StandingUnderRules]):
    """Under rules, where programs can state all that is asked."""

    arcs_per_s = PATTERN_ARCS_PER_S

    branch: BranchBySize

    def run(self, limit: float) -> None:
        """Search from the best release as it is published, whose groups may have more in common than their patterns say."""
        standing, asked = self.standing, self.standing.instance.asked
        unknown = why_not_stated(asked.principle, asked.table)
        if unknown is not None:
            self._search_nearly(limit)
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
        super().run(limit)

    def _search_nearly(self, limit: float) -> None:
        """Search all arcs that can still gain, by programs that only come near what is asked; what they find is checked.

        Regions have arcs of small reduced cost alone, which are few where the bound is far below, or one column weighs most.
        """
        standing, instance = self.standing, self.standing.instance
        proved, reduced, _ = self._reduced()
        arcs = union(np.flatnonzero(reduced < standing.cost - proved), standing.release.arc)
        if len(arcs) <= self.arcs_per_s * limit:
            region = Region(arcs, instance.arcs.copies)
            seconds = min(limit, standing.share_of_left(NEAR_SHARE))
            found = instance.programs.improve(region, standing.release, seconds, standing.is_over)
            if found.release is not None:
                standing.take(found.release)

    def _reduced(self) -> tuple[float, Numbers, int]:
        standing = self.standing
        # In floats: what is a little above `reach` is taken in, too.
        by_pattern = np.maximum(0, standing.forced - TINY)
        return standing.point.value, by_pattern[standing.instance.arcs.pattern_of], 1

    def _prove(self, limit: float, *, is_searched: bool) -> None:
        if self.standing.uses(Part.TREE) and self.branch.why_not_settle() is None:
            self.branch.settle(limit)
