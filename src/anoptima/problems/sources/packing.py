"""Partitions into given pairs and triples: one if there is any, and otherwise the obstacle.

Every triple has its three pairs among the pairs. Then a maximum matching of the pairs decides (Cornuejols, Hartvigsen, Pulleyblank):
take the parts of Gallai and Edmonds, D the vertices that some maximum matching misses and A the other neighbours of D. The components
of D are odd and can be partitioned by pairs once any one vertex is taken away. A component that holds a triple whose removal leaves a
perfect matching takes care of itself. The others each need a vertex of A of their own, and a partition exists exactly if they get one.

References
----------
G. Cornuejols, D. Hartvigsen and W. Pulleyblank: Packing subgraphs in a graph. Operations Research Letters 1 (1982).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from anoptima.packages import nx

Group = tuple[int, ...]

_Graph: TypeAlias = "nx.Graph[int]"


@dataclass(frozen=True)
class Packing:
    """Groups that partition the vertices; or odd `parts` that only the vertices `around` could help, fewer than they are."""

    groups: tuple[Group, ...] | None
    parts: tuple[tuple[int, ...], ...] = ()
    around: tuple[int, ...] = ()


def pack(vertices: int, pairs: Iterable[tuple[int, int]], triples: Sequence[tuple[int, int, int]]) -> Packing:
    """Partition 0, ..., vertices - 1 into pairs and triples, or say why that is not possible.

    One maximum matching where pairs are enough, which is O(n^3); otherwise at most one more for each vertex and for each triple.

    >>> pack(5, [(0, 1), (0, 2), (1, 2), (3, 4)], [(0, 1, 2)]).groups
    ((0, 1, 2), (3, 4))
    >>> pack(4, [(0, 1), (0, 2), (0, 3)], [])
    Packing(groups=None, parts=((1,), (2,)), around=(0,))
    """
    graph: _Graph = nx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(pairs)
    groups = _matched(graph)
    if len(groups) * 2 == vertices:
        return Packing(tuple(sorted(groups)))
    components = _components_missed(graph, len(groups))
    own = [_own_triple(graph, component, triples) for component in components]
    helped = _helped(graph, components, own)
    left = [number for number in range(len(components)) if number not in helped and own[number] is None]
    if left:
        parts, around = _obstacle(graph, components, own)
        return Packing(None, parts, around)
    chosen = [triple for number, triple in enumerate(own) if triple is not None and number not in helped]
    rest = graph.subgraph(set(range(vertices)).difference(itertools.chain.from_iterable(chosen)))
    return Packing(tuple(sorted([*chosen, *_matched(rest)])))


def _matched(graph: _Graph) -> list[Group]:
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return [(min(pair), max(pair)) for pair in matching]


def _components_missed(graph: _Graph, size: int) -> list[tuple[int, ...]]:
    """Return the components of D: a vertex is in D exactly if a maximum matching is as large without it."""
    missed = [v for v in graph if len(_matched(graph.subgraph(set(graph) - {v}))) == size]
    return sorted(tuple(sorted(part)) for part in nx.connected_components(graph.subgraph(missed)))


def _own_triple(
    graph: _Graph, component: tuple[int, ...], triples: Sequence[tuple[int, int, int]]
) -> tuple[int, int, int] | None:
    members = set(component)
    for triple in triples:
        if members.issuperset(triple):
            rest = members.difference(triple)
            if 2 * len(_matched(graph.subgraph(rest))) == len(rest):
                return triple
    return None


def _helped(graph: _Graph, components: list[tuple[int, ...]], own: Sequence[object]) -> dict[int, int]:
    """Match all of A into components, into as many without a triple of their own as possible; return each component's helper."""
    graph_of_parts: nx.Graph[tuple[str, int]] = nx.Graph()
    for number, component in enumerate(components):
        for v in _around(graph, component):
            graph_of_parts.add_edge(("part", number), ("helper", v), weight=int(own[number] is None))
    found = {}
    for pair in nx.max_weight_matching(graph_of_parts, maxcardinality=True):
        ends = dict(pair)
        found[ends["part"]] = ends["helper"]
    return found


def _around(graph: _Graph, component: tuple[int, ...]) -> set[int]:
    return set(itertools.chain.from_iterable(graph[v] for v in component)).difference(component)


def _obstacle(
    graph: _Graph, components: list[tuple[int, ...]], own: Sequence[object]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return parts without triples whose helpers are fewer than they are: those reached from one that none helps."""
    needy = [number for number in range(len(components)) if own[number] is None]
    around = {number: _around(graph, components[number]) for number in needy}
    # Numbers alone, parts from 0 up and helpers from -1 down: the order of texts in a set is another one in every process.
    helps: nx.Graph[int] = nx.Graph()
    helps.add_edges_from((number, ~v) for number in needy for v in around[number])
    helps.add_nodes_from(needy)
    matched = nx.bipartite.maximum_matching(helps, top_nodes=needy)
    reached = {next(number for number in needy if number not in matched)}
    waiting = list(reached)
    while waiting:
        for v in around[waiting.pop()]:
            other = matched[~v]
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    helpers = set().union(*(around[number] for number in reached))
    return tuple(components[number] for number in sorted(reached)), tuple(sorted(helpers))
