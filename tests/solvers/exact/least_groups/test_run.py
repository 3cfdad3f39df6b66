"""Runs: to the optimum where that is the bound, cut short, and gone on with cases where rows are few."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.proofs.worths import WorthProof
from tests.loops import each
from tests.solvers.exact.least_groups.tables import wide

PRINCIPLES: list[Any] = [ao.KAnonymity(3), ao.LDiversity(3), ao.KAnonymity(4), ao.LDiversity(2), ao.KAnonymity(2)]


@each("seed", range(15))
def test_it_agrees_with_other_exact_solvers(seed: int) -> None:
    problem = wide(seed, 8 + seed % 5, 6, PRINCIPLES[seed % 5], weighted=seed % 2 == 1)
    answer, other = ao.solve(problem, "group-prices"), ao.solve(problem, "subset-dp")
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost == other.cost
    assert answer.bound is not None
    if answer.bound.origin is not ao.Origin.PROBLEM:
        assert answer.proof is not None
        assert answer.proof.proved(problem) == answer.cost


@pytest.mark.parametrize("principle", PRINCIPLES[:3], ids=str)
def test_hundreds_of_rows_have_a_release_near_a_proved_bound(principle: Any) -> None:
    problem = wide(1, 210, 18, principle)
    answer = ao.solve(problem, "group-prices", gap="1/20")
    assert isinstance(answer.proof, WorthProof)
    assert answer.bound is not None
    assert answer.proof.proved(problem) == answer.bound.value <= problem.cost(answer.require_solution())
    assert problem.violations(answer.require_solution()) == []


def test_a_run_without_time_keeps_what_it_was_given() -> None:
    problem = wide(2, 210, 18, ao.KAnonymity(3))
    start = ao.solve(problem, "mondrian").require_solution()
    answer = ao.solve(problem, "group-prices", time_limit=0, start=start)
    assert problem.cost(answer.require_solution()) <= problem.cost(start)
