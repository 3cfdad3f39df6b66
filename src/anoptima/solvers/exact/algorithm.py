"""What our own exact algorithms share: the course of a run around the search that differs."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

from anoptima.answer import Answer, Budget, Listener, Origin, StartFate, Stop
from anoptima.deadline import within
from anoptima.errors import NotApplicable, OutOfTime
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")


class ExactAlgorithm(Solver[Any]):
    """An algorithm that ends with an optimum, by theorem. Subclasses say what they are for and search.

    The bound of an answer is the theorem's, once the search has ended; before that, the problem's own or what the search has proved.
    """

    kind = Kind.EXACT
    uses_start = False
    """Whether the search begins with the start; the answer is never worse than it either way."""

    @abstractmethod
    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Any:
        """Return an optimal solution of a problem that has solutions; `ledger` has the start, and takes what is found on the way.

        Within a deadline: `check_time` raises `OutOfTime`.
        """

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return 1: it is exact."""
        return 1

    def solve(
        self,
        problem: Problem[S],
        budget: Budget | None = None,
        start: S | None = None,
        listener: Listener | None = None,
    ) -> Answer[S]:
        """Answer `problem` by its optimum, or by the best solution and bound that the budget allows."""
        reason = self.why_not(problem)
        if reason is not None:
            raise NotApplicable(reason)
        ledger: Ledger[S] = Ledger(problem, self.name, budget or Budget(), listener)
        impossible = problem.why_infeasible()
        if impossible is not None:
            return ledger.infeasible(impossible)
        ledger.raise_bound(problem.lower_bound(), Origin.PROBLEM, problem.name)
        ledger.offer(problem.trivial() if start is None else start, "the start")
        if start is None:
            fate = StartFate.NONE
        elif ledger.is_over():
            fate = StartFate.UNUSED
        else:
            fate = StartFate.ACCEPTED if self.uses_start else StartFate.UNSUPPORTED
        if not ledger.is_over():
            try:
                with within(ledger.is_over):
                    found = self.optimum(problem, ledger)
            except OutOfTime:
                return ledger.answer(ledger.why_over(Stop.TIME), start=fate)
            ledger.offer(found)
            ledger.raise_bound(problem.cost(found), Origin.THEOREM, self.name)
        return ledger.answer(ledger.why_over(Stop.COMPLETE), start=fate)
