"""What is proved round by round, from no patterns or some: below the optimum, and as much as the linear program of all patterns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anoptima.answer import BoundRaised, Budget, Event
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.approximate.near_patterns.ceiling_dual import CeilingDual, proof_of_radii
from anoptima.solvers.approximate.near_patterns.nearest_types import nearest
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def radius_of(problem: CellSuppression) -> Counts:
    table = problem.table
    k = problem.principle.least_size(table)
    return nearest(table.types, table.multiplicity, table.scaled_weights.tolist(), k, 1, lambda: False).radius


def proofs_of(problem: CellSuppression, begin: bool, most_looks: int = 1 << 30) -> tuple[list[Any], bool]:
    told: list[Event] = []
    ledger: Ledger[Any] = Ledger(problem, "near-patterns", Budget(), told.append)
    dual = CeilingDual(problem, ledger, kernels, radius_of(problem))
    if begin:
        _, full = arcs_of(problem)
        dual.begin(full, first_multipliers(full).worth)
    is_slow = dual.raise_bound(lambda: False, most_looks)
    return [event.proof for event in told if isinstance(event, BoundRaised)], is_slow


@pytest.mark.parametrize("begin", [False, True], ids=["from none", "from all"])
@each("seed", range(30))
def test_every_proof_holds_and_none_is_above_the_optimum(seed: int, begin: bool) -> None:
    problem = problem_of(seed, rows=7)
    if problem.principle == KAnonymity(1):
        return
    best = min(cost for cost, _ in every_release(problem))
    proofs, is_slow = proofs_of(problem, begin)
    for proof in proofs:
        assert proof.proved(problem) == proof.value <= best
    assert not is_slow


@each("seed", range(12))
def test_all_patterns_prove_no_more_than_those_that_were_found(seed: int) -> None:
    problem = problem_of(seed, rows=40)
    _, full = arcs_of(problem)
    if problem.principle == KAnonymity(1) or not len(full):
        return
    at = Multipliers(first_multipliers(full).worth, np.zeros(0))
    whole = ascend(full, Terms(full, kernels), at, lambda: False, Course(passes=600)).value
    proofs, _ = proofs_of(problem, begin=False)
    found = max((int(proof.value * problem.cost_scale) for proof in proofs), default=0)
    assert found >= 0.98 * whole - 1


def test_a_walk_that_looks_at_more_than_it_may_ends_the_rounds() -> None:
    problem = problem_of(3, rows=40)
    proofs, is_slow = proofs_of(problem, begin=False, most_looks=1)
    assert is_slow
    assert not proofs


@each("seed", range(10))
def test_radii_alone_are_a_proof(seed: int) -> None:
    problem = problem_of(seed, rows=7)
    proof = proof_of_radii(problem, radius_of(problem))
    assert proof.proved(problem) == proof.value <= min(cost for cost, _ in every_release(problem))


def test_the_ceiling_rises_by_rounds() -> None:
    proofs, _ = proofs_of(problem_of(4, rows=40), begin=False)
    values, reaches = [proof.value for proof in proofs], [proof.reach for proof in proofs]
    assert values == sorted(set(values))
    assert reaches[-1] > reaches[0]
