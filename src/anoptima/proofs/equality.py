"""What groups within t of the table at equal distance are worth at most, many patterns at once, in whole numbers.

At fixed size N value v has N q_v slots of its own, and all share t N. Greedy is the best filling of slots that may be split, concave in N.
Rows are whole, so that of value v floor(N q_v) rows take no common slot, the next one 1 - frac(N q_v) of one, and later ones a whole one
each. At any price of common slots the best N rows, plus the price of t N slots, are worth at least as much as any group of N rows.

Where that is not enough, there are cases: value v has at most floor(N q_v) rows, or more. Of those on the second side the first
floor(N q_v) + 1 rows must be taken, and all others of them take whole slots. Once all values are decided, common slots are whole, and
what a price says best is what the best group is worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anoptima.bisection import largest_where
from anoptima.proofs.views import Truth, View, Whole

_MOST_SIZES = 24
"""Sizes of a pattern's groups that are looked at one by one, from the best on."""

_PRICE_STEPS = 8
"""How often the price of a common slot is moved between 0 and the steepest."""

_AT_ONCE = 1 << 19
"""This many cases are checked together, in records."""

_NEVER = -(2**62)

STEEPEST = 16
"""The largest price of a common slot, in parts of the largest gain."""


@dataclass(frozen=True, eq=False)
class Equality:
    """Total variation of at most c / d from the counts `whole`."""

    whole: Whole
    c: int
    d: int

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return int(self.whole.sum())

    def smallest(self, view: View, least: Whole) -> Whole:
        """Return the least size of a whole group of at least `least` rows, 0 where there is none; sizes are tried one by one."""
        n, values = self.rows, len(self.whole)
        counts = self._counts(view)
        largest = self.largest(counts)
        found = np.zeros(view.patterns, dtype=np.int64)
        size = np.maximum(least, 1)
        waiting = np.flatnonzero(size <= largest)
        while len(waiting):
            own, part = np.divmod(size[waiting, None] * self.whole, n)
            have = counts[waiting]
            missing = size[waiting] - np.minimum(have, own).sum(axis=1)
            # The cheapest further rows: each value's first costs n - part, all later ones n.
            first = np.sort(np.where(have > own, n - part, n), axis=1)
            spent = np.where(np.arange(values) < missing[:, None], first, 0).sum(axis=1)
            spent += n * np.maximum(0, missing - values)
            legal = self.d * spent <= self.c * n * size[waiting]
            found[waiting[legal]] = size[waiting[legal]]
            size[waiting] += 1
            waiting = waiting[~legal & (size[waiting] <= largest[waiting])]
        return found

    def largest(self, counts: Whole) -> Whole:
        """Return the largest size at which split slots can all be filled; the slots filled are concave in it."""
        n = self.rows

        def can_be_filled(size: Whole) -> Truth:
            own = np.minimum(n * counts, size[:, None] * self.whole).sum(axis=1)
            enough: Truth = self.d * own >= (self.d - self.c) * n * size
            return enough

        return largest_where(can_be_filled, counts.sum(axis=1))

    def price(self, view: View, least: Whole) -> Whole:
        """Return n d times what groups of at least `least` rows are worth at most, or 0."""
        return self.price_within(view, least, self.largest_of(view), np.zeros(view.patterns, dtype=np.int64), 1)

    def largest_of(self, view: View) -> Whole:
        """Return the largest size that split slots allow each pattern."""
        return self.largest(self._counts(view))

    def _counts(self, view: View) -> Whole:
        """Return how many rows of each value every pattern has."""
        counts = np.zeros((view.patterns, len(self.whole)), dtype=np.int64)
        np.add.at(counts, (view.owner, view.value), view.copies)
        return counts

    def price_within(self, view: View, least: Whole, top: Whole, nothing: Whole, cases: int) -> Whole:
        """Return n d times what groups of `least` to `top` rows are worth at most, or `nothing` where that is more.

        Bisects for the best size in split slots, then tries whole groups from there outwards while split slots promise more, in up to so
        many cases.
        """
        low, high = least.copy(), top.copy()
        before = view.before_of_value(view.copies)
        while (low < high).any():
            open_ = low < high
            part, its = view.only(open_), before[open_[view.owner]]
            size = (low[open_] + high[open_]) // 2
            rises = self._filled(part, its, size + 1) > self._filled(part, its, size)
            low[open_], high[open_] = np.where(rises, size + 1, low[open_]), np.where(rises, high[open_], size)
        down, up = low, low + 1
        below, above = self._filled(view, before, down), self._filled(view, before, np.minimum(up, top))
        above[up > top] = nothing[up > top]
        best = nothing.copy()
        for _ in range(_MOST_SIZES):
            open_ = np.maximum(below, above) > best
            if not open_.any():
                return best
            part, its = view.only(open_), before[open_[view.owner]]
            is_down = below[open_] >= above[open_]
            size = np.where(is_down, down[open_], up[open_])
            promised = np.where(is_down, below[open_], above[open_])
            best[open_] = self._of_whole_rows(part, its, size, best[open_], promised, cases)
            following = np.where(is_down, size - 1, size + 1)
            there = (following >= least[open_]) & (following <= top[open_])
            promised = self._filled(part, its, np.where(there, following, size))
            promised = np.where(there, promised, nothing[open_])
            down[open_], below[open_] = np.where(is_down, (following, promised), (down[open_], below[open_]))
            up[open_], above[open_] = np.where(is_down, (up[open_], above[open_]), (following, promised))
        return np.maximum(best, np.maximum(below, above))

    def _of_whole_rows(self, view: View, before: Whole, size: Whole, least: Whole, most: Whole, cases: int) -> Whole:
        """Return n d times what groups of `size` whole rows are worth at most, or `least` where that is more; never above `most`."""
        reached, tried = least.copy(), np.zeros(view.patterns, dtype=np.int64)
        # Cases to be looked at: of which patterns, the side of each value, and what was said before.
        of, sides = np.arange(view.patterns), np.zeros((view.patterns, len(self.whole)), dtype=np.int64)
        while len(of):
            step = max(1, _AT_ONCE * len(of) // max(1, int(np.bincount(view.owner)[of].sum())))
            now, its_sides, its_most = of[-step:], sides[-step:], most[-step:]
            of, sides, most = of[:-step], sides[:-step], most[:-step]
            hopeful = its_most > reached[now]
            now, its_sides, its_most = now[hopeful], its_sides[hopeful], its_most[hopeful]
            if not len(now):
                continue
            part, at = view.again(now)
            case = _Case(self, part, before[at], size[now], its_sides)
            its_most = np.minimum(its_most, case.most)
            np.add.at(tried, now, 1)
            is_end = (case.decided < 0) | (tried[now] >= cases)
            np.maximum.at(
                reached, now[case.fits], np.where(is_end, its_most, np.minimum(its_most, case.legal))[case.fits]
            )
            open_ = case.fits & ~is_end & (its_most > reached[now])
            for side in (1, -1):
                further = its_sides[open_].copy()
                further[np.arange(len(further)), case.decided[open_]] = side
                of, sides = np.append(of, now[open_]), np.concatenate([sides, further])
                most = np.append(most, its_most[open_])
        return reached

    def _filled(self, view: View, before: Whole, size: Whole) -> Whole:
        """Return n d times the gain of the best filling: own slots first, then common ones, up to `size` copies."""
        unit = self.rows * self.d
        own = size[view.owner] * self.whole[view.value] * self.d
        first = np.clip(own - unit * before, 0, unit * view.copies)
        over = unit * view.copies - first
        common = (size * self.c * self.rows)[view.owner]
        taken = first + np.clip(common - view.before(over), 0, over)
        taken = np.clip((unit * size)[view.owner] - view.before(taken), 0, taken)
        return view.total(view.gain * taken)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows that groups may have, by kind: whose they are, what one gains, their value, how many there are, and the slots that one takes.

    Some must be taken; and some are the first that a value has more of than slots of its own.
    """

    owner: Whole
    gain: Whole
    value: Whole
    amount: Whole
    slots: Whole
    may_be_left: Truth
    is_first: Truth


class _Case:
    """Groups of `size` whole rows of each pattern: values on side 1 are over, those on side -1 are not, others may be.

    Attributes
    ----------
    fits
        Whether there may be such a group.
    most
        N d times what one is worth at most: the least over some prices of common slots.
    legal
        The same of one that there is; next to nothing if none is known.
    decided
        The value to decide on next; -1 where there is none, for then `most` is what the best is worth.
    """

    def __init__(self, rule: Equality, view: View, before: Whole, size: Whole, sides: Whole) -> None:
        n = rule.rows
        self._size, self._patterns, self._n, self._d = size, view.patterns, n, rule.d
        share, rest = np.divmod(size[:, None] * rule.whole, n)
        own, side = share[view.owner, view.value], sides[view.owner, view.value]
        within = np.clip(own + (side > 0) - before, 0, view.copies)
        first = ((side == 0) & (before <= own) & (own < before + view.copies)).astype(np.int64)
        later = np.where(side < 0, 0, view.copies - within - first)
        bound = np.where(side > 0, within, 0)
        amount = np.concatenate([bound, within - bound, first, later])
        there = amount > 0
        owner, gain, value = (np.tile(of, 4)[there] for of in (view.owner, view.gain, view.value))
        kind = np.repeat(np.arange(4), len(view.owner))[there]
        slots: Whole = np.select([kind < 2, kind == 2], [0, n - rest[owner, value]], n)
        self._rows = _Rows(owner, gain, value, amount[there], slots, kind > 0, kind == 2)
        wanted = np.where(sides > 0, share + 1, 0).sum(axis=1)
        self._room = rule.c * n * size - rule.d * np.where(sides > 0, n - rest, 0).sum(axis=1)
        undecided = np.bincount(owner[kind == 2], minlength=view.patterns) > 0
        self._room = np.where(undecided, self._room, self._room // (n * rule.d) * (n * rule.d))
        enough = view.total(within + first + later) >= size
        self.fits: Truth = (view.total(bound) == wanted) & (wanted <= size) & enough & (self._room >= 0)
        self._weigh(undecided)

    def _weigh(self, undecided: Truth) -> None:
        low, high = np.zeros(self._patterns, dtype=np.int64), np.zeros(self._patterns, dtype=np.int64)
        rows = self._rows
        np.maximum.at(high, rows.owner, np.abs(rows.gain))
        high = high * STEEPEST + 1
        low_gain, low_over, low_taken = self._best_rows(low)
        high_gain, high_over, high_taken = self._best_rows(high)
        # At the steepest price as few rows take a whole slot as can be.
        self.fits &= undecided | (high_over <= 0)
        differs = low_over > 0
        self.most = np.where(differs, np.minimum(low_gain, high_gain - high * high_over), low_gain)
        open_ = differs & (high_over <= 0)
        for _ in range(_PRICE_STEPS):
            price = np.where(open_, (low_gain - high_gain) / np.where(open_, low_over - high_over, 1), 0)
            price = price.astype(np.int64)
            open_ &= (low < price) & (price < high)
            if not open_.any():
                break
            its_gain, its_over, its_taken = self._best_rows(np.where(open_, price, low))
            self.most = np.where(open_, np.minimum(self.most, its_gain - price * its_over), self.most)
            over, under = open_ & (its_over > 0), open_ & (its_over <= 0)
            low, low_gain, low_over = np.where(over, (price, its_gain, its_over), (low, low_gain, low_over))
            high, high_gain, high_over = np.where(under, (price, its_gain, its_over), (high, high_gain, high_over))
            low_taken = np.where(over[rows.owner], its_taken, low_taken)
            high_taken = np.where(under[rows.owner], its_taken, high_taken)
        self.legal = np.where(differs, np.where(high_over <= 0, high_gain, _NEVER), low_gain)
        self.decided = np.full(self._patterns, -1)
        # Best a value that is over on one side alone; of those, one that takes most.
        some = np.flatnonzero(rows.is_first & (differs & undecided)[rows.owner])
        one, other = low_taken[some] > 0, high_taken[some] > 0
        order = some[np.lexsort((rows.slots[some], one & other, one != other))]
        self.decided[rows.owner[order]] = rows.value[order]

    def _best_rows(self, price: Whole) -> tuple[Whole, Whole, Whole]:
        """Return n d times the gain of the rows that are best after paying, by how much their slots are over, and the rows."""
        rows = self._rows
        worth = self._n * rows.gain - price[rows.owner] * rows.slots
        order = np.lexsort((rows.slots, -worth, rows.may_be_left, rows.owner))
        amount, its = rows.amount[order], rows.owner[order]
        running = np.cumsum(amount) - amount
        taken = np.empty_like(rows.amount)
        taken[order] = np.clip(self._size[its] - (running - running[np.searchsorted(its, its)]), 0, amount)
        gained, spent = np.zeros_like(self._size), np.zeros_like(self._size)
        np.add.at(gained, rows.owner, rows.gain * taken)
        np.add.at(spent, rows.owner, rows.slots * taken)
        return self._n * self._d * gained, self._d * spent - self._room, taken
