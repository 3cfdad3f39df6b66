"""Rounds by linear programs: they come to the program of all arcs from below, and cuts take them further."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Budget
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import Sifting, standing
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound import box_step as boxed
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.box_step import BoxStep
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.bound.separation import Support, violated
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.stages import branch, core_rounds, rounds
from tests.loops import each
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases import arcs_of

ROUNDS = 12


def problem_of(seed: int, k: int = 4) -> ao.CellSuppression:
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2], (60, 4)), columns=list("abcd"))
    return ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(k))


@each("seed", range(4))
def test_rounds_come_to_the_program_of_all_arcs(seed: int) -> None:
    problem = problem_of(seed)
    _, arcs = arcs_of(problem)
    catalogue = Catalogue(arcs)
    core = Core(catalogue, lambda: False)
    core.add_arcs(np.arange(len(arcs.member)))
    whole = core.solve()
    assert whole is not None
    terms = Terms(arcs, kernels_here(kernels))
    near = ascend(arcs, terms, first_multipliers(arcs), lambda: False, Course(40))
    start, rounds = near.value, BoxStep(Programs(catalogue, problem), 1)
    assert start < whole.value - 0.05
    for _ in range(ROUNDS):
        one = rounds.go_round(near, terms, lambda x, y: [], lambda: False, 60.0)
        assert one is not None
        assert one.look.value >= near.value - 1e-6
        near = one.look
    assert whole.value - 0.01 <= near.value <= whole.value + 1e-6


@each("seed", range(4))
def test_cuts_take_rounds_further_and_never_too_far(seed: int) -> None:
    problem = problem_of(seed)
    optimum = ao.solve(problem, "pattern/highs").cost
    assert optimum is not None
    _, arcs = arcs_of(problem)
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)

    def separate(x: Numbers, y: Numbers) -> list[Row]:
        return violated(Support(catalogue, x, y), chance, lambda: False)

    terms = Terms(arcs, kernels_here(kernels))
    plain = near = ascend(arcs, terms, first_multipliers(arcs), lambda: False)
    rounds = BoxStep(Programs(catalogue, problem), 1)
    for _ in range(ROUNDS):
        one = rounds.go_round(near, terms, separate, lambda: False, 60.0)
        assert one is not None
        assert one.look.value <= float(optimum) + 1e-6
        near, terms = one.look, one.terms
    assert near.value > plain.value + 0.1


def test_programs_that_are_too_large_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(0)
    _, arcs = arcs_of(problem)
    terms = Terms(arcs, kernels_here(kernels))
    near = ascend(arcs, terms, first_multipliers(arcs), lambda: False)
    monkeypatch.setattr(boxed, "MOST_ARCS", 10)
    assert (
        BoxStep(Programs(Catalogue(arcs), problem), 1).go_round(near, terms, lambda x, y: [], lambda: False, 60.0)
        is None
    )


def test_a_program_that_is_not_solved_in_time_is_the_last() -> None:
    problem = problem_of(0)
    _, arcs = arcs_of(problem)
    terms = Terms(arcs, kernels_here(kernels))
    near, rounds = (
        ascend(arcs, terms, first_multipliers(arcs), lambda: False),
        BoxStep(Programs(Catalogue(arcs), problem), 1),
    )
    assert rounds.go_round(near, terms, lambda x, y: [], lambda: False, 60.0) is not None
    assert rounds.go_round(near, terms, lambda x, y: [], lambda: True, 60.0) is None
    assert rounds.go_round(near, terms, lambda x, y: [], lambda: False, 60.0) is None


def test_a_run_goes_over_to_them_where_averages_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    go_round = BoxStep.go_round

    def watch(self: BoxStep, *arguments: object) -> object:
        found.append(go_round(self, *arguments))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(BoxStep, "go_round", watch)
    monkeypatch.setattr(core_rounds, "WHOLE_RECORDS", 0)
    monkeypatch.setattr(branch, "MOST_ARCS", 0)
    monkeypatch.setattr(standing, "LARGE_RECORDS", 0)
    monkeypatch.setattr(rounds, "RESTING_UNITS", 1e9)
    for seed in range(3, 7):
        # On a busy machine the search beside may close the gap before the first step is done.
        frame = pd.DataFrame(np.random.default_rng(seed).integers(0, 4, (150, 5)), columns=list("abcde"))
        problem = ao.CellSuppression(ao.Table.from_frame(frame, list("abcde")), ao.KAnonymity(5))
        answer = Sifting().solve(problem, Budget(seconds=PATIENCE, threads=2), None, lambda event: any(found))
        assert not answer.verify().wrong
        if any(found):
            break
    assert any(found)
