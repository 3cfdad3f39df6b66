"""Entropy diversity: priced from above and, in whole numbers, released as what it says; its bound is proved, its optimum between."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import Origin
from anoptima.principles import AtLeastEntropy
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.rules.entropy import Entropy
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases_under_rules import ENTROPY, optimum_of, problem_of
from tests.solvers.exact.sifting.kernels.test_pricing import best_groups, drawn

SEEDS = range(30)


@pytest.mark.parametrize("is_compiled", [False, True])
@each("seed", SEEDS)
def test_no_group_gains_more_than_its_price(seed: int, is_compiled: bool) -> None:
    instance = instance_of(problem_of(seed, principles=ENTROPY))
    assert isinstance(instance.rules[0], Entropy)
    worth = drawn(instance, seed)
    pricing = rule_pricing(instance, is_compiled)
    expected = np.array(best_groups(instance, worth))
    found = pricing.priced(instance.arcs, worth, everything=True)
    assert (found.prices >= expected).all()
    assert (pricing.priced(instance.arcs, worth).prices >= np.maximum(0, expected)).all()
    if instance.rules[0].is_alike and len(instance.rules) == 1:
        # Of groups of two values only those with both equally often are priced.
        counts = np.zeros((len(instance.arcs), instance.rules[0].values))
        np.add.at(counts, (instance.arcs.pattern_of, instance.rules[0].value[instance.arcs.member]), found.taken)
        few = (counts > 0).sum(axis=1) == instance.rules[0].different
        assert all(len(set(its[its > 0].tolist())) == 1 for its in counts[few])


@each("seed", range(asked(100, 1000)))
def test_groups_are_cut_down_until_they_are_diverse(seed: int) -> None:
    chance = np.random.default_rng(seed)
    equal, values = Fraction(str(chance.choice(["2", "3", "3/2", "5/2"]))), int(chance.integers(2, 6))
    condition = AtLeastEntropy("s", equal)
    rule = Entropy("s", np.zeros(1, np.int32), values, condition.values, float(equal), condition.is_alike_at_least)
    counts = chance.integers(0, 7, (1, values))
    kept = rule.cut_down(counts, np.ones(1, dtype=np.int64))[0]
    assert (kept <= counts[0]).all()
    assert not kept.any() or condition.holds(kept.tolist())
    assert kept.any() == ((counts > 0).sum() >= condition.values)
    # The next larger cap leaves too little.
    more = np.minimum(counts[0], kept.max() + 1)
    assert (more == kept).all() or not condition.holds(more.tolist())
    assert (rule.lacking(counts)[0] == 0) == (not counts.any() or condition.holds(counts[0].tolist()))


@each("seed", SEEDS[: asked(10, 30)])
def test_the_optimum_is_between_bound_and_cost(seed: int) -> None:
    problem = problem_of(seed, principles=ENTROPY)
    answer = ao.solve(problem, "sifting", time_limit=5)
    assert answer.bound is not None
    assert answer.cost is not None
    assert answer.bound.value <= optimum_of(problem) <= answer.cost
    assert answer.bound.origin in (Origin.PROOF, Origin.PROBLEM)
    assert not answer.verify().wrong
    assert ao.solve(problem, time_limit=20).cost == optimum_of(problem)


@each("seed", SEEDS[:10])
def test_what_is_taken_at_first_is_legal(seed: int) -> None:
    instance = instance_of(problem_of(seed, principles=ENTROPY))
    release = greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(seed))
    assert instance.programs.is_legal(release)
