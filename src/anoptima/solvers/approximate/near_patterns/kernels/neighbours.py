"""The loop that finds the nearest row types of some: distances column by column, and those that are as near as enough others, in one look.

Distances and codes are bytes, so that a processor compares dozens of row types at once. The nearest ones of one row type are about as near
as those of the one before: that is where the search for the farthest of them begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.solvers.compiling.loops import HALF, WHOLE, loop

MOST = 255
"""The largest code and the largest distance: what a byte holds."""
_BYTES = np.zeros(0, dtype=np.uint8)
_MANY = 8
"""If so many times as many as are wanted were found, the next search begins with a smaller distance."""


@loop(lambda: [(_BYTES[None], _BYTES, 0, HALF[None], WHOLE[None])], seconds=2.0)
def write_nearest(codes: Any, weights: Any, first: int, near: Any, distance: Any) -> None:
    """Write down the nearest of all row types for those from `first` on, each before all others, and how far they are. O(T m) for each.

    `codes` are by column. Of those that are as far, the next ones in the order of all row types come first, so that not all have the same.
    """
    columns, types = codes.shape
    count, level = near.shape[1], 1
    apart, place = np.zeros(types, dtype=np.uint8), np.zeros(MOST + 2, dtype=np.int64)
    found = np.zeros(types, dtype=np.int32)
    for row in range(len(near)):
        own = first + row
        apart[:] = 0
        for column in range(columns):
            code, weight = codes[column], weights[column]
            value = code[own]
            for other in range(types):
                apart[other] += weight if code[other] != value else np.uint8(0)
        many = 0
        while True:
            many = 0
            for other in range(own, types):
                if apart[other] <= level:
                    found[many] = other
                    many += 1
            for other in range(own):
                if apart[other] <= level:
                    found[many] = other
                    many += 1
            if many >= count:
                break
            level += 1
        place[: level + 2] = 0
        for one in range(many):
            place[apart[found[one]] + 1] += 1
        for far in range(level + 1):
            place[far + 1] += place[far]
        for one in range(many):
            far = apart[found[one]]
            at = place[far]
            if at < count:
                near[row, at] = found[one]
                distance[row, at] = far
                place[far] = at + 1
        if many > _MANY * count and level > 1:
            level -= 1
