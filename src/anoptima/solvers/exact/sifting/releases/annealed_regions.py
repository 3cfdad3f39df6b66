"""The search for releases under k-anonymity: annealed as a whole, then by regions, whose programs the cuts in force make shorter.

Releases are annealed one after the other (`row_annealing`), which soon gets near the best ones. Where they differ is where something can be
gained, so some ways to cut out regions take the arcs of annealed releases alone: regions of thousands of records are solved over them
in a second. The cuts that have a price hold in regions too, less what the groups that stay take of them. Small tables are annealed in
another way, too (`pattern_annealing`).

Where there is a fractional release near the best ones, the whole table is searched near it (`program_near`).
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.releases.pattern_annealing import PatternAnnealing
from anoptima.solvers.exact.sifting.releases.program_near import ProgramNear
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import Guide, RegionSearch, Way
from anoptima.solvers.exact.sifting.releases.release import Release
from anoptima.solvers.exact.sifting.releases.row_annealing import RowAnnealing

SECONDS, BUDGET, KEPT = (1.0, 2.0), 1000, 12
"""Of the ways over the arcs of annealed releases, of which so many are kept."""
STEPS, HOT, WARM, COLD = 60, 0.5, 0.35, 0.13
"""Steps of annealing for each row, and temperatures: of the first time, of later ones, and at the end."""
FIRST = 4
"""So often is annealed before anything else."""
CHAIN_STEPS, CHAIN_HOT, CHAIN_COLD = 100, 0.5, 0.4
"""The same for chains, which take so many steps the first time, and twice as many after each time without a gain."""
CHAIN_SHARES = 0.2, 0.6
"""What they take of the time: the second where they have gained as much as all else that came after annealing, the first where not."""
SHARE, FIRST_SHARE = 0.3, 0.7
"""What annealing takes of the time of a search, and, at once, of the time that is left; the first time."""
WHOLE_LEAST, WHOLE_SHARE, LAST_SHARE = 5.0, 0.1, 0.4
"""A search of the whole table may take so many seconds at once, or this share of those that the search has taken. All in all it takes
that share, the last one where regions gain nothing, and more where it gains more in its time than regions do. Short searches near new
fractional releases find more than long ones."""
FADE, FAINT = 0.9, 0.5
"""What is left of a gain after each further step; and how many units that must be, for regions to be worth their time."""


class AnnealedRegions(RegionSearch):
    """A search from one release on; `share_of_left` tells a share of the seconds that are left, if they are limited."""

    def __init__(
        self,
        programs: Programs,
        release: Release,
        guide: Guide,
        chance: np.random.Generator,
        *,
        annealing: RowAnnealing | None = None,
        chains: PatternAnnealing | None = None,
        share_of_left: Callable[[float], float] = lambda share: np.inf,
    ) -> None:
        self._annealing = annealing
        self._chains, self._chain_steps = chains, CHAIN_STEPS
        self._share_of_left = share_of_left
        self._annealed: list[NDArray[np.int64]] = []
        self._over_annealed = [Way(0.0, most, budget=BUDGET) for most in SECONDS]
        self._spent = {"annealing": 0.0, "chains": 0.0, "whole": 0.0, "regions": 0.0}
        self._gained = dict.fromkeys(self._spent, 0)
        self._lately = {"whole": (0.0, 0.0), "regions": (0.0, 0.0)}
        super().__init__(programs, release, guide, chance)
        self._nearby = ProgramNear(programs, self._unit)

    @property
    def anneals_patterns(self) -> bool:
        """Whether open patterns are annealed, too."""
        return self._chains is not None

    def take(self, release: Release) -> None:
        """Go on from another release if it is better, and take its arcs for a hint even if it is not."""
        super().take(release)
        if not self._annealed:
            self._ways += self._over_annealed
        self._annealed = [*self._annealed, release.arc][-KEPT:]
        for way in self._over_annealed:
            way.graph, way.gain, way.spent = None, 0.0, 0.0

    def hint(self, mean: NDArray[np.float64]) -> None:
        """Take a fractional release, by arc, near which the best ones may be."""
        self._nearby.hint(mean)

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Anneal, or solve the whole table over few arcs, or a region; tell whether the release has become better."""
        began, before = time.monotonic(), self.cost
        total = sum(self._spent.values())
        annealed = self._annealing is None or len(self._annealed) >= FIRST
        if self._annealing is not None and (not annealed or self._spent["annealing"] <= SHARE * total):
            kind = "annealing"
            self._anneal(self._annealing, is_over)
        elif self._chains is not None and self._spent["chains"] <= self._chain_share * total:
            kind = "chains"
            self._anneal_chains(self._chains, is_over)
        elif self._nearby.is_ready and (self._spent["whole"] <= self._whole_share * total or self._is_whole_better()):
            kind = "whole"
            self._search_whole(is_over)
        else:
            kind = "regions"
            super().step(seconds, is_over)
        spent = time.monotonic() - began
        self._spent[kind] += spent
        self._gained[kind] += before - self.cost
        if kind in self._lately:
            gain, seconds_lately = self._lately[kind]
            self._lately[kind] = FADE * gain + before - self.cost, FADE * seconds_lately + spent
        return self.cost < before

    @property
    def _chain_share(self) -> float:
        """What chains may take of the time."""
        return CHAIN_SHARES[self._gained["chains"] >= self._gained["whole"] + self._gained["regions"]]

    @property
    def _whole_share(self) -> float:
        """What searches of the whole table may take of the time."""
        return WHOLE_SHARE if self._lately["regions"][0] > FAINT * self._unit else LAST_SHARE

    def _is_whole_better(self) -> bool:
        """Tell whether the whole has gained more in its time lately than regions have."""
        (gain, spent), (gain_of_regions, spent_on_regions) = self._lately["whole"], self._lately["regions"]
        return gain * spent_on_regions > gain_of_regions * spent

    def _anneal(self, annealing: RowAnnealing, is_over: Callable[[], bool]) -> None:
        """Anneal from the release on, and take where that leads."""
        hot, share = (WARM, SHARE) if self._annealed else (HOT, FIRST_SHARE)
        seconds = self._share_of_left(share)
        self.take(annealing.anneal(self.release, self._guide.reduced, STEPS, hot, COLD, seconds, is_over))

    def _anneal_chains(self, chains: PatternAnnealing, is_over: Callable[[], bool]) -> None:
        """Anneal with chains, for longer the next time unless that has led to something better."""
        before, seconds = self.cost, self._share_of_left(SHARE)
        steps = self._chain_steps * int(self._arcs.copies.sum())
        self.take(chains.anneal(self.release, self._guide.reduced, steps, CHAIN_HOT, CHAIN_COLD, seconds, is_over))
        if self.cost == before:
            self._chain_steps *= 2

    def _search_whole(self, is_over: Callable[[], bool]) -> None:
        seconds = min(self._share_of_left(1.0), max(WHOLE_LEAST, WHOLE_SHARE * sum(self._spent.values())))
        found = self._nearby.search(self.release, self._guide, seconds, is_over)
        if found is not None:
            super().take(found)

    def _arcs_of(self, way: Way) -> NDArray[np.bool_]:
        if not any(way is one for one in self._over_annealed):
            return super()._arcs_of(way)
        chosen = np.zeros(len(self._arcs.member), dtype=np.bool_)
        for arcs in (*self._annealed, self.release.arc):
            chosen[arcs] = True
        return chosen
