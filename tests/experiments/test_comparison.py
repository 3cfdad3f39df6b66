from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Answer, Budget
from anoptima.errors import SolverFailure
from anoptima.experiments.comparison import approximations_for, run_all
from anoptima.problems.base import Problem
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver

TEN = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


class Breaking(Solver[Any]):
    """A solver that takes every problem and breaks on it."""

    name = "breaking"
    kind = Kind.APPROXIMATE

    def why_not(self, problem: Problem[Any]) -> str | None:
        return None

    def solve(self, problem: Problem[Any], budget: Budget | None = None, *_: Any, **__: Any) -> Answer[Any]:
        raise SolverFailure(self.name, "fell over")


@pytest.fixture
def breaking() -> Iterator[None]:
    algorithms.add(Breaking())
    yield
    algorithms.remove("breaking")


def test_ratios_are_against_the_best_bound_of_all() -> None:
    frame = ao.compare([TEN], ["peel", "pattern/highs", "greedy-patterns"])
    assert frame["solver"].tolist() == ["peel", "pattern/highs", "greedy-patterns"]
    assert frame["cost"].tolist() == [58, 54, 54]
    assert frame["ratio"].tolist() == [1.074, 1.0, 1.0]
    assert frame["bound from"].tolist()[1:] == ["backend", "problem"]
    assert frame["guaranteed"].isna().tolist() == [True, True, False]
    assert (frame["seconds"] >= 0).all()
    assert set(frame["claim"]) == {"feasible", "optimal"}


def test_who_refuses_is_listed_with_the_reason() -> None:
    problems: list[Problem[Any]] = [TEN, ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))]
    frame = ao.compare(problems, ["greedy-descent", "mondrian"])
    assert frame["cost"].isna().tolist() == [True, False, False, True]
    assert frame["reason"][0] == "greedy-descent is for problems that choose columns, not for cell-suppression"
    assert frame["reason"][3] == "mondrian is for cell-suppression, not for attribute-suppression"
    assert frame["claim"].isna().tolist() == [True, False, False, True]


def test_who_fails_is_listed_and_the_others_go_on(breaking: None) -> None:
    frame = ao.compare([TEN], ["breaking", "peel"])
    assert frame["reason"].tolist() == ["breaking: fell over", ""]
    assert frame["cost"].tolist()[1] == 58


def test_an_infeasible_problem_has_its_reason_in_every_run() -> None:
    frame = ao.compare([ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))], ["peel", "greedy-patterns"])
    assert frame["claim"].tolist() == ["infeasible", "infeasible"]
    assert set(frame["reason"]) == {"k = 11 but there are only 10 rows"}
    assert frame["ratio"].isna().all()


def test_a_free_release_has_ratio_one() -> None:
    (run,) = run_all([ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(1))], ["peel"])
    assert (run.cost, run.ratio) == (0, 1.0)


def test_an_unknown_solver_is_refused_before_anything_runs(breaking: None) -> None:
    with pytest.raises(ao.BadInput, match=r"^there is no solver named 'magic'; there are "):
        ao.compare([TEN], ["breaking", "magic"])


def test_the_default_of_the_command_is_every_approximation_for_a_problem() -> None:
    under_l = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    names = approximations_for([under_l])
    assert "greedy-patterns" not in names
    assert {"mondrian", "local-search", "peel"} <= set(names)
    assert "greedy-patterns" in approximations_for([under_l, TEN])
    assert not [name for name in names if get(name).kind is not Kind.APPROXIMATE]


def get(name: str) -> Solver[Any]:
    return ao.get_solver(name)
