"""The cheapest partition into pairs and triples: the relaxation, and then the neighbourhood of what it rounds to.

1. Solve the relaxation; add the pairs, then the triples of negative reduced cost; once there are none, its exact bound holds. Add odd
   sets that it violates, and go on. If it ends with whole groups, those are optimal by its bound.
2. Otherwise round: keep the triples that are used by half or more, match the others. A cheaper partition than the best one known can
   only hold groups whose reduced cost the distance between cost and bound allows. Among those, look for one whose triples differ in at
   most two from the best one's, until there is none.

What is found is optimal whether or not the relaxation was tight, and whether or not all odd sets were found. Step 2 ends after at most
1 + n ln(g) rounds, g the distance that it starts from, because the best change gains at least 1/n of it; a round takes at most O(m^2)
matchings for the m triples that are left, O(n^3) each. So it is polynomial; what step 1 leaves is mostly nothing.

References
----------
E. Anshelevich and A. Karagiozova: Terminal backup, 3D matching, and covering cubic graphs. SIAM Journal on Computing 40 (2011).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import OutOfTime
from anoptima.solvers.exact.simplex.costs import Costs
from anoptima.solvers.exact.simplex.greedy import greedy_groups
from anoptima.solvers.exact.simplex.neighbourhood import Group, Matchings, cheapest_around
from anoptima.solvers.exact.simplex.odd_sets import violated_sets
from anoptima.solvers.exact.simplex.prices import Priced, Prices
from anoptima.solvers.exact.simplex.relaxation import Optimum, Relaxation

_NEAREST = 10
"""How many of each vertex's cheapest pairs the relaxation starts with."""
_COLUMNS = 3
"""How many columns a vertex are added at once, at most."""
_WHOLE = 1e-4


class Search:
    """One search. `better` hears every better partition, `bound` every better bound, with prices where these prove it; `left` says how many
    seconds are left.
    """

    def __init__(
        self,
        costs: Costs,
        first: Iterable[Iterable[int]],
        better: Callable[[list[Group]], None],
        bound: Callable[[int, Prices | None], None],
        left: Callable[[], float | None],
    ) -> None:
        self._costs = costs
        self._better, self._bound, self._left = better, bound, left
        self.groups: list[Group] = [_ordered(group) for group in first]
        self.cost = costs.total(self.groups)
        self._least = 0
        self._prices: Prices | None = None
        self._slackest = 0

    def run(self) -> list[Group]:
        """Return a cheapest partition. Raises `OutOfTime`."""
        self._offer(greedy_groups(self._costs) or [])
        relaxation = Relaxation(self._costs)
        self._begin(relaxation)
        optimum = self._relax(relaxation)
        if self._least < self.cost:
            self._round(relaxation, optimum)
            self._improve(relaxation.groups)
            self._improve(None)
        return self.groups

    def _begin(self, relaxation: Relaxation) -> None:
        """List what the partition at hand uses and each vertex's nearest pairs."""
        pair = self._costs.pair
        relaxation.add_groups(self.groups, (self._costs.total([group]) for group in self.groups))
        n = len(self._costs)
        dear = np.where(pair < 0, pair.max() + 1, pair)
        near = np.argsort(dear, axis=1, kind="stable")[:, :_NEAREST]
        listed = {_ordered((u, v)) for u in range(n) for v in near[u].tolist() if pair[u, v] >= 0}
        relaxation.add_groups(sorted(listed), (int(pair[group]) for group in sorted(listed)))
        if n % 2:
            relaxation.add_sets([np.ones(n, dtype=bool)])

    def _relax(self, relaxation: Relaxation) -> Optimum:
        """Solve the relaxation with all groups and the odd sets that are found, and keep the best bound and what it rests on."""
        while True:
            check_time()
            optimum = relaxation.solve(self._left())
            if optimum is None:
                raise OutOfTime("the time is up")
            if self._add_columns(relaxation, optimum.prices):
                continue
            self._note(optimum.prices)
            fractional = [x for _, x in optimum.used if abs(x - 1) > _WHOLE]
            if not fractional:
                self._offer([group for group, _ in optimum.used])
            if self._least >= self.cost or not relaxation.add_sets(violated_sets(len(self._costs), optimum.used)):
                return optimum

    def _add_columns(self, relaxation: Relaxation, prices: Prices) -> int:
        """List pairs of negative reduced cost or, if there is none, triples; the most negative ones. Return how many."""
        tolerance = prices.unit >> 12
        most = _COLUMNS * len(self._costs)
        added = _list(relaxation, prices.pairs_below(-tolerance), most)
        if not added:
            cheapest: Priced | None = None
            for block in prices.triples_below(-tolerance):
                cheapest = _cheapest(block if cheapest is None else _both(cheapest, block), most)
            added = 0 if cheapest is None else _list(relaxation, cheapest, most)
        return added

    def _note(self, prices: Prices) -> None:
        """Keep the bound that prices prove, and the prices."""
        lowest = min([prices.lowest_pair, *(int(block.reduced.min()) for block in prices.triples_below(-1))])
        least = prices.bound(lowest)
        if self._prices is None or least >= self._least:
            self._prices, self._slackest = prices, lowest
        if least > self._least:
            self._least = least
            self._bound(min(least, self.cost), prices)

    def _offer(self, groups: list[Group]) -> None:
        """Keep groups if they are a partition and a better one."""
        covered = sorted(itertools.chain.from_iterable(groups))
        if covered == list(range(len(self._costs))) and self._costs.total(groups) < self.cost:
            self.groups, self.cost = groups, self._costs.total(groups)
            self._better(groups)

    def _round(self, relaxation: Relaxation, optimum: Optimum) -> None:
        """Keep disjoint triples that are used much, as many as parity allows, and match the others by listed pairs."""
        triples = sorted(((-x, group) for group, x in optimum.used if len(group) == 3 and x > _WHOLE))
        listed = self._listed(relaxation.groups)
        matchings = Matchings(len(self._costs), listed[0])
        chosen: list[Group] = []
        covered: set[int] = set()
        for share, triple in triples:
            if covered.isdisjoint(triple) and -share > 0.5 - _WHOLE:
                chosen.append(triple)
                covered.update(triple)
        spare = [t for _, t in triples if covered.isdisjoint(t)]
        ways = [chosen, chosen[:-1], *([*chosen, triple] for triple in spare[:5])]
        for way in ways:
            found = matchings.around(way) if (len(self._costs) - len(way)) % 2 == 0 else None
            if found is not None:
                self._offer([*way, *found[1]])

    def _listed(self, groups: list[Group]) -> tuple[Priced, list[Priced]]:
        """Return listed pairs and triples with costs and reduced costs."""
        assert self._prices is not None
        pairs = np.array([group for group in groups if len(group) == 2], dtype=np.int64).reshape(-1, 2)
        triples = np.array([group for group in groups if len(group) == 3], dtype=np.int64).reshape(-1, 3)
        return self._prices.of_pairs(pairs), [self._prices.of_triples(triples)]

    def _improve(self, groups: list[Group] | None) -> None:
        """Search around the best partition until there is nothing better: among listed groups, or, with None, among all."""
        assert self._prices is not None
        while self._least < self.cost:
            room = self._prices.slack(self.cost, self._slackest)
            if groups is None:
                pairs, triples = self._prices.pairs_below(room), list(self._prices.triples_below(room))
            else:
                pairs, triples = self._listed(groups)
            found = cheapest_around(
                len(self._costs),
                [group for group in self.groups if len(group) == 3],
                self.cost,
                pairs,
                triples,
                room,
                self._prices.unit,
            )
            if found is None:
                break
            self._offer(found[1])
        if groups is None:
            self._least = self.cost
            self._bound(self.cost, None)


def _list(relaxation: Relaxation, priced: Priced, most: int) -> int:
    chosen = _cheapest(priced, most)
    return relaxation.add_groups(
        (tuple(group) for group in chosen.members.tolist()), (int(cost) for cost in chosen.cost.tolist())
    )


def _cheapest(priced: Priced, most: int) -> Priced:
    order = np.argsort(priced.reduced, kind="stable")[:most]
    return Priced(priced.members[order], priced.cost[order], priced.reduced[order])


def _both(first: Priced, second: Priced) -> Priced:
    return Priced(
        np.concatenate([first.members, second.members]),
        np.concatenate([first.cost, second.cost]),
        np.concatenate([first.reduced, second.reduced]),
    )


def _ordered(group: Iterable[int]) -> Group:
    return tuple(sorted(group))
