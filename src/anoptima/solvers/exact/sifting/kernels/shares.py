"""The best group in which values have limited shares (`rules.shares`), by bisection."""

from __future__ import annotations

from typing import Any

from anoptima.solvers.compiling.loops import part


@part
def filled(
    gain: Any, copies: Any, value: Any, count: int, limited: Any, cap: int, wanted: int, got: Any, taken: Any
) -> Any:
    """Fill `taken` with the best group of `wanted` rows or more that has each limited value at most `cap` times; return its gain."""
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
def sum_of_capped(value: Any, count: int, limited: Any, have: Any, seen: Any, cap: int) -> int:
    """Return how many rows there are if each limited value is taken `cap` times at most; `seen` marks values, and is all False again."""
    total = 0
    for i in range(count):
        if not seen[value[i]]:
            seen[value[i]] = True
            total += min(have[value[i]], cap) if limited[value[i]] else have[value[i]]
    for i in range(count):
        seen[value[i]] = False
    return total


@part
def best_frequency(
    gain: Any,
    copies: Any,
    value: Any,
    count: int,
    least: int,
    a: int,
    b: int,
    limited: Any,
    have: Any,
    got: Any,
    seen: Any,
    taken: Any,
) -> Any:
    """Return F and fill `taken`; records come by falling gain. O(A b log C) for A records."""
    most = 0
    for i in range(count):
        have[value[i]] = 0
    for i in range(count):
        have[value[i]] += copies[i]
        if limited[value[i]]:
            most = max(most, have[value[i]])
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if b * sum_of_capped(value, count, limited, have, seen, middle) >= a * middle:
            low = middle
        else:
            high = middle - 1
    largest = low
    least = max(1, least)
    low, high = 0, largest
    while low < high:
        middle = (low + high) // 2
        if sum_of_capped(value, count, limited, have, seen, middle) >= least:
            high = middle
        else:
            low = middle + 1
    smallest = low
    found, best, best_cap = False, gain.dtype.type(0), 0
    if sum_of_capped(value, count, limited, have, seen, smallest) < least:
        for i in range(count):
            taken[i] = 0
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
            here = filled(gain, copies, value, count, limited, cap, max(least, -(-a * cap // b)), got, taken)
            there = filled(gain, copies, value, count, limited, more, max(least, -(-a * more // b)), got, taken)
            if there > here:
                low = j + 1
            else:
                high = j
        cap = rest + b * low
        here = filled(gain, copies, value, count, limited, cap, max(least, -(-a * cap // b)), got, taken)
        if not found or here > best:
            found, best, best_cap = True, here, cap
    return filled(gain, copies, value, count, limited, best_cap, max(least, -(-a * best_cap // b)), got, taken)


@part
def frequency_may_gain(value: Any, gain: Any, count: int, a: int, b: int, limited: Any, seen: Any, best: Any) -> bool:
    """Tell whether F may be above 0: the best l values, one copy each (and a part of one more), gain something.

    The legal groups' cone has the extreme rays b copies of each of floor(l) values and a mod b of one more; a value that is not limited
    takes all that is left for it. Records need no order.
    """
    for i in range(count):
        seen[value[i]] = False
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
