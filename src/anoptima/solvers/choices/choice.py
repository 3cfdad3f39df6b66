"""What `auto` chooses, and how it looks for a solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from anoptima.errors import AnoptimaError
from anoptima.problems.base import Problem
from anoptima.registry import is_for
from anoptima.solvers.base import Solver
from anoptima.solvers.starts import SHARE

S = TypeVar("S")


@dataclass(frozen=True)
class Choice(Generic[S]):
    """A solver, why it was chosen, whether it is to be given a start, what improves that ('' for nothing), and its share of the time."""

    solver: Solver[S]
    reason: str
    start: bool = True
    improver: str = "local-search"
    share: float = SHARE


def able(name: str, problem: Problem[Any]) -> Solver[Any] | None:
    """Return the solver called `name` if it is here and for the problem."""
    from anoptima.solvers.lookup import get_solver

    try:
        solver = get_solver(name)
    except AnoptimaError:
        return None
    return solver if is_for(solver, problem) else None
