"""Around a partition: the cheapest one whose triples differ in at most two, pairs being matched anew.

Let T be the triples of a partition that is as cheap as any with these triples. If there is a cheaper partition at all, there is one
whose triples differ from T in one or two; by parity, two triples go, or come, or one takes the other's place (the covering lemma for
cubic graphs; Anshelevich and Karagiozova). So a partition that this search cannot improve is optimal.

Only groups are looked at that a cheaper partition could hold, given exact prices: few. What they leave of the pairs falls into
components; the vertices that triples leave in one must be even in number, and are matched there once for all.

Pairs are matched by networkx: its maximum weight matching (Galil's, O(n^3)) is exact in Python's integers, and the package depends on
networkx anyway. Faster ones exist, in compiled code, and would pay on dense graphs; these here are sparse.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from anoptima.deadline import check_time
from anoptima.packages import nx
from anoptima.solvers.exact.simplex.prices import Priced

Group = tuple[int, ...]
Found = tuple[int, list[Group]]

_Graph: TypeAlias = "nx.Graph[int]"


def cheapest_matching(graph: _Graph) -> Found | None:
    """Return the cost and the pairs of a cheapest perfect matching of a graph whose edges have a `cost`; None if there is none.

    >>> graph = nx.Graph()
    >>> graph.add_weighted_edges_from([(0, 1, 5), (1, 2, 1), (2, 3, 5), (0, 3, 8)], "cost")
    >>> cheapest_matching(graph)
    (9, [(0, 3), (1, 2)])
    """
    edges: list[tuple[int, int, int]] = sorted(graph.edges(data="cost"))
    dearest = max((cost for _, _, cost in edges), default=0)
    turned: _Graph = nx.Graph()
    turned.add_nodes_from(sorted(graph))
    turned.add_weighted_edges_from((u, v, dearest - cost) for u, v, cost in edges)
    matching = nx.max_weight_matching(turned, maxcardinality=True)
    if 2 * len(matching) < len(graph):
        return None
    pairs = sorted((min(u, v), max(u, v)) for u, v in matching)
    return sum(graph.edges[pair]["cost"] for pair in pairs), list(pairs)


class Matchings:
    """Cheapest perfect matchings of what triples leave, by the components of a graph of pairs; each made once."""

    def __init__(self, n: int, pairs: Priced) -> None:
        self._graph: _Graph = nx.Graph()
        self._graph.add_nodes_from(range(n))
        for (u, v), cost in zip(pairs.members.tolist(), pairs.cost.tolist(), strict=True):
            self._graph.add_edge(u, v, cost=int(cost))
        self._parts = [frozenset(part) for part in nx.connected_components(self._graph)]
        self.part_of = {v: number for number, part in enumerate(self._parts) for v in part}
        self._known: dict[tuple[int, frozenset[int]], Found | None] = {}
        self.odd_parts = frozenset(number for number, part in enumerate(self._parts) if len(part) % 2)

    def odd(self, group: Iterable[int]) -> frozenset[int]:
        """Return the components of which a group takes an odd number of vertices."""
        parts: frozenset[int] = frozenset()
        for v in group:
            parts ^= {self.part_of[v]}
        return parts

    def around(self, triples: Iterable[Group]) -> Found | None:
        """Return the cost and the pairs of a cheapest matching of all that disjoint triples do not cover."""
        taken: defaultdict[int, set[int]] = defaultdict(set)
        for v in itertools.chain.from_iterable(triples):
            taken[self.part_of[v]].add(v)
        total, pairs = 0, []
        for number in range(len(self._parts)):
            found = self._part(number, frozenset(taken.get(number, ())))
            if found is None:
                return None
            total += found[0]
            pairs += found[1]
        return total, pairs

    def _part(self, number: int, taken: frozenset[int]) -> Found | None:
        key = number, taken
        if key not in self._known:
            check_time()
            left = self._parts[number] - taken
            self._known[key] = None if len(left) % 2 else cheapest_matching(self._graph.subgraph(left))
        return self._known[key]


def cheapest_around(
    n: int, triples: list[Group], below: int, pairs: Priced, candidates: list[Priced], slack: int, unit: int
) -> Found | None:
    """Return the cheapest partition below a cost whose triples differ from `triples` in two at most; None if none is below it.

    `pairs` and `candidates` are all the groups that a partition below that cost can hold, with reduced costs that may not exceed `slack`
    together. O(m^2) matchings for m candidates, each O(n^3), in the worst case.
    """
    matchings = Matchings(n, pairs)
    price: dict[Group, tuple[int, int]] = {}
    for block in candidates:
        for members, cost, reduced in zip(
            block.members.tolist(), block.cost.tolist(), block.reduced.tolist(), strict=True
        ):
            price[tuple(members)] = int(cost), int(reduced)
    best: Found | None = None
    for changed in _changed(triples, price, matchings, slack):
        check_time()
        paid = sum(price[triple][0] for triple in changed)
        reduced = sum(price[triple][1] for triple in changed)
        # A better one found meanwhile leaves less room.
        if reduced > slack or paid >= below:
            continue
        found = matchings.around(changed)
        if found is not None and paid + found[0] < below:
            slack -= unit * (below - paid - found[0])
            below = paid + found[0]
            best = below, [*changed, *found[1]]
    return best


def _changed(
    triples: list[Group], price: dict[Group, tuple[int, int]], matchings: Matchings, slack: int
) -> Iterator[list[Group]]:
    """Yield the triples of every partition in reach: those that are disjoint, cheap enough, and leave only even parts."""
    by_odd: defaultdict[frozenset[int], list[tuple[int, Group]]] = defaultdict(list)
    for triple, (_, reduced) in price.items():
        by_odd[matchings.odd(triple)].append((reduced, triple))
    for alike in by_odd.values():
        alike.sort()
    for gone in itertools.chain([()], ((t,) for t in triples), itertools.combinations(triples, 2)):
        kept = [triple for triple in triples if triple not in gone]
        if any(triple not in price for triple in kept):
            continue
        covered = set(itertools.chain.from_iterable(kept))
        odd = matchings.odd_parts ^ matchings.odd(itertools.chain.from_iterable(kept))
        left = slack - sum(price[triple][1] for triple in kept)
        if len(gone) != 1 and not odd:
            yield kept
        if len(gone) == 1:
            for reduced, triple in by_odd.get(odd, ()):
                if reduced > left:
                    break
                if triple != gone[0] and covered.isdisjoint(triple):
                    yield [*kept, triple]
        if not gone:
            for two in _two(by_odd, odd, left, covered):
                yield [*kept, *two]


def _two(
    by_odd: dict[frozenset[int], list[tuple[int, Group]]], odd: frozenset[int], left: int, covered: set[int]
) -> Iterator[tuple[Group, Group]]:
    """Yield two disjoint triples that together are odd just where they must be."""
    for key, alike in by_odd.items():
        check_time()
        others = by_odd.get(key ^ odd, ())
        for reduced, first in alike:
            if covered.isdisjoint(first):
                for more, second in others:
                    if reduced + more > left:
                        break
                    if first < second and covered.isdisjoint(second) and not set(first) & set(second):
                        yield first, second
