"""One run of a backend's solver, seen from the caller's process: what is asked, heard, believed and ended.

Limits: the solver is told its deadline and keeps it itself. If it does not, it is asked to stop `SLACK` seconds later, and killed
`GRACE` seconds after that. Then the best it had reported is the outcome, with a note.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational
from typing import Any, Protocol

import numpy as np

from anoptima.answer import (
    BoundRaised,
    Budget,
    Clock,
    Event,
    Incumbent,
    Listener,
    Log,
    OptionValue,
    StartFate,
    StillRunning,
    Stop,
    wants_log,
)
from anoptima.deadline import current_deadline, unbroken
from anoptima.errors import FalseClaim, NotApplicable, SolverFailure
from anoptima.exact import Exact
from anoptima.models.base import Values
from anoptima.solvers.backends.base import Outcome
from anoptima.solvers.backends.here import WorkerHere
from anoptima.solvers.backends.interrupt import Interrupts
from anoptima.solvers.backends.messages import (
    AskOptions,
    FoundBound,
    FoundIncumbent,
    FoundLines,
    Judged,
    Limits,
    Message,
    Raised,
    Request,
    Result,
    SaidOptions,
    Spent,
)
from anoptima.solvers.backends.process import WorkerDied, WorkerProcess
from anoptima.solvers.backends.rounding import Reported, bound_from, objective_from, tolerance

SLACK = 0.15
"""Seconds past its limit that a solver has before it is asked to stop."""

GRACE = 0.5
"""Seconds that a solver must stop once asked, before it is killed."""

START_LIMIT = 60.0
"""Seconds that a worker must come up."""

TICK = 0.02
"""Seconds between two looks at the clock and at Ctrl-C."""

EVERY = 0.05
"""Seconds without news after which a listener is asked whether to go on."""

SOON = 0.01
"""The same once a run has been asked to stop."""

PROMPT, LAST_WORD = 0.08, 0.1
"""As `GRACE`, where a run is cancelled and somebody waits: of a solver that has told of all that it found, and of one that has not."""


class Workers(Protocol):
    """Where workers come from: the pool of a backend's processes, or this process."""

    def take(self, memory: int | None = None) -> Any:
        """Return a worker that leaves a run its `memory`."""

    def give_back(self, worker: Any) -> None:
        """Take back a worker that has nothing to do."""

    def kill(self, worker: Any) -> None:
        """End a worker that is of no more use."""


@dataclass
class Run:
    """One solve, seen from the caller's process."""

    name: str
    versions: Mapping[str, str]
    budget: Budget
    listener: Listener | None
    grace: float = GRACE
    whole: bool = True
    clock: Clock = field(init=False)
    objective: Exact | None = None
    values: Values | None = None
    bound: Exact | None = None
    running: bool = False
    heard: bool = False
    start_seconds: float = 0.0
    solver_seconds: float = 0.0
    cancelled: bool = False
    told: float = field(default_factory=time.monotonic)
    fate: StartFate = StartFate.NONE
    is_past: Callable[[], bool] = field(default_factory=current_deadline)

    def __post_init__(self) -> None:
        self.clock = Clock(self.budget.seconds)
        left = self.clock.left()
        self.deadline = None if left is None else time.monotonic() + left

    def tell(self, event: Event) -> None:
        """Pass an event on to the listener, and remember a request to stop."""
        self.told = time.monotonic()
        if self.listener is not None and self.listener(event) is True:
            self.cancelled = True

    def over_before_it_began(self) -> Outcome | None:
        """Return an outcome if there is no time left to ask a worker."""
        if not self.clock.is_over():
            return None
        return self.outcome(Stop.TIME, "the time was up before the solver was started")

    def in_worker(self, workers: Workers, payload: Any, start: Values | None, interrupts: Interrupts) -> Outcome:
        """Have a worker solve `payload`, and leave behind either an idle worker or none."""
        worker = None
        try:
            with unbroken():  # or the worker that is given would be nobody's
                worker = workers.take(self.budget.memory)
            outcome, reusable = self._converse(worker, payload, start, interrupts)
        except WorkerDied as death:
            workers.kill(worker)
            if death.retired:  # just before it was asked
                return self.in_worker(workers, payload, start, interrupts)
            return self._after_death(str(death))
        except BaseException:
            if worker is not None:
                workers.kill(worker)
            raise
        if reusable:
            workers.give_back(worker)
        else:
            workers.kill(worker)
        return outcome

    def about_options(self, workers: Workers, options: Mapping[str, OptionValue], interrupts: Interrupts) -> str | None:
        """Return what a worker says is wrong with options; None if nothing is, or if it was too busy to say so."""
        worker = None
        try:
            with unbroken():
                worker = workers.take()
            said = None
            if self._await_ready(worker, interrupts):
                worker.request(AskOptions(options))
                while not isinstance(said, SaidOptions | Raised):
                    said = worker.receive(TICK)
                    self._ask()
                    if said is None and self._is_cancelled(interrupts):
                        break
        except BaseException as error:
            if worker is not None:
                workers.kill(worker)
            if isinstance(error, WorkerDied):
                raise SolverFailure(self.name, f"its process {error}") from None
            raise
        if said is None:
            workers.kill(worker)
            return None
        workers.give_back(worker)
        return said.why_not if isinstance(said, SaidOptions) else f"it cannot take options: {said.what}"

    def _converse(
        self, worker: WorkerProcess | WorkerHere, payload: Any, start: Values | None, interrupts: Interrupts
    ) -> tuple[Outcome, bool]:
        if not self._await_ready(worker, interrupts):
            return self.outcome(self._why(), "the solver's process was still starting when the run ended"), True
        limits = Limits(
            deadline=self.deadline,
            gap=self.budget.gap,
            threads=self.budget.threads,
            memory=self.budget.memory,
            seed=self.budget.seed,
            log=wants_log(self.listener),
            options=self.budget.options,
            here=isinstance(worker, WorkerHere),
            whole=self.whole,
        )
        self.running = True
        worker.request(Request(payload, limits, start))
        asked: float | None = None
        while True:
            message = worker.receive(TICK if asked is None else SOON)
            if isinstance(message, Result):
                return self._settle(message), True
            if isinstance(message, Raised):
                return self._raise(message)
            if message is not None:
                self._hear(message)
            self._ask()
            if asked is None and (self._is_cancelled(interrupts) or self._is_late(SLACK) or self._is_enough()):
                worker.stop()
                asked = time.monotonic()
            if asked is not None and time.monotonic() - asked > (self.grace if self.cancelled else GRACE):
                return self._give_up(worker.end), False

    def _await_ready(self, worker: WorkerProcess | WorkerHere, interrupts: Interrupts) -> bool:
        waiting = Clock(START_LIMIT)
        try:
            while not worker.ready:
                try:
                    worker.receive(TICK)
                except NotApplicable as broken:
                    raise NotApplicable(f"the backend {self.name} cannot be used here: {broken}") from None
                self._ask()
                if self._is_cancelled(interrupts) or self._is_late(0.0):
                    break
                if waiting.is_over():
                    raise SolverFailure(self.name, f"its process did not come up within {START_LIMIT:.0f} s")
        finally:
            self.start_seconds += waiting.seconds()
        return worker.ready

    def _ask(self) -> None:
        """Ask whoever listens whether to go on, if there was no news for a while."""
        if time.monotonic() >= self.told + EVERY:
            self.tell(StillRunning(self.clock.seconds()))

    def _is_cancelled(self, interrupts: Interrupts) -> bool:
        self.cancelled = self.cancelled or interrupts.asked or self.is_past()
        return self.cancelled

    def _is_late(self, slack: float) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline + slack

    def _why(self) -> Stop:
        return Stop.CANCELLED if self.cancelled else Stop.TIME

    def _is_proved(self) -> bool:
        if self.objective is None or self.bound is None:
            return False
        if not self.whole:
            return self.objective - self.bound <= Fraction(tolerance(float(self.objective)))
        return self.bound >= math.floor(self.objective)

    def _is_enough(self) -> bool:
        """Tell, in exact numbers, whether the gap that was asked for is reached: solvers differ in how they compute theirs."""
        if self.objective is None or self.bound is None:
            return False
        return self._is_proved() or self.objective - self.bound <= self.budget.gap * abs(Fraction(self.objective))

    def _stop(self, claimed: Stop) -> Stop:
        """Return why the run ended, by the numbers first and by what the solver says second."""
        if self._is_proved():
            return Stop.PROVED
        if self._is_enough() or claimed is Stop.PROVED:
            return Stop.GAP
        return self._why() if claimed is Stop.CANCELLED else claimed

    def _hear(self, message: Message) -> None:
        if isinstance(message, FoundIncumbent):
            self.heard = True
            self._improve(message.objective, message.values)
        elif isinstance(message, FoundBound):
            self.heard = True
            self._raise_bound(self._bound_from(message.value))
        elif isinstance(message, Judged):
            self.fate = message.fate
        elif isinstance(message, Spent):
            self.solver_seconds = message.seconds
        elif isinstance(message, FoundLines):
            for line in message.lines:
                self.tell(Log(self.clock.seconds(), line))

    def _improve(self, reported: Reported, values: Values) -> None:
        if not isinstance(reported, Rational) and not math.isfinite(reported):
            raise FalseClaim(self.name, f"claimed a solution with the objective {reported}")
        objective = objective_from(reported)
        if self.objective is None or objective < self.objective:
            self.objective, self.values = objective, np.asarray(values, dtype=np.float64)
            self.tell(Incumbent(self.clock.seconds(), objective, self.values))

    def _bound_from(self, reported: Reported | None) -> Exact | None:
        """Return the bound that a solver's number is: rounded up to a whole one only where the objective is whole."""
        if self.whole or reported is None:
            return bound_from(reported)
        return objective_from(reported) if math.isfinite(reported) else None

    def _raise_bound(self, bound: Exact | None) -> None:
        if bound is not None and (self.bound is None or bound > self.bound):
            self.bound = bound
            self.tell(BoundRaised(self.clock.seconds(), bound))

    def _settle(self, result: Result) -> Outcome:
        """Turn the solver's last word into an outcome, and refuse what contradicts itself."""
        if result.objective is not None and result.values is not None:
            self._improve(result.objective, result.values)
        if result.infeasible:
            if self.values is not None:
                raise FalseClaim(self.name, "claimed that the model is infeasible after it had found a solution")
            return self.outcome(Stop.PROVED, *result.notes, infeasible=True)
        self._raise_bound(self._bound_from(result.bound))
        if result.stop in (Stop.PROVED, Stop.GAP):
            if self.objective is None:
                raise FalseClaim(self.name, "claimed an optimum without a solution")
            if self.bound is None and result.stop is Stop.PROVED:
                self._raise_bound(math.ceil(self.objective) if self.whole else self.objective)
        if self.bound is not None and self.objective is not None and self._is_beyond(self.bound, self.objective):
            raise FalseClaim(
                self.name, f"claimed the bound {self.bound} beside a solution with objective {self.objective}"
            )
        return self.outcome(self._stop(result.stop), *result.notes)

    def _is_beyond(self, bound: Exact, objective: Exact) -> bool:
        return bound > (math.ceil(objective) if self.whole else objective + Fraction(tolerance(float(objective))))

    def _raise(self, raised: Raised) -> tuple[Outcome, bool]:
        if raised.kind == "not-applicable":
            raise NotApplicable(f"{self.name}: {raised.what}")
        if raised.kind == "import":
            raise NotApplicable(f"the backend {self.name} cannot be used here: {raised.what}")
        if raised.kind == "memory":
            return self.outcome(self._stop(Stop.MEMORY), f"the solver ran out of memory: {raised.what}"), False
        raise SolverFailure(self.name, raised.what)

    def _give_up(self, end: str) -> Outcome:
        said = "" if self.heard else ", and it had not reported anything"
        return self.outcome(self._stop(self._why()), f"{self.name} did not stop when asked and {end}{said}")

    def _after_death(self, how: str) -> Outcome:
        if self.budget.memory is not None and self.running:
            return self.outcome(self._stop(Stop.MEMORY), f"the solver's process, under its memory limit, {how}")
        partial = self.outcome(Stop.FAILED) if self.heard else None
        raise SolverFailure(self.name, f"its process {how}", partial=partial)

    def interrupted(self) -> Outcome:
        """Return what is known where the run was interrupted: before it began, if nothing was heard."""
        self.cancelled = self.cancelled or (self.is_past() and not self.clock.is_over())
        ended = "the run was cancelled" if self.cancelled else "the time was up"
        return self.outcome(self._why(), *(() if self.running else (f"{ended} before the model was handed over",)))

    def outcome(self, stop: Stop, *notes: str, infeasible: bool = False) -> Outcome:
        """Return what is known now."""
        return Outcome(
            stop=stop,
            infeasible=infeasible,
            values=self.values,
            objective=self.objective,
            bound=self.bound,
            start=self.fate,
            seconds=self.clock.seconds(),
            versions=self.versions,
            notes=notes,
            start_seconds=self.start_seconds,
            solver_seconds=self.solver_seconds,
        )
