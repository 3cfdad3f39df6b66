"""Serving clients from facilities that each need a least number of them: when it can be done, and at what cost, as network flows.

An *arc* is a facility and a sort of client that it may serve. Once it is settled which facilities are open, everything about lower
bounds is a flow, with whole flows wherever there are flows at all. OR-Tools computes them; what is made of them is checked as any solution
is, and a shortage is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from anoptima.packages import Later, nx

if TYPE_CHECKING:
    from ortools.graph.python import max_flow, min_cost_flow
else:
    max_flow, min_cost_flow = Later("ortools.graph.python.max_flow"), Later("ortools.graph.python.min_cost_flow")

Arc = tuple[int, int]
"""A facility, and a sort of client that may be served there."""

Whole = NDArray[np.int64]

_START, _END, _FIRST = 0, 1, 2
"""The nodes of a flow: where it starts and ends, and the first sort of client."""


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
    wanted, counts, facility, client = _open_arcs(clients, arcs, opened)
    at, end = _FIRST + client, _FIRST + len(clients) + facility
    sorts, places = np.arange(len(clients)), np.arange(len(wanted))
    flow = max_flow.SimpleMaxFlow()
    flow.add_arcs_with_capacity(np.full(len(clients), _START), _FIRST + sorts, counts)
    flow.add_arcs_with_capacity(
        _FIRST + len(clients) + places, np.full(len(wanted), _END), np.full(len(wanted), least, dtype=np.int64)
    )
    inner = flow.add_arcs_with_capacity(at, end, counts[client])
    flow.solve(_START, _END)
    if flow.optimal_flow() < least * len(wanted):
        short = np.array(flow.get_sink_side_min_cut()) - _FIRST - len(clients)
        return {}, frozenset(wanted[place] for place in short.tolist() if place >= 0)
    served = np.asarray(flow.flows(inner), dtype=np.int64)
    # Those whom nobody needs go wherever there is a place for them: at the first facility that they can reach.
    left = counts - np.bincount(client, weights=served, minlength=len(clients)).astype(np.int64)
    first = np.unique(client, return_index=True)[1]
    served[first] += left[client[first]]
    return _as_mapping(wanted, facility, client, served), frozenset()


def serve_cheapest(
    clients: Sequence[int], costs: Iterable[tuple[int, int, int]], opened: Collection[int], least: int
) -> dict[Arc, int]:
    """Return how many clients to serve over each arc, at the least cost in all; `costs` are facility, client and whole cost of one.

    `serve_all` must be possible. By cost scaling in integers, so the flow is whole.

    >>> serve_cheapest([2, 1], [(0, 0, 5), (1, 0, 1), (1, 1, 0)], [0, 1], 1)
    {(0, 0): 1, (1, 0): 1, (1, 1): 1}
    """
    listed = list(costs)
    arcs, prices = [(f, c) for f, c, _ in listed], {(f, c): cost for f, c, cost in listed}
    wanted, counts, facility, client = _open_arcs(clients, arcs, opened)
    price = [prices[wanted[f], c] for f, c in zip(facility.tolist(), client.tolist(), strict=True)]
    places, node = np.arange(len(wanted)), 1 + len(clients)
    flow = min_cost_flow.SimpleMinCostFlow()
    try:
        inner = flow.add_arcs_with_capacity_and_unit_cost(1 + client, node + facility, counts[client], np.array(price))
    except TypeError:  # not all of them fit into 64 bits
        return _serve_cheapest_slowly(counts, wanted, facility, client, price, least)
    rest = np.full(len(wanted), int(counts.sum()))
    flow.add_arcs_with_capacity_and_unit_cost(node + places, np.zeros_like(places), rest, np.zeros_like(places))
    flow.set_nodes_supplies(np.arange(1, node), counts)
    flow.set_nodes_supplies(node + places, np.full(len(wanted), -least))
    flow.set_node_supply(0, least * len(wanted) - int(counts.sum()))
    if flow.solve() != flow.OPTIMAL:
        return _serve_cheapest_slowly(counts, wanted, facility, client, price, least)
    return _as_mapping(wanted, facility, client, np.asarray(flow.flows(inner), dtype=np.int64))


def _serve_cheapest_slowly(
    counts: Whole, wanted: list[int], facility: Whole, client: Whole, price: list[int], least: int
) -> dict[Arc, int]:
    """Do the same with costs of any length, by network simplex in Python's integers."""
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for c, count in enumerate(counts.tolist()):
        graph.add_node(("client", c), demand=-count)
    for f in range(len(wanted)):
        graph.add_node(("facility", f), demand=least)
        graph.add_edge(("facility", f), "end", weight=0)
    graph.add_node("end", demand=int(counts.sum()) - least * len(wanted))
    pairs = list(zip(facility.tolist(), client.tolist(), strict=True))
    for (f, c), cost in zip(pairs, price, strict=True):
        graph.add_edge(("client", c), ("facility", f), weight=cost)
    _, flow = nx.network_simplex(graph)
    served = np.array([flow["client", c]["facility", f] for f, c in pairs], dtype=np.int64)
    return _as_mapping(wanted, facility, client, served)


def _open_arcs(
    clients: Sequence[int], arcs: Collection[Arc], opened: Collection[int]
) -> tuple[list[int], Whole, Whole, Whole]:
    """Return the open facilities, how many clients of each sort there are, and both ends of each arc, facilities by their place."""
    wanted = sorted(set(opened))
    ends = np.array(list(arcs), dtype=np.int64).reshape(-1, 2)
    ends = ends[np.isin(ends[:, 0], wanted)]
    return wanted, np.array(clients, dtype=np.int64), np.searchsorted(wanted, ends[:, 0]), ends[:, 1]


def _as_mapping(wanted: list[int], facility: Whole, client: Whole, served: Whole) -> dict[Arc, int]:
    some = np.flatnonzero(served)
    triples = zip(facility[some].tolist(), client[some].tolist(), served[some].tolist(), strict=True)
    return {(wanted[f], c): count for f, c, count in sorted(triples)}
