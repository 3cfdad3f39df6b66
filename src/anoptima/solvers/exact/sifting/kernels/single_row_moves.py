"""The moves of `move_rows`: single rows go from one pattern to another, at random, many millions a second.

A group that lacks y rows, of those that its rule asks for or of k, is a burden of sqrt(y) + `slope` y. The root makes the last part of a
row worth mending; the rest keeps groups that never will be legal from taking in everything. A move is made if cost, and `price` times the
burdens, rise by no more than some heat allows. Most moves are refused by what they cost and the burdens there are, before new ones are
worked out.

What a group of N rows, z_v of value v, lacks by a rule (`rules.rule.Rule.asked`), the most of them where there are several:

    total variation          sum_v max(0, z_v - N q_v) - t N        for the table's shares q
    shares                   l max_v z_v - N                        over limited values
    different values         l - |{v : z_v > 0}|
    outweighed most          r_1 / c + r_1 + ... + r_(l-1) - N + 1 / a   for counts r_1 >= r_2 >= ..., c = a / b
    entropy                  N log l + sum_v z_v log z_v - N log N

In floats: these loops only decide where rows go; which groups are legal is decided afterwards, exactly.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import HALF, REAL, WHOLE, loop, part
from anoptima.solvers.exact.sifting.kernels.row_moves import following
from anoptima.solvers.exact.sifting.rules.rule import DIFFERENT, ENTROPY, OUTWEIGHED, SHARES, TOTAL_VARIATION

TINY = 1e-9
"""Rows, in floats: a group that lacks so few is legal."""
_BITS, _ROOM_BITS = 23, 16
"""How many of a state's 31 bits choose a row or a place, and how many a rise; the lowest ones of such a generator repeat soon."""
_LOW = 31 - _BITS
"""How many bits are left out."""


class Ground(NamedTuple):
    """What stays: each row's record, each record's patterns, the cost of patterns, and the rules, each of a kind, with what it asks.

    By rule j, record r has the value `value[j, r]`, and `asked[j]` is what groups need; lists are filled up with zeros. `rises` are what
    costs may rise by at heat 1, for draws at even distances.
    """

    record: Any
    value: Any
    start: Any
    pattern: Any
    cost: Any
    rises: Any
    kind: Any
    asked: Any
    k: int
    slope: float


class State(NamedTuple):
    """Where the rows are: the place in its record's patterns, and the pattern; each pattern's rows by rule and value, size, and burden."""

    place: Any
    at: Any
    counts: Any
    size: Any
    burden: Any


@part
def _most_and_further(held: Any, v: int, more: float, first: int) -> Any:
    """Return the largest count, and the sum of the `first` - 1 largest, of a group that has `more` rows of a value than `held`."""
    most = total = 0.0
    last, at = np.inf, -1
    for place in range(max(1, first - 1)):
        best, where = -1.0, -1
        for w in range(len(held)):
            count = held[w] + more if w == v else held[w]
            if count > best and (count < last or (count == last and w > at)):
                best, where = count, w
        if where < 0:
            break
        last, at = best, where
        if place == 0:
            most = best
        if place < first - 1:
            total += best
    return most, total


@part
def _lacking(kind: int, asked: Any, held: Any, size: int, v: int, more: float) -> float:
    """Return how many rows a group lacks by a rule if it had `size` rows, and of one value `more` rows than are `held`."""
    lacking = 0.0
    if kind == TOTAL_VARIATION:
        lacking = -asked[0] * size
        for w in range(len(held)):
            lacking += max(0.0, held[w] - size * asked[1 + w])
        now = held[v] - size * asked[1 + v]
        lacking += max(0.0, now + more) - max(0.0, now)
    elif kind == SHARES:
        most = 0.0
        for w in range(len(held)):
            most = max(most, asked[1 + w] * (held[w] + more if w == v else held[w]))
        lacking = asked[0] * most - size
    elif kind == DIFFERENT:
        lacking = asked[0]
        for w in range(len(held)):
            lacking -= 1.0 if (held[w] + more if w == v else held[w]) > 0 else 0.0
    elif kind == OUTWEIGHED:
        a, b = asked[0], asked[1]
        most, further = _most_and_further(held, v, more, int(asked[2]))
        lacking = (b * most + 1) / a + further - size
    elif kind == ENTROPY:
        lacking = (asked[0] - math.log(size)) * size
        for w in range(len(held)):
            count = held[w] + more if w == v else held[w]
            if count > 1:
                lacking += count * math.log(count)
    return lacking


@part
def burden_of(ground: Any, counts: Any, p: int, size: int, r: int, more: float) -> float:
    """Return the burden of a pattern's group if it had `size` rows, and of a record's values `more` rows than now."""
    if size == 0:
        return 0.0
    lacking = float(ground.k - size)
    for j in range(len(ground.kind)):
        its = _lacking(ground.kind[j], ground.asked[j], counts[p, j], size, ground.value[j, r], more)
        lacking = max(lacking, its)
    return math.sqrt(lacking) + ground.slope * lacking if lacking > TINY else 0.0


def _examples() -> list[tuple[Any, ...]]:
    ground = Ground(HALF, np.zeros((1, 1), np.int64), WHOLE, HALF, REAL, REAL, WHOLE, np.zeros((1, 1)), 1, 1.0)
    state = State(WHOLE, HALF, np.zeros((1, 1, 1)), WHOLE, REAL)
    return [(ground, state, WHOLE, WHOLE, 1, 1, 1.0, 1.0, 1)]


@loop(_examples, 1)
def shift_rows(
    ground: Any, state: Any, rows: Any, owner: Any, own: int, moves: int, heat: float, price: float, seed: int
) -> int:
    """Try moves of some rows between patterns that are one's own; return how many were made. O(values) for each that is not refused."""
    record, start, pattern, cost, rises = ground.record, ground.start, ground.pattern, ground.cost, ground.rises
    at, size, counts, burden = state.at, state.size, state.counts, state.burden
    value = ground.value
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
        there = burden_of(ground, counts, q, size[q] + 1, r, 1.0)
        rise += price * there
        if rise > most:
            continue
        here = burden_of(ground, counts, p, size[p] - 1, r, -1.0)
        if rise + price * here > most:
            continue
        for j in range(len(value)):
            counts[p, j, value[j, r]] -= 1
            counts[q, j, value[j, r]] += 1
        size[p] -= 1
        size[q] += 1
        burden[p], burden[q] = here, there
        at[i], state.place[i] = q, place
        made += 1
    return made
