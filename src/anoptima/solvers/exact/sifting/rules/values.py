"""Distinct l-diversity: at least l values occur; and, with l = 1, a least size alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anoptima.solvers.exact.sifting.rules.rule import DIFFERENT, Counts, Numbers, Rule


@dataclass(frozen=True, eq=False)
class DifferentValues(Rule):
    """At least `different` values."""

    different: int
    kind: ClassVar[int | None] = DIFFERENT

    @property
    def numbers(self) -> Counts:
        """l, twice, since the other rules have two numbers."""
        return np.array([self.different, 0], dtype=np.int64)

    @property
    def asked(self) -> Numbers:
        """L."""
        return np.array([float(self.different)])

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Count values and rows."""
        wanted = np.maximum(least, self.different)
        able = ((counts > 0).sum(axis=1) >= self.different) & (counts.sum(axis=1) >= wanted)
        return np.where(able, wanted, 0)

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Take all, or nothing."""
        able = ((counts > 0).sum(axis=1) >= self.different) & (counts.sum(axis=1) >= least)
        return np.where(able[:, None], counts, 0)

    def lacking(self, counts: Counts) -> Numbers:
        """Return how many values are missing."""
        missing: Numbers = np.maximum(0, self.different - (counts > 0).sum(axis=1)).astype(float)
        return missing
