"""The best group whose most frequent value is outweighed (`rules.outweighed`), level by level, by bisection over caps."""

from __future__ import annotations

from typing import Any

from anoptima.solvers.compiling.loops import part
from anoptima.solvers.exact.sifting.kernels.rows import smallest_cap, sum_of_capped


@part
def fill_levels(rows: Any, cap: int, level: int, wanted_low: int, wanted: int, got: Any, taken: Any) -> Any:
    """Fill `taken` with the best group of `wanted` rows, `wanted_low` of them up to `level`, no value above `cap`; return its gain."""
    gain, copies, value, count = rows
    for i in range(count):
        got[value[i]] = 0
    total, size, low = gain.dtype.type(0), 0, 0
    for i in range(count):
        v = value[i]
        its = min(copies[i], cap - got[v]) if gain[i] > 0 else 0
        low += min(its, max(0, level - got[v]))
        got[v] += its
        size += its
        taken[i] = its
        total += gain[i] * its
    # What gains nothing is taken for its rows up to the level first, then for any rows.
    for top in (level, cap):
        for i in range(count):
            if gain[i] <= 0:
                missing = wanted_low - low if top == level else 0
                missing = max(missing, wanted - size) if top == cap else missing
                if missing <= 0:
                    break
                v = value[i]
                its = min(copies[i] - int(taken[i]), max(0, top - got[v]), missing)
                low += min(its, max(0, level - got[v]))
                got[v] += its
                size += its
                taken[i] += its
                total += gain[i] * its
    return total


@part
def best_outweighed(rows: Any, least: int, a: int, b: int, first: int, values: int, tallies: Any, taken: Any) -> Any:
    """Return F and fill `taken`; all values are `limited`. O(A a T log C) for A records, levels up to T and caps up to C."""
    gain, copies, value, count = rows
    have, got = tallies.have, tallies.got
    nothing = gain.dtype.type(0)
    least = max(least, values)
    highest, gaining = 0, 0
    taken[:count] = 0
    for i in range(count):
        have[value[i]] = 0
        got[value[i]] = 0
    for i in range(count):
        have[value[i]] += copies[i]
        if gain[i] > 0:
            got[value[i]] += copies[i]
        highest = max(highest, have[value[i]])
        gaining = max(gaining, got[value[i]])
    # A cap that is higher than all that gains, and than the least size, adds nothing.
    highest = min(highest, max(gaining, least))
    smallest = smallest_cap(rows, highest, least, tallies)
    if smallest > highest:
        return nothing
    found, best, best_cap, best_level = False, nothing, 0, 0
    for level in range(1, highest + 1):
        # Rows up to the level must be (first - 1) level + (b C + 1) / a, rounded up.
        spare = sum_of_capped(rows, level, tallies) - (first - 1) * level
        largest = min(highest, (a * spare - 1) // b if b > 0 else highest * min(1, max(0, spare)))
        lowest = max(smallest, level)
        if largest < lowest:
            continue
        for rest in range(a):
            low, high = (lowest - rest + a - 1) // a, (largest - rest) // a
            if low > high:
                continue
            while low < high:
                j = (low + high) // 2
                cap, more = rest + a * j, rest + a * (j + 1)
                need = (first - 1) * level + (b * cap + a) // a
                here = fill_levels(rows, cap, level, need, least, got, taken)
                there = fill_levels(rows, more, level, need + b, least, got, taken)
                if there > here:
                    low = j + 1
                else:
                    high = j
            cap = rest + a * low
            need = (first - 1) * level + (b * cap + a) // a
            here = fill_levels(rows, cap, level, need, least, got, taken)
            if not found or here > best:
                found, best, best_cap, best_level = True, here, cap, level
    if not found:
        taken[:count] = 0
        return nothing
    need = (first - 1) * best_level + (b * best_cap + a) // a
    return fill_levels(rows, best_cap, best_level, need, least, got, taken)


@part
def is_outweighed(rows: Any, taken: Any, a: int, b: int, first: int, tallies: Any) -> bool:
    """Tell whether a group satisfies the condition already. O(A (first + 1)) for A records."""
    value, count, got, seen = rows.value, rows.records, tallies.got, tallies.seen
    for i in range(count):
        got[value[i]] = 0
    size = 0
    for i in range(count):
        got[value[i]] += int(taken[i])
        size += int(taken[i])
    most, largest = 0, 0
    for number in range(first - 1):
        top = -1
        for i in range(count):
            if not seen[value[i]] and (top < 0 or got[value[i]] > got[top]):
                top = value[i]
        if top < 0:
            break
        seen[top] = True
        most += got[top]
        if number == 0:
            largest = got[top]
    for i in range(count):
        seen[value[i]] = False
    return b * largest + a * most <= a * size - 1
