"""Small problems for checks: every problem class provides its own (`Problem.examples`)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

from anoptima.exact import Exact
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.testing.partly_stated import PartlyStated

CANDIDATES = 20_000
"""How many candidate solutions brute force tries at most."""


class Chooses(Protocol):
    """What says which problems it is for: a model, a solver, a reduction."""

    def why_not(self, problem: Problem[Any]) -> str | None:
        """Say why it is not for `problem`."""


def all_examples() -> Iterator[Problem[Any]]:
    """Yield the examples of every kind of problem, and stars under a principle that states only a part of what it asks."""
    for kind in problem_kinds.all():
        yield from kind.examples()
    for problem in CellSuppression.examples():
        if isinstance(problem.principle, EntropyDiversity):
            yield replace(problem, principle=PartlyStated(problem.principle.l))


def examples_for(thing: Chooses) -> Iterator[Problem[Any]]:
    """Yield the examples that `thing` is for."""
    return (problem for problem in all_examples() if thing.why_not(problem) is None)


def feasible_solutions(problem: Problem[Any]) -> list[tuple[Exact, Any]] | None:
    """Return every feasible solution with its cost; None if there are too many candidates to try them all."""
    candidates = list(itertools.islice(problem.solutions(), CANDIDATES + 1))
    if len(candidates) > CANDIDATES:
        return None
    return [(problem.cost(candidate), candidate) for candidate in candidates if problem.is_feasible(candidate)]


def optimum(problem: Problem[Any]) -> Exact | None:
    """Return the optimum by trying everything; None if there is no solution, or too much to try."""
    found = feasible_solutions(problem)
    return min((cost for cost, _ in found), default=None) if found else None


def describe(problem: Problem[Any]) -> str:
    """Say in short which problem it is."""
    principle = getattr(problem, "principle", None)
    return problem.name if principle is None else f"{problem.name}, {principle}"
