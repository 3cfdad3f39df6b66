"""Starts: the best that the quick approximations find, for a search to begin with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from anoptima.answer import Budget, Clock
from anoptima.problems.base import Problem
from anoptima.registry import is_for, leave_out
from anoptima.solvers import algorithms
from anoptima.solvers.base import Solver

S = TypeVar("S")


def quick_solvers(problem: Problem[Any]) -> list[Solver[Any]]:
    """Return the approximations that are for `problem` and cheap enough to make a start, the cheapest first.

    >>> from anoptima import CellSuppression, LDiversity, ten_rows
    >>> [solver.name for solver in quick_solvers(CellSuppression(ten_rows(), LDiversity(2)))]
    ['peel', 'mondrian-relaxed']
    """
    places = {solver.name: solver.quick for solver in algorithms.all() if solver.quick is not None}
    able = [solver for solver in algorithms.all() if solver.name in places and is_for(solver, problem)]
    return sorted(able, key=lambda solver: (places[solver.name], solver.name))


def quick_start(problem: Problem[S], budget: Budget, clock: Clock, never: str = "") -> S | None:
    """Run the quick approximations, each from what the ones before it found, while `clock` allows; return the best solution.

    `never` names a solver that is left out. None if the problem has no solution, or there was no time for any.
    """
    best: S | None = None
    if problem.why_infeasible() is None:
        for solver in quick_solvers(problem):
            if solver.name != never and not clock.is_over():
                try:
                    best = solver.solve(problem, replace(budget, seconds=clock.left()), best).solution
                except Exception as error:  # noqa: BLE001  (a start less is no reason to give up)
                    leave_out(solver.name, f"asked for a start, it raises {type(error).__name__}: {error}")
    return best


def half(clock: Clock) -> Clock:
    """Return a clock for half of what is left: preparing a search must not eat it up."""
    left = clock.left()
    return Clock(None if left is None else left / 2)
