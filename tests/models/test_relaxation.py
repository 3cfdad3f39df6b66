"""The bound of a relaxation is proved: below every solution's objective, whatever prices it is made of."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import anoptima as ao
from anoptima.errors import PluginFailure
from anoptima.models import models
from anoptima.models.base import Language
from anoptima.models.matrix import MatrixForm
from anoptima.models.relaxation import LinearSolver, Optimum, linear_solvers, optimum_of, proved_bound
from anoptima.registry import is_for
from anoptima.testing.examples import examples_for
from tests.sizing import asked

TEN_ROWS = {2: (46, 46), 3: (54, 54), 4: (62, 64), 5: (65, 65)}
"""The bound of strong links and the optimum, by k."""


def test_the_ten_rows() -> None:
    for k, (bound, _) in TEN_ROWS.items():
        for name in ("pattern", "groups"):
            built = ao.get_model(name).build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k)))
            relaxation = built.relaxation("highs")
            assert relaxation.bound == relaxation.cost_bound == bound, (name, k)
            assert relaxation.value == pytest.approx(bound)


def test_weights_that_doubles_round_prove_nothing() -> None:
    """As doubles they add up to more than the optimum costs."""
    frame = pd.DataFrame({"a": [0, 1], "b": [0, 0], "c": [0, 0]})
    table = ao.Table.from_frame(frame, ["a", "b", "c"], weights={"a": 2**54 + 3})
    problem = ao.CellSuppression(table, ao.KAnonymity(2))
    assert 2 * float(2**54 + 3) > ao.solve(problem, "subset-dp").cost  # type: ignore[operator]
    built = ao.get_model("pattern").build(problem)
    with pytest.raises(ao.NotApplicable, match="stars has the coefficient 18,014,398,509,481,987, which no double is"):
        built.relaxation()
    bounds = ao.lp_bounds(problem)
    assert bounds.loc["pattern", "proves"] is None
    assert "which no double is" in str(bounds.loc["pattern", "note"])


@pytest.mark.parametrize("solver", ["glop", "pdlp"])
def test_other_solvers_of_linear_programs(solver: str) -> None:
    pytest.importorskip("ortools")
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
    relaxation = built.relaxation(solver)
    assert relaxation.value == pytest.approx(62, abs=1e-3)
    assert relaxation.cost_bound == 62
    built.program.none = pyo.Constraint(expr=sum(built.program.z.values()) <= 0)
    assert built.relaxation(solver).value is None
    built.program.none.deactivate()
    built.program.far = pyo.Var()
    next(built.program.component_data_objects(pyo.Objective)).set_value(built.program.far)
    with pytest.raises(ao.NotApplicable, match="unbounded"):
        built.relaxation(solver)


def test_no_formulation_proves_more_than_the_optimum() -> None:
    """And what is proved is what the solver says, where its prices are worth anything."""
    seen = 0
    for model in models.all():
        if model.language is not Language.PYOMO:
            continue
        for _, problem in zip(range(asked(2, 4)), examples_for(model), strict=False):
            if problem.why_infeasible() is not None or not is_for(model, problem):
                continue
            relaxation = model.build(problem).relaxation()
            optimum = ao.solve(problem).cost
            assert relaxation.bound is not None, (model.name, problem)
            assert relaxation.cost_bound is not None
            assert optimum is not None
            assert relaxation.cost_bound <= optimum, (model.name, problem)
            assert float(relaxation.bound) == pytest.approx(relaxation.value, abs=1e-5), (model.name, problem)
            seen += 1
    assert seen > asked(12, 20)


def test_any_prices_prove_something_true() -> None:
    dice = np.random.default_rng(3)
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
    relaxation = built.relaxation()
    prices = relaxation.rows["price"].to_numpy()
    for size in (0.0, 1e-9, 1e-3, 0.5, 10.0):
        found = proved_bound(built.matrix, prices + dice.normal(0, size or 1e-30, len(prices)))
        assert found is None or found <= 62
    assert proved_bound(built.matrix, np.full(len(prices), np.nan)) == 0


def test_what_the_columns_and_rows_mean() -> None:
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    relaxation = built.relaxation()
    assert relaxation.columns.index.name == "column"
    assert relaxation.columns.loc["x[0]", "meaning"] == built.meaning(0)
    assert relaxation.rows[["lower", "upper", "activity"]].to_numpy()[
        list(relaxation.rows.index).index("cover[0]")
    ].tolist() == [1, 1, 1]
    value = (relaxation.columns["value"] * built.matrix.objective).sum()
    assert value == pytest.approx(54)
    dual = relaxation.rows["price"] * np.where(
        relaxation.rows["price"] > 0, relaxation.rows["lower"], relaxation.rows["upper"]
    )
    costs = relaxation.columns["reduced cost"]
    bounds = np.where(costs > 0, relaxation.columns["lower"], relaxation.columns["upper"])
    assert dual.sum() + (costs * bounds).sum() == pytest.approx(54)
    assert "no solution of the problem costs less than 54" in relaxation._repr_html_()


def test_a_changed_program_proves_nothing_of_the_problem() -> None:
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    built.program.few = pyo.Constraint(expr=sum(built.program.z.values()) <= 1)
    relaxation = built.relaxation()
    assert relaxation.bound is not None
    assert relaxation.bound > 54
    assert relaxation.cost_bound is None
    assert "none for the problem" in str(relaxation)
    assert relaxation.rows.loc["few", "activity"] == pytest.approx(1)
    built.program.none = pyo.Constraint(expr=sum(built.program.x.values()) <= 2)
    empty = built.relaxation()
    assert (empty.value, empty.bound) == (None, None)
    assert "nothing satisfies the rows" in str(empty)


def test_a_maximised_program_has_a_bound_from_above_and_prices_in_its_own_sense() -> None:
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    m = built.program
    least, m.stars.sense = built.relaxation().value, pyo.maximize
    m.few = pyo.Constraint(expr=sum(c * x for c, x in zip(*stars_of(m), strict=True)) <= 61.5)
    dearest = built.relaxation()
    assert (dearest.maximised, dearest.bound, dearest.cost_bound) == (True, Fraction(123, 2), None)
    assert dearest.value == pytest.approx(61.5)
    assert least is not None
    assert least < 61.5
    assert dearest.rows.loc["few", "price"] == pytest.approx(1)
    assert "relaxation 61.5 (highs, maximised), 123/2 proved" in str(dearest)
    m.few.deactivate()
    assert built.relaxation().bound == 70
    with pytest.raises(ao.NotApplicable, match="minimise its negative, or call solve_model"):
        _ = built.matrix


def stars_of(m: Any) -> tuple[list[float], list[Any]]:
    """The coefficients and the columns of the objective."""
    return [float(c) for c in m.stars.expr.linear_coefs], list(m.stars.expr.linear_vars)


def test_what_has_no_relaxation_says_so() -> None:
    built = ao.get_model("assignment").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    with pytest.raises(ao.NotApplicable, match="twin"):
        built.relaxation()
    with pytest.raises(ao.BadInput, match="no solver of linear programs named"):
        ao.get_model("pattern").build(built.problem).relaxation("nobody")
    unbounded = ao.get_model("pattern").build(built.problem)
    unbounded.program.y = pyo.Var()
    unbounded.program.stars.set_value(unbounded.program.stars.expr + unbounded.program.y)
    with pytest.raises(ao.NotApplicable, match="unbounded"):
        unbounded.relaxation()


def test_side_by_side() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))
    bounds = ao.lp_bounds(problem)
    assert bounds.loc["pattern", "proves"] == 62
    assert isinstance(bounds.loc["pattern", "proves"], int | Fraction)
    assert bounds["LP bound"].dropna().is_monotonic_decreasing
    assert set(bounds.index) == {model.name for model in models.all() if is_for(model, problem)}
    for name in bounds.index[bounds["LP bound"].isna()]:
        assert bounds.loc[name, "note"], name
    small = ao.lp_bounds(problem, memory=1)
    assert small["LP bound"].isna().all()
    assert "the pattern model would take " in str(small.loc["pattern", "note"])
    with pytest.raises(ao.InfeasibleProblem):
        ao.lp_bounds(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prices": np.zeros(3)}, "its optimum is 62.0 at 29 values and 3 prices, for 29 columns and "),
        ({"values": "none"}, "its optimum does not consist of numbers"),
        ({"value": None}, "its optimum does not consist of numbers"),
        ({"value": np.nan}, "its optimum is nan at"),
        (None, "its optimum is 62; it must be an Optimum, or None"),
    ],
)
def test_what_is_no_optimum_is_refused_by_name(
    change: dict[str, Any] | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
    highs = linear_solvers.get("highs")
    found = highs.optimum(built.matrix, None)
    assert found is not None
    monkeypatch.setattr(type(highs), "optimum", lambda *_: 62 if change is None else replace(found, **change))
    with pytest.raises(ao.SolverFailure, match=f"highs: {words}"):
        built.relaxation()


def test_a_solver_that_scales_the_program_where_it_lies_proves_nothing_false(monkeypatch: pytest.MonkeyPatch) -> None:
    def scaled(_: object, form: MatrixForm, __: float | None) -> Optimum:
        form.row_lower[:] *= 1000
        return Optimum(62.0, np.zeros(form.columns), np.ones(form.rows))

    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
    monkeypatch.setattr(type(linear_solvers.get("highs")), "optimum", scaled)
    relaxation = built.relaxation()
    assert relaxation.bound is not None
    assert relaxation.bound <= 62


def test_a_solver_of_a_plug_in_that_raises_is_named() -> None:
    class Faulty(LinearSolver):
        name = "faulty"

        def optimum(self, form: MatrixForm, seconds: float | None) -> Optimum | None:
            raise KeyError("price")

    form = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))).matrix
    with pytest.raises(PluginFailure, match=r"faulty \(of tests\): its optimum raises KeyError: 'price'"):
        optimum_of(Faulty(), form, None)


@pytest.mark.parametrize("price", [np.inf, -np.inf, np.nan, 1e305])
def test_prices_without_end_count_as_nothing(price: float) -> None:
    form = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))).matrix
    assert proved_bound(form, np.full(form.rows, price)) == 0


def test_a_question_that_no_model_states_is_refused_with_the_reason() -> None:
    with pytest.raises(ao.NotApplicable, match="the entropy of a group is not linear in its counts"):
        ao.lp_bounds(ao.CellSuppression(ao.ten_rows(), ao.EntropyDiversity(2)))
