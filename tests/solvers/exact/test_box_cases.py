"""Fewest fake points with a proof: against a program that shares no code with it, and where cases are needed."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Origin
from anoptima.proofs.box_shares import BoxShares
from anoptima.proofs.box_trees import BoxFork


def random_problem(chance: random.Random) -> Any:
    """Return a few points, or the boxes that they stand for, in any regime."""
    axes = chance.choice((1, 2))
    regime = chance.choice(("primal", "unrestricted", "dual"))
    data = [[1 + Fraction(chance.randrange(4, 13), 4) for _ in range(axes)] for _ in range(chance.choice((2, 3, 4)))]
    domain = None if regime == "unrestricted" else [(Fraction(chance.randrange(4), 4), "25/4")] * axes
    problem = ao.FakePoints(data, chance.choice((2, 3)), domain, regime, [chance.choice((1, "3/2"))] * axes)
    return ao.FakeBoxes.of(problem) if chance.random() < 0.3 else problem


def problem_with_cases() -> ao.FakePoints:
    """Return points whose optimum, 26 fakes, shares alone do not prove."""
    chance = random.Random(75)
    count, k, axes = chance.choice((4, 5, 6, 8)), chance.choice((2, 3, 4, 5)), chance.choice((1, 2, 2))
    return ao.FakePoints([[Fraction(chance.randrange(9), 4) for _ in range(axes)] for _ in range(count)], k)


def test_it_finds_the_fewest_fakes_and_proves_it() -> None:
    chance = random.Random(3)
    for _ in range(8):
        problem = random_problem(chance)
        answer, other = (ao.solve(problem, name, start=None) for name in ("box-cases", "fake-grid/highs"))
        assert answer.claim is other.claim is ao.Claim.OPTIMAL
        assert answer.cost == other.cost
        assert not answer.cost or (answer.proof is not None and answer.proof.proved(problem) == answer.cost), problem


def test_where_shares_alone_do_not_reach_the_optimum_it_tells_cases_apart() -> None:
    problem = problem_with_cases()
    answer = ao.solve(problem, "box-cases", start=None)
    assert isinstance(answer.proof, BoxShares)
    assert isinstance(answer.proof.tree, BoxFork)
    assert answer.proof.proved(problem) == answer.cost == 26


def test_auto_has_a_proof_of_fake_points() -> None:
    answer = ao.solve(ao.FakePoints([(0, 0), ("1/2", "1/2"), ("1/4", 1)], 3), time_limit=20)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.bound is not None
    assert answer.bound.origin.value == "proof"
    assert answer.proved == answer.cost


def test_what_weights_alone_prove_is_proved_in_a_file_too() -> None:
    answer = ao.solve(ao.instance("points-2d-15-k2").load(), "box-cases")
    assert answer.bound is not None
    assert (answer.cost, answer.bound.value, answer.bound.origin) == (15, 15, Origin.PROOF)
    assert answer.verify()


def test_a_proof_that_would_take_days_to_check_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 300 points in four dimensions the run ended with an error about the proof that it had itself made."""
    monkeypatch.setattr("anoptima.proofs.box_shares.MOST_LOOKS", 4)
    problem = problem_with_cases()
    answer = ao.solve(problem, "box-cases", start=None)
    assert answer.bound is not None
    assert (answer.cost, answer.bound.value, answer.bound.origin) == (26, 26, Origin.THEOREM)
    assert answer.proof is None


def test_coordinates_may_be_of_very_different_sizes() -> None:
    """In whole numbers they need some two thousand bits."""
    answer = ao.solve(ao.FakePoints([("1e300", 1), ("1e-300", 1)], 2), "box-cases")
    assert (answer.cost, answer.proved) == (2, 2)
    assert not answer.verify().wrong
