"""Branching under equal closeness or diversity: small tables end at the optimum, with a proof that says so."""

from __future__ import annotations

import numpy as np

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.kinds import proof_as_json
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.proofs import proof_by_cases
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.solvers.exact.sifting.tree.by_size import TreeBySize
from tests.loops import each
from tests.proofs.test_group_cases import ALONG_EDGES, DIVERSE, EQUAL, problem_by_cases
from tests.proofs.test_tampering import stands
from tests.solvers.exact.sifting.cases_under_rules import optimum_of


def problem_of(number: int) -> CellSuppression:
    return problem_by_cases(100 + number, EQUAL if number % 2 else DIVERSE)


def branched(problem: CellSuppression) -> TreeBySize:
    instance = instance_of(problem)
    best = [float(instance.arcs.copies.sum() * instance.arcs.cost.max())]

    def take(release: Release) -> None:
        partition = partition_of(instance.patterns, release)
        assert not problem.violations(partition)
        best[0] = min(best[0], float(problem.cost(partition) * problem.cost_scale))

    worth, pricing = first_multipliers(instance.arcs).worth, rule_pricing(instance, is_compiled=False)
    tree = TreeBySize(instance, pricing, worth, lambda: best[0] - 1, take, lambda: False)
    tree.run(seconds=600)  # the first run compiles, which may take a minute
    assert tree.is_done
    assert best[0] == optimum_of(problem) * problem.cost_scale
    return tree


@each("number", range(48))
def test_small_tables_are_proved(number: int) -> None:
    problem = problem_of(number)
    proof = proof_by_cases(instance_of(problem), list(branched(problem).cases))
    assert proof is not None
    assert proof.proved(problem) == optimum_of(problem)


@each("number", range(12))
def test_whatever_is_changed_in_its_file_a_proof_is_true(number: int) -> None:
    problem = problem_of(number)
    proof = proof_by_cases(instance_of(problem), list(branched(problem).cases))
    assert proof is not None
    assert stands(problem, proof_as_json(proof), optimum_of(problem)) > 0


@each("seed", range(12))
def test_whole_groups_along_edges_prove_the_optimum(seed: int) -> None:
    problem = problem_by_cases(seed, ALONG_EDGES[1:])
    instance, best = instance_of(problem), optimum_of(problem)
    tree = TreeBySize(
        instance,
        rule_pricing(instance, True),
        np.zeros(len(instance.arcs.copies)),
        lambda: float(best * problem.cost_scale - instance.step_of_cost),
        lambda release: None,
        lambda: False,
    )
    tree.run()
    proof = proof_by_cases(instance, list(tree.cases))
    assert proof is not None
    assert proof.proved(problem) == proof.value == best
