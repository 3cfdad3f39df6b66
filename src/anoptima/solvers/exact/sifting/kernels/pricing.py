"""Pricing every pattern under the rules of a principle, one after the other.

A group of a pattern p of cost c_p is worth at most F_p (`rules.rule`) at the gains pi_r - c_p. Groups of one pattern count as one, since
all rules are closed under union: so what all patterns are worth is a bound (`bound.dual`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.deadline import check_time
from anoptima.solvers.compiling.loops import HALF, REAL, WHOLE, compiled, is_ready, loop
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels.copying import copy_to
from anoptima.solvers.exact.sifting.kernels.distinct import best_alike, best_distinct, is_alike_or_more
from anoptima.solvers.exact.sifting.kernels.outweighed import best_outweighed, is_outweighed
from anoptima.solvers.exact.sifting.kernels.rows import Rows, Tallies, gain_along
from anoptima.solvers.exact.sifting.kernels.shares import best_frequency, frequency_may_gain
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling
from anoptima.solvers.exact.sifting.kernels.total_variation import best_equal
from anoptima.solvers.exact.sifting.kernels.tree import price_tree
from anoptima.solvers.exact.sifting.kernels.whole_rows import Asked, room_for
from anoptima.solvers.exact.sifting.rules.rule import (
    DIFFERENT,
    ENTROPY,
    ON_TREE,
    OUTWEIGHED,
    SHARES,
    TOTAL_VARIATION,
    Counts,
    Numbers,
    Rule,
)
from anoptima.solvers.exact.sifting.rules.total_variation import MOST_CASES, Sizes
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.side_by_side import side_by_side

TINY = 1e-6
"""Copies, and parts of a column's weight, that do not count."""
_BLOCK, _PLAIN_BLOCK = 100_000, 1_000
"""Arcs times edges of a tree that are priced between two looks at the clock, and arcs in plain loops; a tenth of a second or so."""


class Charges(NamedTuple):
    """What cuts charge each pattern, and each copy along an arc; nothing where there are no numbers.

    A pattern with a charge below 0 is priced as one that has a group, for it may be worth opening whatever that gains.
    """

    pattern: Numbers
    arc: Numbers

    def of(self, patterns: slice, arcs: slice) -> Charges:
        """Return the charges of some patterns and of their arcs."""
        return Charges(self.pattern[patterns], self.arc[arcs])

    def before(self, prices: Numbers) -> Numbers:
        """Return what patterns are worth: the charge of each, less what its best group gains."""
        return self.pattern - prices if len(self.pattern) else -prices

    def like(self, worth: Numbers) -> Charges:
        """Return the same in numbers of the kind that worths are."""
        return Charges(*(own.astype(worth.dtype, copy=False) for own in self))


NOTHING = Charges(np.zeros(0), np.zeros(0))


def is_prepared() -> bool:
    """Tell whether these loops can be had compiled at once."""
    return is_ready(_price_all, _reduced_costs, price_tree)


def price_all(
    rule: Rule,
    arcs: Arcs,
    worth: Numbers,
    *,
    everything: bool = False,
    plain: bool = False,
    charges: Charges = NOTHING,
    sizes: Sizes | None = None,
) -> tuple[Numbers, Numbers]:
    """Return the rule's `scale` times F_p for every pattern, and what each best group takes of each arc, in copies.

    Under equal closeness groups may be limited to `sizes`: then more cases of a size are told apart, and what is opened must have a group.

    Where F_p is not above 0, it is 0 and nothing is taken, unless `everything` is asked for, or the pattern has a charge below 0. Gains are
    less what arcs are charged; what patterns are is not taken off. O(A log A) for A arcs, times log N; `plain` loops are some hundred times
    slower.
    """
    prices, taken = np.zeros(len(arcs), dtype=worth.dtype), np.zeros(len(arcs.member))
    least, most, cases = arcs.least, WHOLE, 1
    if sizes is not None:
        least, most, cases = sizes.least, sizes.most, MOST_CASES
        charges = charges._replace(pattern=-sizes.opened.astype(worth.dtype))
    if rule.kind is None:
        _price_by_itself(rule, arcs, worth, everything, charges, (prices, taken))
        return prices, taken
    price = _price_all if plain else compiled(_price_all)
    for block, patterns, own in arcs.blocks(_PLAIN_BLOCK if plain else len(arcs.member)):
        if plain:
            check_time()
        price(
            rule.kind,
            rule.numbers,
            rule.values,
            rule.value,
            block.start,
            block.member,
            block.cost.astype(worth.dtype),
            block.copies,
            least[patterns],
            most[patterns],
            cases,
            worth,
            everything,
            prices[patterns],
            taken[own],
            *charges.of(patterns, own).like(worth),
        )
    if rule.scale != 1:
        taken /= rule.scale
    return prices, taken


def _price_by_itself(
    rule: Rule, arcs: Arcs, worth: Numbers, everything: bool, charges: Charges, found: tuple[Numbers, Numbers]
) -> None:
    """Price every pattern by a rule that has no loop, in the rule's scale; `found` is filled with prices and what is taken."""
    prices, taken = found
    charge, surcharge = charges.like(worth)
    for p in range(len(arcs)):
        check_time()
        own = slice(arcs.start[p], arcs.start[p + 1])
        gain = worth[arcs.member[own]] - arcs.cost[p].astype(worth.dtype)
        if len(surcharge):
            gain -= surcharge[own]
        is_asked = everything or (len(charge) > 0 and charge[p] < 0)
        if not is_asked and gain.max() <= 0:
            continue
        order = np.argsort(-gain, kind="stable")
        record = arcs.member[own][order]
        best, group = rule.price(gain[order], arcs.copies[record], rule.value[record], int(arcs.least[p]))
        if best > 0 or is_asked:
            prices[p] = best
            taken[arcs.start[p] + order] = group


def reduced_costs(
    rule: Rule,
    arcs: Arcs,
    worth: Numbers,
    values: Numbers,
    taken: Numbers,
    *,
    plain: bool = False,
    surcharge: Numbers = NOTHING.arc,
) -> Numbers:
    """Return a price of using each arc, where pattern p is worth `values[p]` and its best group has `taken`. O(A).

    It is 0 for arcs in groups that are worth opening. Otherwise it is the price of opening the pattern, and what the arc's gain is below
    the least that would be taken: of its own value if some gain of that is left out, of any value but for 0 otherwise. It guides only.
    """
    found = np.empty(len(arcs.member))
    reduce = _reduced_costs if plain else compiled(_reduced_costs)
    reduce(
        rule.values, rule.value, arcs.start, arcs.member, arcs.cost, arcs.copies, worth, values, taken, found, surcharge
    )
    return found


def price_tree_all(
    rule: Tree,
    lam: Numbers,
    arcs: Arcs,
    worth: Numbers,
    everything: bool,
    threads: int = 1,
    sizes: Counts | None = None,
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return F_p of every pattern at its `lam`, which is made better, what the best groups take of each arc, slopes, prices of edges.

    Where `everything` is asked for, patterns whose rows all gain nothing are priced as if closeness asked for nothing. `sizes` of the best
    groups, as they were last time, save most of the search for them, and become those of this time.
    """
    sizes = np.zeros(len(arcs), dtype=np.int64) if sizes is None else sizes
    prices, taken = np.zeros(len(arcs)), np.zeros(len(arcs.member))
    slope, theta = np.zeros(len(arcs)), np.zeros((len(arcs), len(rule.first)))
    place = np.argsort(rule.order)[rule.value]

    def price(own: tuple[Arcs, slice, slice]) -> None:
        block, patterns, its = own
        check_time()
        compiled(price_tree)(
            block.start,
            block.member,
            block.cost.astype(float),
            block.copies,
            block.least,
            place,
            rule.values,
            rule.tree,
            rule.t,
            lam[patterns],
            sizes[patterns],
            worth,
            everything,
            prices[patterns],
            taken[its],
            slope[patterns],
            theta[patterns],
        )

    side_by_side(price, list(arcs.blocks(_BLOCK // (len(rule.first) + 1))), threads)
    return prices, taken, slope, theta


def _examples() -> list[tuple[Any, ...]]:
    arcs = WHOLE, HALF
    return [(1, WHOLE, 1, HALF, *arcs, of, WHOLE, WHOLE, WHOLE, 1, of, True, of, REAL, of, of) for of in (REAL, WHOLE)]


@loop(lambda: [(1, HALF, WHOLE, HALF, WHOLE, WHOLE, REAL, REAL, REAL, REAL, REAL)], 1)
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
    more: Any,
) -> None:
    left_out = np.empty(values)
    for p in range(len(cost)):
        lowest = 0.0
        for a in range(start[p], start[p + 1]):
            left_out[value[member[a]]] = -np.inf
            if taken[a] > TINY:
                lowest = min(lowest, gain_along(a, member, cost[p], worth, more))
        for a in range(start[p], start[p + 1]):
            r = member[a]
            if copies[r] - taken[a] > TINY:
                left_out[value[r]] = max(left_out[value[r]], gain_along(a, member, cost[p], worth, more))
        for a in range(start[p], start[p + 1]):
            r = member[a]
            if taken[a] > TINY and worths[p] < TINY:
                found[a] = 0.0
            else:
                least = max(lowest, left_out[value[r]])
                found[a] = max(0.0, worths[p]) + max(0.0, least - gain_along(a, member, cost[p], worth, more))


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
    most: Any,
    most_cases: int,
    worth: Any,
    everything: bool,
    prices: Any,
    taken: Any,
    charge: Any,
    more: Any,
) -> None:
    longest = 0
    for p in range(len(cost)):
        longest = max(longest, start[p + 1] - start[p])
    raw, gain = np.empty(longest, dtype=worth.dtype), np.empty(longest, dtype=worth.dtype)
    loose, code = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    count, group = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.float64)
    spared = np.empty(longest if kind == ENTROPY else 1, dtype=np.float64)
    limited = numbers[2:] if kind == SHARES else np.ones(values, dtype=np.int64)
    have, got = np.zeros(values, dtype=np.int64), np.zeros(values, dtype=np.int64)
    seen, best = np.zeros(values, dtype=np.bool_), np.zeros(values, dtype=worth.dtype)
    tallies = Tallies(have, got, best, seen, limited)
    order, spare = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    asked = Asked(numbers[2:], numbers[0], numbers[1], numbers[2:].sum())
    room = room_for(len(asked.whole), longest if kind == TOTAL_VARIATION else 1, group)
    for p in range(len(cost)):
        if len(most) and least[p] > most[p]:
            continue
        first, length = start[p], start[p + 1] - start[p]
        hopeful = False
        for i in range(length):
            raw[i] = gain_along(first + i, member, cost[p], worth, more)
            loose[i] = value[member[first + i]]
            hopeful = hopeful or raw[i] > 0
        is_asked = everything or (len(charge) > 0 and charge[p] < 0)
        if not is_asked:
            if not hopeful:
                continue
            if kind == SHARES and not frequency_may_gain(loose, raw, length, numbers[0], numbers[1], tallies):
                continue
        sort_falling(order, length, raw, spare)
        for i in range(length):
            gain[i] = raw[order[i]]
            code[i] = loose[order[i]]
            count[i] = copies[member[first + order[i]]]
        rows = Rows(gain, count, code, length)
        if kind == SHARES:
            found = best_frequency(rows, least[p], numbers[0], numbers[1], tallies, group)
        elif kind == DIFFERENT:
            found = best_distinct(rows, least[p], numbers[0], seen, group)
        elif kind == ON_TREE:
            found = best_distinct(rows, least[p], 0, seen, group)
        elif kind == OUTWEIGHED:
            # Most groups that are best by their number of values satisfy the condition, or gain nothing.
            above, below, level, different = numbers[0], numbers[1], numbers[2], numbers[3]
            found = best_distinct(rows, least[p], different, seen, group)
            if (is_asked or found > 0) and not is_outweighed(rows, group, above, below, level, tallies):
                found = best_outweighed(rows, least[p], above, below, level, different, tallies, group)
        elif kind == ENTROPY:
            # Perhaps no more values than must occur are enough only if they are equally frequent.
            found = best_distinct(rows, least[p], numbers[0], seen, group)
            if numbers[1] and (is_asked or found > 0) and not is_alike_or_more(rows, group, numbers[0], have):
                found = best_distinct(rows, least[p], numbers[0] + 1, seen, group)
                alike = best_alike(rows, least[p], numbers[0], tallies, spared)
                if spared[:length].any() and (alike > found or not group[:length].any()):
                    found = alike
                    copy_to(group, spared, length)
        else:
            found = best_equal(rows, least[p], most[p] if len(most) else asked.n, asked, is_asked, most_cases, room)
        if found > 0 or is_asked:
            prices[p] = found
            for i in range(length):
                taken[first + order[i]] = group[i]
