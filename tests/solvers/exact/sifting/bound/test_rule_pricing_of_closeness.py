"""Pricing by closeness: prices of edges that hold for every close group, passes of another pace, and what plain loops ask for instead."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from anoptima.solvers.exact.sifting.bound.rule_pricing import ON_TREES, RULED, UNCOMPILED, rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from tests.loops import each
from tests.solvers.exact.sifting.bound.test_rule_pricing import multipliers
from tests.solvers.exact.sifting.cases_under_rules import PRINCIPLES, problem_of
from tests.solvers.exact.sifting.kernels.test_pricing import COMPILED, SEEDS, drawn

ON_A_TREE = [16, 17, 18, 23, 41, 42, 43, 48]


@each("seed", ON_A_TREE)
def test_prices_of_edges_make_every_close_group_worth_no_less(seed: int) -> None:
    """Kantorovich: the potentials of theta, with what the size asks for, add nothing negative to a group that may be."""
    instance = instance_of(problem_of(seed))
    pricing = rule_pricing(instance, is_compiled=True)
    at = replace(multipliers(instance, pricing, seed), worth=drawn(instance, seed) * 1.5)
    found = pricing.slacks(instance.arcs, at)
    assert list(found) == pricing.trees
    for number, slack in found.items():
        rule = pricing.rules[number]
        assert isinstance(rule, Tree)
        assert (np.abs(slack.theta) <= slack.lam[:, None] * rule.length + 1e-9).all()
        counts = np.array([*product(range(5), repeat=rule.values)])
        close = counts[rule.lacking(counts) == 0]
        more = (slack.lam * rule.t - slack.theta @ rule.below)[:, None]
        assert (close @ (rule.potentials(slack.theta) + more).T >= -1e-6).all()
        assert slack.theta.any()


def test_an_ascent_has_another_pace_on_trees_and_in_plain_loops() -> None:
    paces = {}
    for seed, principle in enumerate(PRINCIPLES):
        instance = instance_of(problem_of(seed))
        is_on_tree = any(isinstance(rule, Tree) for rule in instance.rules)
        for is_compiled in COMPILED:
            pricing = rule_pricing(instance, is_compiled)
            assert bool(pricing.trees) == (is_on_tree and is_compiled), principle
            assert len(pricing.steps) == len(pricing.trees) * len(instance.arcs)
            paces[is_on_tree and is_compiled, is_compiled] = pricing.pace
    assert paces == {(True, True): ON_TREES, (False, True): RULED, (False, False): UNCOMPILED}


@each("seed", SEEDS)
def test_plain_loops_ask_for_nothing_that_a_close_group_may_lack(seed: int) -> None:
    instance = instance_of(problem_of(seed))
    for rule, plain in zip(instance.rules, rule_pricing(instance, is_compiled=False).rules, strict=True):
        if not isinstance(rule, TotalVariation):
            continue
        assert isinstance(plain, DifferentValues)
        counts = np.array([*product(*(range(most + 1) for most in rule.whole.tolist()))][1:])
        different = (counts[rule.lacking(counts) == 0] > 0).sum(axis=1)
        assert different.min() >= plain.different
