"""Sets of columns in order of what they cost: how cheap bounds and exact searches walk over them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from anoptima.exact import Exact


def cheapest_sets(weights: Sequence[Exact]) -> Iterator[tuple[Exact, tuple[int, ...]]]:
    """Yield all subsets of columns with their total weights, the cheapest first; 2^m of them, O(m log) each, made as asked for.

    Columns are sorted by weight; from a set whose dearest column is the i-th, one step adds column i + 1, the other puts it in
    place of i. Each set has one such origin, and no step makes it cheaper.

    >>> [chosen for _, chosen in cheapest_sets([1, 5, 3])]
    [(), (0,), (2,), (0, 2), (1,), (0, 1), (1, 2), (0, 1, 2)]
    """
    order = sorted(range(len(weights)), key=lambda j: (weights[j], j))
    yield 0, ()
    if not order:
        return
    heap: list[tuple[Exact, tuple[int, ...]]] = [(weights[order[0]], (0,))]
    while heap:
        total, ranks = heapq.heappop(heap)
        yield total, tuple(sorted(order[rank] for rank in ranks))
        last = ranks[-1]
        if last + 1 < len(order):
            dearer = weights[order[last + 1]]
            heapq.heappush(heap, (total + dearer, (*ranks, last + 1)))
            heapq.heappush(heap, (total + dearer - weights[order[last]], (*ranks[:-1], last + 1)))
