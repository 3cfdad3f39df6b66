"""Every model on every backend: the examples that a model is for, solved, and held against brute force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from anoptima.answer import Budget, Claim
from anoptima.errors import NotApplicable
from anoptima.exact import Exact
from anoptima.models import models
from anoptima.models.base import Model
from anoptima.problems.base import Problem
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.solvers.modelled import Modelled
from anoptima.testing.checks import Check, demand
from anoptima.testing.examples import describe, examples_for, optimum

ENOUGH = Budget(seconds=600)
"""For examples that take seconds at most on an idle machine: a backend that is starved of processors for a minute is no bug."""


def check_table(
    chosen: Iterable[Backend] | None = None, narrowed: Iterable[Model[Any]] | None = None
) -> Iterator[Check]:
    """Yield a check for every model (of those `narrowed` to) on every backend (of those `chosen`).

    A check's subject is the model, its name the backend's.
    """
    backends = [get_backend(name) for name in backend_names()] if chosen is None else list(chosen)
    for model in models.all() if narrowed is None else narrowed:
        for backend in backends:
            yield Check(model.name, backend.name, lambda model=model, backend=backend: _agrees(model, backend))  # type: ignore[misc]


def _agrees(model: Model[Any], backend: Backend) -> str | None:
    """Solve every example; return the reason if none of them may be."""
    solver, examples = Modelled(model, backend), _examples(model.name)
    demand(examples, "it is for none of the examples; let its problem's `examples` yield some")
    refusals = []
    for problem, best in examples:
        try:
            answer = solver.solve(problem, ENOUGH)
        except NotApplicable as refusal:
            refusals.append(str(refusal).removeprefix(f"{solver.name}: ").removeprefix(f"{backend.name}: "))
            continue
        wrong = answer.verify().wrong
        demand(not wrong, f"{describe(problem)}: {'; '.join(wrong)}")
        if best is None:
            demand(
                answer.claim is Claim.INFEASIBLE,
                f"{describe(problem)}: there is no solution, and it claims {answer.claim.value}",
            )
        else:
            demand(
                answer.claim is Claim.OPTIMAL and answer.cost == best,
                f"{describe(problem)}: the optimum is {best}; it claims {answer.claim.value} at {answer.cost}",
            )
    return refusals[0] if len(refusals) == len(examples) else None


@cache
def _examples(model: str) -> list[tuple[Problem[Any], Exact | None]]:
    return [(problem, optimum(problem)) for problem in examples_for(models.get(model))]
