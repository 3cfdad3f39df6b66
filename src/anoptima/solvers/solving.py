"""`solve`: one call from a problem to a verified answer."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from anoptima.answer import Answer, Budget, Clock, Finished, Incumbent, Listener, OptionValue, Stop
from anoptima.arguments import checked
from anoptima.documents.checkpoints import Checkpoint
from anoptima.errors import BadInput, OutOfTime
from anoptima.exact import Number
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.auto import choose, comes_to
from anoptima.solvers.backends.cancelling import Cancelling, Heard
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.choices.choice import Choice
from anoptima.solvers.core_shares import sharing_cores
from anoptima.solvers.cross_check import cross_checked
from anoptima.solvers.given_start import given_start
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.listening import Hearing, OnProgress, Writable, written_to
from anoptima.solvers.lookup import get_solver
from anoptima.solvers.starts import quick_start, start_clock

S = TypeVar("S")


@checked
def solve(
    problem: Problem[S],
    solver: str | Solver[S] = "auto",
    *,
    time_limit: float | None = None,
    gap: Number = 0,
    threads: int | None = None,
    memory: int | None = None,
    seed: int = 0,
    start: S | Answer[S] | pd.DataFrame | Sequence[Sequence[int]] | Literal["auto"] | None = "auto",
    proof: bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    cross_check: bool = False,
    options: Mapping[str, OptionValue] | None = None,
    log: str | os.PathLike[str] | Writable | None = None,
    cancel: threading.Event | None = None,
    isolated: bool = True,
) -> Answer[S]:
    """Answer `problem`: a checked solution with its exact cost, a bound, and what is claimed.

    Parameters
    ----------
    solver
        A name such as 'pattern/highs', a `Solver`, or 'auto', which chooses one and explains the choice in `Answer.reason`.
    time_limit
        Seconds. With 0, the answer is the best solution found in a tenth of a second, with a cheap bound.
    gap
        Stop once (cost - bound) / cost is at most this.
    threads, memory, seed
        Threads and bytes that the backend may use; the seed makes a run repeatable. Unless `threads` is given, solves that run at once in
        this process divide the cores, and a process uses no more threads than `OMP_NUM_THREADS` allows.
    start
        A solution to start from; the answer is never worse. A solution, an answer, a release (a DataFrame, its rows in any order), or a
        partition as a list of groups of row numbers from 0. 'auto' takes the best that quick approximations find; None for none.
    proof
        Whether 'auto' seeks proofs. None, the default: it gives a proof where it can in reasonable time. True: it chooses
        only solvers whose bounds come with proofs, where there is one. False: it stops as soon as a backend claims the optimum.
    checkpoint
        A file that keeps the best solution and proof during the run, even if the run is killed; if it exists, the run continues from it. A
        bound that a backend only claims is not kept, since no reader of the file could check it: the next run begins with what is proved.
    on_progress
        Called with a `Progress` (seconds, cost, bound, phase) whenever one of them changes, and several times a second; its
        `solution()` is the best solution so far. Returning True stops the run; an error that it raises ends the run, and is raised here.
    options
        Further options for the backend, under the backend's own names: `{"mip_heuristic_effort": 0.2}` for HiGHS. One that
        it does not know is refused, and so is one that an argument here sets. Our own algorithms take none: name a model on a backend.
    log
        Where the log goes: a file's path, or a stream such as `sys.stderr`. It has the solver and why it was chosen, each phase, cost and
        bound, what a backend's own log says, and the answer.
    cancel
        Once another thread sets this event, the run ends within a fifth of a second, with the best that is known. So it does on Ctrl-C.
    isolated
        False runs the backend's solver in this process, without the price of handing a model to another one. That gives up what the other
        process is for: a solver that crashes takes this process along, one that hangs cannot be ended, `memory` cannot be limited, and
        what a solver leaks or prints stays here.
    cross_check
        Have a bound that rests on a solver's word confirmed, in what is left of the time: by a solver whose bounds come with proofs,
        or by another backend. `Answer.confirmed` says what confirmed it, or a note that nothing did; a contradiction is a `FalseClaim`.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> answer.claim.name, answer.cost, answer.bound.value
    ('OPTIMAL', 54, 54)
    """
    budget = replace(Budget.of(time_limit, gap, threads, memory, seed), options=dict(options or {}))
    clock = Clock(time_limit)
    if isinstance(problem, TableProblem):
        problem.table.require_room()
    chosen = get_solver(solver) if isinstance(solver, str) and solver != "auto" else solver
    if memory is not None and not isolated:
        raise BadInput("memory is limited for a process of the solver's own; leave memory or isolated=False out")
    name = chosen if isinstance(chosen, str) else chosen.name
    saved = None if checkpoint is None else Checkpoint(checkpoint, problem)
    with written_to(log) as lines, nullcontext() if saved is None else saved, sharing_cores(budget) as share:
        hearing = Hearing(on_progress, lines, name)
        cancelling = Cancelling(cancel)
        call = _Call(problem, share, clock, hearing, saved, isolated, cross_check, cancelling)
        try:
            answer = cancelling.run(lambda: call.answer(call.choice(chosen, proof), start))
        except OutOfTime:
            if not cancelling.is_asked():
                raise
            answer = _cut_short(problem, budget, hearing, clock.seconds())
            call.listener(Finished(clock.seconds(), answer.stop))
        hearing.write(str(answer))
        return answer


@dataclass(frozen=True)
class _Call(Generic[S]):
    """One call of `solve`."""

    problem: Problem[S]
    budget: Budget
    clock: Clock
    hearing: Hearing
    saved: Checkpoint[S] | None
    isolated: bool
    cross_check: bool
    cancelling: Cancelling

    @property
    def listener(self) -> Listener:
        """Who hears of the run: the checkpoint, if there is one, and then whoever asked."""
        return self.hearing if self.saved is None else self.saved.before(self.hearing)

    def choice(self, solver: str | Solver[S], proof: bool | None) -> Choice[S] | None:
        """Return the requested solver, or the one that 'auto' chooses; None if there is nothing to solve."""
        if not isinstance(solver, str):
            return Choice(solver, "", start=solver.kind is Kind.MODEL)
        # Nothing must be chosen, nor imported, to say that there is no solution.
        if self.problem.why_infeasible() is not None:
            return None
        return choose(self.problem, self.budget, self.clock, proof)

    def answer(self, choice: Choice[S] | None, start: Any) -> Answer[S]:
        """Have the chosen solver answer, from `start`."""
        problem, budget, clock, saved, hearing = self.problem, self.budget, self.clock, self.saved, self.hearing
        there = self.cancelling.there
        if choice is None:
            return Ledger(problem, "auto", budget).infeasible(problem.why_infeasible() or "")
        chosen = choice.solver if self.isolated else choice.solver.in_this_process()
        if not clock.is_over():
            chosen.prepare(problem)
        try:
            chosen.check_options(budget.options)
        except BadInput as refusal:
            raise BadInput("; ".join(filter(None, (choice.reason, str(refusal))))) from None
        first = self._first(choice, start)
        began = clock.seconds()
        there(lambda: hearing.begin(chosen.name, began, first, choice.reason))
        known: dict[str, Any] = {} if saved is None or saved.proof is None else {"proof": saved.proof}
        listener = Heard(self.cancelling, self.listener)
        answer = chosen.solve(problem, replace(budget, seconds=clock.left()), first, listener, **known)
        if self.cross_check:
            answer = cross_checked(answer, clock, lambda phase: there(lambda: hearing.goes_on(phase, clock.seconds())))
        return replace(
            answer,
            reason=answer.reason or "; ".join(filter(None, (comes_to(problem), choice.reason))),
            # What was chosen and where it started took time, too: seconds count from this call.
            trace=tuple(replace(step, seconds=began + step.seconds) for step in answer.trace),
            run=replace(
                answer.run,
                budget=budget,
                seconds=clock.seconds(),
                notes=answer.run.notes + hearing.notes + (() if saved is None else saved.notes),
            ),
        )

    def _first(self, choice: Choice[S], start: Any) -> S | None:
        """Return the solution to start from: what a checkpoint holds, what is given, or what is found quickly."""
        if self.saved is not None and self.saved.solution is not None:
            return self.saved.solution
        if not isinstance(start, str):
            return None if start is None else given_start(self.problem, start)
        if start != "auto":
            raise BadInput(f"start is {start!r}; it must be 'auto', None or a solution of the problem")
        # Where loading has taken the time, the start may be the answer; but an approximation is asked for what it finds itself.
        limit, left = self.budget.seconds, self.clock.left()
        is_late = limit is not None and left is not None and left <= limit / 2
        if not (choice.start or (is_late and choice.solver.kind is not Kind.APPROXIMATE)):
            return None
        clock = start_clock(self.clock, self.problem, choice.improver, choice.share)
        return quick_start(self.problem, self.budget, clock, choice.improver, self._hear_of)

    def _hear_of(self, start: S) -> None:
        """Have whoever listens hear of a start: it is the answer of a run that is cancelled before its solver begins."""
        found = Incumbent(self.clock.seconds(), self.problem.cost(start), start)
        self.cancelling.there(lambda: self.listener(found))


def _cut_short(problem: Problem[S], budget: Budget, hearing: Hearing, seconds: float) -> Answer[S]:
    """Answer with the best that was heard of, where a run was interrupted before it could answer itself."""
    ledger: Ledger[S] = Ledger(problem, hearing.solver, budget)
    if hearing.cost is not None:
        ledger.resume(hearing.solution, hearing.cost)
    else:
        ledger.offer(problem.trivial() if hearing.solution is None else hearing.solution, hearing.solver)
    if hearing.bound is not None:
        ledger.raise_bound(hearing.bound.value, hearing.bound.origin, hearing.bound.by, hearing.proof)
    answer = ledger.answer(Stop.CANCELLED, reason=hearing.reason or "")
    trace = tuple(hearing.trace) or answer.trace
    return replace(
        answer, trace=trace, run=replace(answer.run, seconds=seconds, notes=answer.run.notes + hearing.notes)
    )
