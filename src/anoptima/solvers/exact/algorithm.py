"""What our own exact algorithms share: a search that ends has found an optimum, by theorem."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from anoptima.answer import Origin
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger


class ExactAlgorithm(Algorithm[Any]):
    """An algorithm that ends with an optimum, by theorem. Subclasses say what they are for and search.

    The bound of an answer is the theorem's, once the search has ended; before that, the problem's own or what the search has proved.
    """

    kind = Kind.EXACT

    @abstractmethod
    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Any:
        """Return an optimal solution of a problem that has solutions; `ledger` has the start, and takes what is found on the way.

        Within a deadline: `check_time` raises `OutOfTime`.
        """

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return 1: it is exact."""
        return 1

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Offer the optimum, which is the bound as well."""
        found = self.optimum(problem, ledger)
        ledger.offer(found)
        ledger.raise_bound(problem.cost(found), Origin.THEOREM, self.name)
