"""The Lagrangian dual under rules: worths of records, raised by diagonally scaled subgradient steps (Adam), one pricing a pass."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from math import lcm
from types import ModuleType

import numpy as np

from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.solvers.exact.sifting.arcs import Arcs, cheapest
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Slack, Tree
from anoptima.solvers.exact.sifting.rules.values import DifferentValues

PASSES, FEWEST, FEWEST_PLAIN = 600, 60, 10
"""Passes of an ascent, and the fewest if time is short, with compiled loops and with plain ones, which take a hundred times longer."""
MOST_OVER = 2.0
"""The fewest passes may take so many times their seconds."""
FIRST_STEP, LAST_STEP = 0.1, 1e-3
"""The first step, in units of the lightest column, and what it has shrunk to in the end."""
FEWEST_ARCS = 50_000
"""A thread has so many arcs to price, or there are fewer threads."""
_KEEP, _KEEP_SQUARES = 0.9, 0.99


@dataclass(frozen=True, eq=False)
class Priced:
    """What all patterns are worth: F_p, the least over the rules, times `scale`; and what the best groups take of each arc."""

    prices: Numbers
    taken: Numbers
    scale: int


@dataclass(frozen=True, eq=False)
class Dual:
    """L as a function of the worths; for closeness on trees of multipliers of patterns, too, which `slack` has by the rule's number."""

    arcs: Arcs
    rules: tuple[Rule, ...]
    kernels: ModuleType
    slack: Mapping[int, Slack] = field(default_factory=dict)
    threads: int = 1

    @cached_property
    def _blocks(self) -> list[Arcs]:
        """The patterns dealt out to threads, in blocks of about as many arcs each."""
        threads = min(self.threads, len(self.arcs.member) // FEWEST_ARCS)
        if threads <= 1:
            return [self.arcs]
        start = self.arcs.start
        ends = np.searchsorted(start, np.arange(threads + 1) * start[-1] // threads)
        return [self.arcs.block(first, last) for first, last in pairwise(ends.tolist()) if first < last]

    def priced(self, worth: Numbers, *, everything: bool = False) -> Priced:
        """Price every pattern by every rule, and keep the least."""
        scale = lcm(*(rule.scale for rule in self.rules))
        prices, taken = self._price(0, worth, scale, everything)
        for number in range(1, len(self.rules)):
            others, their = self._price(number, worth, scale, everything)
            lower = others < prices
            prices = np.where(lower, others, prices)
            taken = np.where(np.repeat(lower, np.diff(self.arcs.start)), their, taken)
        return Priced(prices, taken, scale)

    def _price(self, number: int, worth: Numbers, scale: int, everything: bool) -> tuple[Numbers, Numbers]:
        rule = self.rules[number]
        if number not in self.slack or worth.dtype.kind != "f":
            price = partial(self.kernels.price_all, rule, worth=worth, multiples=scale, everything=everything)
            if len(self._blocks) == 1:
                return price(self.arcs)  # type: ignore[no-any-return]
            with ThreadPoolExecutor(len(self._blocks)) as threads:
                prices, taken = zip(*threads.map(price, self._blocks), strict=True)
            return np.concatenate(prices), np.concatenate(taken)
        assert isinstance(rule, Tree)
        prices, taken = self.kernels.price_tree_all(rule, self.slack[number], self.arcs, worth, everything)
        return prices * scale, taken

    def at(self, worth: Numbers) -> tuple[float, Counts]:
        """Return L, and how many copies of each record the patterns with F > 0 take."""
        found = self.priced(worth)
        used = np.bincount(self.arcs.member, found.taken, len(self.arcs.copies))
        return float(self.arcs.copies @ worth) - float(found.prices.sum()) / found.scale, used

    def exactly(self, worth: Counts, cost_scale: int) -> Fraction:
        """Return `cost_scale` L for whole worths, counted in parts of 1 / `cost_scale`. Exact as long as 64 bits hold the sums."""
        arcs = self.arcs
        priced = replace(self, arcs=arcs.times(cost_scale), slack={}).priced(worth)
        paid = Fraction(sum(map(int, np.maximum(0, priced.prices))), priced.scale)
        return int(arcs.copies @ worth) - paid


def dual_of(instance: Instance, kernels: ModuleType, threads: int = 1) -> Dual:
    """Return L of a setting.

    What no checker prices is left out, for nothing would be proved by it. Without compiled kernels closeness is priced as if it asked for
    less: for nothing on trees, and at equal distance for the values that no legal group is without.
    """
    trees = {number: rule for number, rule in enumerate(instance.checked_rules) if isinstance(rule, Tree)}
    able = hasattr(kernels, "price_tree_all")
    slack = {number: Slack(len(instance.arcs), len(rule.first)) for number, rule in trees.items() if able}
    rules = instance.checked_rules if able else tuple(map(_loosened, instance.checked_rules))
    return Dual(instance.arcs, rules, kernels, slack, threads)


def _loosened(rule: Rule) -> Rule:
    """Return a rule that is priced quickly and holds for all groups that this one allows.

    A value whose share of the table is above t cannot be missing: the others would be too frequent by that share.
    """
    if not isinstance(rule, TotalVariation):
        return rule
    certain = int((rule.d * rule.whole > rule.c * rule.rows).sum())
    return DifferentValues(rule.column, rule.value, rule.values, max(1, certain))


def first_worths(arcs: Arcs) -> Numbers:
    """Let every record be worth what its cheapest pattern costs. O(A)."""
    return cheapest(arcs.start, arcs.member, arcs.cost, len(arcs.copies))


def ascend(
    dual: Dual,
    worth: Numbers,
    is_over: Callable[[], bool],
    *,
    unit: float = 1.0,
    seconds: float | None = None,
    passes: int = PASSES,
    first_step: float = FIRST_STEP,
) -> tuple[float, Numbers]:
    """Raise L until `passes` are done, as many as `seconds` allow, or `is_over()`; return the best.

    Slow passes are cut off after `MOST_OVER` times `seconds`, the last one in its midst: what they find must be proved in the time that is
    left.

    The steps fall geometrically; each is scaled by the slopes that its record has seen.
    """
    worth = worth.copy()
    mean, squares = np.zeros_like(worth), np.zeros_like(worth)
    best, best_worth = -np.inf, worth.copy()
    step, shrink = first_step * unit, LAST_STEP ** (1 / passes)
    fewest = FEWEST if hasattr(dual.kernels, "price_tree_all") else FEWEST_PLAIN
    began = time.monotonic()
    turn = 0
    until = math.inf if seconds is None else began + MOST_OVER * seconds

    def is_late() -> bool:
        return best > -math.inf and time.monotonic() >= until

    while turn < passes and not (turn and (is_over() or time.monotonic() >= until)):
        turn += 1
        try:
            with within(is_late):
                value, used = dual.at(worth)
        except OutOfTime:
            if best == -math.inf:
                raise
            break
        if value > best:
            best, best_worth = value, worth.copy()
        for slack in dual.slack.values():
            slack.move(turn, step, value >= best)
        slope = 1 - used / dual.arcs.copies
        mean = _KEEP * mean + (1 - _KEEP) * slope
        squares = _KEEP_SQUARES * squares + (1 - _KEEP_SQUARES) * slope**2
        worth = worth + step * mean / (1 - _KEEP**turn) / (np.sqrt(squares / (1 - _KEEP_SQUARES**turn)) + 1e-9)
        if seconds is not None and turn % 5 == 0:
            # As many as there is time for, so that the steps have shrunk by then.
            possible = int(turn * seconds / max(1e-9, time.monotonic() - began))
            passes = min(PASSES, max(fewest, possible))
            shrink = (LAST_STEP * first_step * unit / step) ** (1 / max(1, passes - turn))
        step *= shrink
    for slack in dual.slack.values():
        slack.back()
    return best, best_worth
