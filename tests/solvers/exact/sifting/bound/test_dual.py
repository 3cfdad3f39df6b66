"""The dual bounds every release whatever the multipliers, in parts or not; passes and looks agree, and their slopes hold everywhere."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Arcs, part_of
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, Pricing, dot, first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting import cases, cases_under_rules
from tests.solvers.exact.sifting.bound.test_ascent import optimum, some_rows

SEEDS = range(40)


def terms_of(problem: CellSuppression, seed: int) -> tuple[Arcs, Terms]:
    _, arcs = cases.arcs_of(problem)
    return arcs, Terms(arcs, kernels, some_rows(Catalogue(arcs), seed))


def drawn(arcs: Arcs, prices: int, seed: int, more: int) -> Multipliers:
    """Draw multipliers near those that bound well, where many patterns are about to be worth opening, or above."""
    chance = np.random.default_rng([seed, more])
    worth = first_multipliers(arcs).worth + more + chance.normal(size=len(arcs.copies))
    return Multipliers(worth, chance.random(prices) * (chance.random(prices) < 0.5))


@each("seed", SEEDS[: asked(15, 40)])
def test_no_multipliers_prove_more_than_the_optimum_however_coarse_their_parts(seed: int) -> None:
    arcs, terms = terms_of(cases.problem_of(seed), seed)
    best = optimum(seed)
    for more in range(5):
        at = drawn(arcs, len(terms.rows), seed, more)
        assert terms.look(arcs, at).value <= best + 1e-9
        for d in (1, 3, 504_000):
            assert terms.exactly(at.in_parts(d), d) <= d * best


@each("d", [1, 7, 504_000])
def test_parts_are_the_nearest_whole_numbers(d: int) -> None:
    chance = np.random.default_rng(d)
    at = Multipliers(chance.normal(size=50) * 1e6, chance.random(20))
    whole = at.in_parts(d)
    for parts, numbers in ((whole.worth, at.worth), (whole.prices, at.prices)):
        assert parts.dtype == np.int64
        assert (np.abs(parts - numbers * d) <= 0.5).all()
    again = Multipliers(whole.worth / d, whole.prices / d).in_parts(d)
    assert again.worth.tolist() == whole.worth.tolist()
    assert again.prices.tolist() == whole.prices.tolist()
    assert len(Multipliers(np.zeros(0), np.zeros(0)).in_parts(d).worth) == 0


def agrees(pricing: Pricing, arcs: Arcs, here: Multipliers, there: Multipliers) -> bool:
    """Hold a pass against a look at the same multipliers, and its slopes against a look at others; tell whether anything is open."""
    look, one = pricing.look(arcs, here), pricing.go(arcs, here)
    assert np.isclose(one.value, look.value)
    assert one.negative.tolist() == (look.values < 0).tolist()
    assert not one.taken[~one.negative[arcs.pattern_of]].any()
    assert not look.reduced[one.taken > 1e-6].any()
    assert np.allclose(arcs.copies * (1 - one.worth_slope), np.bincount(arcs.member, one.taken, len(arcs.copies)))
    rise = one.worth_slope * arcs.copies @ (there.worth - here.worth) + one.price_slope @ (there.prices - here.prices)
    assert pricing.look(arcs, there).value <= one.value + rise + 1e-6
    everything = pricing.within(part_of(arcs, np.arange(len(arcs.member)))).go(arcs, here)
    assert everything.value == one.value
    assert everything.taken.tolist() == one.taken.tolist()
    part = part_of(arcs, np.flatnonzero(one.negative[arcs.pattern_of]))
    assert not one.negative.any() or np.isclose(pricing.within(part).go(part.arcs, here).value, one.value)
    return bool(one.negative.any())


@each("seed", SEEDS)
def test_passes_over_sizes_and_cuts_agree_with_looks(seed: int) -> None:
    arcs, terms = terms_of(cases.problem_of(seed), seed)
    some = [drawn(arcs, len(terms.rows), seed, more) for more in range(6)]
    found = [agrees(terms, arcs, here, there) for here, there in pairwise(some)]
    assert any(found)


@each("seed", SEEDS)
def test_passes_by_one_rule_agree_with_looks(seed: int) -> None:
    instance = instance_of(cases_under_rules.problem_of(seed))
    pricing = rule_pricing(instance, is_compiled=True)
    alone = replace(pricing, rules=pricing.rules[:1])
    if alone.trees:
        return
    arcs = instance.arcs
    some = [drawn(arcs, 0, seed, more) for more in range(6)]
    found = [agrees(alone, arcs, here, there) for here, there in pairwise(some)]
    assert any(found)


@each("seed", SEEDS[: asked(15, 40)])
def test_where_all_records_are_worth_their_cheapest_patterns_no_pattern_is_worth_more(seed: int) -> None:
    arcs, terms = terms_of(cases.problem_of(seed), seed)
    at = first_multipliers(arcs, len(terms.rows))
    cheapest = [arcs.cost[arcs.pattern_of[arcs.member == record]].min() for record in range(len(arcs.copies))]
    assert at.worth.tolist() == cheapest
    assert at.prices.tolist() == [0] * len(terms.rows)
    assert terms.look(arcs, at).value == arcs.copies @ cheapest <= optimum(seed)


def test_products_of_whole_numbers_are_exact_and_others_are_sums() -> None:
    large = 2**53 + 1
    assert dot(np.array([1, large, 0]), np.array([1, 1, 9])) == large + 1
    assert dot(np.array([2, 4]), np.array([0.25, 0.5])) == 2.5
    assert dot(np.zeros(0, np.int64), np.zeros(0)) == 0
