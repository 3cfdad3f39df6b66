"""The best group of whole rows under closeness along edges, and perhaps diversity in the same column: by going through the values.

The method is that of `proofs.whole_rows`, in a compiled loop. At size N a group pays sum_e d_e |n S_e - N Q_e| for the edges e, with S_e of
its rows and Q_e of the table's n below. A part of a group, with the values below some edges, is told by its rows, its different values,
what it has paid and what it gains. Parts of neighbouring values are put together, up the tree, and of two with as many rows and values the
one that pays as much and gains no more is left out; so is one that, with the best rows of all other values, gains no more than is known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import WHOLE, loop, part
from anoptima.solvers.exact.sifting.kernels.copying import copy_to
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling
from anoptima.solvers.exact.sifting.kernels.tree import Edges

MOST_PARTS, MOST_PAIRS = 1 << 16, 1 << 18
"""How many parts of groups of one size are held, and pairs of parts that may be put together at a time: some 15 MB in all."""
MOST_LOOKS = 1 << 26
"""How many pairs are looked at for one pattern: some tenths of a second, in which nobody looks at the clock."""


class Asked(NamedTuple):
    """What is asked of groups: the rows of the table, how many values differ at least; by size what may be paid, and rows of one value."""

    rows: int
    different: int
    room: Any
    most: Any


class Wanted(NamedTuple):
    """What a group must have: rows, different values, no more to pay than there is `room` for, and a gain above what is `known`."""

    size: int
    different: int
    room: int
    known: int


class Lots(NamedTuple):
    """Rows by value, in the tree's order, and by falling gain within: value v has those from `begin[v]` to `begin[v + 1]`.

    Each has its gain, its gain with what its value is `lifted` by, and its value; `by_lift` has their places by falling lifted gain.
    """

    begin: Any
    gain: Any
    lifted: Any
    value: Any
    by_lift: Any


class Bench(NamedTuple):
    """Room to work in: parts, by what tells them and where they come from; pairs of parts, with their keys; and to sort these.

    And how many pairs have been looked at.
    """

    parts: Any
    pairs: Any
    order: Any
    spare: Any
    looks: Any


SIZE, DIFFERENT, PAID, GAIN, LIFTED, LEFT, RIGHT = range(7)
"""What is known of a part. A part of one value has -1 less the value to the left, and how many rows to the right."""


def bench() -> Bench:
    """Return room for parts and pairs.

    >>> len(bench().order) == MOST_PAIRS
    True
    """
    return Bench(
        np.empty((7, MOST_PARTS), dtype=np.int64),
        np.empty((3, MOST_PAIRS), dtype=np.int64),
        np.empty(MOST_PAIRS, dtype=np.int64),
        np.empty(MOST_PAIRS, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@part
def put_together(one: Any, two: Any, end: int, others: Any, last: int, wanted: Any, room_for: Any) -> int:
    """Put two lists of parts together, behind the `end`; return the new end, -1 if there is no room for that.

    `others` says what the best rows of other values gain, up to `last` of them.
    """
    size, different, room, known = wanted
    parts, pairs, order, spare, looks = room_for
    count = 0
    looks[0] += (one[1] - one[0]) * (two[1] - two[0])
    if looks[0] > MOST_LOOKS:
        return -1
    for i in range(one[0], one[1]):
        for j in range(two[0], two[1]):
            missing = size - parts[SIZE, i] - parts[SIZE, j]
            if missing < 0 or missing > last or parts[LIFTED, i] + parts[LIFTED, j] + others[missing] <= known:
                continue
            paid = parts[PAID, i] + parts[PAID, j]
            if paid > room:
                continue
            if count == pairs.shape[1]:
                return -1
            kinds = min(different, parts[DIFFERENT, i] + parts[DIFFERENT, j])
            pairs[0, count], pairs[1, count] = i, j
            # By rows and different values, then by what is paid.
            pairs[2, count] = -(((size - missing) * (different + 1) + kinds) * (room + 1) + paid)
            count += 1
    sort_falling(order, count, pairs[2], spare)
    new, kind, best = end, -1, 0
    for place in range(count):
        i, j, its = pairs[0, order[place]], pairs[1, order[place]], -pairs[2, order[place]] // (room + 1)
        gain = parts[GAIN, i] + parts[GAIN, j]
        if its == kind and gain <= best:
            continue
        if new == parts.shape[1]:
            return -1
        kind, best = its, gain
        parts[SIZE, new], parts[DIFFERENT, new] = parts[SIZE, i] + parts[SIZE, j], its % (different + 1)
        parts[PAID, new], parts[GAIN, new] = parts[PAID, i] + parts[PAID, j], gain
        parts[LIFTED, new] = parts[LIFTED, i] + parts[LIFTED, j]
        parts[LEFT, new], parts[RIGHT, new] = i, j
        new += 1
    return new


@part
def best_others(gain: Any, value: Any, order: Any, first: int, last: int, size: int, others: Any) -> int:
    """Fill `others` with what the best rows of values outside `first` to `last` gain, up to `size` of them; return how many there are."""
    count, others[0] = 0, 0
    for place in range(len(order)):
        i = order[place]
        if count == size:
            break
        if value[i] < first or value[i] >= last:
            others[count + 1] = others[count] + gain[i]
            count += 1
    return count


@part
def best_of_size(wanted: Any, most_each: int, lots: Any, edges: Any, n: int, work: Any) -> Any:
    """Return the best group, with `most_each` rows of a value at most, as a part; -1 if there is none, -2 if there are too many parts."""
    size, different, room, known = wanted
    begin, gain, lifted, value, by_lift = lots
    first, last, length, below = edges
    parts, runs, others = work[0].parts, work[1], work[2]
    values = len(begin) - 1
    # A stack of lists: list j has the parts from runs[j, 0] up to runs[j, 1], and holds the values from runs[j, 2] on.
    height, end, e = 0, 0, 0
    for v in range(values + 1):
        if v < values:
            runs[height, 0], runs[height, 2] = end, v
            height += 1
            most = min(begin[v + 1] - begin[v], most_each)
            if end + most >= parts.shape[1]:
                return -2
            gained, promised = 0, 0
            for rows in range(most + 1):
                if rows:
                    gained += gain[begin[v] + rows - 1]
                    promised += lifted[begin[v] + rows - 1]
                parts[SIZE, end], parts[DIFFERENT, end] = rows, min(rows, 1, different)
                parts[PAID, end], parts[GAIN, end], parts[LIFTED, end] = 0, gained, promised
                parts[LEFT, end], parts[RIGHT, end] = -1 - v, rows
                end += 1
            runs[height - 1, 1] = end
        # Behind the last value, all that is left is put together.
        while (e < len(first) and last[e] == v + 1) or (v == values and height > 1):
            is_edge = v < values
            while height > 1 and (not is_edge or runs[height - 2, 2] >= first[e]):
                count = best_others(lifted, value, by_lift, runs[height - 2, 2], min(v + 1, values), size, others)
                one, two, begins = runs[height - 2], runs[height - 1], end
                end = put_together(one, two, end, others, count, wanted, work[0])
                if end < 0:
                    return -2
                height -= 1
                one[0], one[1] = begins, end
            if not is_edge:
                break
            kept = runs[height - 1, 0]
            for i in range(kept, end):
                paid = parts[PAID, i] + length[e] * abs(n * parts[SIZE, i] - size * below[e])
                if paid <= room:
                    for field in range(7):
                        parts[field, kept] = parts[field, i]
                    parts[PAID, kept] = paid
                    kept += 1
            end = runs[height - 1, 1] = kept
            e += 1
    found = -1
    for i in range(runs[0, 0], runs[0, 1]):
        is_group = parts[SIZE, i] == size and parts[DIFFERENT, i] >= different and parts[PAID, i] <= room
        if is_group and parts[GAIN, i] > known:
            found, known = i, parts[GAIN, i]
    return found


def _examples() -> list[tuple[Any, ...]]:
    table = np.zeros((1, 1), np.int64)
    edges, asked = Edges(WHOLE, WHOLE, WHOLE, WHOLE), Asked(1, 1, WHOLE, WHOLE)
    return [(WHOLE, WHOLE, WHOLE, WHOLE, 1, 1, 1, edges, asked, Bench(table, table, WHOLE, WHOLE, WHOLE), WHOLE)]


@loop(_examples, 5)
def best_by_value(
    gain: Any,
    copies: Any,
    place: Any,
    lift: Any,
    least: int,
    most: int,
    nothing: int,
    edges: Any,
    asked: Any,
    room_for: Any,
    taken: Any,
) -> int:
    """Return what the best group of `least` to `most` rows gains, or `nothing` if that is more, and fill `taken` with its copies.

    Record i gains `gain[i]` a copy, and has the value that comes in `place[i]` in the tree's order. No satisfying group gains less if the
    rows of each value gain `lift` more. A size with too many parts is worth what its best rows promise; then nothing better is looked for.
    """
    values, number, rows = len(lift), len(gain), copies.sum()
    order, spare = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
    sort_falling(order, number, gain, spare)
    begin = np.zeros(values + 1, dtype=np.int64)
    for i in range(number):
        begin[place[i] + 1] += copies[i]
    for v in range(values):
        begin[v + 1] += begin[v]
    # Row by row, by value and by falling gain within.
    filled, owner, value = begin[:-1].copy(), np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    own, lifted = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    for turn in range(number):
        i = order[turn]
        v = place[i]
        for _ in range(copies[i]):
            at = filled[v]
            owner[at], value[at], own[at], lifted[at] = i, v, gain[i], gain[i] + lift[v]
            filled[v] += 1
    by_lift, spare = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    sort_falling(by_lift, rows, lifted, spare)
    promised = np.zeros(rows + 1, dtype=np.int64)
    for at in range(rows):
        promised[at + 1] = promised[at] + lifted[by_lift[at]]
    sizes = max(0, min(most, rows) - least + 1)
    by_promise, spare = np.empty(sizes, dtype=np.int64), np.empty(sizes, dtype=np.int64)
    sort_falling(by_promise, sizes, promised[least:], spare)
    runs, others = np.empty((values + 1, 3), dtype=np.int64), np.empty(rows + 1, dtype=np.int64)
    stack, held, best_held = (
        np.empty(2 * values + 2, dtype=np.int64),
        np.zeros(values, np.int64),
        np.zeros(values, np.int64),
    )
    best, lots, work = nothing, Lots(begin, own, lifted, value, by_lift), (room_for, runs, others)
    room_for.looks[0] = 0
    for turn in range(sizes):
        size = least + by_promise[turn]
        if promised[size] <= best:
            break
        wanted = Wanted(size, asked.different, asked.room[size], best)
        found = best_of_size(wanted, asked.most[size], lots, edges, asked.rows, work)
        if found == -2:
            best = promised[size]
            break
        if found < 0:
            continue
        best = room_for.parts[GAIN, found]
        height, stack[0] = 1, found
        held[:] = 0
        while height:
            height -= 1
            one = stack[height]
            if room_for.parts[LEFT, one] < 0:
                held[-1 - room_for.parts[LEFT, one]] = room_for.parts[RIGHT, one]
            else:
                stack[height], stack[height + 1] = room_for.parts[LEFT, one], room_for.parts[RIGHT, one]
                height += 2
        copy_to(best_held, held, values)
    for v in range(values):
        for at in range(begin[v], begin[v] + best_held[v]):
            taken[owner[at]] += 1
    return best
