"""Pricing groups of limited sizes, in loops compiled and as they are written, held against all groups and the witness."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.instance import Instance, counts_of, instance_of
from anoptima.solvers.exact.sifting.kernels.pricing import NOTHING, price_all
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import Sizes, TotalVariation
from tests.loops import each
from tests.proofs.test_group_cases import EQUAL, problem_by_cases
from tests.solvers.exact.sifting import witnesses


@each("number", range(12))
def test_patterns_are_priced_at_what_their_best_group_is_worth(number: int) -> None:
    problem = problem_by_cases(100 + number, EQUAL)
    instance = instance_of(problem)
    rule, arcs, chance = instance.rules[0], instance.arcs, np.random.default_rng(number)
    assert isinstance(rule, TotalVariation)
    largest = np.concatenate([rule.largest_size(counts) for _, counts in counts_of(instance.patterns, rule)])
    for _ in range(3):
        worth = chance.random(len(arcs.copies)) * 2 * arcs.cost.max()
        shift = chance.normal(size=(len(arcs), rule.values))
        least = np.minimum(arcs.least + chance.integers(0, 3, len(arcs)), largest)
        sizes = Sizes(least, np.minimum(largest, least + 2), chance.random(len(arcs)) < 0.5)
        prices, _ = witnesses.price_within(rule, arcs, worth, shift, sizes)
        charges = NOTHING._replace(arc=-shift[arcs.pattern_of, rule.value[arcs.member]])
        for plain in (False, True):
            found, its = price_all(rule, arcs, worth, charges=charges, sizes=sizes, plain=plain)
            assert np.allclose(prices, found)
            gained = np.add.reduceat(its * _gains(instance, worth, shift), arcs.start[:-1])
            assert np.allclose(gained, found / rule.scale)
        for p in range(len(arcs)):
            best = _best(instance, p, worth, shift, sizes)
            assert prices[p] / rule.scale == pytest.approx(best) if np.isfinite(best) else prices[p] < -1e6


def _gains(instance: Instance, worth: Numbers, shift: Numbers) -> Numbers:
    arcs, pattern = instance.arcs, instance.arcs.pattern_of
    gains: Numbers = worth[arcs.member] - arcs.cost[pattern] + shift[pattern, instance.rules[0].value[arcs.member]]
    return gains


def _best(instance: Instance, p: int, worth: Numbers, shift: Numbers, sizes: Sizes) -> float:
    """Return what the best legal group of a pattern is worth, of all that there are."""
    arcs, rule = instance.arcs, instance.rules[0]
    own = slice(arcs.start[p], arcs.start[p + 1])
    record, gain = arcs.member[own], _gains(instance, worth, shift)[own]
    best = -np.inf if sizes.opened[p] else 0.0
    for amounts in itertools.product(*(range(int(copies) + 1) for copies in arcs.copies[record])):
        size = sum(amounts)
        if not sizes.least[p] <= size <= sizes.most[p]:
            continue
        counts = np.bincount(rule.value[record], amounts, rule.values).astype(np.int64)
        if rule.lacking(counts[None])[0] == 0:
            best = max(best, float(gain @ np.array(amounts)))
    return best
