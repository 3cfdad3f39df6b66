"""Distinct l-diversity: at least l values occur; and, with l = 1, a least size alone.

The best group takes every copy of a gain above 0. If it lacks values, it takes the best copy of each of the best values that are missing;
if it then lacks rows, the best further copies. (Exchanging a copy for another keeps both numbers and never gains.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule


@dataclass(frozen=True, eq=False)
class DifferentValues(Rule):
    """At least `different` values."""

    different: int
    kind: ClassVar[int | None] = 1

    @property
    def numbers(self) -> Counts:
        """l, twice: as many numbers as the other rules have."""
        return np.array([self.different, 0], dtype=np.int64)

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Count values and rows."""
        wanted = np.maximum(least, self.different)
        able = ((counts > 0).sum(axis=1) >= self.different) & (counts.sum(axis=1) >= wanted)
        return np.where(able, wanted, 0)

    def price(self, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int) -> tuple[Any, Numbers]:
        """Take what gains, then values, then rows. O(A) for A records.

        >>> rule = DifferentValues("ill", np.array([0, 0, 1, 2], np.int32), 3, 2)
        >>> gain, copies = np.array([3, 2, -1, -1]), np.array([1, 1, 2, 1])
        >>> best, taken = rule.price(gain, copies, rule.value, 4)
        >>> int(best), taken.tolist()
        (3, [1, 1, 2, 0])
        """
        taken = np.where(gain > 0, copies, 0)
        for r in range(len(gain)):
            seen = np.unique(value[taken > 0])
            if len(seen) >= self.different:
                break
            if value[r] not in seen:
                taken[r] = 1
        if len(np.unique(value[taken > 0])) < self.different:
            return gain.dtype.type(0), np.zeros_like(taken)
        left = copies - taken
        taken = taken + np.clip(max(0, least - int(taken.sum())) - (np.cumsum(left) - left), 0, left)
        if taken.sum() < least:
            return gain.dtype.type(0), np.zeros_like(taken)
        return gain @ taken, taken

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Take all, or nothing."""
        able = ((counts > 0).sum(axis=1) >= self.different) & (counts.sum(axis=1) >= least)
        return np.where(able[:, None], counts, 0)

    def lacking(self, counts: Counts) -> Numbers:
        """Return how many values are missing."""
        missing: Numbers = np.maximum(0, self.different - (counts > 0).sum(axis=1)).astype(float)
        return missing
