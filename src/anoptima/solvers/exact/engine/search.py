"""Better releases: annealed as a whole, then by large neighbourhoods: let a region go, and solve it again over the arcs that are worth it.

A region is the groups of a budget of records around one of them (`neighbours`). Its program has the arcs of its records with small
reduced cost, what the release uses now, and for each record the cheapest group outside as an absorber. The budget grows while regions
are solved quickly and shrinks where the time runs out, so it finds its own size. How small reduced costs have to be, and how long a
region may take, is tried in some ways, most often in that which has gained most in its time lately: with few arcs regions of thousands
of records are solved in a second, which is best at first; later it takes more arcs to find anything. One way takes the arcs of
releases that were annealed one after the other (`annealing`): where they differ is where something can be gained. The cuts that have a
price hold in regions too, and make their programs end sooner.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.engine.annealing import Annealing
from anoptima.solvers.exact.engine.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.engine.dual import Look
from anoptima.solvers.exact.engine.neighbours import Neighbours
from anoptima.solvers.exact.engine.programs import Region, improve
from anoptima.solvers.exact.engine.release import Published

FIRST_BUDGET = 200
_WAYS = ((0.05, 1.5), (0.1, 1.5), (0.3, 2.0), (0.6, 3.0))
SECONDS = 12.0
"""What a step may take at most."""
_LONGER, _PATIENCE = 1.5, 30
"""After so many steps without a gain all ways get so many times the seconds."""
_AT_ONCE, _QUICK = 0.15, 0.35
"""Shares of its seconds within which a region has been solved at once, or quickly."""
_FADE = 0.9
_CURIOUS = 0.15
"""How often a way is taken at random."""
_ANNEALED_SECONDS, _ANNEALED_BUDGET, _KEPT = (1.0, 2.0), 1000, 12
"""Ways over the arcs of annealed releases, of which so many are kept."""
_STEPS, _HOT, _WARM, _COLD = 60, 0.5, 0.35, 0.13
"""Steps of annealing for each row, and temperatures: of the first time, of later ones, and at the end."""
_FIRST = 4
"""So often is annealed before anything else."""
_SHARE, _FIRST_SHARE = 0.3, 0.7
"""What annealing takes of the time of a search, and, at once, of the time that is left; the first time."""
_PRICED = 1e-3
"""Cuts of a lower price do not hold in regions."""


@dataclass
class _Way:
    """How regions are cut out: over arcs of reduced cost up to `reach`, or (None) those of annealed releases; and what that has gained."""

    reach: float | None
    seconds: float
    budget: int = FIRST_BUDGET
    gain: float = 0.0
    spent: float = 0.0
    neighbours: Neighbours | None = None

    def note(self, gain: int, spent: float, records: int, done: bool) -> None:
        self.gain, self.spent = _FADE * self.gain + gain, _FADE * self.spent + spent
        if done and spent < _AT_ONCE * self.seconds:
            self.budget = min(records, int(self.budget * 1.4) + 1)
        elif done and spent < _QUICK * self.seconds:
            self.budget = min(records, int(self.budget * 1.05) + 1)
        elif not done:
            self.budget = max(40, int(self.budget * (0.93 if gain else 0.8)))


class Search:
    """A search from one release on, guided by multipliers and their rows, which may be changed on the way."""

    def __init__(
        self,
        catalogue: Catalogue,
        release: Published,
        near: Look,
        terms: Terms,
        chance: np.random.Generator,
        annealing: Annealing | None = None,
    ) -> None:
        self.release = release
        self._catalogue = catalogue
        self._annealing = annealing
        self._annealed: list[NDArray[np.int64]] = []
        self._seconds = [0.0, 0.0]
        self._arcs = catalogue.arcs
        self._chance = chance
        self._stale = 0
        self._ways = [_Way(*way) for way in _WAYS]
        self._failures = np.zeros(len(self._arcs.cost))
        self._unit = int(self._arcs.cost[self._arcs.cost > 0].min(initial=1))
        self._of_annealed = [_Way(None, most, _ANNEALED_BUDGET) for most in _ANNEALED_SECONDS]
        self.guide(near, terms)

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

    def guide(self, near: Look, terms: Terms) -> None:
        """Take other reduced costs to guide the search, and the rows that have a price."""
        self._reduced = near.reduced
        priced = near.at.prices > _PRICED * self._unit
        self._terms = terms.of([row for row, is_priced in zip(terms.rows, priced, strict=True) if is_priced])
        for way in self._ways:
            way.neighbours = None

    def _way(self) -> _Way:
        """Choose how to cut out the next region: as has gained most in its time, and at times in any way."""
        if self._chance.random() < _CURIOUS:
            way = self._ways[int(self._chance.integers(len(self._ways)))]
        else:
            way = max(self._ways, key=lambda one: one.gain / one.spent if one.spent else np.inf)
        return way

    def step(self, seconds: float, left: float | None, is_over: Callable[[], bool]) -> bool:
        """Anneal, of the seconds that are `left` a share, or solve one region in `seconds`; tell whether the release has become better."""
        began, before = time.monotonic(), self.cost
        anneals = self._annealing is not None and (
            len(self._annealed) < _FIRST or self._seconds[0] <= _SHARE * sum(self._seconds)
        )
        if anneals:
            share = _SHARE if self._annealed else _FIRST_SHARE
            self._anneal(np.inf if left is None else share * left, is_over)
        else:
            self._solve_region(seconds, is_over)
        self._seconds[0 if anneals else 1] += time.monotonic() - began
        return self.cost < before

    def _anneal(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Anneal from the release on, and keep where that leads as a hint, even if it costs more."""
        assert self._annealing is not None
        hot = _WARM if self._annealed else _HOT
        steps = _STEPS * int(self._arcs.copies.sum())
        found = self._annealing.anneal(self.release, self._reduced, steps, hot, _COLD, seconds, is_over)
        if not self._annealed:
            self._ways += self._of_annealed
        self._annealed = [*self._annealed, found.arc][-_KEPT:]
        for way in self._of_annealed:
            way.neighbours, way.gain, way.spent = None, 0.0, 0.0
        self.take(found)

    def _solve_region(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Let one region go and solve it."""
        pattern = self._catalogue.pattern_of[self.release.arc]
        groups, group = np.unique(pattern, return_inverse=True)
        seed = self._draw(groups, group)
        way = self._way()
        if way.neighbours is None:
            way.neighbours = self._neighbours(way)
        freed = self._grow(seed, groups, group, way.neighbours, way.budget)
        let_go = freed[group]
        demand = np.zeros(len(self._arcs.copies), dtype=np.int64)
        np.add.at(demand, self._arcs.member[self.release.arc[let_go]], self.release.count[let_go])
        records = np.flatnonzero(demand)
        arcs = way.neighbours.arcs_of(records)
        staying = np.zeros(len(self._arcs.cost), dtype=np.bool_)
        staying[groups[~freed]] = True
        current = Published(self.release.arc[let_go], self.release.count[let_go])
        arcs = np.union1d(arcs[~staying[self._catalogue.pattern_of[arcs]]], current.arc)
        absorbers = self._absorbers(records, staying)
        staying_arcs = Published(self.release.arc[~let_go], self.release.count[~let_go])
        region = Region(arcs, demand, absorbers, self._rows_within(arcs, absorbers, staying, staying_arcs))
        began = time.monotonic()
        found, done, _ = improve(self._catalogue, region, current, min(way.seconds, seconds), is_over)
        spent = time.monotonic() - began
        before = self.cost
        if found is not None:
            self._replace(let_go, found)
        better = self.cost < before
        way.note(before - self.cost, spent, len(self._arcs.copies), done)
        self._stale = 0 if better else self._stale + 1
        if self._stale >= _PATIENCE:
            self._stale = 0
            for one in self._ways:
                one.seconds = min(SECONDS, _LONGER * one.seconds)
        self._failures[groups[freed]] = 0 if better else self._failures[groups[freed]] + 1

    def _neighbours(self, way: _Way) -> Neighbours:
        if way.reach is not None:
            return Neighbours(self._catalogue, self._reduced <= way.reach * self._unit)
        chosen = np.zeros(len(self._arcs.member), dtype=np.bool_)
        for arcs in (*self._annealed, self.release.arc):
            chosen[arcs] = True
        return Neighbours(self._catalogue, chosen)

    def _rows_within(
        self, arcs: NDArray[np.int64], absorbers: NDArray[np.int64], staying: NDArray[np.bool_], kept: Published
    ) -> list[Row]:
        """Return the rows that a region has a part in, less what the groups that stay take of them.

        A row that charges absorbers less than nothing is left out, since it would hold for rows that they take in too.
        """
        patterns = np.unique(self._catalogue.pattern_of[arcs])
        charged = self._terms.rows_at(patterns, arcs)
        charged = np.setdiff1d(charged, self._terms.rows_at(patterns[:0], absorbers))
        count = np.zeros(len(self._arcs.member))
        count[kept.arc] = kept.count
        taken = np.rint(self._terms.left_sides(staying.astype(float), count)).astype(np.int64)
        return [replace(row, most=row.most - int(taken[i])) for i, row in ((i, self._terms.rows[i]) for i in charged)]

    def _draw(self, groups: NDArray[np.int64], group: NDArray[np.int64]) -> int:
        worst = np.zeros(len(groups))
        np.maximum.at(worst, group, self._reduced[self.release.arc])
        weight = (0.05 + worst) * 0.7 ** self._failures[groups]
        return int(self._chance.choice(len(groups), p=weight / weight.sum()))

    def _grow(
        self, seed: int, groups: NDArray[np.int64], group: NDArray[np.int64], neighbours: Neighbours, budget: int
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

    def _replace(self, let_go: NDArray[np.bool_], found: Published) -> None:
        arc = np.concatenate([self.release.arc[~let_go], found.arc])
        count = np.concatenate([self.release.count[~let_go], found.count])
        unique, inverse = np.unique(arc, return_inverse=True)
        self.release = Published(unique, np.bincount(inverse, count, len(unique)).astype(np.int64))
