"""Multipliers are counted as finely as 64 bits hold, and no finer; costs that floating point does not tell apart are refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from anoptima.exact import Exact
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.proofs import has_room, proof_of
from anoptima.solvers.exact.sifting.whole_numbers import DENOMINATOR, ROOM, denominator_of, usual_weight, why_too_heavy
from anoptima.table import Table
from tests.loops import each

EXACT_IN_FLOATS = 2**53
MULTIPLIERS_A_WEIGHT = 1024


def problem_of(weights: list[Exact], rows: int = 2) -> CellSuppression:
    names = [f"q{number}" for number in range(len(weights))]
    frame = pd.DataFrame(np.random.default_rng(rows).integers(0, 2, (rows, len(names))), columns=names)
    return CellSuppression(
        Table.from_frame(frame, names, weights=dict(zip(names, weights, strict=True))), KAnonymity(2)
    )


@each("digits", range(18))
def test_parts_are_as_small_as_there_is_room_for(digits: int) -> None:
    chance = np.random.default_rng(digits)
    weights: list[Exact] = [int(its) for its in chance.integers(10**digits, 2 * 10**digits, 3)]
    rows = int(chance.integers(2, 6))
    d, all_cells = denominator_of(problem_of(weights, rows)), rows * int(sum(weights))
    assert 1 <= d <= DENOMINATOR
    assert d == 1 or d * MULTIPLIERS_A_WEIGHT * all_cells <= ROOM
    assert d == DENOMINATOR or (d + 1) * MULTIPLIERS_A_WEIGHT * all_cells > ROOM


def test_parts_get_coarser_just_where_there_is_no_more_room() -> None:
    room = ROOM // (DENOMINATOR * MULTIPLIERS_A_WEIGHT * 2)
    assert [denominator_of(problem_of([room + more])) for more in (0, 1)] == [DENOMINATOR, DENOMINATOR - 1]


def test_multipliers_with_small_denominators_are_whole_in_parts() -> None:
    assert [DENOMINATOR % number for number in range(1, 11)] == [0] * 10


@each("weight", [Fraction(1, 3), 1, 10**6, 10**9, 10**12, 10**14])
def test_what_the_first_multipliers_prove_in_parts_has_room_and_is_checked(weight: Exact) -> None:
    problem = problem_of([weight, 2 * weight, weight], rows=30)
    instance = instance_of(problem)
    whole = first_multipliers(instance.arcs).in_parts(instance.d)
    assert instance.d == denominator_of(problem)
    assert has_room(instance, [], [whole])
    scaled = -(-int(instance.arcs.copies @ whole.worth) // instance.d)
    assert proof_of(instance, scaled, [], whole).proved(problem) == problem.unscale(scaled)


@pytest.mark.parametrize("columns", [1, 2])
def test_costs_are_too_large_from_where_floats_leave_out_whole_numbers(columns: int) -> None:
    most = EXACT_IN_FLOATS // (2 * columns)
    assert float(EXACT_IN_FLOATS) == float(EXACT_IN_FLOATS + 1)
    assert why_too_heavy(problem_of([*[most] * (columns - 1), most - 1])) is None
    why = why_too_heavy(problem_of([most] * columns))
    assert why is not None
    assert f"{EXACT_IN_FLOATS:,}" in why
    assert "give weights with fewer digits" in why


def test_weights_count_as_they_are_once_made_whole() -> None:
    light, heavy = Fraction(1, 3), Fraction(2**50)
    assert why_too_heavy(problem_of([heavy])) is None
    assert why_too_heavy(problem_of([light] * 9)) is None
    assert why_too_heavy(problem_of([light, heavy], rows=4)) is not None


@pytest.mark.parametrize(
    ("weights", "usual"),
    [([1, 1, 1], 1), ([2**40, 2**40], 2**40), ([1, 50, 50, 50], 19), ([1000, 1, 1, 1], 6), ([Fraction(1, 2), 1, 2], 2)],
)
def test_one_light_or_heavy_column_does_not_set_the_scale(weights: list[Exact], usual: int) -> None:
    problem = problem_of(weights, rows=9)
    assert usual_weight(problem) == instance_of(problem).unit == usual
