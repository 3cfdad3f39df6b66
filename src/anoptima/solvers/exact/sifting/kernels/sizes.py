"""Pricing patterns in compiled loops: the same as `arcs`, faster."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.solvers.compiling.loops import HALF, REAL, TRUTH, WHOLE, compiled, loop, part
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers
from anoptima.solvers.exact.sifting.kernels.rows import gain_along

_NOTHING = np.zeros(0, dtype=np.int64)
_BLOCK_ARCS = 1 << 23
"""Arcs from one look at the clock to the next: a tenth of a second. One look at the 86 million of 30,000 rows and 12 columns takes 2."""


def reduced_costs(
    arcs: Arcs, worth: Numbers, surcharge: Numbers | None, values: Numbers, least: Numbers
) -> NDArray[np.float64]:
    """See `arcs.reduced_costs`. O(A)."""
    found, more = np.empty(len(arcs.member)), _of_kind(worth, surcharge)
    for block, some, own in arcs.blocks(_BLOCK_ARCS):
        check_time()
        cost = _of_kind(worth, block.cost)
        compiled(_reduced)(block.start, block.member, cost, worth, more[own], values[some], least[some], found[own])
    return found


def opened(arcs: Arcs, worth: Numbers, charge: Numbers, surcharge: Numbers | None = None) -> tuple[Numbers, Numbers]:
    """See `arcs.opened`. O(A k) for A arcs."""
    value, least = np.zeros(len(arcs), dtype=worth.dtype), np.zeros(len(arcs), dtype=worth.dtype)
    charge, more = _of_kind(worth, charge), _of_kind(worth, surcharge)
    for block, some, own in arcs.blocks(_BLOCK_ARCS):
        check_time()
        start, member, cost, copies, sizes = _arrays(block, worth)
        compiled(_opened)(start, member, cost, copies, sizes, worth, more[own], charge[some], value[some], least[some])
    return value, least


def activity(
    arcs: Arcs,
    worth: Numbers,
    charge: Numbers,
    surcharge: Numbers | None = None,
    taken_by_arc: NDArray[np.int64] | None = None,
) -> tuple[Any, NDArray[np.int64], NDArray[np.bool_]]:
    """See `arcs.activity`. O(A k) for A arcs; a pattern without a gain and without a negative charge is passed over."""
    used, negative = np.zeros(len(arcs.copies), dtype=np.int64), np.zeros(len(arcs), dtype=np.bool_)
    taken, total = _NOTHING if taken_by_arc is None else taken_by_arc, worth.dtype.type(0)
    charge, more = _of_kind(worth, charge), _of_kind(worth, surcharge)
    for block, some, own in arcs.blocks(_BLOCK_ARCS):
        check_time()
        start, member, cost, copies, sizes = _arrays(block, worth)
        total += compiled(_activity)(
            start, member, cost, copies, sizes, worth, more[own], charge[some], used, negative[some], taken[own]
        )
    return worth.dtype.type(total), used, negative


def _of_kind(worth: Numbers, numbers: Numbers | None) -> Numbers:
    """Return numbers of the kind that worths are; none for nothing."""
    return np.zeros(0, dtype=worth.dtype) if numbers is None else numbers.astype(worth.dtype, copy=False)


def _arrays(arcs: Arcs, worth: Numbers) -> tuple[Any, ...]:
    return arcs.start, arcs.member, _of_kind(worth, arcs.cost), arcs.copies, arcs.least


@part
def _select(
    first: int, last: int, member: Any, copies: Any, k: int, price: Any, worth: Any, more: Any, best: Any, whose: Any
) -> Any:
    """Fill `best` and `whose` with the gains, falling, and the arcs that the k best copies come from; return how many, and the sum."""
    count, held = 0, 0
    for a in range(first, last):
        gain = gain_along(a, member, price, worth, more)
        if held >= k and gain <= best[count - 1]:
            continue
        place = count
        while place > 0 and best[place - 1] < gain:
            best[place], whose[place] = best[place - 1], whose[place - 1]
            place -= 1
        best[place], whose[place] = gain, a
        count += 1
        held += copies[member[a]]
        while held - copies[member[whose[count - 1]]] >= k:
            held -= copies[member[whose[count - 1]]]
            count -= 1
    total, left = best.dtype.type(0), k
    for i in range(count):
        z = min(left, copies[member[whose[i]]])
        total += best[i] * z
        left -= z
    return count, total


@part
def _gained(first: int, last: int, member: Any, copies: Any, price: Any, worth: Any, more: Any) -> Any:
    """Return what the copies that gain by a pattern gain together, and how many they are."""
    total, taken = worth.dtype.type(0), 0
    for a in range(first, last):
        gain = gain_along(a, member, price, worth, more)
        if gain > 0:
            total += gain * copies[member[a]]
            taken += copies[member[a]]
    return total, taken


@part
def _room(sizes: Any, kind: Any) -> Any:
    """Return room for the best copies of a group of any of these sizes."""
    largest = sizes.max()
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
            found[a] = opening + max(0, lowest - gain_along(a, member, cost[p], worth, more))


@loop(lambda: [(WHOLE, HALF, of, WHOLE, WHOLE, of, of, of, of, of) for of in (REAL, WHOLE)], 2)
def _opened(
    start: Any, member: Any, cost: Any, copies: Any, sizes: Any, worth: Any, more: Any, charge: Any, value: Any, least: Any
) -> None:  # fmt: skip
    best, whose = _room(sizes, worth)
    for p in range(len(cost)):
        k = sizes[p]
        total, taken = _gained(start[p], start[p + 1], member, copies, cost[p], worth, more)
        if taken < k:
            count, total = _select(start[p], start[p + 1], member, copies, k, cost[p], worth, more, best, whose)
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
        count = 0
        # The k best copies are worth no more than those that gain.
        if taken < k and charge[p] < total:
            count, total = _select(start[p], start[p + 1], member, copies, k, cost[p], worth, more, best, whose)
        if charge[p] >= total:
            continue
        negative[p] = True
        found += charge[p] - total
        if count:
            left = k
            for i in range(count):
                a, t = whose[i], member[whose[i]]
                z = min(left, copies[t])
                used[t] += z
                left -= z
                if len(taken_by_arc):
                    taken_by_arc[a] = z
        else:
            for a in range(start[p], start[p + 1]):
                if gain_along(a, member, cost[p], worth, more) > 0:
                    t = member[a]
                    used[t] += copies[t]
                    if len(taken_by_arc):
                        taken_by_arc[a] = copies[t]
    return found
