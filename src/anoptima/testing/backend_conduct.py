"""Checks of how a backend behaves: its limits, what it tells, and how it ends."""

from __future__ import annotations

import os
import signal
import threading

from anoptima.answer import BoundRaised, Budget, Clock, Event, Incumbent, Started, Stop
from anoptima.errors import SolverFailure
from anoptima.solvers.backends.base import Capability, Outcome
from anoptima.testing import backend_demands as demands
from anoptima.testing import programs
from anoptima.testing.backend_demands import (
    Listening,
    Subject,
    demand_consistent,
    demand_in_time,
    demand_optimum,
    demand_solution,
    in_any_language,
)
from anoptima.testing.checks import Broken, demand
from anoptima.testing.workers import make_ready


# ---- limits -------------------------------------------------------------------------------------------------------------------
@in_any_language("a time limit, with an incumbent")
def keeps_to_a_time_limit(subject: Subject) -> str | None:
    """What is given back is a solution, no worse than the start, and where incumbents and bounds are promised, there are some."""
    program, start, limit = subject.hard(), programs.market_start(), 1.5
    listening = Listening()
    outcome = subject.backend.solve(program, Budget(seconds=limit), start, listening)
    demand_consistent(outcome, program)
    demand(outcome.stop is Stop.TIME, f"it ended with {outcome.stop.value}, not with its time")
    demand_in_time(outcome, limit)
    listening.demand_the_story_of(outcome)
    demand(outcome.objective is not None, "a start was given, and nothing came back")
    if outcome.objective is not None and program.statement is not None:
        demand(outcome.objective <= program.statement.objective(start), f"{outcome.objective} is worse than the start")
    for event in listening.incumbents():
        demand_solution(program, event.solution, event.cost)
    demand(
        outcome.bound is not None or not subject.can(Capability.BOUND), "it promises bounds, and gives none at a limit"
    )
    return None


@in_any_language("a time limit, without an incumbent")
def keeps_to_no_time(subject: Subject) -> str | None:
    """Without any time there is no answer, and nothing is claimed."""
    for start in (None, programs.market_start()):
        listening = Listening()
        program = subject.hard()
        outcome = subject.backend.solve(program, Budget(seconds=0), start, listening)
        demand_consistent(outcome, program)
        demand(outcome.stop is Stop.TIME, f"it ended with {outcome.stop.value}, not with its time")
        demand_in_time(outcome, 0)
        demand(not outcome.infeasible, "it claims to have proved something in no time")
        listening.demand_the_story_of(outcome)
    return None


@in_any_language("a memory limit")
def keeps_to_a_memory_limit(subject: Subject) -> str | None:
    """Too little memory is a limit like any other, and the next run is none the worse for it."""
    if not subject.can(Capability.MEMORY_LIMIT):
        return subject.cannot(Capability.MEMORY_LIMIT)
    program = subject.hard()
    outcome = subject.backend.solve(program, Budget(seconds=20, memory=2**20), programs.market_start())
    demand_consistent(outcome, program)
    demand(outcome.stop is Stop.MEMORY, f"with one megabyte it ended with {outcome.stop.value}")
    program = subject.knapsack()
    demand_optimum(subject.backend.solve(program, Budget(seconds=60, threads=1, memory=2**30)), program, 8)
    return None


# ---- progress and interruption ------------------------------------------------------------------------------------------------
@in_any_language("progress is told")
def tells_progress(subject: Subject) -> str | None:
    """Incumbents come while the search goes on."""
    if not subject.can(Capability.INCUMBENTS):
        return subject.cannot(Capability.INCUMBENTS)
    listening = Listening(until=lambda event: isinstance(event, Incumbent))
    outcome = subject.backend.solve(subject.hard(), Budget(seconds=30), None, listening)
    demand(listening.incumbents(), "no incumbent was told")
    demand(
        outcome.stop is Stop.CANCELLED or not subject.can(Capability.CANCEL), "the incumbent was told when all was over"
    )
    return None


@in_any_language("the listener interrupts it")
def is_interrupted(subject: Subject) -> str | None:
    """At the first sign of life, and at once; it gives back the best it has."""
    if not subject.can(Capability.CANCEL):
        return subject.cannot(Capability.CANCEL)
    program, start = subject.hard(), programs.market_start()
    kinds = (Incumbent, BoundRaised)
    listening = Listening(until=lambda event: isinstance(event, kinds))
    outcome = subject.backend.solve(program, Budget(seconds=60), start, listening)
    demand_consistent(outcome, program)
    demand(outcome.stop is Stop.CANCELLED, f"it ended with {outcome.stop.value}, though it was asked to stop")
    demand_in_time(outcome, demands.LATENESS)
    listening.demand_the_story_of(outcome)
    if listening.incumbents():
        demand(outcome.values is not None, "it had a solution, and does not give it back")
    at_once = subject.backend.solve(subject.hard(), Budget(seconds=60), None, lambda event: True)
    demand(at_once.stop is Stop.CANCELLED, f"it ended with {at_once.stop.value}, though it was asked to stop at once")
    demand_in_time(at_once, demands.LATENESS)
    return None


@in_any_language("a listener that fails is heard")
def lets_errors_through(subject: Subject) -> str | None:
    """An exception of the caller's own comes out as it went in, and the backend goes on."""

    def failing(event: Event) -> bool:
        if isinstance(event, Incumbent | BoundRaised):
            raise ZeroDivisionError("in the listener")
        return False

    try:
        subject.backend.solve(subject.hard(), Budget(seconds=20), programs.market_start(), failing)
    except ZeroDivisionError:
        program = subject.knapsack()
        demand_optimum(subject.backend.solve(program, demands.ENOUGH), program, 8)
        return None
    raise Broken("the listener's exception was swallowed")


@in_any_language("several threads at once")
def serves_threads(subject: Subject) -> str | None:
    """Runs at the same time do not meet."""
    found: list[object] = []

    def solve(constant: int) -> None:
        found.append((constant, subject.backend.solve(subject.knapsack(constant), demands.ENOUGH).objective))

    threads = [threading.Thread(target=solve, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    demand(sorted(found, key=str) == [(0, 8), (1, 9)], f"the optima are 8 and 9; found: {found}")
    return None


# ---- crashes and hangs --------------------------------------------------------------------------------------------------------
def _strike(subject: Subject, number: signal.Signals, budget: Budget) -> Outcome | SolverFailure | None:
    """Send a signal to the worker once the solver is at work; None if there is no worker."""
    pid = make_ready(subject.backend)
    if pid is None:
        return None
    struck = threading.Event()

    def strike(event: Event) -> bool:
        if not isinstance(event, Started) and not struck.is_set():
            struck.set()
            os.kill(pid, number)
        return False

    try:
        return subject.backend.solve(subject.hard(), budget, programs.market_start(), strike)
    except SolverFailure as failure:
        return failure


@in_any_language("a crash is named")
def names_crashes(subject: Subject) -> str | None:
    """A solver's process that dies is an error that names the backend, and the next run works."""
    failure = _strike(subject, signal.SIGKILL, Budget(seconds=30))
    if failure is None:
        return "it runs in the caller's process, which a crash would end"
    demand(isinstance(failure, SolverFailure), f"its process was killed, and it ended with {failure}")
    demand(str(failure).startswith(f"{subject.backend.name}: "), f"the failure does not name the backend: {failure}")
    program = subject.knapsack()
    demand_optimum(subject.backend.solve(program, demands.ENOUGH), program, 8)
    return None


@in_any_language("a hang is ended")
def ends_hangs(subject: Subject) -> str | None:
    """A solver that stops answering is killed at its limit; what it had said is kept."""
    clock = Clock()
    end = _strike(subject, signal.SIGSTOP, Budget(seconds=1))
    if end is None:
        return "it runs in the caller's process, which a hang would hold"
    demand(clock.seconds() <= 1 + 3 * demands.LATENESS, f"a hanging solver was waited for for {clock.seconds():.0f} s")
    if isinstance(end, SolverFailure):
        demand("killed" in str(end), f"the failure does not say what happened: {end}")
    else:
        demand(end.stop is Stop.TIME, f"its process hung, and it ended with {end.stop.value}")
    program = subject.knapsack()
    demand_optimum(subject.backend.solve(program, demands.ENOUGH), program, 8)
    return None
