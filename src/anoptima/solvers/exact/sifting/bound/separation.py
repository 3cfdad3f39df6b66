"""Finding violated rounding cuts: for a set of records and a divisor the best terms are plain, so only the set is searched for.

At a fractional (x, y), each pattern chooses for (W, d) the best of its terms: *together*, where S is a prefix of its records in W by
falling x_pt / s_t, or *outside*, where O is a prefix of those outside W in the same order (`cuts`). The sum of what they give, less q, is
how far the cut is violated. W grows and shrinks by single records, always by the best move even if it is for the worse, from supports of
fractional patterns, single records and pairs. A search in loops: some hundred times slower until they are prepared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.compiling.loops import REAL, TRUTH, WHOLE, fastest, loop, part
from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Cut, Named, Row

LEAST_VIOLATION = 0.03
_MOST_RECORDS = 40
_QUICK, _THOROUGH = (10, 3, 24), (25, 7, 256)
"""How many moves a search makes at most, how many without a gain, and how many records it tries to add before each."""
_TIRED = 6
"""A set whose records all lie in so many new cuts is left alone."""
_EPSILON = 1e-7


class Support:
    """A fractional solution, by pattern and by record: only what is above 0."""

    def __init__(self, catalogue: Catalogue, x: Numbers, y: Numbers) -> None:
        arcs = catalogue.arcs
        used = np.flatnonzero(x > _EPSILON)
        share = x[used] / arcs.copies[arcs.member[used]]
        order = np.lexsort((-share, catalogue.pattern_of[used]))
        used = used[order]
        self.patterns, owner = np.unique(catalogue.pattern_of[used], return_inverse=True)
        self.owner = owner.astype(np.int64)
        self.start = np.searchsorted(self.owner, np.arange(len(self.patterns) + 1))
        self.record = arcs.member[used].astype(np.int64)
        self.x = x[used]
        self.y = y[self.patterns]
        self.by_record = np.argsort(self.record, kind="stable")
        self.record_start = np.searchsorted(self.record[self.by_record], np.arange(len(arcs.copies) + 1))

    def patterns_of(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of the patterns that some of the records lie in."""
        arcs = [self.by_record[self.record_start[t] : self.record_start[t + 1]] for t in records]
        return np.unique(self.owner[np.concatenate(arcs)])

    def seeds(self, chance: np.random.Generator, barred: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
        """Return sets of records to begin with: of fractional patterns, single ones, and pairs; shuffled within each kind."""
        fractional = np.flatnonzero((self.y > 1e-4) & (self.y < 1 - 1e-4))
        whole = [self.record[self.start[p] : self.start[p + 1]] for p in fractional]
        whole = [own[~barred[own]][:_MOST_RECORDS] for own in whole]
        whole = [own for own in whole if len(own)]
        split = np.flatnonzero((np.diff(self.record_start) > 1) & ~barred)
        pairs = [np.array([a, b]) for members in whole for a, b in itertools.pairwise(members)]
        found = []
        for kind in (whole, [np.array([t]) for t in split], pairs):
            found += [kind[i] for i in chance.permutation(len(kind))]
        return found


def violated(
    catalogue: Catalogue,
    x: Numbers,
    y: Numbers,
    chance: np.random.Generator,
    is_over: Callable[[], bool],
    most: int = 400,
    among: NDArray[np.bool_] | None = None,
    thorough: bool = False,
) -> list[Row]:
    """Return cuts that (x, y) violates, at most about `most`, over all arcs, with sets of the records `among` only if it is given.

    Ends early once `is_over()`. A `thorough` search takes some three times as long.
    """
    moves, patience, tries = _THOROUGH if thorough else _QUICK
    support = Support(catalogue, x, y)
    arcs = catalogue.arcs
    found: dict[Cut, Row] = {}
    often = np.zeros(len(arcs.copies), dtype=np.int64)
    inside = np.zeros(len(arcs.copies), dtype=np.bool_)
    seen = np.zeros(len(support.patterns), dtype=np.int64)
    barred = np.zeros(len(arcs.copies), dtype=np.bool_) if among is None else ~among
    grow = fastest(_grow)
    for seed in support.seeds(chance, barred):
        if is_over() or len(found) >= most:
            break
        if (often[seed] >= _TIRED).all():
            continue
        for divisor in range(2, arcs.k + 1):
            records, violation = grow(
                seed, divisor, arcs.k, arcs.copies, support.start, support.record, support.x, support.y,
                support.owner, support.by_record, support.record_start, inside, barred, seen,
                moves, patience, tries,
            )  # fmt: skip
            if violation <= LEAST_VIOLATION:
                continue
            cut = _cut(support, arcs.copies, arcs.k, np.sort(records), divisor, inside)
            if cut in found:
                continue
            row = catalogue.row(cut)
            if row is not None and row.slack(x, y) < -LEAST_VIOLATION / 2:
                found[cut] = row
                often[records] += 1
    return list(found.values())


def _cut(
    support: Support,
    copies: NDArray[np.int64],
    k: int,
    records: NDArray[np.int64],
    divisor: int,
    inside: NDArray[np.bool_],
) -> Cut:
    """Name the terms that `_score` chose. `inside` is all false before and after. O(support of the patterns that meet the records)."""
    inside[records] = True
    rest = int(copies[records].sum()) % divisor
    named = []
    best_term = fastest(_best_term)
    for p in support.patterns_of(records):
        first, last = int(support.start[p]), int(support.start[p + 1])
        _, kind, length = best_term(
            first, last, support.record, support.x, support.y[p], copies, k, divisor, rest, inside
        )
        if kind == 0:
            continue
        own = support.record[first:last]
        members = own[inside[own] == (kind == 1)][:length]
        named.append(Named(int(support.patterns[p]), kind == 1, tuple(np.sort(members).tolist())))
    inside[records] = False
    return Cut(tuple(map(int, records)), divisor, tuple(named))


@part
def _rounded(amount: int, divisor: int, rest: int) -> float:
    if rest == 0:
        return amount / divisor
    return amount // divisor + max(0, amount % divisor - rest) / (divisor - rest)


@loop(lambda: [(1, 1, WHOLE, REAL, 1.0, WHOLE, 1, 1, 1, TRUTH)], 1)
def _best_term(
    first: int,
    last: int,
    record: Any,
    x: Any,
    y: float,
    copies: Any,
    k: int,
    divisor: int,
    rest: int,
    chosen: Any,
) -> Any:
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
def _score(
    chosen: Any, size: int, divisor: int, k: int, copies: Any, start: Any, record: Any, x: Any, y: Any, owner: Any,
    by_record: Any, record_start: Any, inside: Any, seen: Any, stamp: int,
) -> float:  # fmt: skip
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
            value, _, _ = _best_term(start[p], start[p + 1], record, x, y[p], copies, k, divisor, rest, inside)
            found += value
    return found - (total // divisor if rest else total / divisor)


def _examples() -> list[tuple[Any, ...]]:
    of = WHOLE, WHOLE, WHOLE, REAL, REAL, WHOLE, WHOLE, WHOLE, TRUTH, TRUTH, WHOLE
    return [(WHOLE, 1, 1, *of, 1, 1, 1)]


@loop(_examples, 2)
def _grow(
    seed: Any, divisor: int, k: int, copies: Any, start: Any, record: Any, x: Any, y: Any, owner: Any, by_record: Any,
    record_start: Any, inside: Any, barred: Any, seen: Any, moves: int, patience: int, tries: int,
) -> Any:  # fmt: skip
    """Search from `seed`, with none of the `barred`; return the best set and its violation. `inside` is all false before and after."""
    chosen = np.zeros(_MOST_RECORDS + 1, dtype=np.int64)
    size = 0
    for t in seed:
        if size < _MOST_RECORDS:
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
    value = _score(
        chosen,
        size,
        divisor,
        k,
        copies,
        start,
        record,
        x,
        y,
        owner,
        by_record,
        record_start,
        inside,
        seen,
        stamp,
    )
    if total % divisor:
        best = value
    stale = 0
    last_moved = -1
    for _ in range(moves):
        if stale >= patience:
            break
        move, move_value = -1, -1e9
        # Records of touched patterns, to be added; marked by a set of candidates kept in a list.
        candidates = np.zeros(tries, dtype=np.int64)
        count = 0
        for i in range(size):
            t = chosen[i]
            for b in range(record_start[t], record_start[t + 1]):
                p = owner[by_record[b]]
                for a in range(start[p], min(start[p + 1], start[p] + 12)):
                    u = record[a]
                    if not inside[u] and not barred[u] and u != last_moved and count < tries:
                        is_new = True
                        for c in range(count):
                            if candidates[c] == u:
                                is_new = False
                                break
                        if is_new:
                            candidates[count] = u
                            count += 1
        if size < _MOST_RECORDS:
            for c in range(count):
                u = candidates[c]
                chosen[size] = u
                inside[u] = True
                stamp += 1
                value = _score(
                    chosen,
                    size + 1,
                    divisor,
                    k,
                    copies,
                    start,
                    record,
                    x,
                    y,
                    owner,
                    by_record,
                    record_start,
                    inside,
                    seen,
                    stamp,
                )
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
                value = _score(
                    chosen,
                    size - 1,
                    divisor,
                    k,
                    copies,
                    start,
                    record,
                    x,
                    y,
                    owner,
                    by_record,
                    record_start,
                    inside,
                    seen,
                    stamp,
                )
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
