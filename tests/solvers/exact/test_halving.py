"""Liang and Yuan's Theorem 8 with memory and without: the same optima, and as many calls as the recurrence says."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import anoptima as ao
from anoptima.solvers.exact.halving import _Forgetting, calls
from anoptima.solvers.exact.states import all_parts, states_of
from anoptima.solvers.lookup import solvers_for
from benchmarks.guarantees import cases
from tests.cases import Case, Closeness, Equal
from tests.sizing import asked
from tests.trial import Cells, judge_solver


def test_both_find_the_optimum() -> None:
    both = [ao.get_solver(name) for name in ("halving", "halving-without-memory")]
    for seed in range(asked(6, 12)):
        for _, case in cases(random.Random(seed), 6):
            closeness = Case(case.rows, (Closeness(Fraction(seed % 5, 5), 0, Equal()),), case.sensitive, case.weights)
            for question in (Cells(case), Cells(closeness)):
                for solver in both:
                    assert list(judge_solver(question, solver)) == [], solver.name


def test_calls_are_those_of_the_recurrence() -> None:
    """All of them are made where no two rows are alike and any rows may be a group: nothing is remembered, and nothing left out."""
    for n in range(1, 8):
        table = ao.Table.from_frame(ao.ten_rows().frame.head(n), ao.ten_rows().quasi)
        problem = ao.CellSuppression(table, ao.KAnonymity(1))
        states = states_of(problem)
        recursion = _Forgetting(states, *all_parts(problem, states))
        assert recursion._found(states.count - 1) == 0
        assert recursion.calls == calls(n)


def test_growth_is_below_the_theorem_s() -> None:
    """T(n) <= 8^n, and more than 3^n from nine rows on: what memory saves."""
    assert all(calls(n) <= 8**n for n in range(1, 60))
    assert all(calls(n) > 3**n for n in range(9, 60))


def test_it_is_for_study() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    assert "halving-without-memory" not in {solver.name for solver in ao.solvers_for(problem)}
    assert "halving-without-memory" in {solver.name for solver in solvers_for(problem, for_study=True)}
    assert ao.solve(problem, "halving-without-memory").cost == 54


def test_too_many_calls_are_refused_with_their_number() -> None:
    for rows, said in ((12, "up to 10,664,150 times"), (65, "too often to count")):
        frame = ao.ten_rows().frame.sample(rows, replace=True, random_state=1)
        problem = ao.CellSuppression(ao.Table.from_frame(frame, ao.ten_rows().quasi), ao.KAnonymity(2))
        with pytest.raises(ao.NotApplicable) as refusal:
            ao.solve(problem, "halving-without-memory")
        assert (
            str(refusal.value) == f"halving-without-memory calls itself {said} for {rows} rows; 2,097,152 are the most"
        )
    with pytest.raises(
        ao.NotApplicable, match=r"^halving-without-memory is for cell-suppression, not for diameter-sum$"
    ):
        ao.solve(ao.DiameterSum(ao.ten_rows(), 2), "halving-without-memory")
