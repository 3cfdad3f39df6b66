"""The moves of `move_rows`: single rows go from one pattern to another, at random, many millions a second.

A group that has y rows too many of some values to be within t, or is y rows short of k, is a burden of sqrt(y) + `slope` y. The root
makes the last part of a row worth mending; the rest keeps groups that never will be legal from taking in everything. A move is made if
cost, and `price` times the burdens, rise by no more than some heat allows. Most moves are refused by what they cost and the burdens there
are, before new ones are worked out.

In floats: these loops only decide where rows go; which groups are legal is decided afterwards, exactly.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import HALF, REAL, WHOLE, loop, part
from anoptima.solvers.exact.sifting.kernels.row_moves import following

TINY = 1e-9
"""Rows, in floats: a group that has so few too many is within t."""
_BITS, _ROOM_BITS = 23, 16
"""How many of a state's 31 bits choose a row or a place, and how many a rise; the lowest ones of such a generator repeat soon."""
_LOW = 31 - _BITS
"""How many bits are left out."""


class Ground(NamedTuple):
    """What stays: each row's record, each record's value and patterns, the cost of patterns, and the table's share of each value.

    `rises` are what costs may rise by at heat 1, for draws at even distances.
    """

    record: Any
    value: Any
    start: Any
    pattern: Any
    cost: Any
    share: Any
    rises: Any
    t: float
    k: int
    slope: float


class State(NamedTuple):
    """Where the rows are: the place in its record's patterns, and the pattern; each pattern's rows of each value, size, and burden."""

    place: Any
    at: Any
    counts: Any
    size: Any
    burden: Any


@part
def burden_of(ground: Any, counts: Any, p: int, size: int, v: int, more: float) -> float:
    """Return the burden of a pattern's group if it had `size` rows, and of one value `more` rows than now."""
    if size == 0:
        return 0.0
    above = -ground.t * size
    for w in range(len(ground.share)):
        above += max(0.0, counts[p, w] - size * ground.share[w])
    now = counts[p, v] - size * ground.share[v]
    above += max(0.0, now + more) - max(0.0, now)
    above = max(above, float(ground.k - size))
    return math.sqrt(above) + ground.slope * above if above > TINY else 0.0


def _examples() -> list[tuple[Any, ...]]:
    ground = Ground(HALF, WHOLE, WHOLE, HALF, REAL, REAL, REAL, 1.0, 1, 1.0)
    state = State(WHOLE, HALF, np.zeros((1, 1)), WHOLE, REAL)
    return [(ground, state, WHOLE, WHOLE, 1, 1, 1.0, 1.0, 1)]


@loop(_examples, 1)
def shift_rows(
    ground: Any, state: Any, rows: Any, owner: Any, own: int, moves: int, heat: float, price: float, seed: int
) -> int:
    """Try moves of some rows between patterns that are one's own; return how many were made. O(values) for each that is not refused."""
    record, start, pattern, cost, rises = ground.record, ground.start, ground.pattern, ground.cost, ground.rises
    at, size, counts, burden = state.at, state.size, state.counts, state.burden
    made = 0
    for _ in range(moves if len(rows) else 0):
        seed = following(seed)
        i = rows[((seed >> _LOW) * len(rows)) >> _BITS]
        r, p = record[i], at[i]
        seed = following(seed)
        place = start[r] + (((seed >> _LOW) * (start[r + 1] - start[r])) >> _BITS)
        q = pattern[place]
        if q == p or owner[q] != own:
            continue
        seed = following(seed)
        most = heat * rises[seed >> (31 - _ROOM_BITS)]
        rise = cost[q] - cost[p] - price * (burden[p] + burden[q])
        if rise > most:
            continue
        v = ground.value[r]
        there = burden_of(ground, counts, q, size[q] + 1, v, 1.0)
        rise += price * there
        if rise > most:
            continue
        here = burden_of(ground, counts, p, size[p] - 1, v, -1.0)
        if rise + price * here > most:
            continue
        counts[p, v] -= 1
        counts[q, v] += 1
        size[p] -= 1
        size[q] += 1
        burden[p], burden[q] = here, there
        at[i], state.place[i] = q, place
        made += 1
    return made
