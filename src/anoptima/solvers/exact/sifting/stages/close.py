"""Closing the gap: a search of all arcs that can still be part of something better.

Restricted to reduced costs up to d, an optimum UB_d is the optimum as soon as L + d >= UB_d - 1: counted in whole numbers, so that the
claim rests on the search alone.
"""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.proofs import bound_in_integers, reduced_in_integers
from anoptima.solvers.exact.sifting.releases.region_program import Region
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.stages.searching import search_once
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

ARCS_PER_S = 150
"""A search over 3,000 arcs may end within twenty seconds, one over 6,000 within forty."""
SHARE_BESIDE_TREE = 0.25
"""Beside a tree, which proves the same, this may take this share of its seconds."""
ROUGH = 1e-3
"""How far a bound of HiGHS may be off."""


class Close(Stage[StandingUnderSize]):
    """Search among ever more arcs; where that takes too long, or there are too many, regions are searched for as long."""

    part = Part.CLOSING

    def __init__(self, standing: StandingUnderSize, branch: Branch) -> None:
        super().__init__(standing)
        self._branch = branch

    def run(self, limit: float) -> None:
        """Search for about `limit` seconds; the run is done if nothing better is left."""
        standing, instance = self.standing, self.standing.instance
        standing.ledger.phase("closing the gap")
        if standing.tree is not None:
            limit *= SHARE_BESIDE_TREE
        proved, reduced = self._reduced()
        reach = instance.d * instance.unit
        while not standing.is_over():
            reach = max(0, min(reach, standing.wanted - 1 - proved))
            arcs = np.union1d(np.flatnonzero(reduced <= reach), standing.release.arc)
            if len(arcs) > ARCS_PER_S * limit or not self._search(arcs, proved + reach, limit):
                break
            if proved + reach >= standing.wanted - 1:
                self._settle(len(arcs), limit)
                standing.is_done = True
                return
            reach *= 2
        until = time.monotonic() + limit
        while not standing.shared.is_in_background and time.monotonic() < until and not standing.is_over():
            search_once(standing)

    def _reduced(self) -> tuple[int, NDArray[np.int64]]:
        """Return D times the bound of the best multipliers, and D times the reduced cost of every arc, in whole numbers."""
        standing, instance = self.standing, self.standing.instance
        _, whole = bound_in_integers(instance.arcs, standing.terms, standing.point.at, instance.d)
        return reduced_in_integers(instance.arcs, standing.terms, whole, instance.d)

    def _search(self, arcs: NDArray[np.int64], others: int, limit: float) -> bool:
        """Search among some arcs, with the cuts in force; tell whether that came to its end. Releases with others cost `others` / D."""
        standing, instance = self.standing, self.standing.instance
        gap = standing.cost - standing.point.value
        standing.ledger.log(
            f"a search over {len(arcs):,} arcs, with {gap:,.2f} to close; all others cost {others / instance.d:,.2f} or more"
        )
        region = Region(arcs, instance.arcs.copies, rows=standing.terms.rows)
        seconds = standing.seconds(limit)
        found = instance.programs.improve(region, standing.release, seconds, standing.is_over, careful=True)
        if found.release is not None:
            standing.take(found.release)
        lowest = min(found.bound, others / instance.d, float(standing.cost))
        if np.isfinite(lowest) and not found.done:
            step = instance.step_of_cost
            standing.claim(step * math.ceil(lowest / step - ROUGH), "highs")
        return found.done

    def _settle(self, searched: int, limit: float) -> None:
        """The release is the best there is, says HiGHS: ask for a proof, which is worth more, or take its word."""
        standing = self.standing
        if standing.uses(Part.TREE) and self._branch.why_not() is None:
            self._branch.run(limit)
        if not standing.is_over():
            standing.ledger.notes.append(f"the last {searched:,} arcs were searched by highs")
            standing.claim(standing.cost, "highs")
