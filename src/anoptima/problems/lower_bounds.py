"""Serving clients from facilities that each need a least number of them: when it can be done, and at what cost, as network flows.

An *arc* is a facility and a sort of client that it may serve. Once it is settled which facilities are open, everything about lower
bounds is a flow, with whole flows wherever there are flows at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from anoptima.packages import nx

Arc = tuple[int, int]
"""A facility, and a sort of client that may be served there."""


def serve_all(
    clients: Sequence[int], arcs: Collection[Arc], opened: Collection[int], least: int
) -> tuple[dict[Arc, int], frozenset[int]]:
    """Serve all clients from the `opened` facilities, each of which serves `least` clients or more.

    Returns how many are served over each arc, and an empty set; or, where that is impossible although every client has an open
    facility, no flow, and a set of facilities that have fewer than `least` clients apiece between them (a minimum cut, as in Hall's
    theorem). By maximum flow. Every sort of client must have an arc to an opened facility.

    >>> serve_all([2, 1], [(0, 0), (1, 0), (1, 1)], [0, 1], 1)
    ({(0, 0): 2, (1, 1): 1}, frozenset())
    >>> serve_all([2, 1], [(0, 0), (1, 0), (1, 1)], [0, 1], 2)
    ({}, frozenset({0, 1}))
    """
    wanted = set(opened)
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node("end")
    for c, count in enumerate(clients):
        graph.add_edge("start", ("client", c), capacity=count)
    for f in wanted:
        graph.add_edge(("facility", f), "end", capacity=least)
    open_arcs = [arc for arc in arcs if arc[0] in wanted]
    for f, c in open_arcs:
        graph.add_edge(("client", c), ("facility", f))
    value, flow = nx.maximum_flow(graph, "start", "end")
    if value < least * len(wanted):
        _, (_, sink_side) = nx.minimum_cut(graph, "start", "end")
        return {}, frozenset(f for f in wanted if ("facility", f) in sink_side)
    left = list(clients)
    served: Counter[Arc] = Counter()
    for f, c in open_arcs:
        served[f, c] = flow["client", c]["facility", f]
        left[c] -= served[f, c]
    for f, c in open_arcs:
        served[f, c] += left[c]
        left[c] = 0
    return {arc: count for arc, count in sorted(served.items()) if count}, frozenset()


def serve_cheapest(
    clients: Sequence[int], costs: Iterable[tuple[int, int, int]], opened: Collection[int], least: int
) -> dict[Arc, int]:
    """Return how many clients to serve over each arc, at the least cost in all; `costs` are facility, client and whole cost of one.

    `serve_all` must be possible. By network simplex in integers, so the flow is whole.

    >>> serve_cheapest([2, 1], [(0, 0, 5), (1, 0, 1), (1, 1, 0)], [0, 1], 1)
    {(0, 0): 1, (1, 0): 1, (1, 1): 1}
    """
    wanted = set(opened)
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for c, count in enumerate(clients):
        graph.add_node(("client", c), demand=-count)
    for f in wanted:
        graph.add_node(("facility", f), demand=least)
        graph.add_edge(("facility", f), "end", weight=0)
    graph.add_node("end", demand=sum(clients) - least * len(wanted))
    for f, c, cost in costs:
        if f in wanted:
            graph.add_edge(("client", c), ("facility", f), weight=cost)
    _, flow = nx.network_simplex(graph)
    return {
        (head[1], tail[1]): int(flow[tail][head])
        for tail, head in sorted(
            (edge for edge in graph.edges if edge[1] != "end"), key=lambda edge: (edge[1], edge[0])
        )
        if flow[tail][head]
    }
