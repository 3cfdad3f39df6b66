"""The search for releases under k-anonymity: annealed as a whole, then by regions, whose programs the cuts in force make shorter.

Releases are annealed one after the other (`annealing`), which soon gets near the best ones. Where they differ is where something can be
gained, so some ways to cut out regions take the arcs of annealed releases alone: regions of thousands of records are solved over them
in a second. The cuts that have a price hold in regions too, less what the groups that stay take of them. Of small tables open
patterns are annealed, too.

Where there is a fractional release near the best ones, the whole table is searched near it (`program_near`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.portfolio import Portfolio
from anoptima.solvers.exact.sifting.releases.annealing import Cooling, PatternAnnealing, RowAnnealing
from anoptima.solvers.exact.sifting.releases.program_near import ProgramNear
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import LEAST_SHARE, Guide, RegionSearch, Way
from anoptima.solvers.exact.sifting.releases.release import Release

SECONDS, BUDGET, KEPT = (1.0, 2.0), 1000, 12
"""How many annealed releases are kept; some ways to cut out regions take the arcs of these alone."""
HOT, WARM = Cooling(60, 0.5, 0.13), Cooling(60, 0.35, 0.13)
"""How rows are annealed the first time, and later."""
FIRST = 4
"""So often is annealed before anything else."""
PATTERNS = Cooling(100, 0.5, 0.4)
"""The same for patterns: the steps of the first time, doubled after each time without a gain."""
SHARE, FIRST_SHARE = 0.3, 0.7
"""What annealing takes of the time of a search, and, at once, of the time that is left; the first time."""
WHOLE_LEAST, WHOLE_SHARE = 5.0, 0.1
"""A search of the whole table may take this number of seconds at once, or this share of those that the search has taken. Short searches
near new fractional releases find more than long ones."""
SHARES = {"rows": (SHARE, SHARE), "patterns": (0.2, 0.6), "whole": (WHOLE_SHARE, 1.0), "regions": (0.0, 1.0)}
"""The least and the largest share of the time that each has, where it has something to do."""


class AnnealedRegions(RegionSearch):
    """A search from one release on; `share_of_left` tells a share of the seconds that are left, if they are limited."""

    def __init__(
        self,
        programs: Programs,
        release: Release,
        guide: Guide,
        chance: np.random.Generator,
        *,
        row_annealing: RowAnnealing | None = None,
        pattern_annealing: PatternAnnealing | None = None,
        share_of_left: Callable[[float], float] = lambda share: np.inf,
    ) -> None:
        self._row_annealing = row_annealing
        self._pattern_annealing, self._cooling = pattern_annealing, PATTERNS
        self._share_of_left = share_of_left
        self._annealed: list[NDArray[np.int64]] = []
        self._over_annealed = [Way(0.0, most, budget=BUDGET) for most in SECONDS]
        self._kinds = Portfolio(SHARES)
        super().__init__(programs, release, guide, chance)
        self._nearby = ProgramNear(programs, self._unit)

    @property
    def anneals_patterns(self) -> bool:
        """Whether open patterns are annealed, too."""
        return self._pattern_annealing is not None

    def take(self, release: Release) -> None:
        """Go on from another release if it is better, and take its arcs for a hint even if it is not."""
        super().take(release)
        if not self._annealed:
            self._ways += self._over_annealed
            for way in self._over_annealed:
                self._turns.add(way, LEAST_SHARE)
        self._annealed = [*self._annealed, release.arc][-KEPT:]
        for way in self._over_annealed:
            way.graph = None
            self._turns.renew(way)

    def hint(self, mean: NDArray[np.float64]) -> None:
        """Take a fractional release, by arc, near which the best ones may be."""
        self._nearby.hint(mean)

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Anneal, or solve the whole table over few arcs, or a region; tell whether the release has become better."""
        began, before = time.monotonic(), self.cost
        kind = self._next_kind()
        if kind == "rows":
            self._anneal_rows(is_over)
        elif kind == "patterns":
            self._anneal_patterns(is_over)
        elif kind == "whole":
            self._search_whole(is_over)
        else:
            super().step(seconds, is_over)
        self._kinds.note(kind, before - self.cost, time.monotonic() - began)
        return self.cost < before

    def _next_kind(self) -> str:
        """Return what to do next: anneal at first, then whatever has gained most in its time."""
        if self._row_annealing is not None and len(self._annealed) < FIRST:
            return "rows"
        able = {
            "rows": self._row_annealing is not None,
            "patterns": self._pattern_annealing is not None,
            "whole": self._nearby.is_ready,
            "regions": True,
        }
        return self._kinds.next([kind for kind, is_able in able.items() if is_able])

    def _anneal_rows(self, is_over: Callable[[], bool]) -> None:
        """Anneal from the release on, and take where that leads."""
        assert self._row_annealing is not None
        cooling, share = (WARM, SHARE) if self._annealed else (HOT, FIRST_SHARE)
        seconds = self._share_of_left(share)
        self.take(self._row_annealing.anneal(self.release, self._guide.reduced, cooling, seconds, is_over))

    def _anneal_patterns(self, is_over: Callable[[], bool]) -> None:
        """Anneal patterns, for longer the next time unless that has led to something better."""
        assert self._pattern_annealing is not None
        before, seconds = self.cost, self._share_of_left(SHARE)
        self.take(self._pattern_annealing.anneal(self.release, self._guide.reduced, self._cooling, seconds, is_over))
        if self.cost == before:
            self._cooling = replace(self._cooling, steps=2 * self._cooling.steps)

    def _search_whole(self, is_over: Callable[[], bool]) -> None:
        seconds = min(self._share_of_left(1.0), max(WHOLE_LEAST, WHOLE_SHARE * self._kinds.spent))
        found = self._nearby.search(self.release, self._guide, seconds, is_over)
        if found is not None:
            super().take(found)

    def _arcs_of(self, way: Way) -> NDArray[np.bool_]:
        if way not in self._over_annealed:
            return super()._arcs_of(way)
        chosen = np.zeros(len(self._arcs.member), dtype=np.bool_)
        for arcs in (*self._annealed, self.release.arc):
            chosen[arcs] = True
        return chosen
