"""The Lagrangian dual over all patterns, as an ascent sees it: a point of it, a pass over some arcs, and what can be asked of a pricing.

Rows are worth pi_t a copy; prices sigma >= 0 are of inequalities: cuts, or what a rule asks of the group of one pattern. Then

    L(pi, sigma) = sum_t s_t pi_t + sum_p min(0, v_p) - what the prices pay   <=   OPT (scaled)

for any multipliers at all, where v_p is what the best group of pattern p is worth at them. `cuts.Terms` prices by size alone, where cut i,
a valid inequality "sum of its y and x terms <= q_i", has a price sigma_i, its terms are charges, and prices pay sum_i sigma_i q_i;
`rule_pricing.RulePricing` prices by the rules of a principle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, Part


@dataclass(frozen=True, eq=False)
class Multipliers:
    """What a copy of each record is worth, and the price of each inequality."""

    worth: Numbers
    prices: Numbers

    def in_parts(self, d: int) -> Multipliers:
        """Return the nearest whole numbers of parts of 1 / `d`: no rounding is wrong."""
        return Multipliers(np.rint(self.worth * d).astype(np.int64), np.rint(self.prices * d).astype(np.int64))


@dataclass(frozen=True, eq=False)
class DualPoint:
    """All patterns at some multipliers: L, what the best group of each pattern is worth, and the reduced cost of every arc."""

    at: Multipliers
    value: float
    values: Numbers
    reduced: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pass:
    """L over some arcs, what is taken and opened for it, and its slopes: by the worth of a copy of each record, by each price.

    It is at other multipliers than those asked for if pricing came by better prices.
    """

    at: Multipliers
    value: float
    taken: Numbers
    negative: NDArray[np.bool_]
    worth_slope: Numbers
    price_slope: Numbers


class Pricing(Protocol):
    """What groups are worth at multipliers."""

    @property
    def steps(self) -> Numbers:
        """How far each price moves, in steps of a worth."""

    def within(self, part: Part) -> Self:
        """Return the same over a part of the arcs."""

    def look(self, arcs: Arcs, at: Multipliers) -> DualPoint:
        """Look at all patterns: one pass."""

    def go(self, arcs: Arcs, at: Multipliers) -> Pass:
        """Price the patterns that may be worth anything: one pass."""


def dot(some: NDArray[np.int64], others: Numbers) -> np.float64:
    """Return the product of two vectors on this thread: `@` shares long ones with others, and waits for those that have no core."""
    product: np.float64 = (some * others).sum()
    return product


def first_multipliers(arcs: Arcs, prices: int = 0) -> Multipliers:
    """Let every record be worth what its cheapest pattern costs, and every price be 0. O(A)."""
    worth = np.full(len(arcs.copies), np.inf)
    np.minimum.at(worth, arcs.member, np.repeat(arcs.cost.astype(float), np.diff(arcs.start)))
    return Multipliers(worth, np.zeros(prices))
