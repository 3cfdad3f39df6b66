"""Approximations of the diameter sum and what they are worth in stars, against searches through all partitions."""

from __future__ import annotations

import random
from fractions import Fraction

import pandas as pd
import pytest

import anoptima as ao
from anoptima.instances.errata_cells import table_of
from anoptima.solvers.approximate.diameters import StarsFromDiameters, diameters_of, stars_a_diameter
from benchmarks.diameters import DIAMETERS, STARS, optima


def test_every_promise_holds_and_every_bound_is_one() -> None:
    exact = StarsFromDiameters(ao.get_solver("subset-dp"))
    found = 0
    for seed in range(30):
        chance = random.Random(seed)
        k, m = chance.choice((1, 2, 2, 3)), chance.randint(1, 5)
        rows = [
            "".join(chance.choice("ab" if seed % 2 else "abc") for _ in range(m)) for _ in range(chance.randint(k, 7))
        ]
        best, table = optima(rows, k), table_of(rows)
        assert k * best.diameters <= best.stars <= best.worst <= stars_a_diameter(k) * best.stars
        for problem, optimum, solvers in (
            (ao.DiameterSum(table, k), best.diameters, [ao.get_solver(name) for name in DIAMETERS]),
            (ao.CellSuppression(table, ao.KAnonymity(k)), best.stars, [exact, *map(ao.get_solver, STARS)]),
        ):
            for solver in solvers:
                answer, ratio = ao.solve(problem, solver, start=None), solver.ratio(problem)
                assert answer.verify()
                assert answer.cost is not None
                assert answer.bound is not None
                assert ratio is not None
                assert answer.bound.value <= optimum <= answer.cost <= ratio * optimum, (rows, k, solver.name)
                found += answer.cost == optimum
    assert found > 75


def test_the_repaired_constant_is_attained_and_the_printed_lemmas_is_not_enough() -> None:
    rows = ["aaa", "bba", "bba", "bab", "bba"]
    best = optima(rows, 2)
    assert (best.diameters, best.stars, best.worst) == (2, 4, 9)
    assert Fraction(best.worst, best.stars) == stars_a_diameter(2) > Fraction((2 * 2 - 1) * (2 - 1), 2)
    problem = ao.DiameterSum(table_of(rows), 2)
    groups = ao.Partition.from_groups([[0, 1, 3], [2, 4]], 5)
    assert (problem.cost(groups), ao.CellSuppression(problem.table, ao.KAnonymity(2)).cost(groups)) == (2, 9)


def test_ratios_are_the_theorems() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3) & ao.KAnonymity(2))
    assert diameters_of(problem).k == 3
    harmonic = Fraction(137, 60)
    ratios = [ao.get_solver(name).ratio(ao.DiameterSum(problem.table, 3)) for name in DIAMETERS]
    assert ratios == [harmonic, 2 * harmonic]
    assert [ao.get_solver(name).ratio(problem) for name in STARS] == [
        Fraction(25, 6) * ratio for ratio in ratios if ratio
    ]
    assert StarsFromDiameters(ao.get_solver("diameter-assignment/cp-sat")).ratio(problem) == Fraction(25, 6)


def test_weights_are_distances() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    table = ao.Table.from_frame(frame, ["a", "b"], weights={"a": 5, "b": "1/2"})
    for name in DIAMETERS:
        assert ao.solve(ao.DiameterSum(table, 2), name).cost == 1
    for name in STARS:
        assert ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)), name).cost == 2


def test_what_they_are_not_for() -> None:
    cells = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    with pytest.raises(ao.NotApplicable, match="diameter-cover is for diameter-sum, not for cell-suppression"):
        ao.solve(cells, "diameter-cover")
    with pytest.raises(
        ao.NotApplicable, match="stars-from-diameter-balls is for k-anonymity alone, not for frequency 2-diversity"
    ):
        ao.solve(cells, "stars-from-diameter-balls")
    with pytest.raises(
        ao.NotApplicable, match="stars-from-diameter-cover is for cell-suppression, not for diameter-sum"
    ):
        ao.solve(ao.DiameterSum(ao.ten_rows(), 2), "stars-from-diameter-cover")


def test_without_time_the_answer_is_the_trivial_one() -> None:
    for name in DIAMETERS:
        answer = ao.solve(ao.DiameterSum(ao.ten_rows(), 2), name, time_limit=0)
        assert answer.verify()
        assert answer.bound is not None
        assert answer.bound.value <= 19
