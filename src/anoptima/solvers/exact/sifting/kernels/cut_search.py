"""The loops of `bound.separation`: the best term of a pattern, and sets of records that grow and shrink by single ones."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import REAL, TRUTH, WHOLE, loop, part

MOST_RECORDS = 40
"""Sets of more records are not tried."""


class Taken(NamedTuple):
    """What a fractional solution takes: the records of each of its patterns, by falling share, and in which entries each record is.

    Pattern p, by its place, is open by `y[p]` and takes `x[a]` of `record[a]` for a from `start[p]` up to `start[p + 1]`; `owner[a]` is p.
    """

    copies: Any
    start: Any
    record: Any
    x: Any
    y: Any
    owner: Any
    by_record: Any
    record_start: Any


class Marks(NamedTuple):
    """Room to mark records that are `inside` a set, those that are `barred` from it, and when a pattern was `seen`."""

    inside: Any
    barred: Any
    seen: Any


@part
def _rounded(amount: int, divisor: int, rest: int) -> float:
    if rest == 0:
        return amount / divisor
    return amount // divisor + max(0, amount % divisor - rest) / (divisor - rest)


@loop(lambda: [(1, 1, WHOLE, REAL, 1.0, WHOLE, 1, 1, 1, TRUTH)], 1)
def best_term(
    first: int, last: int, record: Any, x: Any, y: float, copies: Any, k: int, divisor: int, rest: int, chosen: Any
) -> Any:  # fmt: skip
    """Return the worth of the best term of a pattern, its kind (0 none, 1 together, 2 outside) and the length of its prefix.

    `chosen` says of every record whether it is in the set.
    """
    price = 1.0 / (divisor - rest) if rest else 1.0 / divisor
    best, kind, length = 1e-9, 0, 0
    amount, lacking, spilled, count = 0, 0.0, 0.0, 0
    for a in range(first, last):
        if chosen[record[a]]:
            s = copies[record[a]]
            amount += s
            lacking += s * y - x[a]
            count += 1
            value = _rounded(amount, divisor, rest) * y - lacking * price
            if value > best + 1e-9:
                best, kind, length = value, 1, count
        else:
            spilled += x[a]
    left, count = k, 0
    most = _rounded(left, divisor, rest) * y
    value = most - spilled * price
    if value > best + 1e-9:
        best, kind, length = value, 2, 0
    if most > best + 1e-9:
        for a in range(first, last):
            if not chosen[record[a]]:
                left -= copies[record[a]]
                if left <= 0:
                    break
                spilled -= x[a]
                count += 1
                value = _rounded(left, divisor, rest) * y - spilled * price
                if value > best + 1e-9:
                    best, kind, length = value, 2, count
    return best if kind else 0.0, kind, length


@part
def _score(chosen: Any, size: int, divisor: int, k: int, taken: Any, marks: Any, stamp: int) -> float:
    """Return by how much the best cut of the first `size` records that are chosen is violated; `stamp` is another one each time."""
    copies, start, record, x, y, owner, by_record, record_start = taken
    inside, seen = marks.inside, marks.seen
    total = 0
    for i in range(size):
        total += copies[chosen[i]]
    rest = total % divisor
    found = 0.0
    for i in range(size):
        t = chosen[i]
        for b in range(record_start[t], record_start[t + 1]):
            p = owner[by_record[b]]
            if seen[p] == stamp:
                continue
            seen[p] = stamp
            value, _, _ = best_term(start[p], start[p + 1], record, x, y[p], copies, k, divisor, rest, inside)
            found += value
    return found - (total // divisor if rest else total / divisor)


def _examples() -> list[tuple[Any, ...]]:
    taken = Taken(WHOLE, WHOLE, WHOLE, REAL, REAL, WHOLE, WHOLE, WHOLE)
    return [(WHOLE, 1, 1, taken, Marks(TRUTH, TRUTH, WHOLE), 1, 1, 1)]


@loop(_examples, 2)
def grow(seed: Any, divisor: int, k: int, taken: Any, marks: Any, moves: int, patience: int, tries: int) -> Any:
    """Search from `seed`, with none of the `barred`; return the best set and its violation. `inside` is all false before and after."""
    copies, start, record, _, _, owner, by_record, record_start = taken
    inside, barred, seen = marks
    chosen = np.zeros(MOST_RECORDS + 1, dtype=np.int64)
    size = 0
    for t in seed:
        if size < MOST_RECORDS:
            chosen[size] = t
            inside[t] = True
            size += 1
    best_set, best = chosen[:size].copy(), -1e9
    stamp = 1
    for p in range(len(seen)):
        stamp = max(stamp, seen[p] + 1)
    total = 0
    for i in range(size):
        total += copies[chosen[i]]
    value = _score(chosen, size, divisor, k, taken, marks, stamp)
    if total % divisor:
        best = value
    stale = 0
    last_moved = -1
    for _ in range(moves):
        if stale >= patience:
            break
        move, move_value = -1, -1e9
        # Records of touched patterns, to be added; marked as inside until all are found, so that none comes twice.
        candidates = np.zeros(tries, dtype=np.int64)
        count = 0
        for i in range(size):
            t = chosen[i]
            for b in range(record_start[t], record_start[t + 1]):
                p = owner[by_record[b]]
                for a in range(start[p], min(start[p + 1], start[p] + 12)):
                    u = record[a]
                    if not inside[u] and not barred[u] and u != last_moved and count < tries:
                        inside[u] = True
                        candidates[count] = u
                        count += 1
        for c in range(count):
            inside[candidates[c]] = False
        if size < MOST_RECORDS:
            for c in range(count):
                u = candidates[c]
                chosen[size] = u
                inside[u] = True
                stamp += 1
                value = _score(chosen, size + 1, divisor, k, taken, marks, stamp)
                inside[u] = False
                if value > move_value:
                    move, move_value = u, value
        drop = -1
        if size > 1:
            for i in range(size):
                u = chosen[i]
                if u == last_moved:
                    continue
                chosen[i] = chosen[size - 1]
                inside[u] = False
                stamp += 1
                value = _score(chosen, size - 1, divisor, k, taken, marks, stamp)
                chosen[size - 1] = chosen[i]
                chosen[i] = u
                inside[u] = True
                if value > move_value:
                    move, move_value, drop = u, value, i
        if move < 0:
            break
        if drop >= 0:
            inside[move] = False
            size -= 1
            chosen[drop] = chosen[size]
            total -= copies[move]
        else:
            inside[move] = True
            chosen[size] = move
            size += 1
            total += copies[move]
        last_moved = move
        stale += 1
        if total % divisor and move_value > best + 1e-6:
            best, best_set, stale = move_value, chosen[:size].copy(), 0
    for i in range(size):
        inside[chosen[i]] = False
    return best_set, best
