"""Recursive (c, l)-diversity: the most frequent value is in fewer rows than c times those of the values from number l on.

With c = a / b and counts r_1 >= r_2 >= ..., z is legal exactly if b r_1 + a (r_1 + ... + r_(l-1)) <= a |z| - 1. The sum of the l - 1
largest counts is the least of (l - 1) y + sum_v max(0, z(v) - y) over whole y, *levels*; so z is legal exactly if for some level y and
some cap C

    z(v) <= C for all v,   sum_v min(z(v), y) >= (l - 1) y + (b C + 1) / a.

F is the largest over both of what a greedy pass finds: every copy with a gain while its value has fewer than C; then the best others up
to the level, until there are enough of these; then the best others, until there are `least` rows. (The sets of copies up to the level
and of all copies are nested, so exchange of copies proves it.) Some best group has C <= max(least, the most copies of a value that gain):
beyond both, a copy of each value with C of them can be left out, and r_l + r_(l+1) + ... falls by no larger a part than C. At a level,
right sides are linear in C along C = r, r + a, r + 2a, ..., and the program is a network's, so what it finds is concave there, and a
bisection finds the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.bisection import largest_where
from anoptima.solvers.exact.sifting.rules.rule import OUTWEIGHED, Counts, Numbers, Rule


@dataclass(frozen=True, eq=False)
class OutweighedMost(Rule):
    """The most frequent value in fewer rows than `factor` times those of the values from number `first` on, of `different` or more.

    It is priced as if `factor` = a / b were `above` / `below`, which asks no more; with `below` = 0 only for such rows.
    """

    factor: Fraction
    above: int
    below: int
    first: int
    different: int
    kind: ClassVar[int | None] = OUTWEIGHED

    @property
    def numbers(self) -> Counts:
        """A and b that are priced, l, and how many values there must be."""
        return np.array([self.above, self.below, self.first, self.different], dtype=np.int64)

    @property
    def asked(self) -> Numbers:
        """A and b of c = a / b, and l."""
        return np.array([*self.factor.as_integer_ratio(), self.first], dtype=float)

    def _falling(self, counts: Counts) -> Counts:
        """Return the largest counts of each row of `counts`, up to number l, by falling counts."""
        missing = max(0, self.first - counts.shape[1])
        padded = np.pad(counts, ((0, 0), (0, missing)))
        falling: Counts = -np.sort(np.partition(-padded, self.first - 1, axis=1)[:, : self.first], axis=1)
        return falling

    def _within(self, counts: Counts, a: int, b: int) -> Counts:
        """Return the largest group for c = a / b inside each row of `counts`, of any size; it has a largest C of its own.

        The best level is the l-th largest count, or C; a (sum up to the level - (l - 1) level) - b C is concave in C, so smaller C do, too.
        """
        level = self._falling(counts)[:, -1]

        def is_outweighed(cap: Counts) -> NDArray[np.bool_]:
            at = np.minimum(level, cap)
            spare = np.minimum(counts, at[:, None]).sum(axis=1) - (self.first - 1) * at
            enough: NDArray[np.bool_] = a * spare > b * cap
            return enough

        cap = largest_where(is_outweighed, counts.max(axis=1, initial=0))
        within: Counts = np.minimum(counts, cap[:, None])
        return within

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Compare the largest group there can be with the least size."""
        wanted = np.maximum(least, self.different)
        return np.where(self._within(counts, *self.factor.as_integer_ratio()).sum(axis=1) >= wanted, wanted, 0)

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Cap every value at the largest C that leaves enough."""
        kept = self._within(counts, *self.factor.as_integer_ratio())
        kept[kept.sum(axis=1) < least] = 0
        return kept

    def lacking(self, counts: Counts) -> Numbers:
        """Return how many rows of further values are missing; nothing is where there are no rows."""
        a, b = self.factor.as_integer_ratio()
        falling, size = self._falling(counts), counts.sum(axis=1)
        over = b * falling[:, 0] + a * (falling[:, :-1].sum(axis=1) - size) + 1
        missing: Numbers = np.where(size > 0, np.maximum(0, over), 0) / a
        return missing
