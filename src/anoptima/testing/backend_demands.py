"""Parts of the checks of backends: the models they solve, the listeners, and the demands on an outcome."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anoptima.answer import BoundRaised, Budget, Event, Finished, Incumbent, Started, Stop
from anoptima.errors import SolverFailure
from anoptima.models.base import Language, Values
from anoptima.solvers.backends.base import Backend, Capability, Outcome
from anoptima.testing import programs
from anoptima.testing.checks import Checklist, demand, demand_true
from anoptima.testing.programs import Program
from anoptima.testing.workers import make_ready

ENOUGH = Budget(seconds=600)
"""For programs that take a fraction of a second on an idle machine: a backend that is starved of processors for a minute is no bug."""

TOLERANCE = 1e-6
"""How far a value may be from a whole number and from its bounds: solvers compute in doubles."""

LATENESS = 5.0
"""Seconds past a limit that are forgiven here. A second is promised; the rest is for machines that are busy with something else."""


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

    def warm_up(self) -> None:
        """Solve a small program, so that one idle worker has loaded what it needs, and a short limit is spent on what it is about."""
        make_ready(self.backend)
        self.backend.solve(self.knapsack(), ENOUGH)
        make_ready(self.backend)

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
        demand_true(
            outcome.bound <= outcome.objective, f"the bound {outcome.bound} is above the objective {outcome.objective}"
        )
    if outcome.stop is Stop.PROVED:
        demand_true(
            outcome.infeasible or outcome.bound == outcome.objective is not None,
            f"an optimum of {outcome.objective} is claimed with the bound {outcome.bound}",
        )
    if outcome.infeasible:
        demand_true(
            outcome.stop is Stop.PROVED and outcome.values is None, "infeasible, and yet there are values or a limit"
        )
    if outcome.values is not None:
        demand_solution(program, outcome.values, outcome.objective)


def demand_solution(program: Program, values: Values, objective: object) -> None:
    """`values` are a solution within what doubles allow for, and the objective there is what is said."""
    if program.statement is not None:
        reason = program.statement.why_not(values, TOLERANCE)
        demand_true(reason is None, f"a solution is none: {reason}")
        there = program.statement.objective(np.rint(values))
        demand_true(
            there == objective, f"the objective of a solution is {there:.15g}, not the {objective} that is said"
        )


def demand_optimum(outcome: Outcome, program: Program, optimum: float) -> None:
    """The outcome is a proof that the optimum is what it is."""
    demand_consistent(outcome, program)
    words = f"the optimum is {optimum:.15g}; {describe_end(outcome)}"
    demand_true(outcome.bound is None or outcome.bound <= optimum, words)
    demand_true(outcome.stop is not Stop.PROVED or outcome.objective == outcome.bound == optimum, words)
    demand(outcome.stop is Stop.PROVED, words)


def describe_end(end: Outcome | SolverFailure) -> str:
    """Say in a line how a run ended: values are left out.

    >>> from anoptima.answer import StartFate
    >>> describe_end(Outcome(Stop.TIME, False, None, None, 7, StartFate.NONE, 1.0, {}))
    'it ended with None, bound 7 (time)'
    """
    if isinstance(end, SolverFailure):
        return f"{end}"
    if end.infeasible:
        return f"it called the model infeasible ({end.stop.value})"
    return f"it ended with {end.objective}, bound {end.bound} ({end.stop.value})"


def demand_heeded(outcome: Outcome) -> None:
    """The run has ended because it was asked to: one that goes on reaches its limit, or is killed."""
    demand(outcome.stop is Stop.CANCELLED, f"it ended with {outcome.stop.value}, though it was asked to stop")


def demand_in_time(outcome: Outcome, limit: float) -> None:
    """The run has ended when it should."""
    demand(outcome.seconds <= limit + LATENESS, f"it took {outcome.seconds:.1f} s with a limit of {limit:g} s")
