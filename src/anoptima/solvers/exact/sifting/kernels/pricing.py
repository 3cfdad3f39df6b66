"""Pricing every pattern in compiled loops: the same as `rules.pricing`, some hundred times faster."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.solvers.compiling.loops import HALF, REAL, WHOLE, compiled, loop
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels.distinct import best_distinct
from anoptima.solvers.exact.sifting.kernels.shares import best_frequency, frequency_may_gain
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling
from anoptima.solvers.exact.sifting.kernels.total_variation import best_equal
from anoptima.solvers.exact.sifting.kernels.tree import Edges, price_tree
from anoptima.solvers.exact.sifting.kernels.whole_rows import Asked, Rows, room_for
from anoptima.solvers.exact.sifting.rules import pricing
from anoptima.solvers.exact.sifting.rules.pricing import TINY
from anoptima.solvers.exact.sifting.rules.rule import Numbers, Rule
from anoptima.solvers.exact.sifting.rules.tree import Tree

_BLOCK = 100_000
"""Arcs times edges of a tree that are priced between two looks at the clock; a tenth of a second or so."""


def price_all(
    rule: Rule, arcs: Arcs, worth: Numbers, multiples: int = 1, *, everything: bool = False
) -> tuple[Numbers, Numbers]:
    """See `pricing.price_all`. O(A log A) for A arcs, times log N."""
    if rule.kind is None:
        return pricing.price_all(rule, arcs, worth, multiples, everything=everything)
    prices = np.zeros(len(arcs), dtype=worth.dtype)
    taken = np.zeros(len(arcs.member))
    compiled(_price_all)(
        rule.kind,
        rule.numbers,
        rule.values,
        rule.value,
        arcs.start,
        arcs.member,
        arcs.cost.astype(worth.dtype),
        arcs.copies,
        arcs.least,
        worth,
        everything,
        prices,
        taken,
    )
    if multiples != rule.scale:
        prices *= multiples // rule.scale
    if rule.scale != 1:
        taken /= rule.scale
    return prices, taken


def reduced_costs(rule: Rule, arcs: Arcs, worth: Numbers, values: Numbers, taken: Numbers) -> Numbers:
    """See `pricing.reduced_costs`. O(A)."""
    found = np.empty(len(arcs.member))
    compiled(_reduced_costs)(
        rule.values, rule.value, arcs.start, arcs.member, arcs.cost, arcs.copies, worth, values, taken, found
    )
    return found


def price_tree_all(
    rule: Tree, lam: Numbers, arcs: Arcs, worth: Numbers, everything: bool
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return F_p of every pattern at its `lam`, which is made better, what the best groups take of each arc, slopes, prices of edges."""
    prices, taken = np.zeros(len(arcs)), np.zeros(len(arcs.member))
    slope, theta = np.zeros(len(arcs)), np.zeros((len(arcs), len(rule.first)))
    place = np.argsort(rule.order)[rule.value]
    tree = Edges(rule.first, rule.last, rule.length, rule.below)
    # A pass takes long where there are many values, and compiled loops do not look at the clock.
    work = np.cumsum((np.diff(arcs.start) + 1) * (len(rule.first) + 1))
    ends = np.flatnonzero(np.diff(work // _BLOCK, append=-1)) + 1
    for one, end in pairwise([0, *ends.tolist()]):
        check_time()
        block, within = arcs.block(one, end), slice(int(arcs.start[one]), int(arcs.start[end]))
        compiled(price_tree)(
            block.start,
            block.member,
            block.cost.astype(float),
            block.copies,
            block.least,
            place,
            rule.values,
            tree,
            rule.t,
            lam[one:end],
            worth,
            everything,
            prices[one:end],
            taken[within],
            slope[one:end],
            theta[one:end],
        )
    return prices, taken, slope, theta


def _examples() -> list[tuple[Any, ...]]:
    arcs = WHOLE, HALF
    return [(1, WHOLE, 1, HALF, *arcs, of, WHOLE, WHOLE, of, True, of, REAL) for of in (REAL, WHOLE)]


@loop(lambda: [(1, HALF, WHOLE, HALF, WHOLE, WHOLE, REAL, REAL, REAL, REAL)], 1)
def _reduced_costs(
    values: int,
    value: Any,
    start: Any,
    member: Any,
    cost: Any,
    copies: Any,
    worth: Any,
    worths: Any,
    taken: Any,
    found: Any,
) -> None:
    left_out = np.empty(values)
    for p in range(len(cost)):
        lowest = 0.0
        for a in range(start[p], start[p + 1]):
            left_out[value[member[a]]] = -np.inf
            if taken[a] > TINY:
                lowest = min(lowest, worth[member[a]] - cost[p])
        for a in range(start[p], start[p + 1]):
            r = member[a]
            if copies[r] - taken[a] > TINY:
                left_out[value[r]] = max(left_out[value[r]], worth[r] - cost[p])
        for a in range(start[p], start[p + 1]):
            r = member[a]
            if taken[a] > TINY and worths[p] < TINY:
                found[a] = 0.0
            else:
                least = max(lowest, left_out[value[r]])
                found[a] = max(0.0, worths[p]) + max(0.0, least - worth[r] + cost[p])


@loop(_examples, 17)
def _price_all(
    kind: int,
    numbers: Any,
    values: int,
    value: Any,
    start: Any,
    member: Any,
    cost: Any,
    copies: Any,
    least: Any,
    worth: Any,
    everything: bool,
    prices: Any,
    taken: Any,
) -> None:
    longest = 0
    for p in range(len(cost)):
        longest = max(longest, start[p + 1] - start[p])
    raw, gain = np.empty(longest, dtype=worth.dtype), np.empty(longest, dtype=worth.dtype)
    loose, code = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    count, group = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.float64)
    have, got = np.zeros(values, dtype=np.int64), np.zeros(values, dtype=np.int64)
    seen, best = np.zeros(values, dtype=np.bool_), np.zeros(values, dtype=worth.dtype)
    order, spare = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    asked = Asked(numbers[2:], numbers[0], numbers[1], numbers[2:].sum())
    room = room_for(len(asked.whole), longest if kind == 2 else 1, group)
    for p in range(len(cost)):
        first, length = start[p], start[p + 1] - start[p]
        hopeful = False
        for i in range(length):
            raw[i] = worth[member[first + i]] - cost[p]
            loose[i] = value[member[first + i]]
            hopeful = hopeful or raw[i] > 0
        if not everything:
            if not hopeful:
                continue
            if kind == 0 and not frequency_may_gain(loose, raw, length, numbers[0], numbers[1], seen, best):
                continue
        for i in range(length):
            order[i] = i
        sort_falling(order, length, raw, spare)
        for i in range(length):
            gain[i] = raw[order[i]]
            code[i] = loose[order[i]]
            count[i] = copies[member[first + order[i]]]
        if kind == 3:
            found = best_distinct(gain, count, code, length, least[p], 0, seen, group)
        elif kind == 0:
            found = best_frequency(gain, count, code, length, least[p], numbers[0], numbers[1], have, got, seen, group)
        elif kind == 1:
            found = best_distinct(gain, count, code, length, least[p], numbers[0], seen, group)
        else:
            rows = Rows(gain, count, code, length)
            found = best_equal(rows, least[p], asked.n, asked, everything, 1, room)
        if found > 0 or everything:
            prices[p] = found
            for i in range(length):
                taken[first + order[i]] = group[i]
