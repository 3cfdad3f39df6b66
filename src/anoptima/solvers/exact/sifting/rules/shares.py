"""Frequency l-diversity: no value has more than a share 1/l of the group; or none of some values, as under (alpha, k)-anonymity of these.

Some values are limited, all under l-diversity. z is legal exactly if some whole C has z(v) <= C for every limited value and |z| >= l C
(take the largest such count for C). So F is the largest of

    f(C) = max { sum g z : 0 <= z <= s, z(v) <= C for the limited v, |z| >= max(least, ceil(l C)) },

and a greedy pass computes f(C): by falling gain it takes every copy with a gain while its value has fewer than C or is not limited, then
further copies up to the size wanted. For l = a/b the right sides are linear or convex in C along C = r, r + b, r + 2b, ..., so f is
concave along each of these, and a bisection on f(C + b) > f(C) finds its largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.bisection import largest_where
from anoptima.solvers.exact.sifting.rules.rule import SHARES, Counts, Numbers, Rule


def largest_cap(counts: Counts, whole: int, parts: int, limited: NDArray[np.bool_]) -> Counts:
    """Return, for each row of `counts` (patterns x values), the largest C for which a group of `whole` / `parts` C rows fits inside.

    That is the largest, up to the largest count of a limited value, with sum_v min(count_v, C) >= l C, values that are not limited counted
    in full; the left side is concave in C, so all smaller ones have it, too.

    >>> largest_cap(np.array([[5, 1, 1, 1], [5, 3, 2, 1]]), 3, 1, np.ones(4, dtype=bool)).tolist()
    [1, 3]
    >>> largest_cap(np.array([[5, 1, 1, 1], [5, 3, 2, 1]]), 3, 1, np.arange(4) == 1).tolist()
    [1, 3]
    """
    return largest_where(
        lambda cap: parts * capped(counts, cap, limited).sum(axis=1) >= whole * cap,
        np.where(limited, counts, 0).max(axis=1, initial=0),
    )


def capped(counts: Counts, cap: Counts, limited: NDArray[np.bool_]) -> Counts:
    """Return each row of `counts` with its limited values at the row's `cap` at most."""
    return np.where(limited, np.minimum(counts, cap[:, None]), counts)


@dataclass(frozen=True, eq=False)
class Shares(Rule):
    """No `limited` value in more than a `share` of the rows, priced as if l = `whole` / `parts`, which asks no more.

    Of a limited value that is `scarce`, so frequent in the table, as many rows are taken as can be, and others are spared for them.
    """

    share: Fraction
    whole: int
    parts: int
    limited: NDArray[np.bool_]
    scarce: NDArray[np.bool_]
    kind: ClassVar[int | None] = SHARES

    @property
    def numbers(self) -> Counts:
        """A and b of l = a/b, then which values are limited."""
        return np.array([self.whole, self.parts, *self.limited], dtype=np.int64)

    @property
    def asked(self) -> Numbers:
        """l, then which values are limited."""
        return np.array([float(1 / self.share), *self.limited])

    def _within(self, counts: Counts, whole: int, parts: int) -> Counts:
        """Return the largest group for l = `whole` / `parts` inside each row of `counts`, of any size."""
        return capped(counts, largest_cap(counts, whole, parts, self.limited), self.limited)

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Compare the largest group there can be with the least size, which is l or more if every value is limited."""
        a, b = self.share.denominator, self.share.numerator
        wanted = np.maximum(least, -(-a // b) if self.limited.all() else 1)
        return np.where(self._within(counts, a, b).sum(axis=1) >= wanted, wanted, 0)

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Cap every limited value at the largest C that leaves l C rows."""
        kept = self._within(counts, self.share.denominator, self.share.numerator)
        kept[kept.sum(axis=1) < least] = 0
        return kept

    @property
    def spares(self) -> bool:
        """Some values are scarce, and others are not."""
        return bool(self.scarce.any() and not self.scarce.all())

    def spared(self, counts: Counts, least: Counts) -> Counts:
        """Leave out what is not scarce beyond l times the most frequent scarce value, and groups without such a value."""
        held = np.where(self.scarce, counts, 0)
        most = held.max(axis=1)
        wanted = np.maximum(least, -(-self.share.denominator * most // self.share.numerator)) - held.sum(axis=1)
        others = np.where(self.scarce, 0, capped(counts, most, self.limited))
        before = np.cumsum(others, axis=1) - others
        kept: Counts = held + np.clip(wanted[:, None] - before, 0, others)
        kept[most == 0] = 0
        return kept

    def lacking(self, counts: Counts) -> Numbers:
        """Return how many rows are missing for the most frequent limited value."""
        most = np.where(self.limited, counts, 0).max(axis=1)
        missing: Numbers = np.maximum(0, self.share.denominator * most - self.share.numerator * counts.sum(axis=1))
        return missing / self.share.numerator
