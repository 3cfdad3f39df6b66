"""A partition to begin with: cheapest pairs first, and what is left over joins the pairs that it makes least dearer."""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.simplex.costs import Costs

Group = tuple[int, ...]


def greedy_groups(costs: Costs) -> list[Group] | None:
    """Return a partition, or None if the last vertices fit nowhere. O(n^2 log n), and O(n) for each vertex left over.

    >>> from anoptima.solvers.exact.simplex.costs import ListedCosts
    >>> pairs = {(0, 1): 2, (0, 2): 2, (1, 2): 2, (2, 3): 1, (3, 4): 0, (2, 4): 5}
    >>> greedy_groups(ListedCosts(5, pairs, {(0, 1, 2): 3}))
    [(0, 1, 2), (3, 4)]
    """
    n = len(costs)
    first, second = np.nonzero(np.triu(costs.pair >= 0, 1))
    order = np.argsort(costs.pair[first, second], kind="stable")
    mate: dict[int, int] = {}
    for u, v in zip(first[order].tolist(), second[order].tolist(), strict=True):
        if u not in mate and v not in mate:
            mate[u], mate[v] = v, u
    pairs = [(u, v) for u, v in mate.items() if u < v]
    triples: list[Group] = []
    for v in range(n):
        if v in mate:
            continue
        if not pairs:
            return None
        joined = np.sort(np.array([(*pair, v) for pair in pairs], dtype=np.int64), axis=1)
        price = costs.triple((joined[:, 0], joined[:, 1], joined[:, 2]))
        more = [
            (int(cost) - int(costs.pair[pair]), number)
            for number, (cost, pair) in enumerate(zip(price.tolist(), pairs, strict=True))
            if cost >= 0
        ]
        if not more:
            return None
        number = min(more)[1]
        triples.append(tuple(joined[number].tolist()))
        del pairs[number]
    return sorted([*pairs, *triples])
