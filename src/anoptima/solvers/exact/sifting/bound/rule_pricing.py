"""Pricing by the rules of a principle: a pattern is worth the least that any of them says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.solvers.exact.sifting.arcs import Arcs, Part
from anoptima.solvers.exact.sifting.bound.ascent import QUICK, Pace
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers, Pass, dot
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.kernels.pricing import (
    NOTHING,
    Charges,
    price_all,
    price_tree_all,
    reduced_costs,
)
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import STEP, Tree
from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from anoptima.solvers.side_by_side import side_by_side

RULED = replace(QUICK, near=2.0, far=np.inf, part=0.5, fewest=60)
"""Looks at all patterns take ten times as long as passes over those that gain, so there are fewer of them."""
UNCOMPILED = replace(RULED, fewest=10)
"""Plain loops take a hundred times longer."""
ON_TREES = replace(RULED, near=np.inf, latest=60)
"""How a group lies in the tree depends on all rows that a pattern matches: no arc can be left aside, and what some of them say misleads."""
FEWEST_ARCS = 50_000
"""The least arcs that a thread prices; with fewer arcs there are fewer threads."""
MOST_ARCS = 1_000_000
"""The clock is looked at after so many arcs, some tenths of a second of one thread: 200,000 rows of eight columns have 18 million."""


@dataclass(frozen=True, eq=False)
class Priced:
    """What all patterns are worth: F_p, the least over the rules; and what the best groups take of each arc."""

    prices: Numbers
    taken: Numbers


@dataclass(eq=False)
class Slack:
    """Of one rule, pattern by pattern: lam, which pricing makes better, the slope that it finds there, and the prices of edges."""

    lam: NDArray[np.float64]
    slope: NDArray[np.float64]
    theta: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RulePricing:
    """Prices some of the patterns, `patterns` of `count`, by rules.

    Closeness on trees has a multiplier of each pattern of its own: the prices are those of the first tree, then those of the next.
    """

    rules: tuple[Rule, ...]
    is_compiled: bool
    count: int
    patterns: Counts
    threads: int = 1
    sizes: dict[int, Counts] = field(default_factory=dict)
    """Of trees: the sizes of the best groups of all patterns when they were last priced."""

    @property
    def pace(self) -> Pace:
        """The pace of an ascent."""
        if self.trees:
            return ON_TREES
        return RULED if self.is_compiled else UNCOMPILED

    @cached_property
    def trees(self) -> list[int]:
        """Which of the rules are closeness on a tree, where the loops for that are compiled."""
        if not self.is_compiled:
            return []
        return [number for number, rule in enumerate(self.rules) if isinstance(rule, Tree)]

    @property
    def steps(self) -> Numbers:
        """A lam is paid for distances, which are smaller than rows: it moves by larger steps."""
        return np.full(len(self.trees) * self.count, float(STEP))

    def within(self, part: Part) -> RulePricing:
        """Return the same over a part of the arcs."""
        return replace(self, patterns=self.patterns[part.patterns])

    def slacks(self, arcs: Arcs, at: Multipliers) -> dict[int, Slack]:
        """Return the prices of edges of the patterns that some record gains by, of every rule that has some, by its number."""
        found = self._slacks(at)
        self.priced(arcs, at.worth, found)
        return found

    def look(self, arcs: Arcs, at: Multipliers, charges: Charges = NOTHING) -> DualPoint:
        """Look at all patterns, those that are worth nothing among them."""
        found = self.priced(arcs, at.worth, self._slacks(at), everything=True, charges=charges)
        values = charges.before(found.prices)
        value = float(dot(arcs.copies, at.worth) + np.minimum(0, values).sum())
        plain, rule = not self.is_compiled, self.rules[0]
        reduced = reduced_costs(rule, arcs, at.worth, values, found.taken, plain=plain, surcharge=charges.arc)
        return DualPoint(at, value, values, reduced)

    def go(self, arcs: Arcs, at: Multipliers, charges: Charges = NOTHING) -> Pass:
        """Price the patterns that some record gains by."""
        slacks = self._slacks(at)
        found = self.priced(arcs, at.worth, slacks, charges=charges)
        values, taken = charges.before(found.prices), found.taken
        negative = values < 0
        if len(charges.pattern):
            taken = np.where(np.repeat(negative, np.diff(arcs.start)), taken, 0)
        used = np.bincount(arcs.member, taken, len(arcs.copies))
        value = float(dot(arcs.copies, at.worth) + values[negative].sum())
        slope = np.zeros((len(self.trees), self.count))
        for one, slack in zip(slope, slacks.values(), strict=True):
            one[self.patterns] = slack.slope
        return Pass(self._at(at, slacks), value, taken, negative, 1 - used / arcs.copies, slope.ravel())

    def _slacks(self, at: Multipliers) -> dict[int, Slack]:
        lam = at.prices.reshape(len(self.trees), self.count)[:, self.patterns]
        found = {}
        for number, own in zip(self.trees, lam, strict=True):
            rule = self.rules[number]
            assert isinstance(rule, Tree)
            found[number] = Slack(own.copy(), np.zeros(len(own)), np.zeros((len(own), len(rule.first))))
        return found

    def _at(self, at: Multipliers, slacks: dict[int, Slack]) -> Multipliers:
        if not slacks:
            return at
        prices = at.prices.reshape(len(self.trees), self.count).copy()
        prices[:, self.patterns] = [slack.lam for slack in slacks.values()]
        return Multipliers(at.worth, prices.ravel())

    def priced(
        self,
        arcs: Arcs,
        worth: Numbers,
        slacks: dict[int, Slack] | None = None,
        *,
        everything: bool = False,
        charges: Charges = NOTHING,
    ) -> Priced:
        """Price every pattern by every rule, and keep the least; trees without their `slacks` as if closeness asked for nothing.

        Where worths are whole, so is what groups gain, and what is above that is rounded down, as the checker does: over a common
        denominator of several rules, 64 bits would not hold it.
        """
        found: Priced | None = None
        for number, rule in enumerate(self.rules):
            if slacks and number in slacks:
                own = slacks[number]
                assert isinstance(rule, Tree)
                sizes = self.sizes.setdefault(number, np.zeros(self.count, dtype=np.int64))
                its = sizes[self.patterns]
                prices, taken, own.slope, own.theta = price_tree_all(
                    rule, own.lam, arcs, worth, everything, self.threads, its
                )
                sizes[self.patterns] = its
            else:
                price = partial(price_all, rule, worth=worth, everything=everything, plain=not self.is_compiled)
                prices, taken = self._on_threads(price, arcs, charges)
                prices = prices // rule.scale if prices.dtype.kind == "i" else prices / rule.scale
            if found is not None:
                lower = prices < found.prices
                prices = np.where(lower, prices, found.prices)
                taken = np.where(np.repeat(lower, np.diff(arcs.start)), taken, found.taken)
            found = Priced(prices, taken)
        assert found is not None
        return found

    def _on_threads(
        self, price: partial[tuple[Numbers, Numbers]], arcs: Arcs, charges: Charges
    ) -> tuple[Numbers, Numbers]:
        threads = min(self.threads, len(arcs.member) // FEWEST_ARCS)
        blocks = list(arcs.blocks(min(MOST_ARCS, -(-len(arcs.member) // max(1, threads)))))
        if len(blocks) <= 1:
            return price(arcs, charges=charges)

        def priced(block: tuple[Arcs, slice, slice]) -> tuple[Numbers, Numbers]:
            check_time()
            own, patterns, its = block
            return price(own, charges=charges.of(patterns, its))

        found = side_by_side(priced, blocks, threads)
        prices, taken = zip(*found, strict=True)
        return np.concatenate(prices), np.concatenate(taken)


def rule_pricing(instance: Instance, is_compiled: bool, threads: int = 1) -> RulePricing:
    """Return the pricing of an instance.

    What no checker prices is left out, for nothing would be proved by it. In plain loops closeness is priced as if it asked for
    less: for nothing on trees, and at equal distance for the values that no legal group is without.
    """
    rules = instance.checked_rules if is_compiled else tuple(map(_loosened, instance.checked_rules))
    count = len(instance.arcs)
    return RulePricing(rules, is_compiled, count, np.arange(count), threads)


def _loosened(rule: Rule) -> Rule:
    """Return a rule that is priced quickly and holds for all groups that this one allows.

    A value whose share of the table is above t cannot be missing: the others would be too frequent by that share.
    """
    if not isinstance(rule, TotalVariation):
        return rule
    certain = int((rule.d * rule.whole > rule.c * rule.rows).sum())
    return DifferentValues(rule.column, rule.value, rule.values, max(1, certain))
