"""What a question asks, as `auto` sees it, and what is left where no model fits."""

from __future__ import annotations

from typing import Any

from anoptima.principles import AtLeastRows, Close
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger
from anoptima.spaces import BranchMetric, StarMetric


class WithoutSearch(Algorithm[Any]):
    """What is left where every model is too large: the start, or the solution that is there for the taking, and the problem's own bound."""

    name = "no search"
    kind = Kind.APPROXIMATE

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for everything."""
        return None

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Look for nothing."""


def closeness(problem: CellSuppression) -> list[Close]:
    """Return the conditions of closeness."""
    conditions = problem.plain.principle.conditions(problem.table)
    return [condition for condition in conditions if isinstance(condition, Close)]


def is_close_at_equal_distance(problem: CellSuppression) -> bool:
    """Tell whether closeness at equal distance is all that is asked, perhaps with a size: there sifting's bounds beat the program's."""
    conditions = problem.plain.principle.conditions(problem.table)
    others = [condition for condition in conditions if not isinstance(condition, AtLeastRows)]
    return bool(others) and all(isinstance(other, Close) and other.metric.is_equal for other in others)


def is_close_on_a_line(problem: CellSuppression) -> bool:
    """Tell whether groups must be close to the table at a distance that is neither equal nor that of a hierarchy."""
    return any(not isinstance(condition.metric, StarMetric | BranchMetric) for condition in closeness(problem))
