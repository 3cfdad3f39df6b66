"""Meyerson and Williams, On the complexity of optimal k-anonymity (2004): what its section 4 claims, and what is true."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.instances.errata import errata
from anoptima.instances.errata_cells import near_pairs, table_of
from tests.loops import each


@pytest.fixture(scope="module")
def pairs() -> dict[str, Any]:
    return dict(errata.get("ball-cover-ratio").show())


def test_diameter_lemma() -> None:
    """Claimed: |S| bad(S) <= C(|S|, 2) diam(S). True: <= |S|^2 diam(S) / 2, which unit vectors reach."""
    found = errata.get("diameter-lemma").show()
    for what in ("two rows at distance 1", "five unit vectors"):
        stars = found[f"{what}: stars"]
        assert not isinstance(stars, str)
        assert stars > found[f"{what}: C(s, 2) diam"]  # type: ignore[operator]
        assert stars == found[f"{what}: s² diam / 2"]


def test_ball_cover_ratio(pairs: dict[str, Any]) -> None:
    """Claimed: 6k (1 + ln m) OPT for the cover by balls. True: nothing of the sort; 220 pairs in {0, 1}^300 cost 300 times OPT."""
    claimed = pairs["claimed, 6k (1 + ln m), rounded up"]
    assert pairs["optimum: each row needs a star"] == pairs["stars of the pairs"] == 440
    assert pairs["rows in the first ball"] == 440
    assert claimed == Fraction("80.5")
    assert pairs["ratio, balls by radius, not chopped"] == pairs["ratio, balls by pair, not chopped"] == 300
    assert 140 < pairs["ratio, chopped with no regard to closeness"] < 160
    assert pairs["ratio, chopped with no regard to closeness"] > claimed


def test_the_repaired_ratio_holds_there(pairs: dict[str, Any]) -> None:
    """Claimed by us: ((2k - 1)^2 / k) H_{2k-1} for parts of balls. True on the same table."""
    assert pairs["promised, truncated balls"] == Fraction(33, 4)
    assert pairs["ratio, truncated balls"] <= Fraction(33, 4)


@each("seed", [2, 3])
def test_other_random_pairs_do_as_well(seed: int) -> None:
    """The ball of all rows has the least ratio: its diameter over 440 is below one half."""
    problem = ao.CellSuppression(near_pairs(220, 300, seed), ao.KAnonymity(2))
    assert problem.cost(ao.get_solver("ball-cover").unchopped(problem)) > 80 * problem.lower_bound()  # type: ignore[attr-defined]


def test_balls_of_radius_0_are_needed() -> None:
    """Claimed: radii 1, ..., m. True: without radius 0 equal rows may get stars, and OPT is 0."""
    found = errata.get("ball-cover-radius").show()
    assert list(found.values()) == [0, 4, 0]
    for solver in ("ball-cover", "ball-cover-pairs", "truncated-balls", "cover"):
        answer = ao.solve(ao.CellSuppression(table_of("0011"), ao.KAnonymity(2)), solver)
        assert answer.cost == 0, solver


def test_the_printed_cover_claims_no_ratio() -> None:
    """The solvers named after the paper's algorithm do not repeat its claim."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    assert ao.get_solver("ball-cover").ratio(problem) is None
    assert ao.get_solver("ball-cover-pairs").ratio(problem) is None


def test_reduced_balls_are_a_partition() -> None:
    """What Reduce leaves are groups of k rows or more; chopping never raises the cost."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    for name in ("ball-cover", "ball-cover-pairs"):
        solver = ao.get_solver(name)
        whole = solver.unchopped(problem)  # type: ignore[attr-defined]
        assert problem.violations(whole) == []
        answer = ao.solve(problem, solver)
        assert answer.cost is not None
        assert answer.cost <= problem.cost(whole)
        assert answer.solution is not None
        assert np.bincount(answer.solution.labels).max() < 6
