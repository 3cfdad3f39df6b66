"""What the README says: every problem has a model in each language, and so at least two formulations."""

from __future__ import annotations

import pytest

from anoptima.models import models
from anoptima.models.base import Language, Model
from anoptima.problems.base import Problem, problem_kinds

OURS = [kind for kind in problem_kinds.all() if kind.__module__.startswith("anoptima.")]


def test_none_is_forgotten() -> None:
    assert {"cell-suppression", "given-patterns", "lower-bounded-facilities", "patch-cover"} <= {k.name for k in OURS}


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.name)
def test_every_problem_has_a_model_in_each_language(kind: type[Problem]) -> None:  # type: ignore[type-arg]
    """One not for study only, for every example: no principle, and no corner of a problem, is left with one language."""
    for problem in kind.examples():
        able: list[Model] = [m for m in models.all() if not m.for_study and m.why_not(problem) is None]  # type: ignore[type-arg]
        assert {model.language for model in able} == set(Language), problem
