"""t-closeness at equal distance: total variation between the group and the table is at most t.

With the table's counts N_v, of n rows, a group of N rows is legal exactly if sum_v max(0, n z_v - N N_v) <= t n N: value v has N N_v / n
slots of its own, and all values share t N more. At fixed N, in slots that may be split, the best group is had greedily: by falling gain
each copy takes a slot of its own, or else a common one, or else is left out (a transversal matroid), up to N copies. That value, F(N), is
concave in N, so bisection on F(N + 1) > F(N) finds the largest. Sizes below the least whole group that fits are left out.

Slots are counted in parts of 1 / (n d), t = c / d, so that all is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.engine.principled.rule import Counts, Numbers, Rule


@dataclass(frozen=True, eq=False)
class Equal(Rule):
    """Within c / d of the table's counts."""

    whole: Counts
    c: int
    d: int
    kind: ClassVar[int] = 2

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return int(self.whole.sum())

    @property
    def scale(self) -> int:
        """Slots are counted in parts of this."""
        return self.rows * self.d

    @property
    def numbers(self) -> Counts:
        """C and d of t, then the table's counts."""
        return np.array([self.c, self.d, *self.whole], dtype=np.int64)

    def _excess(self, counts: Counts) -> Counts:
        """Return d (sum_v max(0, n z_v - N N_v)) - c n N: at most 0 for legal groups."""
        n, sizes = self.rows, counts.sum(axis=1)
        above = np.maximum(0, n * counts - sizes[:, None] * self.whole).sum(axis=1)
        excess: Counts = self.d * above - self.c * n * sizes
        return excess

    def fill(self, counts: Counts, sizes: Counts) -> Counts:
        """Return, inside each row of `counts`, the group of `sizes` rows that is nearest to the table; fewer where counts run out.

        Value v gives what it has of floor(N N_v / n). What is missing is filled up where it costs least: the first further row of v takes
        1 - frac(N N_v / n) of a common slot, later ones a whole one each.
        """
        n = self.rows
        share, part = np.divmod(sizes[:, None] * self.whole, n)
        taken = np.minimum(counts, share)
        left = sizes - taken.sum(axis=1)
        able = counts > taken
        order = np.argsort(np.where(able, -part, 1), axis=1, kind="stable")
        rank = np.empty_like(order)
        np.put_along_axis(rank, order, np.broadcast_to(np.arange(counts.shape[1]), order.shape), axis=1)
        first = able & (rank < left[:, None])
        taken = taken + first
        left -= first.sum(axis=1)
        more = counts - taken
        before = np.cumsum(more, axis=1) - more
        filled: Counts = taken + np.clip(left[:, None] - before, 0, more)
        return filled

    def legal_of_size(self, counts: Counts, sizes: Counts) -> NDArray[np.bool_]:
        """Tell whether there is a legal group of just `sizes` rows inside each row of `counts`."""
        found = self.fill(counts, sizes)
        legal: NDArray[np.bool_] = (found.sum(axis=1) == sizes) & (self._excess(found) <= 0)
        return legal

    def largest_size(self, counts: Counts) -> Counts:
        """Return the largest N for which slots that may be split can be filled: sum_v min(count_v, N N_v / n) >= (1 - t) N, N <= |counts|.

        Both sides are equal at N = 0 and the left one is concave, so all smaller N will do as well.
        """
        n = self.rows
        low, high = np.zeros(len(counts), dtype=np.int64), counts.sum(axis=1)
        while (low < high).any():
            middle = (low + high + 1) // 2
            own = np.minimum(n * counts, middle[:, None] * self.whole).sum(axis=1)
            enough = self.d * own >= (self.d - self.c) * n * middle
            low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
        return low

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Try every size that is not too large, from the least on."""
        found = np.zeros(len(counts), dtype=np.int64)
        largest = self.largest_size(counts)
        size = np.maximum(least, 1)
        waiting = np.flatnonzero(size <= largest)
        while len(waiting):
            legal = self.legal_of_size(counts[waiting], size[waiting])
            found[waiting[legal]] = size[waiting[legal]]
            size[waiting] += 1
            waiting = waiting[~legal & (size[waiting] <= largest[waiting])]
        return found

    def price(self, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int) -> tuple[Any, Numbers]:
        """Try every size. O(N A) for A records.

        >>> rule = Equal("ill", np.array([0, 1, 0], np.int32), 2, np.array([2, 2]), 0, 1)
        >>> gain, copies = np.array([3, -1, -2]), np.array([1, 2, 1])
        >>> best, taken = rule.price(gain, copies, rule.value, 1)
        >>> int(best) / rule.scale, taken.tolist()
        (2.0, [1.0, 1.0, 0.0])
        """
        best, chosen = None, np.zeros(len(gain))
        for size in range(max(1, least), int(copies.sum()) + 1):
            own, common = size * self.whole * self.d, size * self.c * self.rows
            taken = np.zeros(len(gain), dtype=np.int64)
            for r, v in enumerate(value):
                wanted = min(int(copies[r]) * self.scale, size * self.scale - int(taken.sum()))
                first = min(wanted, int(own[v]))
                second = min(wanted - first, common)
                own[v] -= first
                common -= second
                taken[r] = first + second
            if taken.sum() < size * self.scale:
                continue
            total = gain @ taken
            if best is None or total > best:
                best, chosen = total, taken / self.scale
        return (gain.dtype.type(0) if best is None else best), chosen

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Go down from the largest size that slots allow, for a while."""
        size = self.largest_size(counts)
        found = np.zeros(len(counts), dtype=np.int64)
        for _ in range(40):
            waiting = np.flatnonzero((size > found) & (size >= least) & (size > 0))
            if not len(waiting):
                break
            legal = self.legal_of_size(counts[waiting], size[waiting])
            found[waiting[legal]] = size[waiting[legal]]
            size[waiting[~legal]] -= 1 + size[waiting[~legal]] // 50
        kept = self.fill(counts, found)
        kept[(found == 0) | (found < least)] = 0
        return kept

    def lacking(self, counts: Counts) -> Numbers:
        """Return by how many common slots the group is over."""
        return np.maximum(0, self._excess(counts)) / self.scale
