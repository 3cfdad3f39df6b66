"""The transportation problem: the cost of carrying surpluses to where values are lacking, and a quick upper bound of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_CARRIED = 64
"""The most values for which a plan by nearest pairs is asked: it has a step for each pair of them."""


def transport(
    supply: Sequence[int], demand: Sequence[int], costs: Sequence[Sequence[int]]
) -> tuple[int, dict[tuple[int, int], int]]:
    """Return the least cost of carrying `supply` to `demand`, `costs[i][j]` a unit, and what goes from i to j in a cheapest plan.

    The general earth mover's distance, by shortest paths one after the other: with prices p of both sides, reduced costs
    costs[i][j] + p_i - p_j stay at least 0, and what is carried goes where they are 0. Each path takes O(M^2); every step is exact.

    >>> transport([2, 0], [1, 1], [[0, 3], [3, 0]])
    (3, {(0, 0): 1, (0, 1): 1})
    """
    sources = [i for i, amount in enumerate(supply) if amount]
    sinks = [j for j, amount in enumerate(demand) if amount]
    cost = [[costs[i][j] for j in sinks] for i in sources]
    left, wanted = [supply[i] for i in sources], [demand[j] for j in sinks]
    carried: list[dict[int, int]] = [{} for _ in sinks]
    """What each sink gets from which sources."""
    low = [0] * len(sources)
    high = [min(column) for column in zip(*cost, strict=True)]
    while any(left):
        _carry_along_a_shortest_path(cost, left, wanted, carried, low, high)
    plan = {(sources[i], sinks[j]): amount for j, those in enumerate(carried) for i, amount in those.items()}
    return sum(costs[i][j] * amount for (i, j), amount in plan.items()), dict(sorted(plan.items()))


def _carry_along_a_shortest_path(
    cost: list[list[int]],
    left: list[int],
    wanted: list[int],
    carried: list[dict[int, int]],
    low: list[int],
    high: list[int],
) -> None:
    """Carry as much as can be along a path of least reduced cost, and move the prices: `low` those of sources, `high` those of sinks."""
    far_of_source: dict[int, int] = {i: 0 for i, amount in enumerate(left) if amount}
    far: list[int | None] = [None] * len(wanted)
    source_of, sink_before = [-1] * len(wanted), dict.fromkeys(far_of_source, -1)
    new, closed = list(far_of_source), [False] * len(wanted)
    while True:
        for i in new:
            begins, row = far_of_source[i] + low[i], cost[i]
            for j, is_closed in enumerate(closed):
                if not is_closed:
                    reached, known = begins + row[j] - high[j], far[j]
                    if known is None or reached < known:
                        far[j], source_of[j] = reached, i
        length, end = min((its, j) for j, its in enumerate(far) if its is not None and not closed[j])
        if wanted[end]:
            break
        closed[end] = True
        # What a source has brought here it can take elsewhere, if others bring more.
        new = [i for i in carried[end] if i not in far_of_source]
        for i in new:
            far_of_source[i], sink_before[i] = length, end
    for i, its in far_of_source.items():
        low[i] += its - length
    for j, is_closed in enumerate(closed):
        if is_closed:
            high[j] += (far[j] or 0) - length
    path, j = [], end
    while j >= 0:
        i = source_of[j]
        path.append((i, j))
        j = sink_before[i]
    amount = min([left[path[-1][0]], wanted[end], *(carried[before][i] for (i, _), (_, before) in pairwise(path))])
    for i, j in path:
        carried[j][i] = carried[j].get(i, 0) + amount
    for (i, _), (_, before) in pairwise(path):
        carried[before][i] -= amount
        if not carried[before][i]:
            del carried[before][i]
    left[path[-1][0]] -= amount
    wanted[end] -= amount


def carried_by_nearest(surplus: NDArray[Any], distances: NDArray[Any]) -> NDArray[Any]:
    """Return, for each row of `surplus`, what it costs to carry it to where values are lacking, the nearest two values first.

    That is one plan, so no cheapest plan costs more; few cost half as much. O(M^2 G) for G rows of M values, in large steps.

    >>> carried_by_nearest(np.array([[2, -1, -1], [1, -2, 1]]), np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]])).tolist()
    [4, 3]
    """
    left, wanted = np.maximum(surplus, 0).T.copy(), np.maximum(-surplus, 0).T.copy()
    paid = np.zeros(len(surplus), dtype=surplus.dtype)
    first, second = np.nonzero(~np.eye(len(distances), dtype=np.bool_))
    for place in np.argsort(distances[first, second], kind="stable").tolist():
        i, j = first[place], second[place]
        amount = np.minimum(left[i], wanted[j])
        left[i] -= amount
        wanted[j] -= amount
        paid += distances[i, j] * amount
    return paid
