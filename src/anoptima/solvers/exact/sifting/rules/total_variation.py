"""t-closeness at equal distance: total variation between the group and the table is at most t.

With the table's counts N_v, of n rows, a group of N rows is legal exactly if sum_v max(0, n z_v - N N_v) <= t n N: value v has N N_v / n
slots of its own, and all values share t N more. At fixed N, in slots that may be split, a greedy pass finds the best group: by falling
gain each copy takes a slot of its own, or else a common one, or else is left out (a transversal matroid), up to N copies. That value,
F(N), is concave in N, so bisection on F(N + 1) > F(N) finds the largest. Sizes below the least whole group that fits are left out.

Rows cannot be split, though, and in small groups this gives a much lower bound on what a group is worth. Of value v, floor(N N_v / n)
rows take nothing of the common slots, the next one 1 - frac(N N_v / n) of one, later ones a whole one each. At a price mu >= 0 of a
common slot the best N rows are those that gain most after it, and

    F(N)  <=  H(N, mu) = max { sum (g - mu slots) z : |z| = N } + mu t N        for every mu,

convex in mu, so its least is found by cutting planes on a line. Sizes are tried from the one that is best in split slots outwards, until
what split slots allow is no more than the best found, or for `MOST_SIZES` sizes.

Where F(N) is wanted itself, there are cases (`kernels.whole_rows`).

Slots are counted in parts of 1 / (n d), t = c / d, so that all is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.bisection import largest_where
from anoptima.solvers.exact.sifting.rules.rule import TOTAL_VARIATION, Counts, Numbers, Rule

MOST_SIZES = 24
"""After this many sizes of whole groups, split slots must do for the rest."""
PRICE_STEPS = 8
"""So often is the price of a common slot moved after its least and its largest have been tried."""
STEEPEST = 16
"""The largest price of a common slot, in parts of the largest gain."""
MOST_CASES = 500
"""The most cases that are looked at for one size of a pattern's group: of values with more rows than slots of their own."""
NO_GROUP = -(2**60)
"""What a group is said to be worth that cannot be."""


@dataclass(frozen=True, eq=False)
class Sizes:
    """The group of pattern p has `least[p]` to `most[p]` rows; it may be left out unless the pattern is `opened`."""

    least: Counts
    most: Counts
    opened: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TotalVariation(Rule):
    """Within c / d of the table's counts."""

    whole: Counts
    c: int
    d: int
    kind: ClassVar[int | None] = TOTAL_VARIATION

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

    @property
    def asked(self) -> Numbers:
        """T, then the table's shares of values."""
        return np.array([self.c / self.d, *(self.whole / self.rows)])

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
        first = able & (np.argsort(order, axis=1) < left[:, None])
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

        def can_be_filled(size: Counts) -> NDArray[np.bool_]:
            own = np.minimum(n * counts, size[:, None] * self.whole).sum(axis=1)
            enough: NDArray[np.bool_] = self.d * own >= (self.d - self.c) * n * size
            return enough

        return largest_where(can_be_filled, counts.sum(axis=1))

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
