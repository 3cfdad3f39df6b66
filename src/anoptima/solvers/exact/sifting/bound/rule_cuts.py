"""Cuts under the rules of a principle: they ask for nothing but the sizes of groups, and rules say how small those can be.

A cut (`bound.cuts`) speaks of one pattern in each of its terms, and uses the least number of rows of a group of that pattern: k under
k-anonymity, and under any principle the least size that its rules allow there, which arcs know (`Arcs.least`). Frequency l-diversity
implies groups of l rows; equal closeness to fourteen occupations at t = 0.3 implies six. With charges f_p of patterns and h_pr of copies

    L(pi, sigma) = sum_r s_r pi_r + sum_p min(0, f_p - F_p) - sum_i sigma_i q_i,

F_p what the best legal group gains at pi_r - c_p - h_pr. A pattern with f_p < 0 may be worth opening for this charge alone, so its F_p is
the gain of its best non-empty group, even below 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from anoptima.solvers.exact.sifting import arcs as plain
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers
from anoptima.solvers.exact.sifting.bound.cuts import Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers, Pass, dot
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing
from anoptima.solvers.exact.sifting.kernels.pricing import NOTHING, Charges

_UNPRICED = np.zeros(0)
"""Prices where there are none."""


class TermsUnderRules(Terms):
    """The rows in force, and pricing by rules, none of which is closeness on a tree."""

    def __init__(self, arcs: Arcs, pricing: RulePricing, rows: Iterable[Row] = ()) -> None:
        super().__init__(arcs, plain, rows)
        self._pricing = pricing

    def of(self, rows: Iterable[Row]) -> TermsUnderRules:
        """Return other rows over the same arcs."""
        return TermsUnderRules(self._all, self._pricing, rows)

    def look(self, arcs: Arcs, at: Multipliers) -> DualPoint:
        """Look at all patterns: one pass."""
        point = self._pricing.look(arcs, Multipliers(at.worth, _UNPRICED), self._charged(at.prices))
        return replace(point, at=at, value=point.value - float(dot(self.most, at.prices)))

    def go(self, arcs: Arcs, at: Multipliers) -> Pass:
        """Price the patterns that may be worth anything."""
        one = self._pricing.go(arcs, Multipliers(at.worth, _UNPRICED), self._charged(at.prices))
        value = one.value - float(dot(self.most, at.prices))
        slope = self.left_sides(one.negative, one.taken) - self.most
        return replace(one, at=at, value=value, price_slope=slope)

    def exactly(self, at: Multipliers, d: int) -> int:
        """Return D times the bound, at multipliers in parts of D = `d`. Exact as long as 64 bits hold the sums."""
        charges = self._charged(at.prices)
        found = self._pricing.priced(self._all.times(d), at.worth, charges=charges)
        outset = int(self._all.copies @ at.worth) - int(self.most @ at.prices)
        return outset + sum(map(int, np.minimum(0, charges.before(found.prices))))

    def _charged(self, prices: Numbers) -> Charges:
        charge, surcharge = self.charges(prices)
        return Charges(charge, NOTHING.arc if surcharge is None else surcharge)
