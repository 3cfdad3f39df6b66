"""What is particular to HiGHS: linear programs, starts of them, rows given in odd ways."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pyomo.environ as pyo
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyomo.core.expr.numeric_expr import LinearExpression

from anoptima.answer import Budget, StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import Language
from anoptima.models.matrix import IMPLIED
from anoptima.solvers.backends.highs import Highs
from anoptima.testing.programs import Program, linear, market_split

ENOUGH = Budget(seconds=3600)

BIG_M: list[tuple[list[float], float | None, float | None]] = [
    ([0, 0, -1000, 0, 1, 0], None, 0),
    ([0, 0, 0, -1000, 0, 1], None, 0),
    ([1, 0, 0, 0, 1, 0], 1000, 1000),
    ([0, 1, 0, 0, 0, 1], 1000, 1000),
    ([0, 0, 1, 1, 0, 0], None, 1),
]


def transport_programs() -> st.SearchStrategy[tuple[list[int], list[int], list[int], list[int]]]:
    """Supply, fixed charge and unit cost of some sites, and what some customers need."""
    few = st.integers(1, 4)

    def of(sites: int) -> st.SearchStrategy[tuple[list[int], list[int], list[int], list[int]]]:
        per_site = st.lists(st.integers(0, 6), min_size=sites, max_size=sites)
        return st.tuples(per_site, per_site, per_site, st.lists(st.integers(0, 4), min_size=1, max_size=3))

    return few.flatmap(of)


def cheapest_flow(supply: list[int], cost: list[int], demand: int) -> int | None:
    """Serve `demand` from the cheapest sites first: costs here do not depend on the customer."""
    total = 0
    for price, have in sorted(zip(cost, supply, strict=True)):
        taken = min(have, demand)
        total, demand = total + price * taken, demand - taken
    return total if demand == 0 else None


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
        first = Highs().solve(program, Budget(seconds=3600, gap=Fraction(1)))
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


class TestMixedPrograms:
    """Continuous columns beside integer ones: what HiGHS 1.10 and 1.14 get wrong, so that they are not allowed."""

    @pytest.mark.parametrize(
        ("costs", "rows", "upper", "integer", "optimum"),
        [
            ([2, 3], [([2, 2], 9, None)], [10, 10], [1], 9),
            ([10, 8, 0, 0, 0, 0], BIG_M, [1000, 1000, 1, 1, 1000, 1000], [2, 3], 8000),
        ],
    )
    def test_optimum(
        self,
        costs: list[float],
        rows: list[tuple[list[float], float | None, float | None]],
        upper: list[float],
        integer: list[int],
        optimum: int,
    ) -> None:
        program = linear(costs, rows, upper=None, domain=pyo.Reals)
        for j, bound in enumerate(upper):
            program.program.x[j].setub(bound)
        for j in integer:
            program.program.x[j].domain = pyo.Integers
        outcome = Highs().solve(program, ENOUGH)
        assert outcome.objective == outcome.bound == optimum

    def test_feasible_after_presolve(self) -> None:
        """Shrunk from attribute suppression under 2-diversity and 1/4-closeness; with x continuous, HiGHS proves it infeasible."""
        model = pyo.ConcreteModel()
        model.d = pyo.Var(range(2), domain=pyo.Binary)
        model.x = pyo.Var(range(11), bounds=lambda _, j: (0, 1 if j < 3 else 4))
        setattr(model, IMPLIED, pyo.Suffix())
        getattr(model, IMPLIED)[model.x] = True
        x = model.x
        model.rows = pyo.ConstraintList()
        for j in range(2):
            model.rows.add(x[j] >= model.d[j])
            model.rows.add(x[j] <= model.d[j])
        for j, members, constant in [
            (3, (0, 1, 2), 1),
            (4, (0, 1, 2), 1),
            (5, (0, 1, 2), 1),
            (6, (0,), 1),
            (7, (0, 1), 0),
            (8, (2,), 1),
            (9, (1, 2), 0),
        ]:
            model.rows.add(x[j] == sum(x[i] for i in members) + constant)
        model.rows.add(2 * x[6] <= x[3])
        model.rows.add(2 * x[9] <= x[5])
        model.rows.add(x[10] >= 2 * x[7] - x[4])
        model.rows.add(4 * x[8] + 4 * x[10] <= 3 * x[4])
        model.cost = pyo.Objective(expr=model.d[0] + model.d[1])
        outcome = Highs().solve(Program(model, Language.PYOMO), ENOUGH)
        assert not outcome.infeasible
        assert outcome.objective == outcome.bound == 1

    @given(data=transport_programs())
    def test_transport_with_fixed_charges(self, data: tuple[list[int], list[int], list[int], list[int]]) -> None:
        """Continuous flows, whole at the optimum, beside open-or-closed decisions: against enumeration of the latter."""
        supply, charge, cost, need = data
        sites, demand = len(supply), sum(need)
        best = min(
            (
                charged + cheapest
                for opened in itertools.product((0, 1), repeat=sites)
                if (cheapest := cheapest_flow([s * o for s, o in zip(supply, opened, strict=True)], cost, demand))
                is not None
                for charged in [sum(c * o for c, o in zip(charge, opened, strict=True))]
            ),
            default=None,
        )
        model = pyo.ConcreteModel()
        model.open = pyo.Var(range(sites), domain=pyo.Binary)
        model.flow = pyo.Var(range(sites), range(len(need)), bounds=(0, None))
        model.rows = pyo.ConstraintList()
        for i in range(sites):
            model.rows.add(pyo.quicksum(model.flow[i, j] for j in range(len(need))) <= supply[i] * model.open[i])
            for j, most in enumerate(need):
                model.rows.add(model.flow[i, j] <= most * model.open[i])
        for j, least in enumerate(need):
            model.rows.add(pyo.quicksum(model.flow[i, j] for i in range(sites)) >= least)
        model.cost = pyo.Objective(
            expr=pyo.quicksum(charge[i] * model.open[i] for i in range(sites))
            + pyo.quicksum(cost[i] * model.flow[i, j] for i in range(sites) for j in range(len(need)))
        )
        outcome = Highs().solve(Program(model, Language.PYOMO), ENOUGH)
        assert outcome.infeasible == (best is None)
        assert outcome.objective == best
        assert best is None or outcome.bound == best


@pytest.mark.parametrize(
    ("version", "usable"), [("1.10.0", False), ("1.11.0", True), ("1.13.1", True), ("1.14.0", False)]
)
def test_versions_that_call_wrong_solutions_optimal_are_refused(
    version: str, usable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Highs, "versions", lambda _: {"highspy": version})
    availability = Highs().availability()
    assert bool(availability) == usable
    assert usable or f"highspy {version} calls wrong solutions of mixed programs optimal" in availability.why
