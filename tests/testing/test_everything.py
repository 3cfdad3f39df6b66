"""Every model, algorithm and reduction there is keeps what it promises, and every model on every backend finds the optimum."""

from __future__ import annotations

from typing import Any

import pytest

from anoptima.exact import Exact
from anoptima.models import models
from anoptima.problems.base import Problem, problem_kinds
from anoptima.reductions import reductions
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.testing import Check, State, check_model, check_reduction, check_solver, table
from anoptima.testing.examples import describe, optimum
from anoptima.testing.table import check_table
from tests.turns import FIRST

CHECKS = [
    *(check for model in models.all() for check in check_model(model)),
    *(check for solver in algorithms.all() for check in check_solver(solver)),
    *(check for reduction in reductions.all() for check in check_reduction(reduction)),
]

TABLE = list(check_table())


def label(check: Check) -> str:
    return f"{check.subject}-{check.name}"


@pytest.mark.parametrize("check", CHECKS, ids=label)
def test_promises_are_kept(check: Check) -> None:
    check.require()


@pytest.mark.parametrize("place", range(len(TABLE)), ids=map(label, TABLE))
def test_every_model_on_every_backend(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS and CP-SAT have all examples that a model is for, other backends two: the next model's others than this one's."""
    check, all_examples = TABLE[place], table._examples
    if check.name not in FIRST:

        def two(model: str) -> list[tuple[Problem[Any], Exact | None]]:
            found = all_examples(model)
            return [found[number] for number in sorted({place % len(found), (place + len(found) // 2) % len(found)})]

        monkeypatch.setattr(table, "_examples", two)
    verdict = check.require()
    speaks = models.get(check.subject).language in get_backend(check.name).languages
    assert verdict.state is (State.GREEN if speaks else State.REFUSED), str(verdict)


def test_nothing_is_missing() -> None:
    subjects = {thing.name for things in (models.all(), algorithms.all(), reductions.all()) for thing in things}
    assert {check.subject for check in CHECKS} == subjects
    assert {(check.subject, check.name) for check in TABLE} == {
        (model.name, backend) for model in models.all() for backend in backend_names()
    }


@pytest.mark.parametrize("kind", [kind for kind in problem_kinds.all() if kind.__module__.startswith("anoptima.")])
def test_every_problem_has_examples_that_can_be_tried_out(kind: type) -> None:
    examples = list(kind.examples())  # type: ignore[attr-defined]
    assert examples
    for problem in examples:
        assert (optimum(problem) is None) == (problem.why_infeasible() is not None), describe(problem)
