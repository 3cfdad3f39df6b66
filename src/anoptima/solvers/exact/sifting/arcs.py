"""Pricing patterns, in numpy: what every pattern is worth at given multipliers.

For a pattern p of cost c_p that matches the records M(p), with s_t copies of record t, a group published as p takes z_t copies of each,
0 <= z_t <= s_t, at least k_p in all. At multipliers pi (what a copy of a record is worth), surcharges h (what a copy pays beside c_p)
and a fixed charge f_p, the best group is worth

    v_p = f_p + min { sum z_t (c_p + h_pt - pi_t) },

reached by every copy with a gain pi_t - c_p - h_pt above 0, or, if those are fewer than k_p, by the k_p copies of largest gain.
`kernels.sizes` does the same in compiled loops. The functions here serve while those loops are being compiled, and check them in
tests. Integers stay integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.patterns import Patterns, spans

COMPILED = "anoptima.solvers.exact.sifting.kernels.sizes"
"""The same in compiled loops."""

TINY = 1e-6
"""What counts as nothing: of a copy, of a pattern, of a column's weight. Where a solver's values are so near to whole, they are whole."""

Numbers = NDArray[Any]
"""Floats while searching, 64-bit integers where it must be exact."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """Patterns as arrays: p, of cost `cost[p]`, matches the records `member[start[p]:start[p + 1]]`; its groups have `least[p]` rows.

    Record t has `copies[t]` rows.
    """

    start: NDArray[np.int64]
    member: NDArray[np.int32]
    cost: NDArray[np.int64]
    copies: NDArray[np.int64]
    least: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.cost)

    @cached_property
    def k(self) -> int:
        """How many rows every group has at least, whatever its pattern: what cuts hold for; 1 where there are no patterns."""
        return int(self.least.min()) if len(self) else 1

    @cached_property
    def pattern_of(self) -> NDArray[np.int64]:
        """The pattern of each arc."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.start))

    def patterns_of(self, some: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the patterns of some arcs, looked up until somebody has asked for those of all: where there are many, these take a second.

        >>> arcs = Arcs(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32), np.array([2, 1]), np.array([1, 1]), np.array([1, 1]))
        >>> some = np.array([2, 0, 1])
        >>> arcs.patterns_of(some).tolist(), arcs.pattern_of[some].tolist(), arcs.patterns_of(some).tolist()
        ([1, 0, 0], [1, 0, 0], [1, 0, 0])
        """
        if "pattern_of" in vars(self):
            return self.pattern_of[some]
        return np.searchsorted(self.start, some, side="right") - 1

    @cached_property
    def by_record(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The arcs of every record, cheapest first, and where each record's begin.

        >>> arcs = Arcs(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32), np.array([2, 1]), np.array([1, 1]), np.array([1, 1]))
        >>> order, start = arcs.by_record
        >>> order.tolist(), start.tolist()
        ([0, 2, 1], [0, 1, 3])
        """
        start = np.concatenate([[0], np.cumsum(np.bincount(self.member, minlength=len(self.copies)))])
        by_cost = spans(self.start, np.argsort(self.cost, kind="stable"))
        # NumPy sorts numbers of 16 bits place by place, in time that grows with the arcs alone.
        small = np.uint16 if len(self.copies) <= 1 << 16 else np.int32
        return by_cost[np.argsort(self.member[by_cost].astype(small), kind="stable")], start

    @cached_property
    def position(self) -> NDArray[np.int64]:
        """The place of every arc in the order of `by_record`."""
        order, _ = self.by_record
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return place

    def times(self, d: int) -> Arcs:
        """Return the arcs with costs in parts of 1 / `d`."""
        return replace(self, cost=self.cost * d)

    def blocks(self, most: int) -> Iterator[tuple[Arcs, slice, slice]]:
        """Yield the patterns by blocks of at most `most` arcs, or of one pattern, with the places of its patterns and arcs among all."""
        first = 0
        while first < len(self):
            last = max(first + 1, int(np.searchsorted(self.start, self.start[first] + most, side="right")) - 1)
            yield self.block(first, last), slice(first, last), slice(int(self.start[first]), int(self.start[last]))
            first = last

    def block(self, first: int, last: int) -> Arcs:
        """Return the patterns from `first` up to `last` alone.

        >>> arcs = Arcs(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32), np.array([0, 1]), np.array([1, 1]), np.array([1, 1]))
        >>> arcs.block(1, 2).start.tolist(), arcs.block(1, 2).member.tolist()
        ([0, 1], [1])
        """
        start = self.start[first : last + 1]
        member = self.member[start[0] : start[-1]]
        return Arcs(start - start[0], member, self.cost[first:last], self.copies, self.least[first:last])


def arcs_of(patterns: Patterns, copies: NDArray[np.int64], k: int) -> Arcs:
    """Return the arcs of patterns whose groups all have `k` rows at least."""
    return Arcs(patterns.start, patterns.member, patterns.cost, copies, np.full(len(patterns), k, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Part:
    """Some of the patterns with some of their arcs, in the order of all: what a search near good multipliers needs to look at."""

    arcs: Arcs
    patterns: NDArray[np.int64]
    chosen: NDArray[np.int64]


def part_of(arcs: Arcs, chosen: NDArray[np.int64]) -> Part:
    """Return the part of the arcs `chosen` (rising), and of their patterns. O(patterns + chosen).

    >>> arcs = Arcs(np.array([0, 3, 5]), np.array([0, 1, 2, 1, 2], np.int32), np.array([2, 1]), np.array([1, 1, 1]), np.array([2, 2]))
    >>> part = part_of(arcs, np.array([3, 4]))
    >>> part.patterns.tolist(), part.arcs.start.tolist(), part.arcs.member.tolist(), part.arcs.cost.tolist()
    ([1], [0, 2], [1, 2], [1])
    """
    place = np.searchsorted(chosen, arcs.start)
    patterns = np.flatnonzero(np.diff(place))
    start = np.append(place[patterns], len(chosen))
    return Part(
        Arcs(start, arcs.member[chosen], arcs.cost[patterns], arcs.copies, arcs.least[patterns]), patterns, chosen
    )


def reduced_costs(arcs: Arcs, worth: Numbers, surcharge: Numbers | None, values: Numbers, least: Numbers) -> Numbers:
    """Return for every arc how much at least it costs to make a release use it, given what `opened` returned. O(A).

    Opening a pattern costs max(0, v_p); taking a copy that its best group does without, the difference to the least gain it takes.

    >>> arcs = Arcs(np.array([0, 3, 5]), np.array([0, 1, 2, 1, 2], np.int32), np.array([2, 1]), np.array([1, 1, 1]), np.array([2, 2]))
    >>> worth = np.array([4, 2, 0])
    >>> reduced_costs(arcs, worth, None, *opened(arcs, worth, np.array([0, 0]))).tolist()
    [0, 0, 2, 0, 0]
    """
    lengths = np.diff(arcs.start)
    gain = _gains(arcs, worth, surcharge)
    lack = np.repeat(np.minimum(least, 0), lengths) - gain
    found: Numbers = np.maximum(0, lack) + np.repeat(np.maximum(values, 0), lengths)
    return found


def opened(arcs: Arcs, worth: Numbers, charge: Numbers, surcharge: Numbers | None = None) -> tuple[Numbers, Numbers]:
    """Return v_p for every pattern, and the least gain that its best group takes. O(A log A) for A arcs.

    >>> arcs = Arcs(np.array([0, 3, 5]), np.array([0, 1, 2, 1, 2], np.int32), np.array([2, 1]), np.array([1, 1, 1]), np.array([2, 2]))
    >>> values, least = opened(arcs, np.array([4, 2, 0]), np.array([0, 0]))
    >>> values.tolist(), least.tolist()
    ([-2, 0], [0, -1])
    """
    gained, least, *_ = _best(arcs, _gains(arcs, worth, surcharge), np.arange(len(arcs)))
    return charge - gained, least


def activity(
    arcs: Arcs,
    worth: Numbers,
    charge: Numbers,
    surcharge: Numbers | None = None,
    taken_by_arc: NDArray[np.int64] | None = None,
) -> tuple[Any, NDArray[np.int64], NDArray[np.bool_]]:
    """Return the sum of min(0, v_p), how many copies of each record the patterns with v_p < 0 take, and which patterns those are.

    `taken_by_arc`, all 0 before, is filled with the copies that are taken along each arc.

    O(A), and O(B log B) for the B arcs of patterns that have some gain or a charge below 0: no others can be worth taking.

    >>> arcs = Arcs(np.array([0, 3, 5]), np.array([0, 1, 2, 1, 2], np.int32), np.array([2, 1]), np.array([1, 1, 1]), np.array([2, 2]))
    >>> total, used, negative = activity(arcs, np.array([4, 2, 0]), np.array([0, 0]))
    >>> int(total), used.tolist(), negative.tolist()
    (-2, [1, 1, 0], [True, False])
    """
    gain = _gains(arcs, worth, surcharge)
    negative = np.zeros(len(arcs.cost), dtype=np.bool_)
    used = np.zeros(len(arcs.copies), dtype=np.int64)
    hopeful = np.flatnonzero((np.maximum.reduceat(gain, arcs.start[:-1]) > 0) | (charge < 0))
    if not len(hopeful):
        return worth.dtype.type(0), used, negative
    gained, _, at, owner, taken = _best(arcs, gain, hopeful)
    value = charge[hopeful] - gained
    negative[hopeful] = value < 0
    at, taken = at[value[owner] < 0], taken[value[owner] < 0]
    if taken_by_arc is not None:
        taken_by_arc[at] = taken
    return value[value < 0].sum(), sums(arcs.member[at], taken, len(used)), negative


def _gains(arcs: Arcs, worth: Numbers, surcharge: Numbers | None) -> Numbers:
    gain: Numbers = worth[arcs.member] - np.repeat(arcs.cost.astype(worth.dtype), np.diff(arcs.start))
    return gain if surcharge is None else gain - surcharge


def sums(place: NDArray[Any], amounts: Numbers, length: int) -> Numbers:
    """Sum `amounts` by place in their own type; `np.bincount` would make floats of integers."""
    if amounts.dtype.kind == "f":
        return np.bincount(place, amounts, length).astype(amounts.dtype, copy=False)
    found = np.zeros(length, dtype=amounts.dtype)
    np.add.at(found, place, amounts)
    return found


def owners(start: NDArray[np.int64], which: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return of each number that `patterns.spans` returns which it is of, by place in `which`.

    >>> owners(np.array([0, 2, 5]), np.array([1, 0])).tolist()
    [0, 0, 0, 1, 1]
    """
    return np.repeat(np.arange(len(which)), start[which + 1] - start[which])


def _best(arcs: Arcs, gain: Numbers, patterns: NDArray[np.int64]) -> tuple[Numbers, ...]:
    """Return what the best group of each of some patterns gains, and the least gain that it takes; then, along their arcs, what it takes.

    That is three arrays: the arcs, whose they are by place in `patterns`, and the copies.
    """
    at, owner = spans(arcs.start, patterns), owners(arcs.start, patterns)
    gains, copies, wanted = gain[at], arcs.copies[arcs.member[at]], arcs.least[patterns]
    taken = np.where(gains > 0, copies, 0)
    short = np.flatnonzero((sums(owner, taken, len(patterns)) < wanted)[owner])
    short = short[np.lexsort((-gains[short], owner[short]))]
    whose, amount = owner[short], copies[short]
    before = np.cumsum(amount) - amount
    taken[short] = np.clip(wanted[whose] - (before - before[np.searchsorted(whose, whose)]), 0, amount)
    least = np.zeros(len(patterns), dtype=gain.dtype)
    last = short[taken[short] > 0]
    # Arcs come by falling gain, so what is written last is the least.
    least[owner[last]] = gains[last]
    return sums(owner, taken * gains, len(patterns)), least, at, owner, taken
