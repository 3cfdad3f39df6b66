"""The best group under distinct l-diversity.

It takes every copy of a gain above 0. If it lacks values, it takes the best copy of each of the best values that are missing; if it then
lacks rows, the best further copies. (Exchanging a copy for another keeps both numbers and never gains.)
"""

from __future__ import annotations

from typing import Any

from anoptima.solvers.compiling.loops import part


@part
def best_distinct(
    gain: Any, copies: Any, value: Any, count: int, least: int, different: int, seen: Any, taken: Any
) -> Any:
    """Return F and fill `taken`; records come by falling gain. O(A) for A records."""
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
