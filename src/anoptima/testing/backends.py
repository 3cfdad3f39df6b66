"""What every backend promises (`solvers.backends.base`), asked in every language that it takes."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anoptima.answer import BoundRaised, Budget, Clock, Event, Finished, Incumbent, Started, StartFate, Stop
from anoptima.errors import ModelTooLarge, NotApplicable, SolverFailure
from anoptima.models import models
from anoptima.models.base import Language, Values
from anoptima.solvers.backends.base import Backend, Capability, Outcome
from anoptima.solvers.modelled import Modelled
from anoptima.testing import programs
from anoptima.testing.checks import Broken, Check, Checklist, demand
from anoptima.testing.examples import examples_for
from anoptima.testing.programs import Program
from anoptima.testing.workers import make_ready

ENOUGH = Budget(seconds=60)

LATENESS = 5.0
"""Seconds past a limit that are forgiven here. A second is promised; the rest is for machines that are busy with something else."""

RANDOM_PROGRAMS = 25


@dataclass(frozen=True)
class Subject:
    """A backend, in one of the languages that it takes."""

    backend: Backend
    language: Language

    def can(self, capability: Capability) -> bool:
        """Tell whether the backend claims a capability."""
        return capability in self.backend.capabilities

    def cannot(self, capability: Capability) -> str:
        """Say that it does not."""
        return f"{self.backend.name} does not claim the capability '{capability.value}'"

    def hard(self) -> Program:
        """Return a program that nobody solves here, with one idle worker for it."""
        make_ready(self.backend)
        return programs.market_split(language=self.language)

    def knapsack(self, constant: float = 0) -> Program:
        """Return an easy program with the optimum 8 + `constant`."""
        return programs.knapsack(constant, self.language)


in_any_language: Checklist[Subject] = Checklist()
about_linear_programs: Checklist[Backend] = Checklist()
about_itself: Checklist[Backend] = Checklist()


def check_backend(backend: Backend) -> Iterator[Check]:
    """Yield a check of every promise that `backend` makes. One that is not here has no other than that.

    >>> from anoptima.solvers.backends.highs import Highs
    >>> next(check_backend(Highs()))()
    Verdict(subject='highs', check='it says what it is', state=<State.GREEN: 'green'>, words='')
    """
    availability = backend.availability()
    if not availability:
        yield Check(backend.name, "it is here", lambda: availability.why or "it does not say why it cannot be used")
        return
    yield from about_itself.of(backend.name, backend)
    for language in sorted(backend.languages, key=lambda language: language.value):
        suffix = f" ({language.value})" if len(backend.languages) > 1 else ""
        yield from in_any_language.of(backend.name, Subject(backend, language), suffix)
    if Language.PYOMO in backend.languages:
        yield from about_linear_programs.of(backend.name, backend)


class Listening:
    """Keeps the events of a run, and asks it to stop when `until` says so."""

    def __init__(self, until: Callable[[Event], bool] = lambda event: False) -> None:
        self.events: list[Event] = []
        self.until = until

    def __call__(self, event: Event) -> bool:
        """Hear an event."""
        self.events.append(event)
        return self.until(event)

    def incumbents(self) -> list[Incumbent]:
        """Return the incumbents that were told."""
        return [event for event in self.events if isinstance(event, Incumbent)]

    def bounds(self) -> list[BoundRaised]:
        """Return the bounds that were told."""
        return [event for event in self.events if isinstance(event, BoundRaised)]

    def demand_the_story_of(self, outcome: Outcome) -> None:
        """The events begin and end as they should, only ever get better, and end with what the outcome says."""
        demand(self.events and isinstance(self.events[0], Started), "the first event is not Started")
        last = self.events[-1]
        demand(isinstance(last, Finished) and last.stop is outcome.stop, f"the last event is {last}, not the outcome's")
        seconds = [event.seconds for event in self.events]
        demand(seconds == sorted(seconds), "the events are not in the order of their time")
        costs = [event.cost for event in self.incumbents()]
        demand(all(b < a for a, b in itertools.pairwise(costs)), f"an incumbent is no better than one before: {costs}")
        demand((costs[-1] if costs else None) == outcome.objective, f"the last incumbent is not the outcome's: {costs}")
        bounds = [event.bound for event in self.bounds()]
        demand(all(b > a for a, b in itertools.pairwise(bounds)), f"a bound is no better than one before: {bounds}")
        demand((bounds[-1] if bounds else None) == outcome.bound, f"the last bound is not the outcome's: {bounds}")


def demand_consistent(outcome: Outcome, program: Program) -> None:
    """What holds of every outcome, whatever happened."""
    demand(
        (outcome.values is None) == (outcome.objective is None),
        "there are values without an objective, or no values with one",
    )
    demand(outcome.versions, "the outcome does not say which versions were at work")
    if outcome.objective is not None and outcome.bound is not None:
        demand(
            outcome.bound <= outcome.objective, f"the bound {outcome.bound} is above the objective {outcome.objective}"
        )
    if outcome.stop is Stop.PROVED:
        demand(
            outcome.infeasible or outcome.bound == outcome.objective is not None,
            f"an optimum of {outcome.objective} is claimed with the bound {outcome.bound}",
        )
    if outcome.infeasible:
        demand(
            outcome.stop is Stop.PROVED and outcome.values is None, "infeasible, and yet there are values or a limit"
        )
    if outcome.values is not None:
        demand_solution(program, outcome.values, outcome.objective)


def demand_solution(program: Program, values: Values, objective: object) -> None:
    """`values` are a solution, and the objective there is what is said."""
    if program.statement is not None:
        reason = program.statement.why_not(values)
        demand(reason is None, f"a solution is none: {reason}")
        demand(program.statement.objective(values) == objective, f"the objective is not the {objective} that is said")


def demand_optimum(outcome: Outcome, program: Program, optimum: float) -> None:
    """The outcome is a proof that the optimum is what it is."""
    demand_consistent(outcome, program)
    demand(
        outcome.stop is Stop.PROVED and outcome.objective == outcome.bound == optimum,
        f"the optimum is {optimum:g}; it ended with {outcome.objective}, bound {outcome.bound} ({outcome.stop.value})",
    )


def demand_in_time(outcome: Outcome, limit: float) -> None:
    """The run has ended when it should."""
    demand(outcome.seconds <= limit + LATENESS, f"it took {outcome.seconds:.1f} s with a limit of {limit:g} s")


# ---- what it says of itself ---------------------------------------------------------------------------------------------------


@about_itself("it says what it is")
def says_what_it_is(backend: Backend) -> str | None:
    """Name, languages, capabilities, versions."""
    demand(
        backend.name and not set(backend.name) & set("/ "),
        f"the name {backend.name!r} has a blank or a slash, or is empty",
    )
    demand(
        backend.languages and all(isinstance(language, Language) for language in backend.languages),
        "it takes no language",
    )
    demand(all(isinstance(one, Capability) for one in backend.capabilities), "a capability is none that there is")
    versions = backend.versions()
    demand(
        all(version and version[0].isdigit() for version in versions.values()),
        f"a version does not begin with a digit: {dict(versions)}",
    )
    return None


@about_itself("a language that it does not take is refused")
def refuses_other_languages(backend: Backend) -> str | None:
    """By NotApplicable, which says which ones it takes."""
    others = sorted(set(Language) - backend.languages, key=lambda language: language.value)
    for language in others:
        try:
            backend.solve(programs.knapsack(language=language), ENOUGH)
        except NotApplicable as refusal:
            demand(language.value in str(refusal), f"the refusal does not name {language.value}: {refusal}")
        else:
            raise Broken(f"it took a model written in {language.value}")
    return None if others else "it takes every language there is"


@about_itself("a model too large is refused before it is built")
def refuses_large_models(backend: Backend) -> str | None:
    """The estimate is held against the memory that is granted, and the numbers are in the refusal."""
    for model in models.all():
        if model.language in backend.languages:
            for problem in examples_for(model):
                try:
                    Modelled(model, backend).solve(problem, Budget(memory=1))
                except ModelTooLarge as refusal:
                    demand("variables" in str(refusal), f"the refusal gives no numbers: {refusal}")
                    return None
                raise Broken(f"the model {model.name} was built and solved with one byte of memory")
    return "no model here is written in a language that it takes"


# ---- statuses -----------------------------------------------------------------------------------------------------------------


@in_any_language("optimal")
def finds_optima(subject: Subject) -> str | None:
    """An optimum is found and proved, and its events tell how; constants count; threads may differ."""
    listening = Listening()
    program = subject.knapsack()
    outcome = subject.backend.solve(program, ENOUGH, None, listening)
    demand_optimum(outcome, program, 8)
    demand(outcome.start is StartFate.NONE, f"no start was given, and its fate is '{outcome.start.value}'")
    listening.demand_the_story_of(outcome)
    for constant, threads in ((-20, 1), (3, 2)):
        program = subject.knapsack(constant)
        demand_optimum(subject.backend.solve(program, Budget(seconds=60, threads=threads)), program, 8 + constant)
    return None


@in_any_language("infeasible")
def proves_infeasibility(subject: Subject) -> str | None:
    """Also beside a start."""
    program = programs.infeasible(subject.language)
    for start in (None, np.zeros(2)):
        outcome = subject.backend.solve(program, ENOUGH, start)
        demand_consistent(outcome, program)
        demand(outcome.infeasible, f"the model is infeasible; it ended with {outcome.objective} ({outcome.stop.value})")
    return None


@about_linear_programs("unbounded is refused")
def refuses_unbounded(backend: Backend) -> str | None:
    """By NotApplicable, which says that it is for want of bounds."""
    try:
        outcome = backend.solve(programs.unbounded(), ENOUGH)
    except NotApplicable as refusal:
        demand("bound" in str(refusal), f"the refusal does not speak of bounds: {refusal}")
        return None
    raise Broken(f"the model is unbounded; it ended with {outcome.objective} ({outcome.stop.value})")


@about_linear_programs("odd shapes")
def takes_odd_shapes(backend: Backend) -> str | None:
    """No columns, no rows, columns that nothing mentions, rows without columns, bounds with nothing between them, large numbers."""
    for program, optimum in (
        (programs.linear([], [], constant=3), 3),
        (programs.linear([2, -3], [], upper=4), -12),
        (programs.linear([0, 1], [([0, 1], 1, None)]), 1),
        (programs.linear([1_000_003, 999_983], [([1, 1], 1, None)], constant=10**6), 1_999_983),
    ):
        demand_optimum(backend.solve(program, ENOUGH), program, optimum)
    for program in (
        programs.linear([1], [], upper=0.6, lower=0.4),
        programs.linear([0, 1], [([0, 1], 1, None)], upper=[0.6, 1], lower=[0.4, 0]),
        programs.linear([1], [([0], 1, None)]),
    ):
        demand(backend.solve(program, ENOUGH).infeasible, "a model without a solution was not called infeasible")
    return None


@in_any_language("agreement with enumeration")
def agrees_with_enumeration(subject: Subject) -> str | None:
    """On small random programs, feasible and infeasible ones."""
    for seed in range(RANDOM_PROGRAMS):
        program = programs.random_integer_program(seed, subject.language)
        found = [objective for objective, _ in programs.solutions(program)]
        outcome = subject.backend.solve(program, ENOUGH)
        try:
            if found:
                demand_optimum(outcome, program, min(found))
            else:
                demand(outcome.infeasible, f"it is infeasible, and ended with {outcome.objective}")
        except Broken as broken:
            raise Broken(f"random program {seed}: {broken}") from None
    return None


@in_any_language("gap zero means zero")
def gap_zero_means_zero(subject: Subject) -> str | None:
    """The two best solutions cost 1,000,000 and 1,000,001: a relative difference of 1e-6, far below any default.

    And all that there is to find of a split is a part of 1e-5 of its cost: whoever allows for a gap finds little of it.
    """
    program = programs.linear(
        [1_000_001, 1_000_000, 2_000_000], [([1, 1, 1], 1, None), ([1, 2, 2], 1, None)], language=subject.language
    )
    for seed in range(3):
        demand_optimum(subject.backend.solve(program, Budget(seconds=60, seed=seed)), program, 1_000_000)
    program = programs.market_split(2, 12, language=subject.language, constant=10**7)
    demand_optimum(subject.backend.solve(program, ENOUGH), program, 10**7 + programs.market_optimum(2, 12))
    return None


@in_any_language("a gap is kept to, and not called a proof")
def keeps_to_a_gap(subject: Subject) -> str | None:
    """With a gap of one, any solution will do; with one of nine tenths, cost and bound say how far it is."""
    optimum = programs.market_optimum(2, 14)
    program = programs.market_split(2, 14, language=subject.language)
    gap = Fraction(9, 10)
    outcome = subject.backend.solve(program, Budget(seconds=60, gap=gap), programs.market_start(2, 14))
    demand_consistent(outcome, program)
    demand(outcome.objective is not None, f"it ended without a solution ({outcome.stop.value})")
    if outcome.objective is not None and outcome.bound is not None:
        demand(
            outcome.bound <= optimum <= outcome.objective,
            f"bound {outcome.bound}, optimum {optimum}, found {outcome.objective}",
        )
        if outcome.stop is Stop.GAP:
            demand(
                outcome.objective - outcome.bound <= gap * outcome.objective,
                "it ended for a gap that it had not reached",
            )
    whole = subject.backend.solve(subject.hard(), Budget(seconds=60, gap=Fraction(1)), programs.market_start())
    demand(whole.stop is Stop.GAP, f"with a gap of 1 any solution will do; it ended with {whole.stop.value}")
    return None


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


@in_any_language("a bound is never above the optimum")
def bounds_are_bounds(subject: Subject) -> str | None:
    """Whenever it is stopped, and at every event."""
    optimum = programs.market_optimum(2, 16)
    for seconds in (0.02, 0.1, 0.5):
        make_ready(subject.backend)
        program = programs.market_split(2, 16, language=subject.language)
        listening = Listening()
        outcome = subject.backend.solve(program, Budget(seconds=seconds), programs.market_start(2, 16), listening)
        demand_consistent(outcome, program)
        for event in listening.bounds():
            demand(event.bound <= optimum, f"it claims the bound {event.bound}; the optimum is {optimum}")
        for found in listening.incumbents():
            demand(found.cost >= optimum, f"it claims a solution of {found.cost}; the optimum is {optimum}")
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


# ---- starts -------------------------------------------------------------------------------------------------------------------


@in_any_language("a warm start is accepted and never made worse")
def accepts_a_start(subject: Subject) -> str | None:
    """An optimal start stays optimal, and its fate is told."""
    program = subject.knapsack()
    outcome = subject.backend.solve(program, ENOUGH, np.array([1.0, 0, 1, 0]))
    demand_optimum(outcome, program, 8)
    demand(outcome.start is not StartFate.NONE, "a start was given, and its fate is 'none given'")
    demand(outcome.start is not StartFate.REJECTED, "a start that is a solution was rejected")
    if not subject.can(Capability.WARM_START):
        demand(outcome.start is not StartFate.ACCEPTED, "it accepts a start, and does not claim the capability")
        return subject.cannot(Capability.WARM_START)
    hard = subject.hard()
    listening = Listening(until=lambda event: isinstance(event, Incumbent) and len(listening.incumbents()) > 1)
    later = subject.backend.solve(hard, Budget(seconds=5), programs.market_start(), listening)
    demand(later.start is StartFate.ACCEPTED, f"a start that is a solution met with the fate '{later.start.value}'")
    return None


@in_any_language("a start that is no solution does no harm")
def survives_bad_starts(subject: Subject) -> str | None:
    """Infeasible ones, of the wrong length, without numbers."""
    for start in ([1.0, 0, 0, 0], [1.0] * 7, [], [1.0, 0, 1, float("nan")], [1.0, 0, 1, 0.5], [9.0, 9, 9, 9]):
        program = subject.knapsack()
        outcome = subject.backend.solve(program, ENOUGH, np.array(start))
        demand_optimum(outcome, program, 8)
        demand(
            outcome.start in (StartFate.REJECTED, StartFate.UNSUPPORTED),
            f"the start {start} is no solution, and met with the fate '{outcome.start.value}'",
        )
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
    demand_in_time(outcome, LATENESS)
    listening.demand_the_story_of(outcome)
    if listening.incumbents():
        demand(outcome.values is not None, "it had a solution, and does not give it back")
    at_once = subject.backend.solve(subject.hard(), Budget(seconds=60), None, lambda event: True)
    demand(at_once.stop is Stop.CANCELLED, f"it ended with {at_once.stop.value}, though it was asked to stop at once")
    demand_in_time(at_once, LATENESS)
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
        demand_optimum(subject.backend.solve(program, ENOUGH), program, 8)
        return None
    raise Broken("the listener's exception was swallowed")


@in_any_language("the same seed gives the same answer")
def repeats_itself(subject: Subject) -> str | None:
    """With one thread and no limit that is reached."""
    if not subject.can(Capability.DETERMINISTIC):
        return subject.cannot(Capability.DETERMINISTIC)
    budget = Budget(seconds=60, threads=1, seed=7)
    found = [
        subject.backend.solve(programs.market_split(2, 12, language=subject.language), budget).values for _ in range(2)
    ]
    demand(
        found[0] is not None and found[1] is not None and found[0].tolist() == found[1].tolist(),
        "two runs with the same seed differ",
    )
    return None


@in_any_language("several threads at once")
def serves_threads(subject: Subject) -> str | None:
    """Runs at the same time do not meet."""
    found: list[object] = []

    def solve(constant: int) -> None:
        found.append((constant, subject.backend.solve(subject.knapsack(constant), ENOUGH).objective))

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
    demand_optimum(subject.backend.solve(program, ENOUGH), program, 8)
    return None


@in_any_language("a hang is ended")
def ends_hangs(subject: Subject) -> str | None:
    """A solver that stops answering is killed at its limit; what it had said is kept."""
    clock = Clock()
    end = _strike(subject, signal.SIGSTOP, Budget(seconds=1))
    if end is None:
        return "it runs in the caller's process, which a hang would hold"
    demand(clock.seconds() <= 1 + 3 * LATENESS, f"a hanging solver was waited for for {clock.seconds():.0f} s")
    if isinstance(end, SolverFailure):
        demand("killed" in str(end), f"the failure does not say what happened: {end}")
    else:
        demand(end.stop is Stop.TIME, f"its process hung, and it ended with {end.stop.value}")
    program = subject.knapsack()
    demand_optimum(subject.backend.solve(program, ENOUGH), program, 8)
    return None
