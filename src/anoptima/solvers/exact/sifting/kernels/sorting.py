"""Sorting in loops: numpy's own sorts take longer to compile than most loops that need one."""

from __future__ import annotations

from typing import Any

from anoptima.solvers.compiling.loops import part

_SHORT = 8
"""Runs of this length are sorted by insertion before they are merged; not measured."""


@part
def sort_falling(order: Any, count: int, key: Any, spare: Any) -> None:
    """Fill `order` with the places of the first `count` keys, the largest first, equals as they come; `spare` is room. O(n log n)."""
    for i in range(count):
        order[i] = i
    for first in range(0, count, _SHORT):
        for i in range(first + 1, min(first + _SHORT, count)):
            its, place = order[i], i
            while place > first and key[order[place - 1]] < key[its]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = its
    width = _SHORT
    while width < count:
        for first in range(0, count, 2 * width):
            middle, last = min(first + width, count), min(first + 2 * width, count)
            if middle == last or key[order[middle - 1]] >= key[order[middle]]:
                continue
            for i in range(first, middle):
                spare[i] = order[i]
            i, j = first, middle
            for place in range(first, last):
                if i < middle and (j == last or key[spare[i]] >= key[order[j]]):
                    order[place] = spare[i]
                    i += 1
                elif i < middle:
                    order[place] = order[j]
                    j += 1
        width *= 2
