"""Better releases by large neighbourhoods: let a region of a release go, and solve it again over the arcs that are worth it.

A region is the groups of a budget of records around one of them (`region_graph`). Its program has the arcs of its records with small
reduced cost, what the release uses now, and for each record the cheapest group outside as an absorber. The budget grows while regions
are solved quickly and shrinks where the time runs out, so it finds its own size. How small reduced costs must be, and how long a
region may take, is tried in some ways, most often in that which has gained most in its time lately: with few arcs regions of thousands
of records are solved in a second, which is best at first; later it takes more arcs to find anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.releases.region_graph import RegionGraph
from anoptima.solvers.exact.sifting.releases.region_program import Region, improve
from anoptima.solvers.exact.sifting.releases.release import Release, together

FIRST_BUDGET = 200
WAYS = ((0.05, 1.5), (0.1, 1.5), (0.3, 2.0), (0.6, 3.0))
"""Up to which reduced cost, in units, arcs are taken, and for how many seconds regions are solved at first."""
SECONDS = 12.0
"""What a step may take at most."""
_LONGER, _PATIENCE = 1.5, 30
"""After so many steps without a gain all ways get so many times the seconds."""
_AT_ONCE, _QUICK = 0.15, 0.35
"""Shares of its seconds within which a region has been solved at once, or quickly."""
_FADE = 0.9
_CURIOUS = 0.15
"""How often a way is taken at random."""


@dataclass
class Way:
    """How regions are cut out: over arcs of reduced cost up to `reach`, for so many seconds; and what that has gained lately."""

    reach: float
    seconds: float
    budget: int = FIRST_BUDGET
    gain: float = 0.0
    spent: float = 0.0
    neighbours: RegionGraph | None = None

    def note(self, gain: int, spent: float, records: int, done: bool) -> None:
        """Note what a region has gained and taken, of a table of so many records, and whether it was solved to its end."""
        self.gain, self.spent = _FADE * self.gain + gain, _FADE * self.spent + spent
        if done and spent < _AT_ONCE * self.seconds:
            self.budget = min(records, int(self.budget * 1.4) + 1)
        elif done and spent < _QUICK * self.seconds:
            self.budget = min(records, int(self.budget * 1.05) + 1)
        elif not done:
            self.budget = max(40, int(self.budget * (0.93 if gain else 0.8)))


class Search:
    """A search from one release on; `reduced` are the arcs' reduced costs, which may be changed on the way."""

    def __init__(
        self,
        catalogue: Catalogue,
        release: Release,
        reduced: Numbers,
        chance: np.random.Generator,
        ways: Sequence[tuple[float, float]] = WAYS,
    ) -> None:
        self.release = release
        self._catalogue = catalogue
        self._arcs = catalogue.arcs
        self._chance = chance
        self._stale = 0
        self._ways = [Way(*way) for way in ways]
        self._failures = np.zeros(len(self._arcs.cost))
        self._unit = int(self._arcs.cost[self._arcs.cost > 0].min(initial=1))
        self.guide(reduced)

    @property
    def cost(self) -> int:
        """The scaled cost of the release."""
        return self.cost_of(self.release)

    @property
    def is_whole(self) -> bool:
        """Tell whether every region that is cut out now is the whole table."""
        return all(way.budget >= len(self._arcs.copies) for way in self._ways)

    def take(self, release: Release) -> None:
        """Go on from another release if it is better."""
        if self.cost_of(release) < self.cost:
            self.release = release

    def cost_of(self, release: Release) -> int:
        """Return the scaled cost of any release."""
        return int(self._arcs.cost[self._catalogue.pattern_of[release.arc]] @ release.count)

    def guide(self, reduced: Numbers) -> None:
        """Take other reduced costs to guide the search."""
        self.reduced = reduced
        for way in self._ways:
            way.neighbours = None

    def _way(self) -> Way:
        """Choose how to cut out the next region: as has gained most in its time, and at times in any way."""
        if self._chance.random() < _CURIOUS:
            way = self._ways[int(self._chance.integers(len(self._ways)))]
        else:
            way = max(self._ways, key=lambda one: one.gain / one.spent if one.spent else np.inf)
        return way

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let one region go and solve it; tell whether the release has become better."""
        pattern = self._catalogue.pattern_of[self.release.arc]
        groups, group = np.unique(pattern, return_inverse=True)
        seed = self._draw(groups, group)
        way = self._way()
        if way.neighbours is None:
            way.neighbours = RegionGraph(self._catalogue, self._arcs_of(way))
        freed = self._grow(seed, groups, group, way.neighbours, way.budget)
        before = self.cost
        began = time.monotonic()
        done = self._again(groups, group, freed, way.neighbours, min(way.seconds, seconds), is_over)
        better = self.cost < before
        way.note(before - self.cost, time.monotonic() - began, len(self._arcs.copies), done)
        self._stale = 0 if better else self._stale + 1
        if self._stale >= _PATIENCE:
            self._stale = 0
            for one in self._ways:
                one.seconds = min(SECONDS, _LONGER * one.seconds)
        self._failures[groups[freed]] = 0 if better else self._failures[groups[freed]] + 1
        return better

    def _arcs_of(self, way: Way) -> NDArray[np.bool_]:
        """Return which arcs regions that are cut out in this way may use."""
        return np.asarray(self.reduced <= way.reach * self._unit)

    def again(self, chosen: NDArray[np.bool_], reach: float, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let the groups of the `chosen` records go and solve them, over arcs of reduced cost up to `reach`; tell whether that ended."""
        groups, group = np.unique(self._catalogue.pattern_of[self.release.arc], return_inverse=True)
        freed = np.zeros(len(groups), dtype=np.bool_)
        freed[group[chosen[self._arcs.member[self.release.arc]]]] = True
        neighbours = RegionGraph(self._catalogue, self.reduced <= reach * self._unit)
        return not freed.any() or self._again(groups, group, freed, neighbours, seconds, is_over)

    def _again(
        self,
        groups: NDArray[np.int64],
        group: NDArray[np.int64],
        freed: NDArray[np.bool_],
        neighbours: RegionGraph,
        seconds: float,
        is_over: Callable[[], bool],
    ) -> bool:
        """Let groups go and solve their records again; tell whether the search came to its end."""
        let_go = freed[group]
        demand = np.zeros(len(self._arcs.copies), dtype=np.int64)
        np.add.at(demand, self._arcs.member[self.release.arc[let_go]], self.release.count[let_go])
        records = np.flatnonzero(demand)
        arcs = neighbours.arcs_of(records)
        staying = np.zeros(len(self._arcs.cost), dtype=np.bool_)
        staying[groups[~freed]] = True
        arcs = np.union1d(arcs[~staying[self._catalogue.pattern_of[arcs]]], self.release.arc[let_go])
        region = Region(arcs, demand, self._absorbers(records, staying))
        found, done = self._solve(region, let_go, seconds, is_over)
        if found is not None:
            self._replace(let_go, found)
        return done

    def _solve(
        self, region: Region, let_go: NDArray[np.bool_], seconds: float, is_over: Callable[[], bool]
    ) -> tuple[Release | None, bool]:
        """Return the best publication of a region that was found in time, and whether the search came to its end.

        `let_go` are the arcs of the release that the region had before.
        """
        current = Release(self.release.arc[let_go], self.release.count[let_go])
        found, done, _ = improve(self._catalogue, region, current, seconds, is_over)
        return found, done

    def _draw(self, groups: NDArray[np.int64], group: NDArray[np.int64]) -> int:
        worst = np.zeros(len(groups))
        np.maximum.at(worst, group, self.reduced[self.release.arc])
        weight = (0.05 + worst) * 0.7 ** self._failures[groups]
        return int(self._chance.choice(len(groups), p=weight / weight.sum()))

    def _grow(
        self, seed: int, groups: NDArray[np.int64], group: NDArray[np.int64], neighbours: RegionGraph, budget: int
    ) -> NDArray[np.bool_]:
        """Return which groups the region takes in: those of the records around a group."""
        member = self._arcs.member[self.release.arc]
        near = np.zeros(len(self._arcs.copies), dtype=np.bool_)
        near[neighbours.around(member[group == seed], budget, self._chance)] = True
        freed = np.zeros(len(groups), dtype=np.bool_)
        freed[group[near[member]]] = True
        return freed

    def _absorbers(self, records: NDArray[np.int64], staying: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return, for each record that some staying group matches, the arc to the cheapest such group."""
        arcs = self._catalogue.arcs_of_records(records)
        arcs = arcs[staying[self._catalogue.pattern_of[arcs]]]
        order = np.lexsort((self._arcs.cost[self._catalogue.pattern_of[arcs]], self._arcs.member[arcs]))
        arcs = arcs[order]
        first = np.ones(len(arcs), dtype=np.bool_)
        first[1:] = self._arcs.member[arcs[1:]] != self._arcs.member[arcs[:-1]]
        return np.sort(arcs[first])

    def _replace(self, let_go: NDArray[np.bool_], found: Release) -> None:
        self.release = together(Release(self.release.arc[~let_go], self.release.count[~let_go]), found)
