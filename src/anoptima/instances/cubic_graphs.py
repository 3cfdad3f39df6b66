"""All cubic graphs of up to ten vertices, connected and not: the sources of the reduction from vertex cover."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from anoptima.packages import nx
from anoptima.problems.sources.graph import Graph

COUNTS = {4: 1, 6: 2, 8: 6, 10: 21}
"""How many there are of each order, up to isomorphism: 1, 2, 5 and 19 connected ones, and those of several components."""

Edges = tuple[tuple[int, int], ...]


@cache
def cubic_graphs(order: int) -> tuple[Graph, ...]:
    """Return every simple cubic graph on 1, ..., `order` up to isomorphism, always in the same order.

    Edges are added at the first vertex that lacks some; of the vertices without edges only the first may be met, since they are alike.

    References
    ----------
    OEIS A005638, cubic graphs: 1, 2, 6, 21, 94, ...

    >>> [len(cubic_graphs(order)) for order in (4, 6, 8)]
    [1, 2, 6]
    """
    kept: dict[str, list[nx.Graph[int]]] = {}
    found = []
    for edges in _completions(order, ()):
        graph = nx.Graph(edges)
        alike = kept.setdefault(nx.weisfeiler_lehman_graph_hash(_marked(graph), node_attr="mark"), [])
        if not any(nx.is_isomorphic(graph, other) for other in alike):
            alike.append(graph)
            found.append(Graph(range(1, order + 1), edges))
    return tuple(found)


def _marked(graph: nx.Graph[int]) -> nx.Graph[int]:
    """Mark each vertex by the numbers of vertices, and of edges among them, at each distance: degrees tell no two of them apart."""
    for vertex, away in nx.all_pairs_shortest_path_length(graph):
        rings = [[other for other in away if away[other] == d] for d in range(max(away.values()) + 1)]
        graph.nodes[vertex]["mark"] = str([(len(ring), graph.subgraph(ring).number_of_edges()) for ring in rings])
    return graph


def _completions(order: int, edges: Edges) -> Iterator[Edges]:
    degrees = [0] * (order + 1)
    for v in itertools.chain.from_iterable(edges):
        degrees[v] += 1
    lacking = next((v for v in range(1, order + 1) if degrees[v] < 3), None)
    if lacking is None:
        yield edges
        return
    least = max((w for v, w in edges if v == lacking), default=lacking)
    fresh = next((v for v in range(lacking + 1, order + 1) if not degrees[v]), order + 1)
    for w in range(least + 1, min(fresh, order) + 1):
        if degrees[w] < 3:
            yield from _completions(order, (*edges, (lacking, w)))
