"""`solve`: one call from a problem to a verified answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal, TypeVar

from anoptima.answer import (
    Answer,
    BoundRaised,
    Budget,
    Clock,
    Event,
    Incumbent,
    Listener,
    Phase,
    Progress,
    Started,
    StillRunning,
)
from anoptima.arguments import checked
from anoptima.documents.checkpoints import Checkpoint
from anoptima.errors import BadInput
from anoptima.exact import Exact, Number
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.solvers.auto import Choice, choose, comes_to
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.cross_check import cross_checked
from anoptima.solvers.given_start import given_start
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.lookup import get_solver
from anoptima.solvers.starts import quick_start, start_clock

S = TypeVar("S")
OnProgress = Callable[[Progress], "bool | None"]


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
    certificate: bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    cross_check: bool = False,
) -> Answer[S]:
    """Answer `problem`: a checked solution with its exact cost, a bound, and what is claimed.

    Parameters
    ----------
    solver
        A name such as 'pattern/highs', a `Solver`, or 'auto', which chooses and says in `Answer.reason` what and why.
    time_limit
        Seconds. 0 gives the best solution that a tenth of a second finds, and a cheap bound.
    gap
        Stop once (cost - bound) / cost is at most this.
    threads, memory, seed
        What the backend may use: threads, bytes; the seed makes a run repeat.
    start
        What to start from and never to be worse than: a solution, an answer, a release (a DataFrame, its rows in any order), or a
        partition as a list of groups of row numbers from 0. 'auto' takes the best that quick approximations find; None for none.
    certificate
        What 'auto' does for certificates. None, the default: it proves by certificate what it can in reasonable time. True: it takes
        only solvers whose bounds come with certificates, where there is one. False: it stops as soon as a backend claims the optimum.
    checkpoint
        A file that keeps the best solution and proof as the run goes, whatever becomes of it; if it is there, the run goes on from it.
    on_progress
        Called with a `Progress` (seconds, cost, bound, phase) whenever one of them changes, and some times a second besides; returning
        True stops the run.
    cross_check
        Have a bound that rests on a solver's word confirmed, in what is left of the time: by a solver whose bounds come with certificates,
        or by another backend. `Answer.confirmed` says what confirmed it, or a note that nothing did; a contradiction is a `FalseClaim`.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> answer.claim.name, answer.cost, answer.bound.value
    ('OPTIMAL', 54, 54)
    """
    budget, clock = Budget.of(time_limit, gap, threads, memory, seed), Clock(time_limit)
    if solver == "auto":
        impossible = problem.why_infeasible()
        if impossible is not None:
            # Nothing must be chosen, nor imported, to say so.
            return Ledger(problem, "auto", budget).infeasible(impossible)
        choice = choose(problem, budget, clock, certificate)
    else:
        named = get_solver(solver) if isinstance(solver, str) else solver
        choice = Choice(named, "", start=named.kind is Kind.MODEL)
    chosen = choice.solver
    if not clock.is_over():
        chosen.prepare(problem)
    saved = None if checkpoint is None else Checkpoint(checkpoint, problem)
    first: S | None
    if saved is not None and saved.solution is not None:
        first = saved.solution
    elif isinstance(start, str):
        if start != "auto":
            raise BadInput(f"start is {start!r}; it must be 'auto', None or a solution of the problem")
        # Where loading has taken the time, the start may be the answer; but an approximation is asked for what it finds itself.
        left = clock.left()
        is_late = time_limit is not None and left is not None and left <= time_limit / 2
        wanted = choice.start or (is_late and chosen.kind is not Kind.APPROXIMATE)
        first = quick_start(problem, budget, start_clock(clock, choice.improver), choice.improver) if wanted else None
    else:
        first = None if start is None else given_start(problem, start)
    began = clock.seconds()
    listener: Listener = _Progress(on_progress, began)
    known: dict[str, Any] = {}
    if saved is not None:
        listener = saved.before(listener)
        known = {} if saved.proof is None else {"proof": saved.proof}
    with nullcontext() if saved is None else saved:
        answer = chosen.solve(problem, replace(budget, seconds=clock.left()), first, listener, **known)
    if cross_check:
        answer = cross_checked(answer, clock, _asked(on_progress, answer, clock))
    return replace(
        answer,
        reason=answer.reason or "; ".join(filter(None, (comes_to(problem), choice.reason))),
        # What was chosen and where it started took time, too: seconds count from this call.
        trace=tuple(replace(step, seconds=began + step.seconds) for step in answer.trace),
        run=replace(
            answer.run,
            budget=budget,
            seconds=clock.seconds(),
            notes=answer.run.notes + (() if saved is None else saved.notes),
        ),
    )


def _asked(on_progress: OnProgress | None, answer: Answer[Any], clock: Clock) -> Callable[[str], bool]:
    """Return what tells `on_progress` at what phase a cross-check of `answer` is, and whether to go on."""
    bound = None if answer.bound is None else answer.bound.value

    def go_on(phase: str) -> bool:
        return not (on_progress and on_progress(Progress(clock.seconds(), answer.cost, bound, phase)))

    return go_on


class _Progress:
    """Turns events into calls of `on_progress`."""

    def __init__(self, on_progress: OnProgress | None, began: float) -> None:
        self._call = on_progress
        self._began = began
        self._cost: Exact | None = None
        self._bound: Exact | None = None
        self._phase = ""

    def __call__(self, event: Event) -> bool:
        if isinstance(event, Incumbent):
            self._cost = event.cost
        elif isinstance(event, BoundRaised):
            self._bound = event.bound
        elif isinstance(event, Started):
            self._phase = event.by
        elif isinstance(event, Phase):
            self._phase = event.words
        elif not isinstance(event, StillRunning):
            return False
        now = Progress(self._began + event.seconds, self._cost, self._bound, self._phase)
        return bool(self._call and self._call(now))
