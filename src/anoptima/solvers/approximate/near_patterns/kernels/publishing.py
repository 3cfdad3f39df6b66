"""The loops that publish groups one after the other, always by the pattern whose group is worth most to its rows.

What a pattern's group is worth only falls while rows go, so what was known of it is a bound: patterns wait in a heap by that, and the first
one is looked at anew. If it is worth what was known, its group is made; if not, it waits on with what it is worth now.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.solvers.compiling.loops import HALF, REAL, WHOLE, loop, part
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling

TINY = 1e-9
"""Scaled costs, in floats: what differs by less is equal."""
WAITING, GROUPS, MEMBERS = range(3)
"""What is counted: patterns in the heap, groups made, and their members."""


@loop(lambda: [(WHOLE, HALF, WHOLE, REAL, 0, WHOLE, REAL, 0, 0)], seconds=3.0)
def look_first(
    start: Any, member: Any, cost: Any, worth: Any, k: int, left: Any, known: Any, first: int, last: int
) -> None:
    """Put those first that are worth most among the members of some patterns, and say what their groups pay above that. O(A log A)."""
    most = 0
    for p in range(first, last):
        most = max(most, start[p + 1] - start[p])
    order, spare, key = np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64), np.zeros(most)
    types = np.zeros(most, dtype=np.int64)
    for p in range(first, last):
        begin, length = start[p], start[p + 1] - start[p]
        for i in range(length):
            types[i] = member[begin + i]
            key[i] = worth[types[i]]
        sort_falling(order, length, key, spare)
        for i in range(length):
            member[begin + i] = types[order[i]]
        known[p], _, _ = _best(start, member, cost, worth, k, left, p)


@loop(lambda: [(WHOLE, HALF, WHOLE, REAL, 0, WHOLE, REAL, WHOLE, WHOLE, WHOLE[None], 0)], seconds=3.0)
def publish(
    start: Any,
    member: Any,
    cost: Any,
    worth: Any,
    k: int,
    left: Any,
    known: Any,
    heap: Any,
    count: Any,
    made: Any,
    looks: int,
) -> None:
    """Make groups of k rows or more until no pattern has as many left, or after so many looks. O(A + log P) a look for A members.

    The members of a pattern come with those that are worth most first. `known` is what patterns paid above their rows' worth when they
    were last looked at, `heap` their order by that. Of each group, `made` gets members, copies of them that it has, and its number.
    """
    while count[WAITING] and looks:
        looks -= 1
        p = heap[0]
        value, taken, have = _best(start, member, cost, worth, k, left, p)
        if have >= k and value <= known[p] + TINY:
            have -= taken
            taken = 0
            for arc in range(start[p], start[p + 1]):
                t = member[arc]
                some = _part(worth[t] - cost[p], left[t], k - taken)
                if some:
                    made[count[MEMBERS], 0], made[count[MEMBERS], 1], made[count[MEMBERS], 2] = t, some, count[GROUPS]
                    count[MEMBERS] += 1
                    left[t] -= some
                    taken += some
            count[GROUPS] += 1
        known[p] = value
        if have < k:
            count[WAITING] -= 1
            heap[0] = heap[count[WAITING]]
        _sink(heap, count[WAITING], known)


@part
def _best(start: Any, member: Any, cost: Any, worth: Any, k: int, left: Any, p: int) -> tuple[float, int, int]:
    """Return what the best group of a pattern pays above its rows' worth, how many rows it has, and how many are left."""
    value, taken, have = 0.0, 0, 0
    for arc in range(start[p], start[p + 1]):
        t = member[arc]
        gain = worth[t] - cost[p]
        some = _part(gain, left[t], k - taken)
        value -= gain * some
        taken += some
        have += left[t]
    return value, taken, have


@part
def _part(gain: float, left: int, lacking: int) -> int:
    """Return how many of a row type's rows a group takes: all if they gain, or else those that it lacks."""
    return left if gain > -TINY else max(0, min(left, lacking))


@part
def _sink(heap: Any, size: int, known: Any) -> None:
    """Put the first of a heap, whose value may have risen or which is another, where it belongs; of equals the lower number is first."""
    place, p = 0, heap[0]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and _is_before(heap[child + 1], heap[child], known):
            child += 1
        if not _is_before(heap[child], p, known):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = p


@part
def _is_before(one: int, other: int, known: Any) -> bool:
    """Tell whether a pattern comes before another."""
    return bool(known[one] < known[other] or (known[one] == known[other] and one < other))
