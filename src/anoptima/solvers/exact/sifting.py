"""Sifting: cell suppression of tables with tens of thousands of rows, with a bound that is proved and a release close to it.

The program is that of the pattern model, over all closed patterns, but it is never written down. Its Lagrangian dual is raised by passes
over the arcs (`engine.dual`). The arcs that seem worth it make a core program, whose duals are better multipliers; cuts that its
solutions violate make them better still (`engine.core`, `engine.separation`); arcs that turn out to be missing are added. Every
improvement becomes a proof in whole numbers over all patterns. Releases come from a greedy start, from regions of the release let go and
solved again (`engine.search`), and from the core as an integer program. Once few arcs can be part of anything better, by their reduced
costs, a search over those ends it.

References
----------
G. L. Nemhauser and L. A. Wolsey: A recursive procedure to generate all cuts for 0-1 mixed integer programs. Mathematical Programming
46 (1990), for mixed-integer rounding; the cuts are derived in `engine.cuts`.
"""

from __future__ import annotations

from typing import Any

from anoptima.answer import Answer, Budget, Listener, Origin, StartFate, Stop
from anoptima.deadline import within
from anoptima.errors import NotApplicable, OutOfTime
from anoptima.patterns import why_too_many
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.ledger import Ledger


@algorithms.register
class Sifting(Solver[Partition]):
    """Optimal cell suppression under k-anonymity by multipliers, a core program with cuts, and search; with a certificate."""

    name = "sifting"
    kind = Kind.EXACT

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression under k-anonymity, of tables whose patterns can be listed."""
        if not isinstance(problem, CellSuppression):
            return f"{self.name} is for cell-suppression, not for {problem.name}"
        if not isinstance(problem.principle, KAnonymity):
            return f"{self.name} is for k-anonymity alone, not for {problem.principle}"
        return why_too_many(problem)

    def solve(
        self,
        problem: Problem[Partition],
        budget: Budget | None = None,
        start: Partition | None = None,
        listener: Listener | None = None,
    ) -> Answer[Partition]:
        """Answer `problem`; any time the budget ends, by the best release and the best proved bound."""
        reason = self.why_not(problem)
        if reason is not None:
            raise NotApplicable(reason)
        assert isinstance(problem, CellSuppression)
        ledger = Ledger(problem, self.name, budget or Budget(), listener)
        impossible = problem.why_infeasible()
        if impossible is not None:
            return ledger.infeasible(impossible)
        ledger.raise_bound(problem.lower_bound(), Origin.PROBLEM, problem.name)
        ledger.offer(problem.trivial() if start is None else start, "the start")
        fate = StartFate.NONE if start is None else StartFate.ACCEPTED
        if not ledger.is_over():
            # HiGHS is imported by those who need it only.
            from anoptima.solvers.exact.engine.run import Run

            try:
                with within(ledger.is_over):
                    Run(problem, ledger).run(started=start is not None)
            except OutOfTime:
                pass
        return ledger.answer(ledger.why_over(Stop.COMPLETE), start=fate)
