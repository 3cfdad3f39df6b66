"""The best group under distinct l-diversity, and the best one of l values that are equally frequent.

It takes every copy of a gain above 0. If it lacks values, it takes the best copy of each of the best values that are missing; if it then
lacks rows, the best further copies. (Exchanging a copy for another keeps both numbers and never gains.)
"""

from __future__ import annotations

from typing import Any

from anoptima.solvers.compiling.loops import part


@part
def best_distinct(rows: Any, least: int, different: int, seen: Any, taken: Any) -> Any:
    """Return F and fill `taken`. O(A) for A records."""
    gain, copies, value, count = rows
    size, covered = 0, 0
    for i in range(count):
        taken[i] = 0
        if gain[i] > 0:
            taken[i] = copies[i]
            size += copies[i]
            if not seen[value[i]]:
                seen[value[i]] = True
                covered += 1
    for i in range(count):
        if covered >= different:
            break
        if not seen[value[i]]:
            seen[value[i]] = True
            taken[i] = 1
            covered += 1
            size += 1
    for i in range(count):
        if size >= least:
            break
        more = min(copies[i] - int(taken[i]), least - size)
        taken[i] += more
        size += more
    total = gain.dtype.type(0)
    able = covered >= different and size >= least
    for i in range(count):
        seen[value[i]] = False
        if not able:
            taken[i] = 0
        total += gain[i] * gain.dtype.type(taken[i])
    return total


@part
def best_alike(rows: Any, least: int, values: int, tallies: Any, taken: Any) -> Any:
    """Return the most that a group of exactly so many values gains, each of them equally often, and fill `taken`. O(A values m).

    For each m the best `values` sums of m copies of a value; an m above all that gains, and above what the least size needs, adds nothing.
    """
    gain, copies, value, count = rows
    have, best, seen = tallies.have, tallies.best, tallies.seen
    nothing, fewest = gain.dtype.type(0), max(1, -(-least // values))
    most = fewest
    for i in range(count):
        have[value[i]] = 0
    for i in range(count):
        if gain[i] > 0:
            have[value[i]] += copies[i]
            most = max(most, have[value[i]])
    found, highest, times = False, nothing, 0
    for m in range(fewest, most + 1):
        able, total = mark_alike(rows, values, m, tallies), nothing
        for i in range(count):
            if seen[value[i]]:
                total += best[value[i]]
                seen[value[i]] = False
        if able and (not found or total > highest):
            found, highest, times = True, total, m
    taken[:count] = 0
    if not found:
        return nothing
    mark_alike(rows, values, times, tallies)
    for i in range(count):
        have[value[i]] = 0
    for i in range(count):
        if seen[value[i]]:
            its = min(copies[i], times - have[value[i]])
            have[value[i]] += its
            taken[i] = its
    for i in range(count):
        seen[value[i]] = False
    return highest


@part
def mark_alike(rows: Any, values: int, times: int, tallies: Any) -> bool:
    """Mark the values of which so many copies gain most, as many as are wanted, and tell whether there are; `best` is what those gain."""
    gain, copies, value, count = rows
    have, best, seen = tallies.have, tallies.best, tallies.seen
    for i in range(count):
        have[value[i]] = 0
        best[value[i]] = gain.dtype.type(0)
    for i in range(count):
        its = min(copies[i], times - have[value[i]])
        have[value[i]] += its
        best[value[i]] += gain[i] * its
    for _ in range(values):
        top = -1
        for i in range(count):
            v = value[i]
            if not seen[v] and have[v] == times and (top < 0 or best[v] > best[top]):
                top = v
        if top < 0:
            return False
        seen[top] = True
    return True


@part
def is_alike_or_more(rows: Any, taken: Any, values: int, have: Any) -> bool:
    """Tell whether a group has more than so many values, or so many equally often."""
    value, count = rows.value, rows.records
    for i in range(count):
        have[value[i]] = 0
    different, most = 0, 0
    for i in range(count):
        if taken[i] > 0 and have[value[i]] == 0:
            different += 1
        have[value[i]] += int(taken[i])
        most = max(most, have[value[i]])
    is_alike = different == values
    for i in range(count):
        is_alike = is_alike and have[value[i]] in (0, most)
    return is_alike or different > values
