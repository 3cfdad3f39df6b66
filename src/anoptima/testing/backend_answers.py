"""Checks of what a backend answers: statuses, optima, bounds, gaps and starts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from anoptima.answer import Budget, Incumbent, StartFate, Stop
from anoptima.errors import ModelTooLarge, NotApplicable
from anoptima.models import models
from anoptima.models.base import Language
from anoptima.solvers.backends.base import Backend, Capability
from anoptima.solvers.modelled import Modelled
from anoptima.testing import backend_demands as demands
from anoptima.testing import programs
from anoptima.testing.backend_demands import (
    Listening,
    Subject,
    about_itself,
    about_linear_programs,
    demand_consistent,
    demand_optimum,
    describe_end,
    in_any_language,
)
from anoptima.testing.checks import Broken, demand, demand_true
from anoptima.testing.examples import examples_for

RANDOM_PROGRAMS = 25


# ---- what it says of itself ---------------------------------------------------------------------------------------------------
@about_itself("it says what it is")
def says_what_it_is(backend: Backend) -> None:
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


@about_itself("a language that it does not take is refused")
def refuses_other_languages(backend: Backend) -> str | None:
    """By NotApplicable, which says which ones it takes."""
    others = sorted(set(Language) - backend.languages, key=lambda language: language.value)
    for language in others:
        try:
            backend.solve(programs.knapsack(language=language), demands.ENOUGH)
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
def finds_optima(subject: Subject) -> None:
    """An optimum is found and proved, and its events tell how; constants count; threads may differ."""
    listening = Listening()
    program = subject.knapsack()
    outcome = subject.backend.solve(program, demands.ENOUGH, None, listening)
    demand_optimum(outcome, program, 8)
    demand(outcome.start is StartFate.NONE, f"no start was given, and its fate is '{outcome.start.value}'")
    listening.demand_the_story_of(outcome)
    for constant, threads in ((-20, 1), (3, 2)):
        program = subject.knapsack(constant)
        demand_optimum(subject.backend.solve(program, Budget(seconds=60, threads=threads)), program, 8 + constant)


@in_any_language("infeasible")
def proves_infeasibility(subject: Subject) -> None:
    """Also beside a start."""
    program = programs.infeasible(subject.language)
    for start in (None, np.zeros(2)):
        outcome = subject.backend.solve(program, demands.ENOUGH, start)
        demand_consistent(outcome, program)
        demand_true(outcome.objective is None, f"the model is infeasible; {describe_end(outcome)}")
        demand(outcome.infeasible, f"the model is infeasible; {describe_end(outcome)}")


@about_linear_programs("unbounded is refused")
def refuses_unbounded(backend: Backend) -> None:
    """By NotApplicable, which says that it is for want of bounds."""
    try:
        outcome = backend.solve(programs.unbounded(), demands.ENOUGH)
    except NotApplicable as refusal:
        demand("bound" in str(refusal), f"the refusal does not speak of bounds: {refusal}")
        return
    words = f"the model is unbounded; {describe_end(outcome)}"
    demand_true(outcome.stop is not Stop.PROVED, words)
    raise Broken(words)


@about_linear_programs("odd shapes")
def takes_odd_shapes(backend: Backend) -> None:
    """No columns, no rows, columns that nothing mentions, rows without columns, bounds with nothing between them, large numbers."""
    for program, optimum in (
        (programs.linear([], [], constant=3), 3),
        (programs.linear([2, -3], [], upper=4), -12),
        (programs.linear([0, 1], [([0, 1], 1, None)]), 1),
        (programs.linear([1_000_003, 999_983], [([1, 1], 1, None)], constant=10**6), 1_999_983),
    ):
        demand_optimum(backend.solve(program, demands.ENOUGH), program, optimum)
    for program in (
        programs.linear([1], [], upper=0.6, lower=0.4),
        programs.linear([0, 1], [([0, 1], 1, None)], upper=[0.6, 1], lower=[0.4, 0]),
        programs.linear([1], [([0], 1, None)]),
    ):
        demand(
            backend.solve(program, demands.ENOUGH).infeasible, "a model without a solution was not called infeasible"
        )


@in_any_language("agreement with enumeration")
def agrees_with_enumeration(subject: Subject) -> None:
    """On small random programs, feasible and infeasible ones."""
    for seed in range(RANDOM_PROGRAMS):
        program = programs.random_integer_program(seed, subject.language)
        found = [objective for objective, _ in programs.solutions(program)]
        outcome = subject.backend.solve(program, demands.ENOUGH)
        try:
            if found:
                demand_optimum(outcome, program, min(found))
            else:
                demand_true(outcome.objective is None, f"it is infeasible; {describe_end(outcome)}")
                demand(outcome.infeasible, f"it is infeasible; {describe_end(outcome)}")
        except Broken as broken:
            raise type(broken)(f"random program {seed}: {broken}") from None


@in_any_language("gap zero means zero")
def gap_zero_means_zero(subject: Subject) -> None:
    """The two best solutions cost 1,000,000 and 1,000,001: a relative difference of 1e-6, far below any default.

    And all that there is to find of a split is a part of 1e-5 of its cost: whoever allows for a gap finds little of it.
    """
    program = programs.linear(
        [1_000_001, 1_000_000, 2_000_000], [([1, 1, 1], 1, None), ([1, 2, 2], 1, None)], language=subject.language
    )
    for seed in range(3):
        demand_optimum(subject.backend.solve(program, Budget(seconds=60, seed=seed)), program, 1_000_000)
    program = programs.market_split(2, 12, language=subject.language, constant=10**7)
    demand_optimum(subject.backend.solve(program, demands.ENOUGH), program, 10**7 + programs.market_optimum(2, 12))


@in_any_language("a gap is kept to, and not called a proof")
def keeps_to_a_gap(subject: Subject) -> None:
    """With a gap of one, any solution will do; with one of nine tenths, cost and bound say how far it is."""
    optimum = programs.market_optimum(2, 14)
    program = programs.market_split(2, 14, language=subject.language)
    gap = Fraction(9, 10)
    outcome = subject.backend.solve(program, Budget(seconds=60, gap=gap), programs.market_start(2, 14))
    demand_consistent(outcome, program)
    demand(outcome.objective is not None, f"it ended without a solution ({outcome.stop.value})")
    if outcome.objective is not None and outcome.bound is not None:
        demand_true(
            outcome.bound <= optimum <= outcome.objective,
            f"bound {outcome.bound}, optimum {optimum}, found {outcome.objective}",
        )
        if outcome.stop is Stop.GAP:
            demand_true(
                outcome.objective - outcome.bound <= gap * outcome.objective,
                "it ended for a gap that it had not reached",
            )
    whole = subject.backend.solve(subject.hard(), Budget(seconds=60, gap=Fraction(1)), programs.market_start())
    demand(whole.stop is Stop.GAP, f"with a gap of 1 any solution will do; {describe_end(whole)}")


@in_any_language("a bound is never above the optimum")
def bounds_are_bounds(subject: Subject) -> None:
    """Whenever it is stopped, and at every event."""
    optimum = programs.market_optimum(2, 16)
    for seconds in (0.02, 0.1, 0.5):
        subject.warm_up()
        program = programs.market_split(2, 16, language=subject.language)
        listening = Listening()
        outcome = subject.backend.solve(program, Budget(seconds=seconds), programs.market_start(2, 16), listening)
        demand_consistent(outcome, program)
        for event in listening.bounds():
            demand_true(event.bound <= optimum, f"it claims the bound {event.bound}; the optimum is {optimum}")
        for found in listening.incumbents():
            demand_true(found.cost >= optimum, f"it claims a solution of {found.cost}; the optimum is {optimum}")


# ---- starts -------------------------------------------------------------------------------------------------------------------
@in_any_language("a warm start is accepted and never made worse")
def accepts_a_start(subject: Subject) -> str | None:
    """An optimal start stays optimal, and its fate is told."""
    program = subject.knapsack()
    outcome = subject.backend.solve(program, demands.ENOUGH, np.array([1.0, 0, 1, 0]))
    demand_optimum(outcome, program, 8)
    demand(outcome.start is not StartFate.NONE, "a start was given, and its fate is 'none given'")
    demand_true(outcome.start is not StartFate.REJECTED, "a start that is a solution was rejected")
    if not subject.can(Capability.WARM_START):
        demand(outcome.start is not StartFate.ACCEPTED, "it accepts a start, and does not claim the capability")
        return subject.cannot(Capability.WARM_START)
    hard = subject.hard()
    listening = Listening(until=lambda event: isinstance(event, Incumbent) and len(listening.incumbents()) > 1)
    later = subject.backend.solve(hard, Budget(seconds=5), programs.market_start(), listening)
    demand(later.start is StartFate.ACCEPTED, f"a start that is a solution met with the fate '{later.start.value}'")
    return None


@in_any_language("a start that is no solution does no harm")
def survives_bad_starts(subject: Subject) -> None:
    """Infeasible ones, of the wrong length, without numbers."""
    for start in ([1.0, 0, 0, 0], [1.0] * 7, [], [1.0, 0, 1, float("nan")], [1.0, 0, 1, 0.5], [9.0, 9, 9, 9]):
        program = subject.knapsack()
        outcome = subject.backend.solve(program, demands.ENOUGH, np.array(start))
        demand_optimum(outcome, program, 8)
        demand_true(
            outcome.start in (StartFate.REJECTED, StartFate.UNSUPPORTED),
            f"the start {start} is no solution, and met with the fate '{outcome.start.value}'",
        )


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
