"""Frequency l-diversity: no value has more than a share 1/l of the group.

z is legal exactly if some whole C >= 1 has z(v) <= C for every value and |z| >= l C (take the largest count for C). So F is the largest of

    f(C) = max { sum g z : 0 <= z <= s, z(v) <= C, |z| >= max(least, ceil(l C)) },

and a greedy pass computes f(C): by falling gain it takes every copy with a gain while its value has fewer than C, then further copies up
to the size wanted. For l = a/b the right sides are linear or convex in C along C = r, r + b, r + 2b, ..., so f is concave along each of
these, and a bisection on f(C + b) > f(C) finds its largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule


def largest_cap(counts: Counts, whole: int, parts: int) -> Counts:
    """Return, for each row of `counts` (patterns x values), the largest C for which a group of `whole` / `parts` C rows fits inside.

    That is the largest with sum_v min(count_v, C) >= l C; the left side is concave in C, so all smaller ones have it, too.

    >>> largest_cap(np.array([[5, 1, 1, 1], [5, 3, 2, 1]]), 3, 1).tolist()
    [1, 3]
    """
    low, high = np.zeros(len(counts), dtype=np.int64), counts.max(axis=1, initial=0)
    while (low < high).any():
        middle = (low + high + 1) // 2
        enough = parts * np.minimum(counts, middle[:, None]).sum(axis=1) >= whole * middle
        low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
    return low


@dataclass(frozen=True, eq=False)
class Shares(Rule):
    """No value more often than `parts` / `whole` of the rows; l = `whole` / `parts`."""

    whole: int
    parts: int
    kind: ClassVar[int | None] = 0

    @property
    def numbers(self) -> Counts:
        """A and b of l = a/b."""
        return np.array([self.whole, self.parts], dtype=np.int64)

    def wanted(self, cap: Any) -> Any:
        """Return the least size of a group with a value as often as `cap`."""
        return -(-self.whole * cap // self.parts)

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Compare the largest group there can be with the least size."""
        cap = largest_cap(counts, self.whole, self.parts)
        size = np.minimum(counts, cap[:, None]).sum(axis=1)
        wanted = np.maximum(least, self.wanted(1))
        return np.where((cap > 0) & (size >= wanted), wanted, 0)

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Cap every value at the largest C that leaves l C rows."""
        kept = np.minimum(counts, largest_cap(counts, self.whole, self.parts)[:, None])
        kept[kept.sum(axis=1) < least] = 0
        return kept

    def lacking(self, counts: Counts) -> Numbers:
        """Return how many rows are missing for the most frequent value."""
        missing: Numbers = np.maximum(0, self.whole * counts.max(axis=1) - self.parts * counts.sum(axis=1))
        return missing / self.parts
