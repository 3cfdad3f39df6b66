"""Odd sets that a fractional solution meets too little: components of what it uses a lot of, and small cuts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from anoptima.deadline import check_time
from anoptima.packages import nx
from anoptima.solvers.exact.simplex.costs import Truths

Used = Sequence[tuple[tuple[int, ...], float]]
"""Groups and how much of each is used; those not used at all left out."""

_THRESHOLDS = tuple(tenth / 10 for tenth in range(10))
_TOO_LITTLE = 1 - 1e-4

_Support: TypeAlias = "nx.Graph[int]"


def violated_sets(n: int, used: Used) -> list[Truths]:
    """Return odd sets S with `sum of x_e over |e intersect S| odd` below 1: of components of groups above a threshold or, failing
    that, along the cuts of a Gomory-Hu tree. All that are returned are violated; not all that are violated are returned.

    Near-linear in n and the groups used; n maximum flows in components of their graph where components do not do it.
    """
    found = _violated(n, used, _components(n, used))
    return found or _violated(n, used, _cuts(used))


def _violated(n: int, used: Used, candidates: Iterator[set[int]]) -> list[Truths]:
    # A place behind the last vertex makes a pair as long as a triple; it is in no set.
    members = np.array([(*group, n)[:3] for group, _ in used], dtype=np.int64).reshape(-1, 3)
    share = np.array([x for _, x in used])
    found: list[Truths] = []
    seen: set[bytes] = set()
    for number, candidate in enumerate(candidates):
        if number % 64 == 0:
            check_time()
        here = np.zeros(n, dtype=bool)
        here[list(candidate)] = True
        for side in (here, ~here):
            if side.sum() % 2 == 0 or side.tobytes() in seen:
                continue
            seen.add(side.tobytes())
            is_odd = np.append(side, False)[members].sum(axis=1) % 2 == 1
            if share[is_odd].sum() < _TOO_LITTLE:
                found.append(side)
    return found


def _components(n: int, used: Used) -> Iterator[set[int]]:
    for threshold in _THRESHOLDS:
        graph: _Support = nx.Graph()
        graph.add_nodes_from(range(n))
        for group, x in used:
            if x > threshold + 1e-6:
                nx.add_path(graph, group)
        yield from nx.connected_components(graph)


def _cuts(used: Used) -> Iterator[set[int]]:
    """Yield one side of each cut of a Gomory-Hu tree in which a triple counts half on each of its pairs."""
    graph: _Support = nx.Graph()
    for group, x in used:
        for u, v in itertools.combinations(group, 2):
            share = x if len(group) == 2 else x / 2
            graph.add_edge(u, v, capacity=share + graph.get_edge_data(u, v, {"capacity": 0.0})["capacity"])
    for component in nx.connected_components(graph):
        if len(component) > 3:
            tree = nx.gomory_hu_tree(graph.subgraph(component))
            for u, v in list(tree.edges):
                tree.remove_edge(u, v)
                yield set(nx.node_connected_component(tree, u))
                tree.add_edge(u, v)
