"""The ledger of a run: the best solution and bound so far, each checked as it comes in, and the events and trace they make.

Every solver keeps one, so that no solution leaves a solver unchecked, no cost is taken from a backend's word, and an
interrupted run loses nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from anoptima.answer import (
    Answer,
    Bound,
    BoundRaised,
    Budget,
    Claim,
    Clock,
    Compiled,
    Event,
    Finished,
    Incumbent,
    Listener,
    Log,
    Origin,
    Phase,
    Progress,
    Proof,
    RunRecord,
    Started,
    StartFate,
    StillRunning,
    Stop,
    relative_gap,
    wants_log,
)
from anoptima.deadline import current_deadline, unbroken, under
from anoptima.errors import BadInput, FalseClaim
from anoptima.exact import Exact, exact_text, is_exact
from anoptima.machine import usable_threads
from anoptima.packages import loading
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem

S = TypeVar("S")

EVERY = 0.1
"""Seconds without news after which a listener is asked whether to go on."""

_CLAIMED = (Origin.THEOREM, Origin.BACKEND)
"""Origins of bounds that nothing but a proof proves again."""


@dataclass(frozen=True)
class Setup:
    """The preparation of a search: the packages, the model, the start's fate, and the seconds that they took."""

    versions: Mapping[str, str] = field(default_factory=dict)
    build_seconds: float = 0.0
    model_size: Mapping[str, int] = field(default_factory=dict)
    start: StartFate = StartFate.NONE
    start_seconds: float = 0.0


@dataclass(eq=False)
class Known(Generic[S]):
    """The best that is known: a solution and its cost, a bound, a proof, and how they came about."""

    solution: S | None = None
    cost: Exact | None = None
    bound: Bound | None = None
    proof: Proof | None = None
    trace: list[Progress] = field(default_factory=list)
    checking: float = 0.0
    """The seconds that it took to check a solution, at most."""

    @property
    def is_proved(self) -> bool:
        """Whether cost and bound meet."""
        return self.cost is not None and self.bound is not None and self.cost == self.bound.value

    def note(self, seconds: float) -> None:
        """Enter in the trace where cost and bound stand."""
        self.trace.append(Progress(seconds, self.cost, self.bound.value if self.bound else None))


@dataclass(eq=False)
class _Outside:
    """What a run has to do with others: who listens, the thread that he is told on, when he was told last, and a deadline around it."""

    listener: Listener | None
    # Kept, since loops on other threads ask, too.
    is_past: Callable[[], bool] = field(default_factory=current_deadline)
    owner: int = field(default_factory=threading.get_ident)
    told: float = field(default_factory=time.monotonic)

    def tell(self, event: Event) -> bool:
        """Pass an event on; tell whether the listener asks to stop."""
        if self.listener is None:
            return False
        self.told = time.monotonic()
        # Not under the run's own deadline, which may be over by what is told, and would tell more.
        with unbroken(), under(self.is_past):
            return bool(self.listener(event))

    @property
    def is_waiting(self) -> bool:
        """Whether the listener, who may be asked here, has heard nothing for a while."""
        if self.listener is None or time.monotonic() < self.told + EVERY:
            return False
        return threading.get_ident() == self.owner


class Ledger(Generic[S]):
    """The knowledge of one run of one solver on one problem."""

    def __init__(self, problem: Problem[S], solver: str, budget: Budget, listener: Listener | None = None) -> None:
        self.problem = problem
        self.solver = solver
        self.budget = budget
        self.clock = Clock(budget.seconds)
        self.known: Known[S] = Known()
        self.notes: list[str] = []
        self.cancelled = False
        self.wants_proof = False
        """Whether a bound that the problem itself proves closes the run only once there is a proof of it."""
        self.compiled: Compiled | None = None
        self.prepare_seconds = 0.0
        self.pause: Callable[[], bool] | None = None
        """While set and true, the run is over for now: whoever set it goes on."""
        self._outside = _Outside(listener)
        self.tell(Started(0.0, solver))

    @property
    def solution(self) -> S | None:
        """The best solution."""
        return self.known.solution

    @property
    def cost(self) -> Exact | None:
        """Its cost."""
        return self.known.cost

    @property
    def bound(self) -> Bound | None:
        """The best bound."""
        return self.known.bound

    @property
    def proof(self) -> Proof | None:
        """The proof of the most that is proved."""
        return self.known.proof

    @property
    def threads(self) -> int:
        """How many threads the run may use: as many as the budget says, or as the process may use."""
        return usable_threads() if self.budget.threads is None else self.budget.threads

    def tell(self, event: Event) -> None:
        """Pass an event on to the listener, and remember a request to stop."""
        if self._outside.tell(event):
            self.cancelled = True

    @property
    def wants_log(self) -> bool:
        """Whether somebody reads the lines of a log."""
        return wants_log(self._outside.listener)

    def log(self, line: str) -> None:
        """Pass on a line that a person may want to read."""
        self.tell(Log(self.clock.seconds(), line))

    def phase(self, words: str) -> None:
        """Name the current phase of the run in a few words; while loops do not run compiled, also say why."""
        if self.compiled is not None and self.compiled.since is None:
            words = f"{words}; plain loops: {self.compiled.why}"
        self.tell(Phase(self.clock.seconds(), words))

    def note_loops(self, why: str) -> None:
        """Enter that loops run compiled from now on, or, if that is given, why they do not."""
        if why and self.compiled is None:
            self.compiled = Compiled(None, why)
        elif not why and self.compiled is None:
            self.compiled = Compiled(0.0)
        elif not why and self.compiled is not None and self.compiled.since is None:
            self.compiled = Compiled(self.clock.seconds(), self.compiled.why)

    def offer(self, solution: S, by: str | None = None) -> bool:
        """Check a solution and keep it if it is the best so far. `FalseClaim` names `by` if it is not feasible or beats a bound."""
        began = time.monotonic()
        with unbroken():
            try:
                return self._offer(solution, by)
            finally:
                self.known.checking = max(self.known.checking, time.monotonic() - began)

    def _offer(self, solution: S, by: str | None) -> bool:
        try:
            wrong = self.problem.violations(solution)
        except BadInput as error:
            raise FalseClaim(by or self.solver, f"claimed what is no solution at all: {error}", self.best()) from error
        if wrong:
            unstated = self.problem.unstated(solution) if isinstance(self.problem, TableProblem) else None
            if unstated is not None:
                raise BadInput(unstated)
            raise FalseClaim(by or self.solver, f"claimed a solution that is none: {wrong[0]}", self.best())
        cost = self.problem.cost(solution)
        if not is_exact(cost):
            raise BadInput(f"{self.problem.name}: a solution costs {cost!r}; `cost` must return an int or a Fraction")
        if self.bound is not None and cost < self.bound.value:
            raise FalseClaim(
                self.bound.by,
                f"claimed a bound of {exact_text(self.bound.value)}, and {by or self.solver} has a solution that costs {exact_text(cost)}",
                self.best(),
            )
        if self.cost is not None and cost >= self.cost:
            return False
        self.known.solution, self.known.cost = solution, cost
        self.known.note(self.clock.seconds())
        self.tell(Incumbent(self.clock.seconds(), cost, solution))
        return True

    def resume(self, solution: S, cost: Exact) -> None:
        """Enter a solution and its cost that another ledger of the same call has checked: somebody waits, and checks can take long."""
        self.known.solution, self.known.cost = solution, cost
        self.known.note(self.clock.seconds())

    def raise_bound(self, value: Exact, origin: Origin, by: str | None = None, proof: Proof | None = None) -> None:
        """Keep a bound and a proof, each if it is the best so far. `FalseClaim` names `by` if a known solution costs less.

        So it does if the bound is called proved, and there is no proof.
        A proof stays where a search claims more later on, and is kept where one has claimed more before. A proof of as much
        as has been claimed takes the claim's place.
        """
        with unbroken():
            self._raise_bound(value, origin, by, proof)

    def _raise_bound(self, value: Exact, origin: Origin, by: str | None, proof: Proof | None) -> None:
        if origin is Origin.PROOF and proof is None:
            raise FalseClaim(
                by or self.solver, f"called a bound of {exact_text(value)} proved without giving the proof", self.best()
            )
        if self.cost is not None and value > self.cost:
            raise FalseClaim(
                by or self.solver,
                f"claimed a bound of {exact_text(value)}, and a solution costs {exact_text(self.cost)}",
                self.best(),
            )
        known = self.bound
        higher = known is None or value > known.value
        if proof is not None and (known is None or value >= known.value or known.origin in _CLAIMED):
            if self.proof is None or value > self.proof.value:
                self.known.proof = proof
            if known is not None and value == known.value:
                self.known.bound = Bound(value, origin, by or self.solver)
                self.tell(BoundRaised(self.clock.seconds(), value, proof, origin))
        if higher:
            self.known.bound = Bound(value, origin, by or self.solver)
            self.known.note(self.clock.seconds())
            self.tell(BoundRaised(self.clock.seconds(), value, proof, origin))

    def begin(self, proof: Proof | None) -> None:
        """Enter the bound that is known before anything is tried: the problem's own, or what `proof` proves, checked here."""
        self.raise_bound(self.problem.lower_bound(), Origin.PROBLEM, self.problem.name)
        if proof is not None:
            self.raise_bound(proof.proved(self.problem), Origin.PROOF, proof=proof)

    def open(self, start: S | None, proof: Proof | None) -> Answer[S] | None:
        """Begin a run: enter the bound that is known (`begin`), and the start or else the trivial solution, so that no answer is worse.

        Returns the answer that no solution exists, where that is so; None where the run is to go on.
        """
        # Bounds, solutions and checks of large problems make objects that stay.
        with loading():
            impossible = self.problem.why_infeasible()
            if impossible is not None:
                return self.infeasible(impossible)
            self.begin(proof)
            if start is None:
                self.offer(self.problem.trivial(), self.problem.name)
            else:
                self.offer(start, "the start")
        return None

    def is_closed(self) -> bool:
        """Tell whether cost and bound meet, or are within the gap that the budget asks for."""
        if self.bound is None or self.cost is None:
            return False
        if self.known.is_proved:
            return not (self.wants_proof and self.cost and self.bound.origin is Origin.PROBLEM)
        # Loops ask all the time: fractions are for those who want a gap.
        gap = relative_gap(self.cost, self.bound.value) if self.budget.gap else None
        return gap is not None and gap <= self.budget.gap

    def until(self, share: float) -> Callable[[], bool]:
        """Return what tells whether this share of the time that is left now is over, or the run is."""
        end = self.clock.seconds() + self.clock.share_of_left(share)
        return lambda: self.is_over() or self.clock.seconds() >= end

    def is_over(self) -> bool:
        """Whether the run must end: closed, out of time, told to stop, or past a deadline around the run.

        Whoever listens is asked now and then, whether there is news or not, by the thread that the run was begun on.
        """
        if self._outside.is_waiting:
            self.tell(StillRunning(self.clock.seconds()))
        over = self.is_closed() or self.cancelled or self.clock.is_over() or self._outside.is_past()
        return over or (self.pause is not None and self.pause())

    def why_over(self, otherwise: Stop) -> Stop:
        """Return why the run ends now; `otherwise` if the ledger knows no reason."""
        if self.is_closed():
            return Stop.PROVED if self.known.is_proved else Stop.GAP
        if self.cancelled or (self._outside.is_past() and not self.clock.is_over()):
            return Stop.CANCELLED
        return Stop.TIME if self.clock.is_over() else otherwise

    def infeasible(self, reason: str) -> Answer[S]:
        """Answer that no solution exists, for a reason in the problem's words."""
        return self._answer(Claim.INFEASIBLE, Stop.PROVED, reason, Setup())

    def answer(
        self,
        stop: Stop,
        *,
        reason: str = "",
        versions: Mapping[str, str] | None = None,
        build_seconds: float = 0.0,
        model_size: Mapping[str, int] | None = None,
        start: StartFate = StartFate.NONE,
        start_seconds: float = 0.0,
    ) -> Answer[S]:
        """Close the run and return its answer."""
        claim = Claim.UNKNOWN if self.solution is None else Claim.FEASIBLE
        if self.known.is_proved:
            claim, stop = Claim.OPTIMAL, Stop.PROVED
        setup = Setup(dict(versions or {}), build_seconds, dict(model_size or {}), start, start_seconds)
        return self._answer(claim, stop, reason, setup)

    def best(self) -> Answer[S] | None:
        """Return an answer with the best that is known, for an error to carry; None if that is nothing."""
        return None if self.solution is None else self._answer(Claim.FEASIBLE, Stop.FAILED, "", Setup())

    def _answer(self, claim: Claim, stop: Stop, reason: str, setup: Setup) -> Answer[S]:
        seconds = self.clock.seconds()
        self.tell(Finished(seconds, stop))
        run = RunRecord(
            self.solver,
            self.budget,
            setup.versions,
            seconds,
            setup.build_seconds,
            setup.model_size,
            setup.start,
            tuple(self.notes),
            setup.start_seconds,
            self.prepare_seconds,
            self.compiled,
        )
        return Answer(
            self.problem,
            claim,
            stop,
            self.solution,
            self.cost,
            self.bound,
            tuple(self.known.trace),
            run,
            reason,
            self.proof,
        )
