"""A Pyomo program is solved as it is: held against a solver that reads the program itself, after changes at random."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pyomo.environ as pyo
import pyomo.gdp as gdp
import pyomo.mpec as mpec
import pytest
from pyomo.contrib import appsi

import anoptima as ao
from anoptima.errors import NotApplicable
from anoptima.models.changes import Change
from anoptima.models.matrix import IMPLIED
from anoptima.models.pyomo_reading import Reading, read_program
from anoptima.testing.examples import examples_for
from tests.models.random_edits import EDITS, maximise

SEEDS = int(os.environ.get("RANDOM_EDITS", "40"))
"""Programs that are edited at random; `RANDOM_EDITS=10000 pytest tests/models/test_pyomo_reading.py` takes minutes."""
MODELS = ("pattern", "groups", "facilities", "attributes", "given-patterns", "diameter-groups")


def small_questions() -> Iterator[tuple[str, Any]]:
    for name in MODELS:
        model = ao.get_model(name)
        for _, problem in zip(range(3), examples_for(model), strict=False):
            if problem.why_infeasible() is None:
                yield name, problem


def optimum(program: Any, whole: bool) -> float | None:
    """The least objective by a solver that reads the program itself; None if there is no solution.

    To Pyomo, a fixed variable is a constant, whatever its domain; the solver's interface would hold it to that.
    """
    copy = program.clone()
    pyo.TransformationFactory("mpec.simple_disjunction").apply_to(copy)
    for x in copy.component_data_objects(pyo.Var):
        if x.fixed:
            low, high = x.bounds
            x.domain = pyo.Reals
            x.setlb(low)
            x.setub(high)
    if whole:
        for marked in copy.component(IMPLIED) or ():
            for x in marked.values() if marked.is_indexed() else [marked]:
                low, high = x.bounds
                x.domain = x.domain if x.fixed else pyo.Integers
                x.setlb(low)
                x.setub(high)
    pyo.TransformationFactory("gdp.bigm").apply_to(copy)
    solver = appsi.solvers.Highs()
    solver.config.load_solution = False
    solver.highs_options = {"presolve": "off", "mip_rel_gap": 0.0}
    found = solver.solve(copy)
    if found.termination_condition == appsi.base.TerminationCondition.optimal:
        return float(found.best_feasible_objective)
    assert found.termination_condition in (
        appsi.base.TerminationCondition.infeasible,
        appsi.base.TerminationCondition.infeasibleOrUnbounded,
    )
    return None


def test_what_is_edited_at_random_is_solved_as_pyomo_reads_it() -> None:
    questions = list(small_questions())
    seen: dict[Change, int] = dict.fromkeys(Change, 0)
    maximised = 0
    for seed in range(SEEDS):
        dice = random.Random(seed)
        name, problem = dice.choice(questions)
        original = ao.get_model(name).build(problem)
        edits = dice.sample(EDITS, dice.randint(0, 3)) + [maximise] * (seed % 4 == 3)
        for edit in edits:
            edit(original.program, dice)
        try:
            answer = ao.solve_model(original, "highs", isolated=seed % 10 == 0)
        except NotApplicable as refusal:
            if "unbounded" not in str(refusal):
                raise
            continue
        expected = optimum(original.program, whole=answer.change is Change.RESTRICTED)
        told = (seed, [edit.__name__ for edit in edits], answer)
        seen[answer.change] += 1
        maximised += answer.maximised and expected is not None
        assert answer.maximised == (maximise in edits), told
        assert answer.infeasible == (expected is None), told
        if expected is not None:
            assert answer.objective is not None
            assert float(answer.objective) == pytest.approx(expected, abs=1e-5), told
            assert answer.bound is not None, told
            assert float(answer.bound) == pytest.approx(expected, abs=1e-5), told
        assert (answer.answer is None) == (answer.change is Change.OTHER), told
        if answer.answer is not None and answer.answer.solution is not None:
            assert not original.problem.violations(answer.solution), told
            optimal = ao.solve(original.problem).cost
            assert answer.answer.bound is not None
            assert optimal is not None
            assert answer.answer.cost is not None
            assert answer.answer.bound.value <= optimal <= answer.answer.cost, told
    assert min(seen.values()) > 3, seen
    assert maximised > 3


def program() -> Any:
    m = pyo.ConcreteModel()
    m.x = pyo.Var([1, 2, 3], domain=pyo.Binary)
    m.y = pyo.Var(bounds=(0, 4))
    m.cost = pyo.Objective(expr=m.x[1] + 2 * m.x[2] + m.y)
    m.least = pyo.Constraint(expr=m.x[1] + m.x[2] + m.x[3] >= 1)
    return m


def sos(m: Any) -> None:
    m.one = pyo.SOSConstraint(var=m.x, sos=1)


def product(m: Any) -> None:
    m.both = pyo.Constraint(expr=m.x[1] * m.x[2] <= 0)


def square(m: Any) -> None:
    m.cost.set_value(m.y**2)


def second_objective(m: Any) -> None:
    m.other = pyo.Objective(expr=m.y)


def no_objective(m: Any) -> None:
    m.cost.deactivate()


def maximised(m: Any) -> None:
    m.cost.sense = pyo.maximize


def gaps(m: Any) -> None:
    m.y.domain = pyo.Set(initialize=[0, 3])


def evens(m: Any) -> None:
    m.y.domain = pyo.RangeSet(0, 4, 2)


def stranger(m: Any) -> None:
    other = pyo.ConcreteModel()
    other.z = pyo.Var()
    m.far = pyo.Constraint(expr=m.y + other.z >= 0)


def valueless(m: Any) -> None:
    m.y.fix()


def unbounded_disjunction(m: Any) -> None:
    m.y.setub(None)
    m.either = gdp.Disjunction(expr=[[m.y <= 1], [m.y >= 2]])


def not_a_number(m: Any) -> None:
    m.strange = pyo.Constraint(expr=float("nan") * m.y <= 2)


def varying_limit(m: Any) -> None:
    m.between = pyo.Constraint(expr=(m.y, m.x[1], 5))


def parameter_without_a_value(m: Any) -> None:
    m.p = pyo.Param(mutable=True)
    m.most = pyo.Constraint(expr=m.x[1] <= m.p)


def bound_without_a_value(m: Any) -> None:
    m.p = pyo.Param(mutable=True)
    m.y.setub(m.p)


def objective_without_a_value(m: Any) -> None:
    m.p = pyo.Param(mutable=True)
    m.cost.set_value(m.p * m.y)


def bound_that_is_no_number(m: Any) -> None:
    m.y.setlb(float("nan"))


def division_by_nothing(m: Any) -> None:
    m.p = pyo.Param(mutable=True, initialize=0)
    m.most = pyo.Constraint(expr=m.y / m.p <= 1)


def disjunct_of_no_disjunction(m: Any) -> None:
    m.alone = gdp.Disjunct()
    m.alone.row = pyo.Constraint(expr=m.x[3] >= 1)
    m.alone.indicator_var.fix(True)


def disjoint_ranges(m: Any) -> None:
    m.y.domain = pyo.Set(initialize=[0]) | pyo.RangeSet(2, 4, 0)


REFUSED = {
    varying_limit: "between cannot be evaluated (",
    parameter_without_a_value: "most cannot be evaluated (",
    bound_without_a_value: "y cannot be evaluated (",
    objective_without_a_value: "cost cannot be evaluated (",
    bound_that_is_no_number: "y cannot be evaluated (",
    division_by_nothing: "most cannot be evaluated (division by zero)",
    disjunct_of_no_disjunction: "gdp.bigm leaves the active Disjunct alone",
    disjoint_ranges: "y is in {0} | [2..4]",
    sos: "SOSConstraint one",
    product: "both is not linear",
    square: "cost is not linear",
    second_objective: "2 active objectives: cost, other",
    no_objective: "no active objective",
    maximised: "cost is maximised",
    gaps: "y is in {0, 3}",
    evens: "y is in ",
    stranger: "far has the variable z",
    valueless: "y is fixed, and its value is None",
    unbounded_disjunction: "gdp.bigm cannot rewrite",
}


def test_what_a_matrix_cannot_say_is_refused_by_its_name() -> None:
    for edit, words in REFUSED.items():
        m = program()
        edit(m)
        with pytest.raises(NotApplicable, match=r"^[^\n]+$") as refusal:
            read_program(m)
        assert words in str(refusal.value), (edit.__name__, refusal.value)


def test_what_is_inactive_is_left_out() -> None:
    m = program()
    for edit in (sos, product):
        edit(m)
    m.one.deactivate()
    m.both.deactivate()
    form = read_program(m).form
    assert (form.rows, form.columns) == (1, 4)


def test_a_fixed_column_lies_between_bounds_that_are_its_value() -> None:
    m = program()
    m.x[1].fix(1)
    m.x[2].fix(0.5, skip_validation=True)
    form = read_program(m).form
    assert form.lower.tolist() == [1, 0.5, 0, 0]
    assert form.upper.tolist() == [1, 0.5, 1, 4]
    assert form.integer.tolist() == [True, False, True, False]


def test_pyomo_rewrites_a_copy() -> None:
    m = program()
    m.either = gdp.Disjunction(expr=[[m.y >= 1, m.x[3] <= 0], [m.x[3] >= 1, m.y <= 0]])
    m.never = mpec.Complementarity(expr=mpec.complements(m.x[1] >= 0, m.x[2] >= 0))
    before = len(list(m.component_data_objects(pyo.Constraint, active=True)))
    reading = read_program(m)
    assert reading.form.rows > before
    assert len(list(m.component_data_objects(pyo.Constraint, active=True))) == before
    assert all(x is y for x, y in zip(reading.variables, m.component_data_objects(pyo.Var), strict=False))
    assert not any(name.startswith("[") for name in (*reading.names, *reading.row_names))


def test_nothing_read_before_is_used_again() -> None:
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    assert ao.solve_model(built).objective == 54
    built.encode(ao.solve(built.problem, "peel").require_solution())
    built.program.few = pyo.Constraint(expr=sum(built.program.z.values()) <= 1)
    assert ao.solve_model(built).objective == 70
    built.program.few.deactivate()
    again = ao.solve_model(built)
    assert (again.change, again.objective) == (Change.NONE, 54)


def test_what_is_deleted_keeps_its_name() -> None:
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    built.program.del_component("link")
    assert ao.solve_model(built).details == ("the row link[0] is gone, or allows what it did not",)
    built.program.del_component("z")
    with pytest.raises(NotApplicable, match=r"^\w+\[0\] has the variable z\[0\], which is no part of the program"):
        ao.solve_model(built)
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    reading = built.read()
    assert isinstance(reading, Reading)
    first = next(row for row, name in enumerate(reading.row_names) if name.startswith("link"))
    del built.program.link[0]
    assert ao.solve_model(built).details == (f"the row no. {first} is gone, or allows what it did not",)


def test_a_number_that_a_backend_does_not_take_is_refused() -> None:
    built = ao.get_model("pattern").build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    built.program.huge = pyo.Constraint(expr=1e15 * built.program.z[0] <= 1e15)
    with pytest.raises(NotApplicable, match=r"highs takes coefficients below 1e\+15 only"):
        ao.solve_model(built)
