"""Entropy l-diversity: the values of a group are as hard to guess as l equally frequent ones.

The distributions of entropy log l or more are convex and no polytope, so F is priced from above: at least ceil(l) values occur and, where
l is whole, if there are no more than l, then each equally often, for no other distribution of l values has entropy log l. So F is at most
the larger of what the best group of l + 1 values or more gains, and the best one of l values with m rows each, over all m.

Releases must have the entropy itself. Where a group has too little, its most frequent values are cut down: the entropy of counts
min(z(v), C) rises as C falls, since that makes them more alike, so bisection finds the largest such C. All this is in floats, and what
they call legal is decided in whole numbers afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anoptima.bisection import largest_where
from anoptima.solvers.exact.sifting.rules.rule import ENTROPY, Counts, Numbers
from anoptima.solvers.exact.sifting.rules.values import DifferentValues

_NEAR = 1e-9
"""A lack of entropy, times rows, that is none: what is that near is decided in whole numbers."""


@dataclass(frozen=True, eq=False)
class Entropy(DifferentValues):
    """Entropy of at least log `equal`, which takes `different` values; if `is_alike`, no more than these only equally often."""

    equal: float
    is_alike: bool
    kind: ClassVar[int | None] = ENTROPY

    @property
    def numbers(self) -> Counts:
        """How many values there must be, and whether so many must be equally frequent."""
        return np.array([self.different, self.is_alike], dtype=np.int64)

    @property
    def asked(self) -> Numbers:
        """Log l."""
        return np.array([float(np.log(self.equal))])

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Cap every value at the largest C that leaves enough entropy."""
        cap = largest_where(
            lambda cap: self.lacking(np.minimum(counts, cap[:, None])) == 0, counts.max(axis=1, initial=0)
        )
        kept: Counts = np.minimum(counts, cap[:, None])
        kept[kept.sum(axis=1) < least] = 0
        return kept

    def lacking(self, counts: Counts) -> Numbers:
        """Return n log l + sum n_v log n_v - n log n, where that is above 0: n times the entropy that is missing."""
        sizes = counts.sum(axis=1)
        over: Numbers = sizes * np.log(self.equal) + _weighed(counts).sum(axis=1) - _weighed(sizes)
        return np.where(over > _NEAR * (1 + sizes), over, 0.0)


def _weighed(counts: Counts) -> Numbers:
    """Return n log n of each number, 0 of 0."""
    weighed: Numbers = counts * np.log(np.maximum(1, counts))
    return weighed
