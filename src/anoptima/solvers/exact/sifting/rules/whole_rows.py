"""Groups of whole rows under equal closeness, at one size: by prices of common slots, and by cases of values that are over.

See `rules.total_variation`. A value is over if the group has more rows of it than slots of its own: v of more than floor(N N_v / n), for N
rows. The first row that is over takes a part of a common slot, others a whole one each. In the case that v is over, its first floor(N N_v /
n) + 1 rows must be taken; in the other one, later rows are left out. Once all values are decided common slots are whole, and rows are a
matroid with one more limit on how many there are of a kind, so that the least price says what the best group is worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers

if TYPE_CHECKING:
    from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation

PRICE_STEPS = 8
"""So often is the price of a common slot moved after its least and its largest have been tried."""
STEEPEST = 16
"""The largest price of a common slot, in parts of the largest gain."""

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
