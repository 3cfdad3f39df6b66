"""Every model, algorithm and reduction there is keeps what it promises, and every model on every backend finds the optimum."""

from __future__ import annotations

import pytest

from anoptima.models import models
from anoptima.problems.base import problem_kinds
from anoptima.reductions import reductions
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import backend_names
from anoptima.testing import Check, check_model, check_reduction, check_solver
from anoptima.testing.examples import describe, optimum
from anoptima.testing.table import check_table

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


@pytest.mark.parametrize("check", TABLE, ids=label)
def test_every_model_on_every_backend(check: Check) -> None:
    check.require()


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
