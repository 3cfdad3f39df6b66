"""The common part of our own algorithms: the course of a run around each one's search."""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from anoptima.answer import Answer, Budget, Listener, Origin, Proof, StartFate, Stop
from anoptima.deadline import within
from anoptima.errors import AnoptimaError, FalseClaim, NotApplicable, OutOfTime, PluginFailure
from anoptima.exact import Exact, is_exact, simplest
from anoptima.origins import blamed
from anoptima.problems.base import Problem, why_another
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.base import Solver
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")


class Algorithm(Solver[S]):
    """A solver that needs no backend around it. Subclasses say what they are for and search.

    Before the search the ledger has the problem's own bound, or the proof that is given, and the start or the trivial solution: an answer
    is never worse. Ctrl-C or a want of memory ends the search, and the answer is what there is by then.
    """

    problems: ClassVar[tuple[type[Problem[Any]], ...]] = ()
    """The kinds of problems that it is for, unless `why_not` says otherwise."""

    joins_groups: bool = False
    """Whether it relies on a principle that groups satisfy together if they do one by one."""

    uses_start = False
    """Whether the search begins with a start that it is given."""

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for the problems that it names, and for merge-closed principles if it joins groups."""
        other = why_another(problem, self.problems, self.name)
        if (
            other is not None
            or not self.joins_groups
            or not isinstance(problem, TableProblem)
            or problem.is_merge_closed
        ):
            return other
        return (
            f"{self.name} joins groups, and {problem.principle} is not merge-closed: two groups may satisfy it, and not together; "
            "for cell-suppression, subset-dp, lattice and peel ask every group that is published"
        )

    @abstractmethod
    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Offer solutions of a problem that has some, and raise the bound. Within a deadline: `check_time` raises `OutOfTime`.

        `problem` is said plainly (`Problem.plain`); the ledger checks what is offered by the problem as it was given.
        """

    def solve(
        self,
        problem: Problem[S],
        budget: Budget | None = None,
        start: S | None = None,
        listener: Listener | None = None,
        proof: Proof | None = None,
    ) -> Answer[S]:
        """Answer `problem` with the best solution and bound that the search finds within the budget."""
        reason = self.why_not(problem)
        if reason is not None:
            raise NotApplicable(reason)
        ledger: Ledger[S] = Ledger(problem, self.name, budget or Budget(), listener)
        ledger.wants_proof = self.seeks_proof(problem)
        impossible = ledger.open(start, proof)
        if impossible is not None:
            return impossible
        if start is None:
            fate = StartFate.NONE
        elif ledger.is_over():
            fate = StartFate.UNUSED
        else:
            fate = StartFate.ACCEPTED if self.uses_start else StartFate.UNSUPPORTED
        otherwise = Stop.COMPLETE
        if not ledger.is_over():
            try:
                with within(ledger.is_over, ledger.clock.left()):
                    self.search(problem.plain, ledger, start)
            except OutOfTime:
                otherwise = Stop.TIME
            except MemoryError:
                otherwise = Stop.MEMORY
            except KeyboardInterrupt:
                ledger.cancelled = True
            except PluginFailure as known:
                known.answer = ledger.best()
                raise
            except (AnoptimaError, OSError):
                raise
            except (Exception, SystemExit) as error:
                failure = blamed(error)
                if failure is None:
                    raise
                failure.answer = ledger.best()
                raise failure from error
        return ledger.answer(ledger.why_over(otherwise), start=fate)

    def raise_by_ratio(self, problem: Problem[S], ledger: Ledger[S], cost: Exact) -> None:
        """Enter the bound that the theorem's ratio proves of a run that came to its end with a solution of this cost."""
        ratio = self.ratio(problem)
        if ratio is not None and not is_exact(ratio):
            wrong = f"claimed the ratio {ratio!r}; it must be an int or a Fraction, since a bound follows from it"
            raise FalseClaim(self.name, wrong, ledger.best())
        if ratio is not None:
            least = Fraction(cost) / ratio * problem.cost_scale
            ledger.raise_bound(simplest(Fraction(math.ceil(least), problem.cost_scale)), Origin.THEOREM, self.name)
