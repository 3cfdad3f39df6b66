"""What the README says: every problem has a model in each language, and so at least two formulations."""

from __future__ import annotations

import pytest

from anoptima.models import models
from anoptima.models.base import Language, Model
from anoptima.models.conditions import why_not_stated
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.table_problem import TableProblem

OURS = [kind for kind in problem_kinds.all() if kind.__module__.startswith("anoptima.")]


def test_none_is_forgotten() -> None:
    assert {"cell-suppression", "given-patterns", "lower-bounded-facilities", "patch-cover"} <= {k.name for k in OURS}


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.name)
def test_every_problem_has_a_model_in_each_language(kind: type[Problem]) -> None:  # type: ignore[type-arg]
    """Not for study only, and for every example but those under principles whose conditions no program can state."""
    stated = 0
    for problem in kind.examples():
        if isinstance(problem, TableProblem) and why_not_stated(problem.principle, problem.table) is not None:
            continue
        able: list[Model] = [m for m in models.all() if not m.for_study and m.why_not(problem) is None]  # type: ignore[type-arg]
        assert {model.language for model in able} == set(Language), problem
        stated += 1
    assert stated
