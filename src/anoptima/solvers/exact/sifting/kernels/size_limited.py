"""Pricing groups of limited sizes under one rule of equal closeness.

What a row is worth may differ by pattern and value, and a pattern may have to have a group: then it is priced whatever the sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.solvers.compiling.loops import HALF, REAL, TRUTH, WHOLE, fastest, loop
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling
from anoptima.solvers.exact.sifting.kernels.total_variation import best_equal
from anoptima.solvers.exact.sifting.kernels.whole_rows import Asked, Rows, room_for
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import MOST_CASES, Sizes, TotalVariation


def price_within(
    rule: TotalVariation, arcs: Arcs, worth: Numbers, shift: Numbers, sizes: Sizes
) -> tuple[Numbers, Numbers]:
    """Return `rule.scale` times F_p for every pattern, at least, and what its best group takes of each arc.

    `shift` (patterns x values) is added to the worths. What must be open is priced, all else where that is above 0.
    O(A (log A + log N + sizes tried)) for A arcs.
    """
    prices, taken = np.zeros(len(arcs)), np.zeros(len(arcs.member))
    fastest(_price_within)(
        rule.numbers,
        rule.value,
        arcs.start,
        arcs.member,
        arcs.cost.astype(float),
        arcs.copies,
        sizes.least,
        sizes.most,
        sizes.opened,
        worth,
        shift,
        MOST_CASES,
        prices,
        taken,
    )
    return prices, taken / rule.scale


def _examples() -> list[tuple[Any, ...]]:
    return [(WHOLE, HALF, WHOLE, HALF, REAL, WHOLE, WHOLE, WHOLE, TRUTH, REAL, np.zeros((1, 1)), 1, REAL, REAL)]


@loop(_examples, 2)
def _price_within(
    numbers: Any,
    value: Any,
    start: Any,
    member: Any,
    cost: Any,
    copies: Any,
    least: Any,
    most: Any,
    opened: Any,
    worth: Any,
    shift: Any,
    most_cases: int,
    prices: Any,
    taken: Any,
) -> None:
    asked = Asked(numbers[2:], numbers[0], numbers[1], numbers[2:].sum())
    longest = 0
    for p in range(len(cost)):
        longest = max(longest, start[p + 1] - start[p])
    raw, gain, group = np.empty(longest), np.empty(longest), np.zeros(longest)
    code, count = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    order, spare = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    room = room_for(len(asked.whole), longest, group)
    for p in range(len(cost)):
        if least[p] > most[p]:
            continue
        first, length = start[p], start[p + 1] - start[p]
        hopeful = opened[p]
        for i in range(length):
            r = member[first + i]
            raw[i] = worth[r] - cost[p] + shift[p, value[r]]
            hopeful = hopeful or raw[i] > 0
        if not hopeful:
            continue
        for i in range(length):
            order[i] = i
        sort_falling(order, length, raw, spare)
        for i in range(length):
            r = member[first + order[i]]
            gain[i], code[i], count[i], group[i] = raw[order[i]], value[r], copies[r], 0.0
        rows = Rows(gain, count, code, length)
        found = best_equal(rows, least[p], most[p], asked, opened[p], most_cases, room)
        if found > 0 or opened[p]:
            prices[p] = found
            for i in range(length):
                taken[first + order[i]] = group[i]
