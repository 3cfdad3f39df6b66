"""What is particular to HiGHS: linear programs, starts of them, rows given in odd ways."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyomo.environ as pyo
import pytest
from pyomo.core.expr.numeric_expr import LinearExpression

from anoptima.answer import Budget, StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import Language
from anoptima.solvers.backends.highs import Highs
from tests.solvers.backends.programs import Program, linear, market_split

ENOUGH = Budget(seconds=60)


class TestLinearPrograms:
    def test_whole_optimum(self) -> None:
        outcome = Highs().solve(linear([2, 3], [([1, 1], 4, None)], upper=3, domain=pyo.Reals), ENOUGH)
        assert outcome.stop is Stop.PROVED
        assert outcome.objective == outcome.bound == 9

    def test_fractional_optimum_proves_the_next_whole_number(self) -> None:
        outcome = Highs().solve(
            linear([1, 1, 1], [([1, 1, 0], 1, None), ([0, 1, 1], 1, None), ([1, 0, 1], 1, None)], domain=pyo.Reals),
            ENOUGH,
        )
        assert outcome.stop is Stop.PROVED
        assert outcome.objective == Fraction(3, 2)
        assert outcome.bound == 2

    def test_infeasible(self) -> None:
        assert Highs().solve(linear([1], [([1], 2, None)], domain=pyo.Reals), ENOUGH).infeasible

    def test_unbounded(self) -> None:
        with pytest.raises(NotApplicable, match="unbounded"):
            Highs().solve(linear([-1], [], upper=None, domain=pyo.Reals), ENOUGH)

    def test_infeasible_though_its_relaxation_is_unbounded(self) -> None:
        """2 x - 2 y = 1 has rational solutions in every direction, and no whole ones."""
        outcome = Highs().solve(linear([-1, -1], [([2, -2], 1, 1)], upper=None), ENOUGH)
        assert outcome.infeasible

    def test_a_start_is_held_and_not_used(self) -> None:
        outcome = Highs().solve(
            linear([2, 3], [([1, 1], 4, None)], upper=3, domain=pyo.Reals), ENOUGH, np.array([3.0, 3.0])
        )
        assert outcome.start is StartFate.UNSUPPORTED
        assert outcome.objective == 9


class TestStarts:
    def test_accepted_is_what_highs_says(self) -> None:
        program = market_split(2, 14)
        first = Highs().solve(program, Budget(seconds=60, gap=Fraction(1)))
        outcome = Highs().solve(program, ENOUGH, first.values)
        assert outcome.start is StartFate.ACCEPTED
        assert first.objective is not None
        assert outcome.objective is not None
        assert outcome.objective <= first.objective

    @pytest.mark.parametrize(
        ("start", "reason"),
        [
            ([1.0, 0, 0, 0], "row 0 is violated"),
            ([2.0, 0, 1, 0], "the value of column 0 is outside its bounds"),
            ([1.0, 0, 1, 0.5], "the value of column 3 is not whole"),
            ([1.0, 0, np.nan, 0], "the value of column 2 is not a number"),
            ([1.0], "it has 1 values and the model has 4 columns"),
        ],
    )
    def test_why_a_start_was_rejected(self, start: list[float], reason: str) -> None:
        outcome = Highs().solve(linear([5, 4, 3, 7], [([3, 2, 2, 4], 5, None)]), ENOUGH, np.array(start))
        assert outcome.start is StartFate.REJECTED
        assert outcome.notes == (f"the start was rejected: {reason}",)


def test_a_row_that_names_a_column_twice() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(2), bounds=(0, 9), domain=pyo.Integers)
    twice = LinearExpression(constant=0, linear_coefs=[1, 1, 1], linear_vars=[model.x[0], model.x[0], model.x[1]])
    model.row = pyo.Constraint(expr=twice >= 5)
    model.cost = pyo.Objective(expr=model.x[0] + 2 * model.x[1])
    assert Highs().solve(Program(model, Language.PYOMO), ENOUGH).objective == 3


def test_fractional_coefficients() -> None:
    """Rows need not be whole, objectives are."""
    outcome = Highs().solve(linear([1, 1, 1], [([0.1, 0.2, 0.3], 0.45, None)]), ENOUGH)
    assert outcome.objective == outcome.bound == 2
