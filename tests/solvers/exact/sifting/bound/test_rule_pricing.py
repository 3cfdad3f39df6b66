"""Pricing by the rules of a principle: the least of what they say, over parts, with charges, and no more than is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.arcs import part_of
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing, rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.kernels.pricing import Charges
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of
from tests.solvers.exact.sifting.kernels.test_pricing import COMPILED, SEEDS, drawn


def multipliers(instance: Instance, pricing: RulePricing, seed: int) -> Multipliers:
    chance = np.random.default_rng(seed)
    worth = first_multipliers(instance.arcs).worth + chance.normal(size=len(instance.arcs.copies))
    return Multipliers(worth, chance.random(len(pricing.steps)))


@each("seed", SEEDS)
def test_a_pattern_is_worth_the_least_that_any_rule_says_and_takes_what_that_rule_takes(seed: int) -> None:
    instance = instance_of(problem_of(seed))
    arcs, pricing, worth = instance.arcs, rule_pricing(instance, is_compiled=True), drawn(instance, seed)
    found = pricing.priced(arcs, worth, everything=True)
    alone = [replace(pricing, rules=(rule,)).priced(arcs, worth, everything=True) for rule in pricing.rules]
    least = np.array([its.prices for its in alone])
    assert found.prices.tolist() == least.min(axis=0).tolist()
    for p, number in enumerate(least.argmin(axis=0)):
        own = slice(arcs.start[p], arcs.start[p + 1])
        assert found.taken[own].tolist() == alone[number].taken[own].tolist()


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS)
def test_nothing_that_is_looked_at_is_above_the_optimum(seed: int, is_compiled: bool) -> None:
    problem = problem_of(seed)
    instance = instance_of(problem)
    pricing, best = rule_pricing(instance, is_compiled), float(optimum_of(problem) * problem.cost_scale)
    for number in range(3):
        at = multipliers(instance, pricing, 100 * seed + number)
        look, one = pricing.look(instance.arcs, at), pricing.go(instance.arcs, at)
        assert look.value <= best + 1e-6
        assert look.at is at
        assert (look.reduced >= 0).all()
        assert one.value <= pricing.look(instance.arcs, one.at).value + 1e-6 <= best + 2e-6
        assert pricing.trees or (one.at is at and one.value == pytest.approx(look.value))


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS[:24])
def test_what_charges_take_away_from_patterns_is_not_opened(seed: int, is_compiled: bool) -> None:
    instance = instance_of(problem_of(seed))
    pricing = replace(rule_pricing(instance, is_compiled), rules=instance.rules[:1])
    if pricing.trees:
        return
    arcs, at = instance.arcs, multipliers(instance, pricing, seed)
    at = replace(at, worth=at.worth + 2)
    free = pricing.look(arcs, at)
    charge = np.where(np.arange(len(arcs)) % 2 == 0, np.maximum(0, 1 - free.values), 0)
    charges = Charges(charge, np.zeros(len(arcs.member)))
    look, one = pricing.look(arcs, at, charges), pricing.go(arcs, at, charges)
    assert look.values == pytest.approx(free.values + charge)
    assert not one.negative[::2].any()
    assert not one.taken[~one.negative[arcs.pattern_of]].any()
    assert one.value == pytest.approx(look.value)
    assert look.value == pytest.approx(free.value - np.minimum(0, free.values)[::2].sum())


@each("seed", SEEDS)
def test_a_part_has_the_prices_of_its_own_patterns_alone(seed: int) -> None:
    instance = instance_of(problem_of(seed))
    arcs, pricing = instance.arcs, rule_pricing(instance, is_compiled=True)
    at = multipliers(instance, pricing, seed)
    is_in = np.arange(len(arcs)) % 3 > 0
    if not is_in.any():
        return
    part = part_of(arcs, np.flatnonzero(is_in[arcs.pattern_of]))
    one, other = pricing.go(arcs, at), pricing.within(part).go(part.arcs, at)
    count = len(pricing.trees)
    slopes, prices = (
        [its.reshape(count, len(arcs)) for its in both]
        for both in ((one.price_slope, other.price_slope), (one.at.prices, other.at.prices))
    )
    assert other.taken == pytest.approx(one.taken[part.chosen])
    assert slopes[1] == pytest.approx(np.where(is_in, slopes[0], 0))
    assert prices[1] == pytest.approx(np.where(is_in, prices[0], at.prices.reshape(count, len(arcs))))
