"""What is particular to CP-SAT: what it takes, and matrix forms in whole numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyomo.environ as pyo
import pytest
from ortools.sat.python import cp_model

from anoptima.answer import Budget, StartFate
from anoptima.errors import NotApplicable
from anoptima.models.base import Language
from anoptima.models.matrix import IMPLIED
from anoptima.solvers.backends.cp_sat import CpSat
from anoptima.solvers.backends.whole import finite_bounds, whole_program
from anoptima.testing.programs import Program, linear

ENOUGH = Budget(seconds=3600)


def refused(program: Program) -> str:
    with pytest.raises(NotApplicable) as caught:
        CpSat().solve(program, ENOUGH)
    return str(caught.value)


class TestMatrices:
    def test_continuous_columns_are_refused(self) -> None:
        assert "column 0 of the model is continuous and not marked as implied integer" in refused(
            linear([1], [], domain=pyo.Reals)
        )

    def test_continuous_columns_that_are_implied_integer(self) -> None:
        program = linear([1, 2], [([1, 1], 1, None)], domain=pyo.Reals)
        setattr(program.program, IMPLIED, pyo.Suffix())
        program.program.component(IMPLIED)[program.program.x] = 1
        assert CpSat().solve(program, ENOUGH).objective == 1

    def test_a_column_marked_by_itself(self) -> None:
        program = linear([1, 2], [([1, 1], 1, None)], domain=pyo.Reals)
        setattr(program.program, IMPLIED, pyo.Suffix())
        program.program.component(IMPLIED)[program.program.x[0]] = 1
        assert "column 1" in refused(program)

    @pytest.mark.parametrize(
        ("program", "reason"),
        [
            (lambda: linear([0.5], []), "the objective has a coefficient, 0.5, that is not whole"),
            (lambda: linear([1], [], constant=0.25), "the objective has a constant, 0.25, that is not whole"),
            (lambda: linear([1], [([1.5], 1, None)]), "a row has a coefficient, 1.5, that is not whole"),
            (lambda: linear([1], [([2.0**60], 1, None)]), "that is too large"),
            (lambda: linear([1], [], upper=None), "column 0 of the model has no finite bounds"),
        ],
    )
    def test_what_is_not_whole_is_refused(self, program: Callable[[], Program], reason: str) -> None:
        assert reason in refused(program())

    def test_sums_that_overflow_are_refused(self) -> None:
        assert "overflow" in refused(linear([1, 1], [([2**52, 2**52], 1, None)], upper=2**40))

    def test_whole_coefficients_with_fractional_sides(self) -> None:
        outcome = CpSat().solve(linear([1, 1, 1], [([2, 2, 2], 2.5, 5.9)], upper=3), ENOUGH)
        assert outcome.objective == 2

    def test_a_row_between_whole_numbers(self) -> None:
        assert CpSat().solve(linear([1, 1], [([1, 1], 0.3, 0.7)]), ENOUGH).infeasible

    def test_a_side_that_arithmetic_has_moved(self) -> None:
        """0.1 + 0.2 - 0.3 is not 0 in floats; as the side of a whole row it still is."""
        assert CpSat().solve(linear([1], [([1], None, 1 - 5e-17 + (0.1 + 0.2 - 0.3))]), ENOUGH).objective == 0

    def test_starts_are_checked_in_whole_numbers(self) -> None:
        """A running sum in floats loses the 1 beyond 2^53."""
        program = linear([1] * 5, [([2**52, 2**52, 1, -(2**52), -(2**52)], 1, None)])
        assert CpSat().solve(program, ENOUGH, np.ones(5)).start is not StartFate.REJECTED
        assert CpSat().solve(program, ENOUGH, np.array([1.0, 1, 0, 1, 1])).start is StartFate.REJECTED


class TestBounds:
    def test_derived_from_rows(self) -> None:
        form = linear([-1, -1, 1], [([2, 3, 0], None, 12), ([0, 1, -1], 0, 0)], upper=None).matrix
        lower, upper = finite_bounds(form)
        assert lower.tolist() == [0, 0, 0]
        assert upper.tolist() == [6, 4, 4]

    def test_lower_ones_too(self) -> None:
        form = linear([1, 1], [([1, 1], -5, None), ([1, -1], 0, 0)], lower=None, upper=3).matrix
        lower, upper = finite_bounds(form)
        assert lower.tolist() == [-8, -8]
        assert upper.tolist() == [3, 3]

    def test_they_lose_no_solution(self) -> None:
        program = linear([-2, -3], [([3, 2], None, 12), ([1, 2], None, 8)], upper=None)
        assert CpSat().solve(program, ENOUGH).objective == -13

    def test_chains(self) -> None:
        size = 6
        rows = [
            ([1.0 if j == i else -1.0 if j == i + 1 else 0.0 for j in range(size)], 0.0, None) for i in range(size - 1)
        ]
        form = linear([1] * size, [*rows, ([1.0] + [0.0] * (size - 1), None, 5.0)], upper=None).matrix
        assert finite_bounds(form)[1].tolist() == [5.0] * size


class TestWholePrograms:
    def test_objective_and_feasibility(self) -> None:
        program = whole_program(linear([2, -1], [([1, 1], 1, None)], upper=2, constant=5).matrix)
        assert program.least_objective() == 3
        assert program.objective_at([1, 2]) == 5
        assert program.admits([1, 2])
        assert not program.admits([0, 0])
        assert not program.admits([3, 0])
        assert not program.admits([1])

    def test_no_rows_and_no_columns(self) -> None:
        assert whole_program(linear([1], []).matrix).admits([1])
        assert whole_program(linear([], []).matrix).admits([])


def constraint_program(model: cp_model.CpModel) -> Program:
    return Program(model, Language.CP_SAT)


class TestConstraintPrograms:
    def test_maximising_is_refused(self) -> None:
        model = cp_model.CpModel()
        model.maximize(model.new_int_var(0, 5, "x"))
        assert "minimised" in refused(constraint_program(model))

    def test_fractional_objectives_are_refused(self) -> None:
        model = cp_model.CpModel()
        model.minimize(0.5 * model.new_int_var(0, 5, "x"))
        assert "whole coefficients" in refused(constraint_program(model))

    def test_invalid_models_are_refused_with_the_reason(self) -> None:
        model = cp_model.CpModel()
        x = model.new_int_var(0, 2**62, "x")
        model.minimize(x)
        assert "domain" in refused(constraint_program(model))

    def test_without_an_objective(self) -> None:
        model = cp_model.CpModel()
        x = model.new_int_var(0, 5, "x")
        model.add(x >= 3)
        outcome = CpSat().solve(constraint_program(model), ENOUGH)
        assert outcome.objective == outcome.bound == 0
        assert outcome.values is not None
        assert outcome.values[0] >= 3

    def test_a_constant_objective(self) -> None:
        model = cp_model.CpModel()
        model.new_int_var(0, 5, "x")
        model.minimize(7)
        outcome = CpSat().solve(constraint_program(model), ENOUGH)
        assert outcome.objective == outcome.bound == 7

    def test_names_that_look_like_syntax(self) -> None:
        model = cp_model.CpModel()
        x = model.new_int_var(0, 5, 'a "name"\nfloating_point_objective { \\ ü')
        model.minimize(x + 2)
        assert CpSat().solve(constraint_program(model), ENOUGH).objective == 2

    def test_a_hint_in_the_model_is_left_alone_in_the_model(self) -> None:
        model = cp_model.CpModel()
        x = model.new_int_var(0, 5, "x")
        model.minimize(x)
        model.add_hint(x, 4)
        assert CpSat().solve(constraint_program(model), ENOUGH, np.array([3.0])).objective == 0
        assert list(model.proto.solution_hint.values) == [4]

    def test_an_objective_with_a_common_factor(self) -> None:
        """CP-SAT divides by the factor and multiplies again in floats: 0.9999999999999998 has been seen here."""
        outcome = CpSat().solve(linear([0, 0, -3], [([0, 1, -1], None, 0)], lower=-1, upper=0, constant=1), ENOUGH)
        assert outcome.objective == outcome.bound == 1

    @pytest.mark.parametrize("factor", [3, 7, 49, 10**9 + 7])
    def test_large_objectives_are_exact(self, factor: int) -> None:
        outcome = CpSat().solve(linear([factor, 2 * factor], [([3, 5], 1000, None)], upper=1000, constant=1), ENOUGH)
        assert outcome.objective == outcome.bound == 334 * factor + 1
