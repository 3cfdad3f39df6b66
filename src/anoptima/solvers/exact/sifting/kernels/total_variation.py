"""The best group under t-closeness at equal distance (`rules.total_variation`): sizes are tried from the most promising one outwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.solvers.compiling.loops import part
from anoptima.solvers.exact.sifting.kernels.copying import copy_to
from anoptima.solvers.exact.sifting.kernels.whole_rows import best_rows, split_rows, whole_groups
from anoptima.solvers.exact.sifting.rules.total_variation import MOST_SIZES, NO_GROUP


@part
def filled_slots(rows: Any, size: int, asked: Any, room: Any) -> Any:
    """Take parts of 1 / (n d) copies, the best of `size` copies that slots allow; return whether all fit, and the gain."""
    gain, copies, value, count = rows
    whole, c, d, n = asked
    own, taken = room.own, room.taken
    for i in range(len(whole)):
        own[i] = size * whole[i] * d
    common, left = size * c * n, size * n * d
    total = gain.dtype.type(0)
    for i in range(count):
        wanted = min(copies[i] * n * d, left)
        first = min(wanted, own[value[i]])
        second = min(wanted - first, common)
        own[value[i]] -= first
        common -= second
        left -= first + second
        taken[i] = first + second
        total += gain[i] * (first + second)
    return left == 0, total


@part
def best_equal(rows: Any, least: int, most_rows: int, asked: Any, everything: bool, most_cases: int, room: Any) -> Any:
    """Return n d F of groups of `least` to `most_rows` rows, which are taken.

    Up to `most_cases` cases of a size, by values that are over or not. O(A (log N + cases tried)) for A records.
    """
    gain, copies, _, count = rows
    values, scale, taken = len(asked.whole), asked.n * asked.d, room.taken
    low, top = max(1, least), 0
    for i in range(count):
        top += copies[i]
    top = min(top, most_rows)
    high, bottom = top, low
    nothing = gain.dtype.type(0)
    fits, here = filled_slots(rows, low, asked, room)
    if not fits:
        taken[:count] = 0
        return nothing
    # Beyond the largest size that fits, F is minus infinity, so it is concave all along.
    while low < high:
        size = (low + high) // 2
        fits, there = filled_slots(rows, size + 1, asked, room)
        if fits:
            _, here = filled_slots(rows, size, asked, room)
        if fits and there > here:
            low = size + 1
        else:
            high = size
    down, up = low, low + 1
    _, below = filled_slots(rows, down, asked, room)
    if below <= 0 and not everything:
        return nothing
    can_down, can_up, above = True, False, nothing
    if up <= top:
        can_up, above = filled_slots(rows, up, asked, room)
    best, some = nothing, not everything
    at, at_low, at_high, part = 0, nothing, nothing, -1.0
    side, its_side = np.zeros(values, dtype=np.int64), np.zeros(values, dtype=np.int64)
    tried = 0
    while can_down or can_up:
        is_down = can_down and (not can_up or below >= above)
        size, most = (down, below) if is_down else (up, above)
        if some and most <= best:
            break
        if tried == MOST_SIZES:
            best, at, part = most, size, -1.0
            break
        tried += 1
        legal, worth, low_price, high_price, weight = whole_groups(
            rows, size, asked, best, some, most_cases, its_side, room
        )
        if legal and worth > most:
            worth, weight = most, -1.0
        if legal and (not some or worth > best):
            best, some, at, at_low, at_high, part = worth, True, size, low_price, high_price, weight
            copy_to(side, its_side, values)
        if is_down:
            down -= 1
            can_down = down >= bottom
            if can_down:
                _, below = filled_slots(rows, down, asked, room)
        else:
            up += 1
            can_up = up <= top
            if can_up:
                can_up, above = filled_slots(rows, up, asked, room)
    taken[:count] = 0.0
    if at and part < 0:
        filled_slots(rows, at, asked, room)
    elif at:
        used, _, _ = split_rows(rows, at, asked, side, room)
        best_rows(rows, at, at_low, asked.n, used, room, (1 - part) * scale, 0)
        best_rows(rows, at, at_high, asked.n, used, room, part * scale, 0)
    elif not some:
        return gain.dtype.type(NO_GROUP)
    return best
