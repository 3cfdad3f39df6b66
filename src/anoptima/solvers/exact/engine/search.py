"""Better releases by large neighbourhoods: let a region of a release go, and solve it again over the arcs that are worth it.

A region grows breadth-first from a group, over arcs of small reduced cost, until it holds a budget of records. Its program has the arcs
of its records with small reduced cost, what the release uses now, and for each record the cheapest group outside as an absorber. The
budget grows while regions are solved quickly and shrinks where the time runs out, so it finds its own size.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.engine.cuts import Catalogue
from anoptima.solvers.exact.engine.kernels import Numbers
from anoptima.solvers.exact.engine.programs import Region, improve
from anoptima.solvers.exact.engine.release import Published

FIRST_BUDGET = 150
SECONDS = 3.0
QUICK = 1.0
CHEAP = 0.6


class Search:
    """A search from one release on; `reduced` are the arcs' reduced costs, which may be changed on the way."""

    def __init__(self, catalogue: Catalogue, release: Published, reduced: Numbers, chance: np.random.Generator) -> None:
        self.release = release
        self._catalogue = catalogue
        self._arcs = catalogue.arcs
        self._chance = chance
        self._budget = FIRST_BUDGET
        self._failures = np.zeros(len(self._arcs.cost))
        self._unit = int(self._arcs.cost[self._arcs.cost > 0].min(initial=1))
        self.guide(reduced)

    @property
    def cost(self) -> int:
        """The scaled cost of the release."""
        return self._cost_of(self.release)

    def take(self, release: Published) -> None:
        """Go on from another release if it is better."""
        if self._cost_of(release) < self.cost:
            self.release = release

    def _cost_of(self, release: Published) -> int:
        return int(self._arcs.cost[self._catalogue.pattern_of[release.arc]] @ release.count)

    def guide(self, reduced: Numbers) -> None:
        """Take other reduced costs to guide the search."""
        self._is_cheap = reduced <= CHEAP * self._unit
        cheap = np.flatnonzero(self._is_cheap)
        self._cheap = cheap[np.argsort(self._arcs.member[cheap], kind="stable")]
        self._cheap_start = np.searchsorted(self._arcs.member[self._cheap], np.arange(len(self._arcs.copies) + 1))
        self._reduced = reduced

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let one region go and solve it; tell whether the release has become better."""
        pattern = self._catalogue.pattern_of[self.release.arc]
        groups, group = np.unique(pattern, return_inverse=True)
        seed = self._draw(groups, group)
        freed = self._grow(seed, groups, group)
        let_go = freed[group]
        demand = np.zeros(len(self._arcs.copies), dtype=np.int64)
        np.add.at(demand, self._arcs.member[self.release.arc[let_go]], self.release.count[let_go])
        records = np.flatnonzero(demand)
        arcs = np.concatenate([self._cheap[self._cheap_start[t] : self._cheap_start[t + 1]] for t in records])
        staying = np.zeros(len(self._arcs.cost), dtype=np.bool_)
        staying[groups[~freed]] = True
        current = Published(self.release.arc[let_go], self.release.count[let_go])
        arcs = np.union1d(arcs[~staying[self._catalogue.pattern_of[arcs]]], current.arc)
        region = Region(arcs, demand, self._absorbers(records, staying))
        began = time.monotonic()
        limit = min(SECONDS, seconds)
        found, done = improve(self._catalogue, region, current, limit, is_over)
        spent = time.monotonic() - began
        if spent < QUICK:
            self._budget = min(len(self._arcs.copies), int(self._budget * 1.05) + 1)
        elif not done:
            self._budget = max(40, int(self._budget * 0.93))
        before = self.cost
        if found is None:
            self._failures[groups[freed]] += 1
            return False
        self._replace(let_go, found)
        better = self.cost < before
        self._failures[groups[freed]] = 0 if better else self._failures[groups[freed]] + 1
        return better

    def _draw(self, groups: NDArray[np.int64], group: NDArray[np.int64]) -> int:
        worst = np.zeros(len(groups))
        np.maximum.at(worst, group, self._reduced[self.release.arc])
        weight = (0.05 + worst) * 0.7 ** self._failures[groups]
        return int(self._chance.choice(len(groups), p=weight / weight.sum()))

    def _grow(self, seed: int, groups: NDArray[np.int64], group: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which groups the region takes in."""
        order = np.argsort(self._arcs.member[self.release.arc], kind="stable")
        holders = group[order]
        held_by = np.searchsorted(self._arcs.member[self.release.arc][order], np.arange(len(self._arcs.copies) + 1))
        by_group = np.argsort(group, kind="stable")
        start = np.searchsorted(group[by_group], np.arange(len(groups) + 1))
        freed = np.zeros(len(groups), dtype=np.bool_)
        seen = np.zeros(len(self._arcs.cost), dtype=np.bool_)
        waiting, held = deque([seed]), 0
        freed[seed] = True
        while held < self._budget:
            if not waiting:
                left = np.flatnonzero(~freed)
                if not len(left):
                    break
                another = int(self._chance.choice(left))
                freed[another] = True
                waiting.append(another)
            g = waiting.popleft()
            members = self._arcs.member[self.release.arc[by_group[start[g] : start[g + 1]]]]
            held += len(members)
            for t in self._chance.permutation(members):
                for p in self._catalogue.pattern_of[self._cheap[self._cheap_start[t] : self._cheap_start[t + 1]]]:
                    if seen[p]:
                        continue
                    seen[p] = True
                    for u in self._cheap_of_pattern(int(p)):
                        for other in holders[held_by[u] : held_by[u + 1]]:
                            if not freed[other]:
                                freed[other] = True
                                waiting.append(int(other))
        for g in waiting:
            freed[g] = False
        return freed

    def _cheap_of_pattern(self, pattern: int) -> NDArray[np.int32]:
        """Return the records of a pattern's cheap arcs."""
        first, last = self._arcs.start[pattern], self._arcs.start[pattern + 1]
        return self._arcs.member[first:last][self._is_cheap[first:last]]

    def _absorbers(self, records: NDArray[np.int64], staying: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return, for each record that some staying group matches, the arc to the cheapest such group."""
        arcs = self._catalogue.arcs_of_records(records)
        arcs = arcs[staying[self._catalogue.pattern_of[arcs]]]
        order = np.lexsort((self._arcs.cost[self._catalogue.pattern_of[arcs]], self._arcs.member[arcs]))
        arcs = arcs[order]
        first = np.ones(len(arcs), dtype=np.bool_)
        first[1:] = self._arcs.member[arcs[1:]] != self._arcs.member[arcs[:-1]]
        return arcs[first]

    def _replace(self, let_go: NDArray[np.bool_], found: Published) -> None:
        arc = np.concatenate([self.release.arc[~let_go], found.arc])
        count = np.concatenate([self.release.count[~let_go], found.count])
        unique, inverse = np.unique(arc, return_inverse=True)
        self.release = Published(unique, np.bincount(inverse, count, len(unique)).astype(np.int64))
