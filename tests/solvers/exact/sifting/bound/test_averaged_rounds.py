from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound import averaged_rounds as averaging
from anoptima.solvers.exact.sifting.bound.ascent import ascend
from anoptima.solvers.exact.sifting.bound.averaged_rounds import LITTLE, SHORTEST, AveragedRounds, Averaging, averaged
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.bound.separation import Support, violated
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


@pytest.mark.slow
@each("seed", range(asked(2, 5)))
def test_rounds_never_fall_far_and_never_pass_the_optimum(seed: int) -> None:
    problem = problem_of(seed)
    _, arcs = arcs_of(problem)
    optimum = float(min(cost for cost, _ in every_release(problem)) * problem.cost_scale)
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
    asked: list[tuple[Numbers, Numbers]] = []

    def separate(x: Numbers, y: Numbers) -> list[Row]:
        asked.append((x, y))
        return violated(Support(catalogue, x, y), chance, lambda: False)

    terms = Terms(arcs, kernels)
    near = terms.look(arcs, first_multipliers(arcs))
    rounds = AveragedRounds(catalogue, separate, lambda: False, 1.0)
    for number in range(1, 4):
        one = rounds.go_round(near, terms)
        assert one.look.value <= optimum + 1e-6
        assert one.terms.look(arcs, one.look.at).value == pytest.approx(one.look.value)
        assert len(one.look.at.prices) == len(one.terms.rows)
        assert len(asked) == number
        near, terms = (one.look, one.terms) if one.look.value > near.value else (near, terms)


def test_cuts_raise_the_bound_above_the_linear_program_without_them() -> None:
    raised = 0
    for seed in range(10):
        problem = problem_of(seed)
        _, arcs = arcs_of(problem)
        catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
        terms = Terms(arcs, kernels)
        near = ascend(arcs, terms, first_multipliers(arcs), lambda: False)
        without = near.value

        def separate(x: Numbers, y: Numbers, catalogue: Catalogue = catalogue, chance: Any = chance) -> list[Row]:
            return violated(Support(catalogue, x, y), chance, lambda: False)

        rounds = AveragedRounds(catalogue, separate, lambda: False, 1.0)
        for _ in range(3):
            one = rounds.go_round(near, terms)
            near, terms = (one.look, one.terms) if one.look.value > near.value else (near, terms)
        raised += near.value > without + 0.1
        if raised == asked(1, 2):
            return
    raise AssertionError(f"in {raised} of ten")


@each("seed", range(asked(5, 10)))
def test_the_mean_of_many_passes_publishes_every_copy_about_once(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed))
    terms = Terms(arcs, kernels)
    near = ascend(arcs, terms, first_multipliers(arcs), lambda: False)
    x, y = averaged(arcs, terms, near, lambda: False, 1.0, Averaging(600, 0.01, 10.0))
    covered = np.bincount(arcs.member, x, len(arcs.copies)) / arcs.copies
    assert np.abs(covered - 1).max() < 0.2
    assert (y >= 0).all()
    assert (y <= 1).all()


def test_a_round_that_is_over_at_once_keeps_its_multipliers() -> None:
    _, arcs = arcs_of(problem_of(3))
    terms = Terms(arcs, kernels)
    near = terms.look(arcs, first_multipliers(arcs))
    one = AveragedRounds(Catalogue(arcs), lambda x, y: [], lambda: True, 1.0).go_round(near, terms)
    assert one.look.value == near.value
    assert not one.x.any()


def test_rounds_that_gain_little_begin_with_shorter_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    _, arcs = arcs_of(problem_of(3))
    steps = []

    def watch(*arguments: Any, **others: Any) -> Any:
        steps.append(arguments[-1].first_step)
        return ascend(*arguments, **others)

    monkeypatch.setattr(averaging, "ascend", watch)
    terms = Terms(arcs, kernels)
    rounds, near = (
        AveragedRounds(Catalogue(arcs), lambda x, y: [], lambda: False, 1.0),
        terms.look(arcs, first_multipliers(arcs)),
    )
    gains = []
    for _ in range(8):
        one = rounds.go_round(near, terms)
        gains.append(one.look.value - near.value)
        near, terms = one.look, one.terms
    assert steps[0] == averaging.FIRST_STEP
    for gain, step, later in zip(gains, steps, steps[1:], strict=False):
        assert later == (step if gain >= LITTLE else max(SHORTEST * steps[0], step / 2))
    assert steps[-1] == pytest.approx(SHORTEST * steps[0])


def test_the_passes_of_a_round_have_the_seconds_that_are_left_when_they_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    _, arcs = arcs_of(problem_of(3))
    given, left = [], [50.0, 0.0]

    def watch(*arguments: Any, **others: Any) -> Any:
        given.append(arguments[-1].seconds)
        return ascend(*arguments, **others)

    monkeypatch.setattr(averaging, "ascend", watch)
    terms = Terms(arcs, kernels)
    near = terms.look(arcs, first_multipliers(arcs))
    rounds = AveragedRounds(Catalogue(arcs), lambda x, y: [], lambda: False, 1.0, lambda: left[len(given)])
    first, second = rounds.go_round(near, terms), rounds.go_round(near, terms)
    assert given == left
    assert first.look.value >= near.value
    assert second.look.value >= near.value
