"""Every pattern is priced at least as high as by trying every group, and as high where the rule is exact."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anoptima.principles import LDiversity, TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs import case_bounds, equality
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing, rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.kernels.pricing import price_all, reduced_costs
from anoptima.solvers.exact.sifting.proofs import proof_at
from anoptima.solvers.exact.sifting.releases.release import legal_groups
from anoptima.solvers.exact.sifting.rules import total_variation as equal
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting import witnesses
from tests.solvers.exact.sifting.cases_under_rules import problem_of

COMPILED = [False, True]
SEEDS = range(50)


def best_groups(instance: Instance, worth: np.ndarray) -> list[float]:
    """What the best legal group of each pattern is worth, by trying every one."""
    arcs, found = instance.arcs, []
    for p in range(len(arcs)):
        record = arcs.member[arcs.start[p] : arcs.start[p + 1]].astype(np.int64)
        choices = np.array(list(itertools.product(*(range(arcs.copies[r] + 1) for r in record))))
        label = np.repeat(np.arange(len(choices)), len(record))
        legal = legal_groups(instance.problem, label, np.tile(record, len(choices)), choices.ravel(), len(choices))
        found.append(max((choices @ (worth[record] - arcs.cost[p]))[legal], default=-np.inf))
    return found


def unloosened(instance: Instance, is_compiled: bool) -> RulePricing:
    return replace(rule_pricing(instance, is_compiled), rules=instance.rules)


def drawn(instance: Instance, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-2, 9, len(instance.arcs.copies))


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS)
def test_no_group_is_worth_more_than_its_price(seed: int, is_compiled: bool) -> None:
    problem = problem_of(seed)
    instance = instance_of(problem)
    worth = drawn(instance, seed)
    priced = rule_pricing(instance, is_compiled).priced(instance.arcs, worth, everything=True)
    expected = np.array(best_groups(instance, worth))
    assert (priced.prices >= expected).all()
    if all(isinstance(part, LDiversity) for part in problem.principle.parts):
        assert len(problem.principle.parts) > 1 or (expected > -np.inf).all()
        assert (priced.prices.tolist() == expected.tolist()) or len(instance.rules) > 1


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS)
def test_loops_price_as_the_witness_does(seed: int, is_compiled: bool) -> None:
    instance = instance_of(problem_of(seed))
    arcs, priced = instance.arcs, unloosened(instance, is_compiled)
    for worth in (drawn(instance, seed), drawn(instance, seed) + np.random.default_rng(seed).random(len(arcs.copies))):
        for everything in (False, True):
            found, each_rule = priced.priced(arcs, worth, everything=everything), []
            for rule in priced.rules:
                its, _ = witnesses.price_all(rule, arcs, worth, everything=everything)
                exactly, _ = price_all(rule, arcs, worth, everything=everything, plain=not is_compiled)
                assert its == pytest.approx(np.where(everything | (its > 0), exactly, 0))
                each_rule.append(its // rule.scale if worth.dtype == np.int64 else its / rule.scale)
            expected = np.minimum.reduce(each_rule)
            assert expected == pytest.approx(np.where(everything | (expected > 0), found.prices, 0))
            assert found.prices.dtype == worth.dtype


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS)
def test_reduced_costs_are_those_of_the_witness(seed: int, is_compiled: bool) -> None:
    instance = instance_of(problem_of(seed))
    arcs, worth = instance.arcs, drawn(instance, seed) + np.random.default_rng(seed).random(len(instance.arcs.copies))
    priced = unloosened(instance, is_compiled).priced(arcs, worth, everything=True)
    values, rule = -priced.prices, instance.rules[0]
    found = reduced_costs(rule, arcs, worth, values, priced.taken, plain=not is_compiled)
    assert found == pytest.approx(witnesses.reduced_costs(rule, arcs, worth, values, priced.taken))
    assert (found >= np.maximum(0, np.repeat(values, np.diff(arcs.start))) - 1e-6).all()
    assert not found[(priced.taken > 0) & (np.repeat(values, np.diff(arcs.start)) < 0)].any()


@pytest.mark.parametrize("is_compiled", COMPILED)
@each("seed", SEEDS)
def test_what_is_used_is_a_slope(seed: int, is_compiled: bool) -> None:
    """L is concave in the worths where one rule prices, with the copies minus what is used as a supergradient."""
    instance = instance_of(problem_of(seed))
    if len(instance.rules) > 1:
        return
    priced, arcs = unloosened(instance, is_compiled), instance.arcs
    here, there = drawn(instance, seed).astype(float), drawn(instance, seed + 1000) + 0.3
    one, other = (priced.priced(arcs, worth) for worth in (here, there))
    used = np.bincount(arcs.member, one.taken, len(arcs.copies))
    values = [arcs.copies @ worth - its.prices.sum() for worth, its in ((here, one), (there, other))]
    assert values[1] <= values[0] + (arcs.copies - used) @ (there - here) + 1e-6


@each("seed", SEEDS)
def test_the_best_multipliers_are_worth_the_same_again(seed: int) -> None:
    """Pricing makes prices of trees better as it goes: what is returned are those that it began with."""
    problem = problem_of(seed)
    instance = instance_of(problem)
    arcs, priced = instance.arcs, rule_pricing(instance, True)
    start = first_multipliers(arcs, len(priced.steps))
    found = ascend(arcs, priced, start, lambda: False, Course(40, pace=priced.pace))
    assert found.value >= priced.look(arcs, start).value
    assert priced.look(arcs, found.at).value == pytest.approx(found.value)


@each("seed", SEEDS)
def test_a_pattern_that_is_left_out_holds_no_group_and_sizes_are_least(seed: int) -> None:
    problem = problem_of(seed)
    instance = instance_of(problem)
    for p in range(len(instance.arcs)):
        record = instance.arcs.member[instance.arcs.start[p] : instance.arcs.start[p + 1]].astype(np.int64)
        choices = np.array(list(itertools.product(*(range(instance.arcs.copies[r] + 1) for r in record))))
        label = np.repeat(np.arange(len(choices)), len(record))
        legal = legal_groups(instance.problem, label, np.tile(record, len(choices)), choices.ravel(), len(choices))
        sizes = choices.sum(axis=1)[legal]
        assert (sizes >= instance.arcs.least[p]).all()


@pytest.mark.parametrize("t", ["0.1", "0.3", "1/3"])
@each("seed", range(3))
def test_whole_groups_are_priced_as_the_checker_does(seed: int, t: str) -> None:
    """Sizes and prices of slots are tried in the same order by both, so neither proves more; and more than by split slots is proved."""
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 3], (80, 3)), columns=list("abc"))
    frame["s"] = chance.choice(list("uvwxyz"), 80, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
    problem = CellSuppression(Table.from_frame(frame, list("abc"), "s"), TCloseness(t))
    instance = instance_of(problem)
    priced, first = rule_pricing(instance, True), first_multipliers(instance.arcs)
    for at in (first, ascend(instance.arcs, priced, first, lambda: False, Course(60, pace=priced.pace)).at):
        proof = proof_at(instance, priced, at)
        assert proof is not None
        assert proof.proves(problem) == proof.value


def test_both_look_at_as_many_sizes_and_prices() -> None:
    assert equality._MOST_SIZES == equal.MOST_SIZES
    assert equality._PRICE_STEPS == equal.PRICE_STEPS
    assert equality.STEEPEST == equal.STEEPEST
    assert case_bounds.MOST_CASES == equal.MOST_CASES


def test_whole_rows_are_worth_less_than_split_ones() -> None:
    """Of values with shares 1/2, 1/4, 1/4 at t = 1/4, two rows may be of the first value and one other, not of all three."""
    rule = equal.TotalVariation("ill", np.array([0, 1, 2], np.int32), 3, np.array([2, 1, 1]), 1, 4)
    gain, copies = np.array([3, 2, 1]), np.array([1, 1, 1])
    two = witnesses.WholeRows(rule, gain, copies, rule.value, 2, 1).best()
    split = witnesses.filled(rule, gain, copies, rule.value, 2)
    assert two is not None
    assert split is not None
    assert two[0] / rule.scale == 5
    assert split[0] / rule.scale == 5
    one = witnesses.WholeRows(rule, gain, copies, rule.value, 1, 1).best()
    filled = witnesses.filled(rule, gain, copies, rule.value, 1)
    assert one is not None
    assert filled is not None
    assert one[0] / rule.scale < 0
    assert filled[0] / rule.scale == 2.75
    assert witnesses.WholeRows(rule, gain, copies, rule.value, 1, 9).best() is None
