from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.exact.engine import kernels
from anoptima.solvers.exact.engine.averaging import go_round
from anoptima.solvers.exact.engine.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.engine.dual import ascend, averaged, first_multipliers, look
from anoptima.solvers.exact.engine.kernels import Numbers
from anoptima.solvers.exact.engine.separation import violated
from tests.solvers.exact.engine.cases import arcs_of, every_release, problem_of


@pytest.mark.parametrize("seed", range(20))
def test_rounds_never_fall_far_and_never_pass_the_optimum(seed: int) -> None:
    problem = problem_of(seed)
    _, arcs = arcs_of(problem)
    optimum = float(min(cost for cost, _ in every_release(problem)) * problem.cost_scale)
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
    asked: list[tuple[Numbers, Numbers]] = []

    def separate(x: Numbers, y: Numbers) -> list[Row]:
        asked.append((x, y))
        return violated(catalogue, x, y, chance, lambda: False)

    terms = Terms(arcs, kernels)
    near = look(arcs, terms, first_multipliers(arcs))
    for number in range(1, 4):
        one = go_round(catalogue, near, terms, separate, lambda: False, 1.0)
        assert one.look.value <= optimum + 1e-6
        assert look(arcs, one.terms, one.look.at).value == pytest.approx(one.look.value)
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
        for _ in range(3):
            one = go_round(
                catalogue,
                near,
                terms,
                lambda x, y, catalogue=catalogue, chance=chance: violated(catalogue, x, y, chance, lambda: False),  # type: ignore[misc]
                lambda: False,
                1.0,
            )
            near, terms = (one.look, one.terms) if one.look.value > near.value else (near, terms)
        raised += near.value > without + 0.1
    assert raised >= 2


@pytest.mark.parametrize("seed", range(10))
def test_the_mean_of_many_passes_publishes_every_copy_about_once(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed))
    terms = Terms(arcs, kernels)
    near = ascend(arcs, terms, first_multipliers(arcs), lambda: False)
    x, y = averaged(arcs, terms, near, lambda: False, unit=1.0, passes=600, step=0.01, reach=10.0)
    covered = np.bincount(arcs.member, x, len(arcs.copies)) / arcs.copies
    assert np.abs(covered - 1).max() < 0.2
    assert (y >= 0).all()
    assert (y <= 1).all()


def test_a_round_that_is_over_at_once_keeps_its_multipliers() -> None:
    _, arcs = arcs_of(problem_of(3))
    terms = Terms(arcs, kernels)
    near = look(arcs, terms, first_multipliers(arcs))
    one = go_round(Catalogue(arcs), near, terms, lambda x, y: [], lambda: True, 1.0)
    assert one.look.value == near.value
    assert not one.x.any()
