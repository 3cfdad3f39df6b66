"""`solve_model`: what is said about the problem is what follows from the program as it is, and no more."""

from __future__ import annotations

import io
import random
import threading
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from ortools.sat.python import cp_model

import anoptima as ao
from anoptima.answer import Budget, Incumbent, Listener, Progress
from anoptima.models.base import BuiltModel, Language
from anoptima.models.changes import Change, compare
from anoptima.solvers.backends.base import Availability, Backend, Capability, Outcome

pytestmark = pytest.mark.usefixtures("weak_bound")


def built(model: str = "pattern") -> BuiltModel[Any]:
    return ao.get_model(model).build(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))


def row(model: BuiltModel[Any], expression: Any) -> None:
    model.program.more = pyo.Constraint(expr=expression)


def test_a_program_as_built_answers_the_problem() -> None:
    for model, backend in (("pattern", "highs"), ("pattern", "cp-sat"), ("assignment", "cp-sat")):
        answer = ao.solve_model(built(model), backend)
        assert answer.change is Change.NONE
        assert answer.answer is not None
        assert (answer.answer.claim, answer.answer.cost, answer.objective, answer.bound) == (
            ao.Claim.OPTIMAL,
            54,
            54,
            54,
        )
        assert answer.answer.bound is not None
        assert answer.answer.bound.origin is ao.Origin.BACKEND
        assert (answer.release == "*").to_numpy().sum() == 54


def test_restrictions_give_a_release_and_no_bound() -> None:
    for backend in ("highs", "cp-sat"):
        model = built()
        row(model, sum(model.program.z.values()) <= 1)
        answer = ao.solve_model(model, backend)
        assert (answer.change, answer.objective, answer.bound) == (Change.RESTRICTED, 70, 70)
        assert answer.answer is not None
        assert (answer.answer.claim, answer.answer.cost) == (ao.Claim.FEASIBLE, 70)
        assert answer.answer.bound is not None
        assert answer.answer.bound.value <= 54
        assert answer.answer.verify()
        assert "the problem without restrictions may beat" in str(answer)
        assert "the row more is new" in answer._repr_html_()


def test_restrictions_that_nothing_meets() -> None:
    model = built()
    row(model, sum(model.program.z.values()) <= 0)
    answer = ao.solve_model(model)
    assert answer.infeasible
    assert answer.values is None
    assert answer.answer is not None
    assert answer.answer.solution is None
    assert "no solution satisfies the program as it is" in str(answer)


def test_other_changes_say_nothing_about_the_problem() -> None:
    model = built()
    model.program.link.deactivate()
    answer = ao.solve_model(model)
    assert (answer.change, answer.objective, answer.answer) == (Change.OTHER, 52, None)
    assert answer.values is not None
    assert answer.values["z[0]"] in (0, 1)
    assert "It says nothing about cell-suppression: the row link[0] is gone" in str(answer)
    with pytest.raises(ao.NotApplicable, match="no longer states cell-suppression"):
        _ = answer.release


def test_an_objective_that_is_not_whole_is_not_rounded() -> None:
    model = built()
    model.program.stars.deactivate()
    model.program.other = pyo.Objective(expr=0.3 * sum(model.program.z.values()) + 0.25)
    for backend in ("highs", "scip"):
        answer = ao.solve_model(model, backend)
        assert answer.is_optimal
        assert answer.objective == Fraction(11, 20)
        assert answer.bound is not None
        assert answer.objective - Fraction(1, 10**5) <= answer.bound <= answer.objective + Fraction(1, 10**5)


def test_a_start_is_for_the_columns_that_were_built() -> None:
    model = built()
    start = ao.solve(model.problem, "peel").require_solution()
    assert ao.solve_model(model, start=start).objective == 54
    model.program.extra = pyo.Var()
    with pytest.raises(ao.BadInput, match="leave out `start`"):
        ao.solve_model(model, start=start)


def test_columns_may_come_before_those_that_were_built() -> None:
    """Decoding goes by the columns themselves, not by their places."""
    model = built("groups")
    other = pyo.ConcreteModel()
    other.early = pyo.Var(bounds=(0, 1))
    for part in list(model.program.component_objects(descend_into=False)):
        model.program.del_component(part)
        other.add_component(part.local_name, part)
    model.program = other
    answer = ao.solve_model(model)
    assert answer.change is Change.RESTRICTED
    assert answer.answer is not None
    assert (answer.objective, answer.answer.cost) == (54, 54)


def brute_force(program: cp_model.CpModel) -> int | None:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    status = solver.solve(program)
    return round(solver.objective_value) if status == cp_model.OPTIMAL else None


def test_constraint_programs_changed_at_random() -> None:
    table = ao.Table.from_frame(ao.ten_rows().frame.head(6), quasi=ao.ten_rows().quasi)
    problem = ao.CellSuppression(table, ao.KAnonymity(2))
    least = ao.solve(problem).cost
    assert least is not None
    seen, maximised = dict.fromkeys(Change, 0), 0
    for seed in range(24):
        dice = random.Random(seed)
        model = ao.get_model("assignment").build(problem)
        program = model.program
        columns = [program.get_bool_var_from_proto_index(j) for j in range(len(program.proto.variables))]
        relaxing = False
        for _ in range(dice.randint(0, 3)):
            what = dice.randrange(7)
            x, y, z = dice.sample(columns, 3)
            if what == 0:
                program.add(x + y <= 1)
            elif what == 1:
                program.add(x >= 1).only_enforce_if(z)
            elif what == 2:
                program.add_max_equality(program.new_int_var(0, 1, "extra"), [x, y])
            elif what == 3:
                program.proto.variables[x.index].domain.clear()
                program.proto.variables[x.index].domain.extend([0, 0])
            elif what == 4:
                i, j = dice.sample(range(len(program.proto.constraints)), 2)
                program.proto.constraints[i].copy_from(program.proto.constraints[j])
                relaxing = True
            elif what == 5:
                program.minimize(x + 2 * y - z)
                relaxing = True
            else:
                program.maximize(x + 2 * y - z + 3)
                relaxing = True
        answer = ao.solve_model(model, "cp-sat")
        assert answer.maximised == (model.program.proto.objective.scaling_factor == -1)
        maximised += answer.maximised and answer.objective is not None
        seen[answer.change] += 1
        expected = brute_force(model.program)
        assert answer.infeasible == (expected is None), (seed, answer)
        assert answer.objective == expected, (seed, answer)
        assert relaxing or answer.change is not Change.OTHER, (seed, answer)
        if answer.answer is not None and answer.answer.cost is not None:
            assert answer.answer.cost >= least
    assert min(seen.values()) > 2, seen
    assert maximised > 2


def test_a_maximised_objective_is_answered_in_its_own_sense() -> None:
    for name, backend in (("pattern", "highs"), ("pattern", "scip"), ("assignment", "cp-sat")):
        model, heard = built(name), list[Progress]()
        # All ten rows have one value in common: seven stars each.
        dearest = 70
        if name == "pattern":
            model.program.stars.sense = pyo.maximize
        else:
            objective = model.program.proto.objective
            terms = zip(list(objective.coeffs), list(objective.vars), strict=True)
            model.program.maximize(sum(c * model.program.get_int_var_from_proto_index(j) for c, j in terms))
            found = brute_force(model.program)
            assert found is not None
            dearest = found
        answer = ao.solve_model(model, backend, on_progress=heard.append)
        assert (answer.change, answer.maximised, answer.is_optimal) == (Change.OTHER, True, True)
        assert (answer.objective, answer.bound, answer.answer) == (dearest, dearest, None)
        assert f"objective {dearest} (maximised), optimal for the program as it is, bound {dearest}" in str(answer)
        assert all(one.cost is None or one.cost <= dearest for one in heard)
        assert all(one.bound is None or one.bound >= dearest for one in heard)
        with pytest.raises(ao.NotApplicable, match="no longer states"):
            _ = answer.solution


def restricting(m: Any) -> None:
    m.x[3].fix(0)
    m.link[3].deactivate()


def tighter(m: Any) -> None:
    m.cover[0].deactivate()
    m.more = pyo.Constraint(expr=m.cover[0].body == m.cover[0].upper)


def renamed(m: Any) -> None:
    m.z[0].setub(0)


def wider_bound(m: Any) -> None:
    m.x[3].setub(7)


def wider_row(m: Any) -> None:
    m.cover[0].set_value((0, m.cover[0].body, 1))


def continuous(m: Any) -> None:
    m.z[4].domain = pyo.PercentFraction


def costlier(m: Any) -> None:
    m.stars.set_value(m.stars.expr + m.x[0])


def constant(m: Any) -> None:
    m.stars.set_value(m.stars.expr + 1)


EXPECTED = {
    restricting: Change.RESTRICTED,
    tighter: Change.RESTRICTED,
    renamed: Change.RESTRICTED,
    wider_bound: Change.OTHER,
    wider_row: Change.OTHER,
    continuous: Change.OTHER,
    costlier: Change.OTHER,
    constant: Change.OTHER,
}


def test_what_a_change_does() -> None:
    for edit, change in EXPECTED.items():
        model = built()
        edit(model.program)
        found = compare(model.as_built, model.read())
        assert found.change is change, (edit.__name__, found.details)
        assert found.details
        assert found.places is not None
        assert found.places.tolist() == np.arange(len(model.names)).tolist()


def test_a_row_that_fixed_columns_make_the_same_is_the_same() -> None:
    """Pyomo drops fixed columns from a row that it walks; the comparison knows."""
    model = built()
    m = model.program
    m.x[3].fix(1)
    body = m.cover[0].body
    m.cover[0].set_value(
        sum(c * v for c, v in zip(body.linear_coefs, body.linear_vars, strict=True)) + 0 * m.x[3] == m.cover[0].upper
    )
    assert compare(model.as_built, model.read()).change is Change.RESTRICTED


def hard() -> BuiltModel[Any]:
    """Nobody proves an optimum of this within minutes."""
    values = np.random.default_rng(5).integers(0, 3, (90, 8)).astype(str)
    table = ao.Table.from_frame(pd.DataFrame(values, columns=list("abcdefgh")), quasi=list("abcdefgh"))
    return ao.get_model("pattern").build(ao.CellSuppression(table, ao.KAnonymity(4)))


def test_options_and_a_log_are_the_solvers_own() -> None:
    for backend, options, word in (
        ("highs", {"mip_max_nodes": 0}, "HiGHS"),
        ("cp-sat", {"max_deterministic_time": 0.0, "cp_model_presolve": False}, "CpSolverResponse"),
    ):
        for isolated in (True, False):
            log = io.StringIO()
            answer = ao.solve_model(built(), backend, options=options, log=log, isolated=isolated)
            assert answer.stop is not ao.Stop.PROVED, f"{backend} heard nothing of {options}"
            assert word in log.getvalue()
    with pytest.raises(ao.BadInput, match=r"highs: it has no option 'presolv'; did you mean presolve\?"):
        ao.solve_model(built(), options={"presolv": "on"})
    with pytest.raises(ao.BadInput, match="leave memory or isolated=False out"):
        ao.solve_model(built(), memory=2**30, isolated=False)


def test_an_event_ends_it_with_the_best_that_is_known() -> None:
    model = hard()
    for backend in ("highs", "cp-sat"):
        for isolated in (True, False):
            cancel, seen = threading.Event(), list[Progress]()

            def listen(progress: Progress, cancel: threading.Event = cancel, seen: list[Progress] = seen) -> None:
                seen.append(progress)
                if progress.cost is not None:
                    cancel.set()

            answer = ao.solve_model(model, backend, cancel=cancel, on_progress=listen, isolated=isolated)
            assert answer.stop is ao.Stop.CANCELLED
            assert answer.objective == min(one.cost for one in seen if one.cost is not None)
            assert answer.answer is not None
            assert model.problem.violations(answer.solution) == []


class Boundless(Backend):
    """Claims that its solution is optimal, and has no bound that says so."""

    name = "boundless"
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset[Capability]()

    def __init__(self, bound: int | None) -> None:
        self.bound = bound

    def availability(self) -> Availability:
        return Availability(True)

    def versions(self) -> dict[str, str]:
        return {}

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Any = None, listener: Listener | None = None
    ) -> Outcome:
        values = model.encode(ao.solve(model.problem, "subset-dp").solution)
        return Outcome(ao.Stop.PROVED, False, values, 54, self.bound, ao.answer.StartFate.NONE, 0.0, {})


@pytest.mark.parametrize("bound", [53, None])
def test_an_optimum_without_its_bound_is_a_false_claim(bound: int | None) -> None:
    with pytest.raises(ao.FalseClaim, match=f"boundless: claimed an optimum of 54 with bound {bound}"):
        ao.solve_model(built(), Boundless(bound))
    assert ao.solve_model(built(), Boundless(54)).is_optimal


class Working(Backend):
    """Offers a solution, and then works for ever without a look at anything."""

    name = "working"
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset[Capability]()

    def availability(self) -> Availability:
        return Availability(True)

    def versions(self) -> dict[str, str]:
        return {}

    def solve(
        self, model: BuiltModel[Any], budget: Budget, start: Any = None, listener: Listener | None = None
    ) -> Outcome:
        assert listener is not None
        found = ao.solve(model.problem, "subset-dp")
        listener(Incumbent(0.0, 54, model.encode(found.solution)))
        while True:
            pass


def test_a_backend_that_does_not_look_is_interrupted_and_what_it_told_is_kept() -> None:
    cancel = threading.Event()
    answer = ao.solve_model(built(), Working(), cancel=cancel, on_progress=lambda progress: cancel.set())
    assert (answer.stop, answer.objective, answer.bound) == (ao.Stop.CANCELLED, 54, None)
    assert answer.answer is not None
    assert answer.answer.cost == 54
