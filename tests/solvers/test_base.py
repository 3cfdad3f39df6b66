"""Solvers of others that make their answers themselves: what is wrong with one is said, and nobody takes it for true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import Listener, Proof, RunRecord
from anoptima.errors import FalseClaim, PluginWarning
from anoptima.problems.base import Problem
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
RUN = RunRecord("by-hand", ao.Budget(), {}, 0.1)


def answer(
    problem: Problem[Any], claim: ao.Claim, solution: Any = None, cost: int | None = None, bound: ao.Bound | None = None
) -> ao.Answer[Any]:
    return ao.Answer(problem, claim, ao.Stop.PROVED, solution, cost, bound, (), RUN)


def rows_alone(problem: Problem[Any]) -> ao.Answer[Any]:
    alone = ao.Partition(np.arange(PROBLEM.table.rows))
    return answer(problem, ao.Claim.OPTIMAL, alone, 0, ao.Bound(0, ao.Origin.THEOREM, "by-hand"))


def too_cheap(problem: Problem[Any]) -> ao.Answer[Any]:
    return answer(problem, ao.Claim.FEASIBLE, problem.trivial(), 54)


def oathless(problem: Problem[Any]) -> ao.Answer[Any]:
    return answer(problem, ao.Claim.OPTIMAL, problem.trivial(), 70, ao.Bound(70, ao.Origin.PROOF, "by-hand"))


WRONG: list[tuple[Callable[[Problem[Any]], Any], str]] = [
    (rows_alone, "claimed what does not hold: the group of row 1: k = 3 but there is only 1 row"),
    (too_cheap, "claimed what does not hold: the cost is 70, not 54"),
    (oathless, "called a bound of 70 proved without giving the proof"),
    (
        lambda problem: answer(problem, ao.Claim.INFEASIBLE),
        "claimed what does not hold: infeasible is claimed, but a solution exists: the trivial one",
    ),
    (
        lambda problem: rows_alone(ao.CellSuppression(PROBLEM.table, ao.KAnonymity(1))),
        "claimed what does not hold: the group of row 1: k = 3 but there is only 1 row",
    ),
    (
        lambda problem: answer(problem, ao.Claim.FEASIBLE, [[0, 1, 2]], 3),
        "claimed what is no solution at all: solution is a list; it must be a Partition",
    ),
    (lambda problem: None, "returned None; its solve must return an Answer"),
]


class ByHand(Solver[Any]):
    """Answers as it is told to."""

    name = "by-hand"
    kind = Kind.APPROXIMATE
    quick = 0

    def __init__(self, make: Callable[[Problem[Any]], Any]) -> None:
        self._make = make

    def why_not(self, problem: Problem[Any]) -> str | None:
        return None

    def solve(
        self,
        problem: Problem[Any],
        budget: ao.Budget | None = None,
        start: Any = None,
        listener: Listener | None = None,
        proof: Proof | None = None,
    ) -> ao.Answer[Any]:
        made: ao.Answer[Any] = self._make(problem)
        return made


@pytest.mark.parametrize(("make", "words"), WRONG)
def test_an_answer_that_does_not_hold_is_a_false_claim(make: Callable[[Problem[Any]], Any], words: str) -> None:
    with pytest.raises(FalseClaim) as told:
        ao.solve(PROBLEM, ByHand(make))
    assert str(told.value) == f"by-hand: {words}"


def test_one_that_holds_is_an_answer_to_the_problem_that_was_asked() -> None:
    stricter = ao.CellSuppression(PROBLEM.table, ao.KAnonymity(4))
    found = ao.solve(PROBLEM, ByHand(lambda problem: answer(stricter, ao.Claim.FEASIBLE, stricter.trivial(), 70)))
    assert found.problem is PROBLEM
    assert found.verify()


def test_a_false_one_is_no_start_for_others() -> None:
    algorithms.add(ByHand(rows_alone))
    try:
        with pytest.warns(PluginWarning, match=r"by-hand .*is left out: .*the group of row 1: k = 3"):
            assert ao.solve(PROBLEM, "pattern/highs").cost == 54
    finally:
        algorithms.remove("by-hand")
