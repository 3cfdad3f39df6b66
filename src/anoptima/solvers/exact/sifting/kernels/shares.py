"""The best group in which values have limited shares (`rules.shares`), by bisection over caps."""

from __future__ import annotations

from typing import Any

from anoptima.solvers.compiling.loops import part
from anoptima.solvers.exact.sifting.kernels.rows import smallest_cap, sum_of_capped


@part
def fill_capped(rows: Any, cap: int, wanted: int, tallies: Any, taken: Any) -> Any:
    """Fill `taken` with the best group of `wanted` rows or more that has each limited value at most `cap` times; return its gain."""
    gain, copies, value, count = rows
    got, limited = tallies.got, tallies.limited
    for i in range(count):
        got[value[i]] = 0
    total, size = gain.dtype.type(0), 0
    for i in range(count):
        room = min(copies[i], cap - got[value[i]]) if limited[value[i]] else copies[i]
        if gain[i] <= 0:
            room = min(room, max(0, wanted - size))
        got[value[i]] += room
        size += room
        taken[i] = room
        total += gain[i] * room
    return total


@part
def best_frequency(rows: Any, least: int, a: int, b: int, tallies: Any, taken: Any) -> Any:
    """Return F for l = a / b and fill `taken`. O(A b log C) for A records."""
    gain, copies, value, count = rows
    have, limited = tallies.have, tallies.limited
    largest = 0
    for i in range(count):
        have[value[i]] = 0
    for i in range(count):
        have[value[i]] += copies[i]
        if limited[value[i]]:
            largest = max(largest, have[value[i]])
    low = 0
    while low < largest:
        middle = (low + largest + 1) // 2
        if b * sum_of_capped(rows, middle, tallies) >= a * middle:
            low = middle
        else:
            largest = middle - 1
    least = max(1, least)
    smallest = smallest_cap(rows, largest, least, tallies)
    found, best, best_cap = False, gain.dtype.type(0), 0
    if smallest > largest:
        taken[:count] = 0
        return best
    for rest in range(b):
        # The caps rest + b j from `smallest` to `largest`.
        low = (smallest - rest + b - 1) // b
        high = (largest - rest) // b
        if low > high:
            continue
        while low < high:
            j = (low + high) // 2
            cap, more = rest + b * j, rest + b * (j + 1)
            here = fill_capped(rows, cap, max(least, -(-a * cap // b)), tallies, taken)
            there = fill_capped(rows, more, max(least, -(-a * more // b)), tallies, taken)
            if there > here:
                low = j + 1
            else:
                high = j
        cap = rest + b * low
        here = fill_capped(rows, cap, max(least, -(-a * cap // b)), tallies, taken)
        if not found or here > best:
            found, best, best_cap = True, here, cap
    return fill_capped(rows, best_cap, max(least, -(-a * best_cap // b)), tallies, taken)


@part
def frequency_may_gain(value: Any, gain: Any, count: int, a: int, b: int, tallies: Any) -> bool:
    """Tell whether F may be above 0: the best l values, one copy each (and a part of one more), gain something.

    The legal groups' cone has the extreme rays b copies of each of floor(l) values and a mod b of one more; a value that is not limited
    takes all that is left for it. Records need no order.
    """
    seen, best, limited = tallies.seen, tallies.best, tallies.limited
    for i in range(count):
        v = value[i]
        if not seen[v] or gain[i] > best[v]:
            best[v] = gain[i]
            seen[v] = True
    left, total = a, gain.dtype.type(0)
    while left > 0:
        first = -1
        for i in range(count):
            v = value[i]
            if seen[v] and (first < 0 or best[v] > best[first]):
                first = v
        if first < 0:
            break
        seen[first] = False
        its = min(left, b) if limited[first] else left
        total += best[first] * its
        left -= its
    for i in range(count):
        seen[value[i]] = False
    return left <= 0 and total > 0
