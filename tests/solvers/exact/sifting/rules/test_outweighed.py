"""Recursive diversity: priced as by trying every group, released as what it says, solved as by trying every partition, and proved."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import Claim, Origin
from anoptima.principles import Outweighed
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.proofs.group_pricing import is_priced
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.rules.of_conditions import rule_of
from anoptima.solvers.exact.sifting.rules.outweighed import OutweighedMost
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases_under_rules import OUTWEIGHED, optimum_of, problem_of
from tests.solvers.exact.sifting.kernels.test_pricing import best_groups, drawn

SEEDS = range(30)


def rule_for(factor: Fraction, first: int, values: int) -> OutweighedMost:
    a, b = factor.as_integer_ratio()
    return OutweighedMost("s", np.zeros(1, dtype=np.int32), values, factor, a, b, first, first + int(1 / factor))


@pytest.mark.parametrize("is_compiled", [False, True])
@each("seed", SEEDS)
def test_the_best_group_is_found_as_by_trying_every_one(seed: int, is_compiled: bool) -> None:
    instance = instance_of(problem_of(seed, principles=OUTWEIGHED))
    assert isinstance(instance.rules[0], OutweighedMost)
    worth = drawn(instance, seed)
    pricing = rule_pricing(instance, is_compiled)
    expected = np.array(best_groups(instance, worth))
    priced = pricing.priced(instance.arcs, worth, everything=True).prices
    assert (priced >= expected).all()
    # Under two rules groups of either are priced; a factor of 20 as that there are three values.
    if len(instance.rules) == 1 and instance.rules[0].below:
        assert priced.tolist() == expected.tolist()
        assert pricing.priced(instance.arcs, worth).prices.tolist() == np.maximum(0, expected).tolist()


@each("seed", range(asked(100, 1000)))
def test_groups_are_cut_down_to_the_largest_there_are(seed: int) -> None:
    chance = np.random.default_rng(seed)
    values = int(chance.integers(2, 6))
    factor, first = Fraction(str(chance.choice(["1", "2", "1/2", "3/2", "20"]))), int(chance.integers(3, 5))
    condition, rule = Outweighed("s", factor, first), rule_for(factor, first, values)
    counts = chance.integers(0, 5, (1, values))
    sizes = [
        sum(part)
        for part in np.ndindex(*(counts[0] + 1))
        if sum(part) and condition.holds([int(count) for count in part])
    ]
    kept = rule.cut_down(counts, np.ones(1, dtype=np.int64))[0]
    assert (kept <= counts[0]).all()
    assert kept.sum() == max(sizes, default=0)
    assert not sizes or condition.holds(kept.tolist())
    assert (rule.lacking(counts)[0] == 0) == (not counts.any() or condition.holds(counts[0].tolist()))
    wanted = int(rule.smallest(counts, np.array([2]))[0])
    legal = [size for size in sizes if size >= 2]
    assert bool(wanted) == bool(legal)
    assert not legal or 2 <= wanted <= min(legal)


@each("seed", SEEDS[: asked(10, 30)])
def test_the_optimum_is_found_and_proved(seed: int) -> None:
    problem = problem_of(seed, principles=OUTWEIGHED)
    answer = ao.solve(problem, "sifting", time_limit=20)
    assert answer.claim is Claim.OPTIMAL
    assert answer.cost == optimum_of(problem)
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.PROOF, Origin.PROBLEM)
    assert not answer.verify().wrong
    if answer.bound.origin is Origin.PROOF:
        assert answer.proof is not None
        assert answer.proof.proved(problem) == answer.bound.value


@each("seed", SEEDS[: asked(4, 10)])
def test_programs_state_it(seed: int) -> None:
    problem = problem_of(seed, principles=OUTWEIGHED)
    for solver in ("pattern/highs", "assignment/cp-sat"):
        assert ao.solve(problem, solver, time_limit=20).cost == optimum_of(problem)


@each("seed", SEEDS[:10])
def test_what_is_taken_at_first_is_legal(seed: int) -> None:
    instance = instance_of(problem_of(seed, principles=OUTWEIGHED))
    release = greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(seed))
    assert instance.programs.is_legal(release)


def test_a_factor_with_huge_terms_is_priced_with_smaller_ones_that_ask_no_more() -> None:
    table = ao.ten_rows()
    principle = RecursiveDiversity("1.4142135623730950488", 3)
    conditions = principle.conditions(table)
    assert all(is_priced(condition) for condition in conditions)
    rule = rule_of(conditions[-1], table)
    assert isinstance(rule, OutweighedMost)
    assert rule.factor == Fraction(10, 7)
    assert (rule.above, rule.below) == (10, 7)
    assert rule_of(Outweighed("disease", Fraction(10**9), 3), table).numbers.tolist() == [10, 1, 3, 3]  # type: ignore[union-attr]
    problem = ao.CellSuppression(table, principle)
    assert ao.solve(problem, "sifting").cost == ao.solve(problem, "subset-dp").cost
