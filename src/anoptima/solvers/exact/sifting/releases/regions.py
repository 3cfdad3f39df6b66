"""Better releases by large neighbourhoods: let a region of a release go, and solve it again over the arcs that are worth it.

A region is the groups of a budget of records around one of them (`region_graph`). Its program has the arcs of its records with small
reduced cost, what the release uses now, and for each record the cheapest group outside, which stays as it is but for rows that it takes
in. The budget grows while regions are solved quickly and shrinks where the time runs out, so it finds its own size. Several settings
compete, of how small reduced costs must be and how long a region may take; the one that has lately gained most per second is used most
often. With few arcs, regions of thousands of records are solved in a second, which is best at first; later it takes more arcs to find
anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct, union
from anoptima.patterns import spans
from anoptima.solvers.exact.sifting.bound.cuts import Row, Terms
from anoptima.solvers.exact.sifting.portfolio import Portfolio
from anoptima.solvers.exact.sifting.releases.region_graph import RegionGraph
from anoptima.solvers.exact.sifting.releases.region_program import Programs, Region
from anoptima.solvers.exact.sifting.releases.release import Release, together
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.whole_numbers import usual_weight

FIRST_BUDGET = 60
"""Records of the first region of each way; from there on the budget finds its own size. 1,000 occupations, l = 5/2, have 1,441 stars after
4 s, and 1,493 with 200; 3,000 under recursive (2, 3)-diversity 3,471 and 3,503; the others asked are within 0.4 %
(`python -m benchmarks.tuned releases.regions.FIRST_BUDGET 40 60 200 --questions 'cells census-occupation-*' --limits 4`)."""
WAYS = ((0.05, 1.5), (0.1, 1.5), (0.3, 2.0), (0.6, 3.0))
"""Up to which reduced cost, in units, arcs are taken, and for how many seconds regions are solved at first."""
CLOSE_WAYS = ((0.6, 4.0),)
"""The same under closeness to the table: where the bound is far below, reduced costs tell less."""
ABSORBING = 0.6
"""Up to which reduced cost, in units, groups outside may take rows of a region where each of them makes its program larger."""
SECONDS = 12.0
"""What a step may take at most."""
_LONGER, _PATIENCE = 1.5, 30
"""After the first number of steps without a gain, the seconds of all ways are multiplied by the second."""
_AT_ONCE, _QUICK = 0.15, 0.35
"""Shares of its seconds within which a region has been solved at once, or quickly."""
LEAST_SHARE = 0.03
"""What a way has of the time of regions, whatever it gains."""


@dataclass(frozen=True, eq=False)
class Guide:
    """What guides a search: the arcs' reduced costs, and cuts that hold in regions, too."""

    reduced: Numbers
    terms: Terms | None = None


@dataclass(eq=False)
class Way:
    """How regions are cut out: over arcs of reduced cost up to `reach`, for a number of seconds, with a budget of records."""

    reach: float
    seconds: float
    budget: int = field(default_factory=lambda: FIRST_BUDGET)
    graph: RegionGraph | None = None

    def note(self, gain: int, spent: float, records: int, done: bool) -> None:
        """Fit the budget to what a region has gained and taken, the table's number of records, and whether it was solved to its end."""
        if done and spent < _AT_ONCE * self.seconds:
            self.budget = min(records, int(self.budget * 1.4) + 1)
        elif done and spent < _QUICK * self.seconds:
            self.budget = min(records, int(self.budget * 1.05) + 1)
        elif not done:
            self.budget = max(40, int(self.budget * (0.93 if gain else 0.8)))


class RegionSearch:
    """A search from one release on, by regions that are cut out in some ways (`reach`, `seconds`)."""

    def __init__(
        self,
        programs: Programs,
        release: Release,
        guide: Guide,
        chance: np.random.Generator,
        ways: Sequence[tuple[float, float]] = WAYS,
    ) -> None:
        self.release = release
        self.programs = programs
        self._arcs = programs.catalogue.arcs
        self._chance = chance
        self._stale = 0
        self._ways = [Way(*way) for way in ways]
        self._turns: Portfolio[Way] = Portfolio(dict.fromkeys(self._ways, (LEAST_SHARE, 1.0)))
        self._failures = np.zeros(len(self._arcs.cost))
        self._unit = max(usual_weight(programs.problem), int(self._arcs.cost[self._arcs.cost > 0].min(initial=1)))
        self.guide(guide)

    @property
    def cost(self) -> int:
        """The scaled cost of the release."""
        return self.programs.cost_of(self.release)

    @property
    def is_whole(self) -> bool:
        """Tell whether every region that is cut out now is the whole table."""
        return all(way.budget >= len(self._arcs.copies) for way in self._ways)

    def take(self, release: Release) -> None:
        """Go on from another release if it is legal and better."""
        if self.programs.cost_of(release) < self.cost and self.programs.is_legal(release):
            self.release = release

    def guide(self, guide: Guide) -> None:
        """Take another guide."""
        self._guide = guide
        for way in self._ways:
            way.graph = None

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let one region go and solve it; tell whether the release has become better."""
        groups, group = np.unique(self._arcs.pattern_of[self.release.arc], return_inverse=True)
        way = self._turns.next()
        if way.graph is None:
            way.graph = RegionGraph(self._arcs, self._arcs_of(way))
        freed = self._grow(self._draw(groups, group), group, way.graph, way.budget)
        before, began = self.cost, time.monotonic()
        done = self._solve_again(group, freed, way.graph, min(way.seconds, seconds), is_over)
        better, spent = self.cost < before, time.monotonic() - began
        self._turns.note(way, before - self.cost, spent)
        way.note(before - self.cost, spent, len(self._arcs.copies), done)
        self._stale = 0 if better else self._stale + 1
        if self._stale >= _PATIENCE:
            self._stale = 0
            for one in self._ways:
                one.seconds = min(SECONDS, _LONGER * one.seconds)
        self._failures[groups[freed]] = 0 if better else self._failures[groups[freed]] + 1
        return better

    def _arcs_of(self, way: Way) -> NDArray[np.bool_]:
        """Return which arcs regions that are cut out in this way may use."""
        return np.asarray(self._guide.reduced <= way.reach * self._unit)

    def _solve_again(
        self, group: Counts, freed: NDArray[np.bool_], graph: RegionGraph, seconds: float, is_over: Callable[[], bool]
    ) -> bool:
        """Let groups go and solve their records again; tell whether the search came to its end."""
        let_go = freed[group]
        current = Release(self.release.arc[let_go], self.release.count[let_go])
        staying = Release(self.release.arc[~let_go], self.release.count[~let_go])
        region = self._region(current, staying, graph)
        found = self.programs.improve(region, current, seconds, is_over)
        if found.release is not None and self.programs.is_legal(found.release, region.demand, staying):
            self.release = together(staying, found.release)
        return found.done

    def _region(self, current: Release, staying: Release, graph: RegionGraph) -> Region:
        """Return what is to be decided where the groups of `current` are let go."""
        member, pattern_of = self._arcs.member, self._arcs.pattern_of
        demand = np.zeros(len(self._arcs.copies), dtype=np.int64)
        np.add.at(demand, member[current.arc], current.count)
        records = np.flatnonzero(demand)
        stays = np.zeros(len(self._arcs.cost), dtype=np.bool_)
        stays[pattern_of[staying.arc]] = True
        own = graph.arcs_of(records)
        # A pattern that is too small here opens in no solution.
        amount = np.bincount(pattern_of[own], demand[member[own]], len(stays))
        own = own[((amount >= self._arcs.least) & ~stays)[pattern_of[own]]]
        own = union(own, current.arc)
        absorbing = self._absorbing(records, stays)
        return Region(union(own, absorbing), demand, staying, self._rows_within(own, absorbing, staying))

    def _draw(self, groups: Counts, group: Counts) -> int:
        worst = np.zeros(len(groups))
        np.maximum.at(worst, group, self._guide.reduced[self.release.arc])
        failures = self._failures[groups]
        # Where all have failed for hours, the power of each alone would be 0.
        weight = (0.05 * self._unit + worst) * 0.7 ** (failures - failures.min())
        return int(self._chance.choice(len(groups), p=weight / weight.sum()))

    def _grow(self, seed: int, group: Counts, graph: RegionGraph, budget: int) -> NDArray[np.bool_]:
        """Return which groups the region takes in: those of the records around a group."""
        member = self._arcs.member[self.release.arc]
        near = np.zeros(len(self._arcs.copies), dtype=np.bool_)
        near[graph.around(member[group == seed], budget, self._chance)] = True
        freed = np.zeros(int(group.max()) + 1, dtype=np.bool_)
        freed[group[near[member]]] = True
        return freed

    def _absorbing(self, records: Counts, stays: NDArray[np.bool_]) -> Counts:
        """Return, for each record that some staying group matches, the arc to the cheapest such group."""
        order, start = self._arcs.by_record
        arcs: Counts = order[spans(start, records)]
        arcs = arcs[stays[self._arcs.pattern_of[arcs]]]
        arcs = arcs[np.diff(self._arcs.member[arcs], prepend=-1) != 0]
        if self.programs.only_grows:
            return arcs
        return np.asarray(arcs[self._guide.reduced[arcs] <= ABSORBING * self._unit])

    def _rows_within(self, own: Counts, absorbing: Counts, staying: Release) -> list[Row]:
        """Return the cuts that a region has a part in, less what the groups that stay take of them.

        A cut that charges what those take in beside anything is left out: that is not counted in it.
        """
        terms, pattern_of = self._guide.terms, self._arcs.pattern_of
        if terms is None or not terms.rows:
            return []
        charging = terms.rows_at(own[:0], np.sort(absorbing))
        within = np.setdiff1d(terms.rows_at(distinct(pattern_of[own]), own), charging, assume_unique=True)
        taken = terms.left_sides_of(distinct(pattern_of[staying.arc]), staying.arc, staying.count)
        return [replace(terms.rows[i], most=terms.rows[i].most - int(taken[i])) for i in within]
