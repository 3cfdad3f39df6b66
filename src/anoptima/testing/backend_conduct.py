"""Checks of how a backend behaves: its limits, its events, and how it ends."""

from __future__ import annotations

import os
import signal
import threading

from anoptima.answer import BoundRaised, Budget, Clock, Event, Incumbent, Stop
from anoptima.errors import SolverFailure
from anoptima.solvers.backends.base import Capability, Outcome
from anoptima.solvers.backends.process import WorkerProcess
from anoptima.testing import backend_demands as demands
from anoptima.testing import programs
from anoptima.testing.backend_demands import (
    Listening,
    Subject,
    demand_consistent,
    demand_heeded,
    demand_in_time,
    demand_optimum,
    demand_solution,
    describe_end,
    in_any_language,
)
from anoptima.testing.checks import Broken, demand, demand_true
from anoptima.testing.surroundings import captured, descendants
from anoptima.testing.workers import AT_WORK, Strike, idle_worker, key_of, make_ready, patient

RUNS = 5
"""How often a small program is solved to see whether memory is given back."""

LEAK = 8 << 20
"""Bytes more after every run that are taken for a leak."""


def demand_alive(subject: Subject, worker: WorkerProcess | None) -> None:
    """A run that has ended by itself leaves its process idle; one that did not stop was killed with it."""
    demand(
        worker is None or idle_worker(subject.backend) is worker,
        "it did not stop when asked, and its process was killed",
    )


# ---- limits -------------------------------------------------------------------------------------------------------------------
@in_any_language("a time limit, with an incumbent")
def keeps_to_a_time_limit(subject: Subject) -> None:
    """What is given back is a solution, no worse than the start, and where incumbents and bounds are promised, there are some."""
    program, start, limit = subject.hard(), programs.market_start(), 1.5
    listening, worker = Listening(), idle_worker(subject.backend)
    outcome = subject.backend.solve(program, Budget(seconds=limit), start, listening)
    demand_consistent(outcome, program)
    demand(outcome.stop is Stop.TIME, f"it ended with {outcome.stop.value}, not with its time")
    demand_in_time(outcome, limit)
    demand_alive(subject, worker)
    listening.demand_the_story_of(outcome)
    demand(outcome.objective is not None, "a start was given, and nothing came back")
    if outcome.objective is not None and program.statement is not None:
        demand(outcome.objective <= program.statement.objective(start), f"{outcome.objective} is worse than the start")
    for event in listening.incumbents():
        demand_solution(program, event.solution, event.cost)
    demand(
        outcome.bound is not None or not subject.can(Capability.BOUND), "it promises bounds, and gives none at a limit"
    )


@in_any_language("a time limit, without an incumbent")
def keeps_to_no_time(subject: Subject) -> None:
    """Without any time there is no answer, and nothing is claimed."""
    for start in (None, programs.market_start()):
        listening = Listening()
        program = subject.hard()
        outcome = subject.backend.solve(program, Budget(seconds=0), start, listening)
        demand_consistent(outcome, program)
        demand(outcome.stop is Stop.TIME, f"it ended with {outcome.stop.value}, not with its time")
        demand_in_time(outcome, 0)
        demand_true(not outcome.infeasible, "it claims to have proved something in no time")
        listening.demand_the_story_of(outcome)


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
    listening, worker = Listening(until=lambda event: isinstance(event, kinds)), idle_worker(subject.backend)
    backend = patient(subject.backend)
    outcome = backend.solve(program, Budget(seconds=60), start, listening)
    demand_consistent(outcome, program)
    demand_heeded(outcome)
    demand_alive(subject, worker)
    listening.demand_the_story_of(outcome)
    if listening.incumbents():
        demand(outcome.values is not None, "it had a solution, and does not give it back")
    demand_heeded(backend.solve(subject.hard(), Budget(seconds=60), None, lambda event: True))
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
def serves_threads(subject: Subject) -> None:
    """Runs at the same time do not meet."""
    found: list[object] = []
    failed: list[Exception] = []

    def solve(constant: int) -> None:
        try:
            found.append((constant, subject.backend.solve(subject.knapsack(constant), demands.ENOUGH).objective))
        except Exception as error:  # noqa: BLE001  (raised again by the thread that waits)
            failed.append(error)

    threads = [threading.Thread(target=solve, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    demand_true(sorted(found, key=str) == [(0, 8), (1, 9)], f"the optima are 8 and 9; found: {found}")


# ---- crashes and hangs --------------------------------------------------------------------------------------------------------
SECONDS_TO_STRIKE = (2, 8, 30)
"""Time limits under which a solver is struck: on a busy machine the first may be over before that."""


def _strike(subject: Subject, number: signal.Signals) -> tuple[Outcome | SolverFailure, float] | None:
    """Send a signal to the worker once it is at work, whatever it reports; None if there is no worker.

    Returns how that ended, and how many seconds after its limit.
    """
    how = ""
    for limit in SECONDS_TO_STRIKE:
        program, key = subject.hard(), key_of(subject.backend)
        if key is None:
            return None
        strike, clock = Strike(key, number), Clock()
        with strike.during():
            try:
                end: Outcome | SolverFailure = subject.backend.solve(
                    program, Budget(seconds=limit), programs.market_start()
                )
            except SolverFailure as failure:
                end = failure
        late = clock.seconds() - limit
        if strike.struck:
            return end, late
        how = describe_end(end)
    raise Broken(
        f"it could not be tested: its process was to be struck {AT_WORK:g} s after it had begun on a hard program, and by then "
        f"its run was over: {how}"
    )


@in_any_language("a crash is named")
def names_crashes(subject: Subject) -> str | None:
    """A solver's process that dies is an error that names the backend, and the next run works."""
    struck = _strike(subject, signal.SIGKILL)
    if struck is None:
        return "it runs in the caller's process, which a crash would end"
    failure, _ = struck
    demand(isinstance(failure, SolverFailure), f"its process was killed, and the run ended so: {describe_end(failure)}")
    demand(str(failure).startswith(f"{subject.backend.name}: "), f"the failure does not name the backend: {failure}")
    program = subject.knapsack()
    demand_optimum(subject.backend.solve(program, demands.ENOUGH), program, 8)
    return None


@in_any_language("a hang is ended")
def ends_hangs(subject: Subject) -> str | None:
    """A solver that stops answering is killed at its limit; what it had said is kept."""
    struck = _strike(subject, signal.SIGSTOP)
    if struck is None:
        return "it runs in the caller's process, which a hang would hold"
    end, late = struck
    demand(late <= 3 * demands.LATENESS, f"a hanging solver was waited for until {late:.0f} s after its limit")
    if isinstance(end, SolverFailure):
        demand("killed" in str(end), f"the failure does not say what happened: {end}")
    else:
        demand(end.stop is Stop.TIME, f"its process hung, and the run ended so: {describe_end(end)}")
    program = subject.knapsack()
    demand_optimum(subject.backend.solve(program, demands.ENOUGH), program, 8)
    return None


# ---- what it leaves behind ----------------------------------------------------------------------------------------------------
@in_any_language("it prints nothing")
def prints_nothing(subject: Subject) -> None:
    """What a solver prints does not reach the caller's standard output, where `--json` writes its document."""
    with captured() as said:
        subject.backend.solve(subject.knapsack(), demands.ENOUGH)
    demand(not said[0], f"it wrote to the caller's standard output: {said[0]!r}")


@in_any_language("it gives its memory back")
def gives_memory_back(subject: Subject) -> str | None:
    """From run to run, its process does not hold ever more."""
    held = []
    for _ in range(RUNS):
        subject.backend.solve(subject.knapsack(), demands.ENOUGH)
        worker = idle_worker(subject.backend)
        if worker is None and key_of(subject.backend) is None:
            return "it runs in the caller's process, where others take and give memory, too"
        demand(worker, "after a small program its process holds too much memory to be used again")
        held.append(0 if worker is None else worker.grown)
    grown = (held[-1] - held[0]) / (RUNS - 1)
    demand(grown <= LEAK, f"its process holds {grown / 2**20:.0f} MiB more memory after every run of a small program")
    return None


@in_any_language("it leaves no process behind")
def leaves_no_process(subject: Subject) -> str | None:
    """Programs that it starts, and copies of itself, have ended when its run has."""
    before = descendants(os.getpid())
    if before is None:
        return "the system does not tell which processes there are"
    make_ready(subject.backend)
    before = descendants(os.getpid()) or set()
    subject.backend.solve(subject.knapsack(), demands.ENOUGH)
    left = (descendants(os.getpid()) or set()) - before
    demand(not left, f"after its run, {len(left)} process{'es' if len(left) > 1 else ''} that it had started still ran")
    return None
