"""What compiled loops under rules must come to: the same in numpy, pattern by pattern, with other steps where there are shorter ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule
from anoptima.solvers.exact.sifting.rules.shares import Shares
from anoptima.solvers.exact.sifting.rules.total_variation import (
    MOST_CASES,
    MOST_SIZES,
    NO_GROUP,
    PRICE_STEPS,
    STEEPEST,
    Sizes,
    TotalVariation,
)
from anoptima.solvers.exact.sifting.rules.values import DifferentValues

TINY = 1e-6


def price(rule: Rule, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int) -> tuple[Any, Numbers]:
    """Return `rule.scale` times F for one pattern, and what its group takes of each record; records come by falling gain."""
    if isinstance(rule, Shares):
        return price_shares(rule, gain, copies, value, least)
    if isinstance(rule, DifferentValues):
        return price_values(rule, gain, copies, value, least)
    if isinstance(rule, TotalVariation):
        return price_closeness(rule, gain, copies, value, least)
    # As if closeness on a tree asked for nothing.
    short = np.clip(least - (np.cumsum(copies) - copies), 0, copies)
    taken = np.where(gain > 0, copies, short)
    return gain @ taken, taken


def price_values(
    rule: DifferentValues, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int
) -> tuple[Any, Numbers]:
    """Take what gains, then values, then rows. O(A) for A records."""
    taken = np.where(gain > 0, copies, 0)
    for r in range(len(gain)):
        seen = np.unique(value[taken > 0])
        if len(seen) >= rule.different:
            break
        if value[r] not in seen:
            taken[r] = 1
    if len(np.unique(value[taken > 0])) < rule.different:
        return gain.dtype.type(0), np.zeros_like(taken)
    left = copies - taken
    taken = taken + np.clip(max(0, least - int(taken.sum())) - (np.cumsum(left) - left), 0, left)
    if taken.sum() < least:
        return gain.dtype.type(0), np.zeros_like(taken)
    return gain @ taken, taken


def price_shares(
    rule: Shares, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int
) -> tuple[Any, Numbers]:
    """Try every C. O(C A) for A records."""
    best, chosen = None, np.zeros(len(gain), dtype=np.int64)
    before = _before(copies, value)
    limited = rule.limited[value]
    for cap in range(int(np.bincount(value[limited], copies[limited]).max(initial=0)) + 1):
        room = np.where(limited, np.clip(cap - before, 0, copies), copies)
        wanted = max(1, least, -(-rule.whole * cap // rule.parts))
        if room.sum() < wanted:
            continue
        short = np.clip(wanted - (np.cumsum(room) - room), 0, room)
        taken = np.where(gain > 0, room, short)
        total = gain @ taken
        if best is None or total > best:
            best, chosen = total, taken
    return (gain.dtype.type(0) if best is None else best), chosen


def _before(copies: Counts, value: NDArray[np.int32]) -> Counts:
    """Return, for each record, how many copies of its value come before."""
    order = np.argsort(value, kind="stable")
    total = np.cumsum(copies[order]) - copies[order]
    first = np.searchsorted(value[order], value[order])
    before = np.empty(len(copies), dtype=np.int64)
    before[order] = total - total[first] if len(order) else total
    return before


def price_closeness(
    rule: TotalVariation,
    gain: Numbers,
    copies: Counts,
    value: NDArray[np.int32],
    least: int,
    most: int | None = None,
    cases: int = 1,
) -> tuple[Any, Numbers]:
    """Try sizes outwards, up to `most`, each in up to so many cases. O(N A) for A records and each case.

    F is `NO_GROUP` if every size is found to have none.
    """
    split = {}
    largest = int(copies.sum()) if most is None else min(most, int(copies.sum()))
    for size in range(max(1, least), largest + 1):
        one = filled(rule, gain, copies, value, size)
        if one is not None:
            split[size] = one
    best, chosen = None, np.zeros(len(gain))
    for tried, size in enumerate(sorted(split, key=lambda size: (-split[size][0], size))):
        worth, taken = split[size]
        if best is not None and worth <= best:
            break
        if tried < MOST_SIZES:
            whole = WholeRows(rule, gain, copies, value, size, cases).best()
            if whole is None:
                continue
            if whole[0] <= worth:
                worth, taken = whole
        if best is None or worth > best or tried == MOST_SIZES:
            best, chosen = worth, taken
        if tried == MOST_SIZES:
            break
    if best is None:
        best = gain.dtype.type(NO_GROUP if split else 0)
    return best, chosen


def filled(
    rule: TotalVariation, gain: Numbers, copies: Counts, value: NDArray[np.int32], size: int
) -> tuple[Any, NDArray[np.float64]] | None:
    """Return `scale` times the gain of the best filling of split slots by `size` rows, and the rows; None if they cannot be filled."""
    own, common = size * rule.whole * rule.d, size * rule.c * rule.rows
    taken = np.zeros(len(gain), dtype=np.int64)
    for r, v in enumerate(value):
        wanted = min(int(copies[r]) * rule.scale, size * rule.scale - int(taken.sum()))
        first = min(wanted, int(own[v]))
        second = min(wanted - first, common)
        own[v] -= first
        common -= second
        taken[r] = first + second
    return (gain @ taken, taken / rule.scale) if taken.sum() == size * rule.scale else None


_At = tuple[Any, int, Counts]
"""The gain of the rows that are best at a price, by how much they are over, and which they are."""


class WholeRows:
    """Groups of just `size` rows, by cases of which values have more rows than slots of their own."""

    def __init__(
        self, rule: TotalVariation, gain: Numbers, copies: Counts, value: NDArray[np.int32], size: int, cases: int
    ) -> None:
        self._n, self._c, self._d, self._size, self._left = rule.rows, rule.c, rule.d, size, cases
        self._row = np.repeat(np.arange(len(gain)), copies)
        self._gain, self._value = gain[self._row], value[self._row]
        rank = np.array([np.count_nonzero(self._value[:i] == v) for i, v in enumerate(self._value)], dtype=np.int64)
        self._share, rest = np.divmod(size * rule.whole, self._n)
        self._part = self._n - rest
        self._over = rank - self._share[self._value]
        self._records = len(gain)

    def best(self) -> tuple[Any, NDArray[np.float64]] | None:
        """Return n d times what a group is worth at most, and its rows; None if there is none."""
        return self._of(np.zeros(len(self._share), dtype=np.int64), None)

    def _of(self, side: Counts, best: tuple[Any, NDArray[np.float64]] | None) -> tuple[Any, NDArray[np.float64]] | None:
        """Return the best of the groups in a case, or `best` if that is as good."""
        n, d, s = self._n, self._d, side[self._value]
        bound, stays = (s > 0) & (self._over <= 0), (s >= 0) | (self._over < 0)
        parts = np.unique(self._value[(s == 0) & (self._over == 0)])
        room = self._c * n * self._size - d * int(self._part[side > 0].sum())
        room = room if len(parts) else room // (n * d) * (n * d)
        enough = bound.sum() == (self._share[side > 0] + 1).sum() <= self._size <= stays.sum()
        if room < 0 or not enough:
            return best
        slots = np.where((self._over < 0) | bound, 0, np.where(self._over == 0, self._part[self._value], n))
        low, high, most, is_legal = self._weigh(np.flatnonzero(stays), bound, slots, room)
        self._left -= 1
        if not (is_legal or len(parts)):
            # At the steepest price as few rows take a whole slot as can be.
            return best
        weight = low[1] / (low[1] - high[1]) if high[1] < low[1] and is_legal else 0.0
        is_end = low[1] <= 0 or not len(parts) or self._left <= 0
        if is_end or is_legal:
            worth, weight = (most, weight) if is_end else (n * d * high[0], 1.0)
            if best is None or worth > best[0]:
                taken = np.zeros(self._records)
                np.add.at(taken, self._row[low[2]], 1 - weight)
                np.add.at(taken, self._row[high[2]], weight)
                best = worth, taken
        if is_end or (best is not None and most <= best[0]):
            return best
        one, other = (np.isin(parts, self._value[its[2]][self._over[its[2]] == 0]) for its in (low, high))
        v = parts[np.lexsort((self._part[parts], one & other, one != other))[-1]]
        for way in (-1, 1):
            further = side.copy()
            further[v] = way
            best = self._of(further, best)
        return best

    def _weigh(self, rows: Counts, bound: NDArray[np.bool_], slots: Counts, room: int) -> tuple[_At, _At, Any, bool]:
        """Return what is best on both sides of the price of common slots that says least, that least, and whether the second is legal."""
        n, d, whole_type = self._n, self._d, self._gain.dtype.type

        def best_rows(price: Any) -> _At:
            worth = n * self._gain[rows] - price * slots[rows]
            first = rows[np.lexsort((slots[rows], -worth, ~bound[rows]))[: self._size]]
            return self._gain[first].sum(), d * int(slots[first].sum()) - room, first

        low_price, high_price = whole_type(0), whole_type(np.abs(self._gain).max() * STEEPEST + 1)
        low = best_rows(low_price)
        most = n * d * low[0]
        if low[1] <= 0:
            return low, low, most, True
        high = best_rows(high_price)
        most = min(most, n * d * high[0] - high_price * high[1])
        if high[1] > 0:
            return high, high, most, False
        for _ in range(PRICE_STEPS):
            price = whole_type(n * d * (low[0] - high[0]) / (low[1] - high[1]))
            if not low_price < price < high_price:
                break
            its = best_rows(price)
            most = min(most, n * d * its[0] - price * its[1])
            if its[1] > 0:
                low_price, low = price, its
            else:
                high_price, high = price, its
        return low, high, most, True


def price_within(
    rule: TotalVariation, arcs: Arcs, worth: Numbers, shift: Numbers, sizes: Sizes
) -> tuple[Numbers, Numbers]:
    """Return `rule.scale` times F_p for every pattern, at least, and what its best group takes of each arc.

    `shift` (patterns x values) is added to the worths. What must be open is priced, all else where that is above 0.
    """
    prices, taken = np.zeros(len(arcs)), np.zeros(len(arcs.member))
    for p in np.flatnonzero(sizes.least <= sizes.most):
        own = slice(arcs.start[p], arcs.start[p + 1])
        record = arcs.member[own]
        gain = worth[record] - arcs.cost[p] + shift[p, rule.value[record]]
        if not sizes.opened[p] and gain.max() <= 0:
            continue
        order = np.argsort(-gain, kind="stable")
        record = record[order]
        best, group = price_closeness(
            rule,
            gain[order],
            arcs.copies[record],
            rule.value[record],
            int(sizes.least[p]),
            int(sizes.most[p]),
            MOST_CASES,
        )
        if best > 0 or sizes.opened[p]:
            prices[p] = best
            taken[arcs.start[p] + order] = group
    return prices, taken


def reduced_costs(rule: Rule, arcs: Arcs, worth: Numbers, values: Numbers, taken: Numbers) -> Numbers:
    """Return a price of using each arc, where pattern p is worth `values[p]` and its best group has `taken`. O(A log A).

    It is 0 for arcs in groups that are worth opening. Otherwise it is the price of opening the pattern, and what the arc's gain is below
    the least that would be taken: of its own value if some gain of that is left out, of any value but for 0 otherwise. It guides only.
    """
    pattern = np.repeat(np.arange(len(arcs)), np.diff(arcs.start))
    gain = worth[arcs.member] - arcs.cost[pattern]
    cells, cell = np.unique(pattern * rule.values + rule.value[arcs.member], return_inverse=True)
    threshold = np.zeros(len(arcs))
    some = taken > TINY
    np.minimum.at(threshold, pattern[some], gain[some])
    out = arcs.copies[arcs.member] - taken > TINY
    left_out = np.full(len(cells), -np.inf)
    np.maximum.at(left_out, cell[out], gain[out])
    least = np.maximum(threshold[pattern], left_out[cell])
    reduced = np.maximum(0, values)[pattern] + np.maximum(0, least - gain)
    return np.where(some & (values[pattern] < TINY), 0, reduced)


def price_all(rule: Rule, arcs: Arcs, worth: Numbers, *, everything: bool = False) -> tuple[Numbers, Numbers]:
    """Return the rule's `scale` times F_p for every pattern, and what each best group takes of each arc, in copies.

    Where F_p is not above 0, it is 0 and nothing is taken, unless `everything` is asked for.
    """
    prices = np.zeros(len(arcs), dtype=worth.dtype)
    taken = np.zeros(len(arcs.member))
    gains = worth[arcs.member] - np.repeat(arcs.cost.astype(worth.dtype), np.diff(arcs.start))
    hopeful = np.maximum.reduceat(gains, arcs.start[:-1]) > 0 if len(arcs) else np.zeros(0, dtype=np.bool_)
    for p in range(len(arcs)) if everything else np.flatnonzero(hopeful):
        own = slice(arcs.start[p], arcs.start[p + 1])
        order = np.argsort(-gains[own], kind="stable")
        record = arcs.member[own][order]
        best, group = price(rule, gains[own][order], arcs.copies[record], rule.value[record], int(arcs.least[p]))
        if best > 0 or everything:
            prices[p] = best
            taken[arcs.start[p] + order] = group
    return prices, taken
