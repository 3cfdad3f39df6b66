"""Branching under equal closeness: small tables end at the optimum, with a proof that says so; and its pricing, held against all groups."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.kinds import proof_as_json
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.instance import Instance, counts_of, instance_of
from anoptima.solvers.exact.sifting.kernels.size_limited import price_within
from anoptima.solvers.exact.sifting.proofs import proof_by_cases
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import Sizes, TotalVariation
from anoptima.solvers.exact.sifting.tree.by_size import TreeBySize
from tests.loops import each
from tests.proofs.test_group_cases import EQUAL
from tests.proofs.test_tampering import stands
from tests.solvers.exact.sifting import witnesses
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of


def equal_problem(number: int) -> CellSuppression:
    return problem_of(25 * (number // len(EQUAL)) + EQUAL[number % len(EQUAL)] + 25 * 80, 7)


def branched(problem: CellSuppression) -> TreeBySize:
    instance = instance_of(problem)
    best = [float(instance.arcs.copies.sum() * instance.arcs.cost.max())]

    def take(release: Release) -> None:
        partition = partition_of(instance.patterns, release)
        assert not problem.violations(partition)
        best[0] = min(best[0], float(problem.cost(partition) * problem.cost_scale))

    tree = TreeBySize(instance, first_multipliers(instance.arcs).worth, lambda: best[0] - 1, take, lambda: False)
    tree.run(seconds=600)  # the first run compiles, which may take a minute
    assert tree.is_done
    assert best[0] == optimum_of(problem) * problem.cost_scale
    return tree


@each("number", range(24))
def test_small_tables_are_proved(number: int) -> None:
    problem = equal_problem(number)
    proof = proof_by_cases(instance_of(problem), list(branched(problem).cases))
    assert proof is not None
    assert proof.proved(problem) == optimum_of(problem)


@each("number", range(6))
def test_whatever_is_changed_in_its_file_a_proof_is_true(number: int) -> None:
    problem = equal_problem(number)
    proof = proof_by_cases(instance_of(problem), list(branched(problem).cases))
    assert proof is not None
    assert stands(problem, proof_as_json(proof), optimum_of(problem)) > 0


@each("number", range(12))
def test_patterns_are_priced_at_what_their_best_group_is_worth(number: int) -> None:
    problem = equal_problem(number)
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
        compiled, its = price_within(rule, arcs, worth, shift, sizes)
        assert np.allclose(prices, compiled)
        gained = np.add.reduceat(its * _gains(instance, worth, shift), arcs.start[:-1])
        assert np.allclose(gained, compiled / rule.scale)
        for p in range(len(arcs)):
            best = _best(instance, p, worth, shift, sizes)
            assert prices[p] / rule.scale == pytest.approx(best) if np.isfinite(best) else prices[p] < -1e6


def _gains(instance: Instance, worth: Numbers, shift: Numbers) -> Numbers:
    arcs, pattern = instance.arcs, instance.patterns.pattern_of_arc
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
