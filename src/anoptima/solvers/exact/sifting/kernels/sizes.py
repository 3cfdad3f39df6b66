"""Pricing patterns in compiled loops: the same as `arcs`, faster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.solvers.compiling.loops import HALF, REAL, TRUTH, WHOLE, compiled, loop, part
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers

_NOTHING = np.zeros(0, dtype=np.int64)
_BLOCK_ARCS = 1 << 23
"""Arcs from one look at the clock to the next: a tenth of a second. One look at the 86 million of 30,000 rows and 12 columns takes 2."""


def reduced_costs(
    arcs: Arcs, worth: Numbers, surcharge: Numbers | None, values: Numbers, least: Numbers
) -> NDArray[np.float64]:
    """See `arcs.reduced_costs`. O(A)."""
    found = np.empty(len(arcs.member))
    start, member, cost, _, _, more = _arrays(arcs, worth, surcharge)
    for ends, some in _blocks(start):
        compiled(_reduced)(start[ends], member, cost[some], worth, more, values[some], least[some], found)
    return found


def opened(arcs: Arcs, worth: Numbers, charge: Numbers, surcharge: Numbers | None = None) -> tuple[Numbers, Numbers]:
    """See `arcs.opened`. O(A k) for A arcs."""
    value, least = np.zeros_like(charge, dtype=worth.dtype), np.zeros(len(arcs.cost), dtype=worth.dtype)
    start, member, cost, copies, sizes, more = _arrays(arcs, worth, surcharge)
    charge = charge.astype(worth.dtype, copy=False)
    for ends, some in _blocks(start):
        compiled(_opened)(
            start[ends], member, cost[some], copies, sizes[some], worth, more, charge[some], value[some], least[some]
        )
    return value, least


def activity(
    arcs: Arcs,
    worth: Numbers,
    charge: Numbers,
    surcharge: Numbers | None = None,
    taken_by_arc: NDArray[np.int64] | None = None,
) -> tuple[Any, NDArray[np.int64], NDArray[np.bool_]]:
    """See `arcs.activity`. O(A k) for A arcs; a pattern without a gain and without a negative charge is passed over."""
    used, negative = np.zeros(len(arcs.copies), dtype=np.int64), np.zeros(len(arcs.cost), dtype=np.bool_)
    start, member, cost, copies, sizes, more = _arrays(arcs, worth, surcharge)
    taken = _NOTHING if taken_by_arc is None else taken_by_arc
    charge, total = charge.astype(worth.dtype, copy=False), worth.dtype.type(0)
    for ends, some in _blocks(start):
        total += compiled(_activity)(
            start[ends], member, cost[some], copies, sizes[some], worth, more, charge[some], used, negative[some], taken
        )
    return worth.dtype.type(total), used, negative


def _blocks(start: NDArray[np.int64]) -> Iterator[tuple[slice, slice]]:
    """Yield where patterns begin and end, and the patterns, as many at a time as have `_BLOCK_ARCS`; look at the clock before."""
    first, last = 0, len(start) - 1
    while first < last:
        check_time()
        end = max(first + 1, int(np.searchsorted(start, start[first] + _BLOCK_ARCS, side="right")) - 1)
        yield slice(first, end + 1), slice(first, end)
        first = end


def _arrays(arcs: Arcs, worth: Numbers, surcharge: Numbers | None) -> tuple[Any, ...]:
    more = np.zeros(0, dtype=worth.dtype) if surcharge is None else surcharge.astype(worth.dtype, copy=False)
    return arcs.start, arcs.member, arcs.cost.astype(worth.dtype, copy=False), arcs.copies, arcs.least, more


@part
def _select(
    first: int, last: int, member: Any, copies: Any, k: int, price: Any, worth: Any, more: Any, best: Any, whose: Any
) -> int:
    """Fill `best` and `whose` with the gains, falling, and the arcs that the k best copies come from; return how many."""
    count, held = 0, 0
    for a in range(first, last):
        t = member[a]
        gain = worth[t] - price
        if len(more):
            gain -= more[a]
        if held >= k and gain <= best[count - 1]:
            continue
        place = count
        while place > 0 and best[place - 1] < gain:
            best[place], whose[place] = best[place - 1], whose[place - 1]
            place -= 1
        best[place], whose[place] = gain, a
        count += 1
        held += copies[t]
        while held - copies[member[whose[count - 1]]] >= k:
            held -= copies[member[whose[count - 1]]]
            count -= 1
    return count


@part
def _gained(first: int, last: int, member: Any, copies: Any, price: Any, worth: Any, more: Any) -> Any:
    """Return what the copies that gain by a pattern gain together, and how many they are."""
    total, taken = worth.dtype.type(0), 0
    for a in range(first, last):
        t = member[a]
        gain = worth[t] - price
        if len(more):
            gain -= more[a]
        if gain > 0:
            total += gain * copies[t]
            taken += copies[t]
    return total, taken


@part
def _worth_of(count: int, k: int, member: Any, copies: Any, best: Any, whose: Any) -> Any:
    """Return what the k best copies gain together."""
    total, left = best.dtype.type(0), k
    for i in range(count):
        z = min(left, copies[member[whose[i]]])
        total += best[i] * z
        left -= z
    return total


@part
def _room(sizes: Any, kind: Any) -> Any:
    """Return room for the best copies of a group of any of these sizes."""
    largest = 0
    for size in sizes:
        largest = max(largest, size)
    return np.zeros(largest + 2, dtype=kind.dtype), np.zeros(largest + 2, dtype=np.int64)


@loop(
    lambda: [(WHOLE, HALF, REAL, REAL, REAL, REAL, REAL, REAL), (WHOLE, HALF, WHOLE, WHOLE, WHOLE, WHOLE, WHOLE, REAL)],
    1,
)
def _reduced(
    start: Any, member: Any, cost: Any, worth: Any, more: Any, values: Any, least: Any, found: Any
) -> None:  # fmt: skip
    for p in range(len(cost)):
        opening, lowest = max(values[p], 0), min(least[p], 0)
        for a in range(start[p], start[p + 1]):
            gain = worth[member[a]] - cost[p]
            if len(more):
                gain -= more[a]
            found[a] = opening + max(0, lowest - gain)


@loop(lambda: [(WHOLE, HALF, of, WHOLE, WHOLE, of, of, of, of, of) for of in (REAL, WHOLE)], 2)
def _opened(
    start: Any, member: Any, cost: Any, copies: Any, sizes: Any, worth: Any, more: Any, charge: Any, value: Any, least: Any
) -> None:  # fmt: skip
    best, whose = _room(sizes, worth)
    for p in range(len(cost)):
        k = sizes[p]
        total, taken = _gained(start[p], start[p + 1], member, copies, cost[p], worth, more)
        if taken < k:
            count = _select(start[p], start[p + 1], member, copies, k, cost[p], worth, more, best, whose)
            total = _worth_of(count, k, member, copies, best, whose)
            least[p] = best[count - 1]
        value[p] = charge[p] - total


@loop(lambda: [(WHOLE, HALF, of, WHOLE, WHOLE, of, of, of, WHOLE, TRUTH, WHOLE) for of in (REAL, WHOLE)], 2)
def _activity(
    start: Any, member: Any, cost: Any, copies: Any, sizes: Any, worth: Any, more: Any, charge: Any,
    used: Any, negative: Any, taken_by_arc: Any,
) -> Any:  # fmt: skip
    best, whose = _room(sizes, worth)
    found = worth.dtype.type(0)
    for p in range(len(cost)):
        k = sizes[p]
        total, taken = _gained(start[p], start[p + 1], member, copies, cost[p], worth, more)
        if taken >= k:
            if charge[p] < total:
                negative[p] = True
                found += charge[p] - total
                for a in range(start[p], start[p + 1]):
                    t = member[a]
                    gain = worth[t] - cost[p]
                    if len(more):
                        gain -= more[a]
                    if gain > 0:
                        used[t] += copies[t]
                        if len(taken_by_arc):
                            taken_by_arc[a] = copies[t]
        elif taken > 0 or charge[p] < 0:
            if charge[p] >= total:
                # The k best copies are worth no more than the positive ones among them.
                continue
            count = _select(start[p], start[p + 1], member, copies, k, cost[p], worth, more, best, whose)
            total = _worth_of(count, k, member, copies, best, whose)
            if charge[p] < total:
                negative[p] = True
                found += charge[p] - total
                left = k
                for i in range(count):
                    z = min(left, copies[member[whose[i]]])
                    used[member[whose[i]]] += z
                    if len(taken_by_arc):
                        taken_by_arc[whose[i]] = z
                    left -= z
    return found
