"""The three programs for quasi-identifiers: a set of columns satisfies a program exactly if it is a solution; backends find the optimum."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models.base import BuiltModel, Language
from anoptima.models.maximal_gaps import MaximalGapsModel, maximal_insufficient_sets
from anoptima.models.pair_differences import PairDifferencesModel
from anoptima.solvers.backends.registry import backend_names
from anoptima.solvers.base import Kind
from anoptima.solvers.modelled import Modelled
from tests.column_sets import Choice, asked, choices, table_of
from tests.turns import in_turn

MODELS = ["pair-differences", "anchor-rows", "maximal-gaps"]


def satisfies(built: BuiltModel[Any], values: np.ndarray) -> bool:
    """Tell whether a vector of values breaks no row and no bound, in whole numbers."""
    if built.language is Language.PYOMO:
        form, x = built.matrix, np.rint(values)
        assert (x == values).all()
        rows = [
            sum(form.coefficient[e] * x[form.column[e]] for e in range(form.row_start[i], form.row_start[i + 1]))
            for i in range(form.rows)
        ]
        inside = ((form.lower <= x) & (x <= form.upper)).all()
        return bool(inside and (form.row_lower <= rows).all() and (rows <= form.row_upper).all())
    return all(
        any(values[literal] > 0.5 for literal in constraint.bool_or.literals)
        for constraint in built.program.proto.constraints
    )


def applicable(choice: Choice) -> list[BuiltModel[Any]]:
    found = [ao.get_model(name) for name in MODELS]
    return [model.build(choice.problem) for model in found if model.why_not(choice.problem) is None]


@given(asked(most_rows=8, most_columns=4))
def test_exactly_the_solutions_satisfy_the_programs_and_come_back_as_they_went_in(asked: list[Choice]) -> None:
    for choice in asked[:2]:
        if choice.optimum() is None:
            continue
        built = applicable(choice)
        assert len(built) == 2
        for columns in choice.sets():
            solution = choice.problem.solution_of(columns)
            for model in built:
                values = model.encode(solution)
                assert satisfies(model, values) == choice.good(columns), (type(model).__name__, columns)
                assert model.decode(values) == solution


@given(asked(most_rows=8, most_columns=4))
def test_the_objective_is_the_scaled_cost(asked: list[Choice]) -> None:
    for choice in asked[:2]:
        for model in applicable(choice) if choice.optimum() is not None else []:
            for columns in choice.sets():
                values = model.encode(choice.problem.solution_of(columns))
                scaled = choice.price(columns) * choice.problem.cost_scale
                if model.language is Language.PYOMO:
                    assert Fraction(float(model.matrix.objective @ values)) + Fraction(model.matrix.constant) == scaled
                else:
                    terms = model.program.proto.objective
                    assert sum(c * int(values[v]) for c, v in zip(terms.coeffs, terms.vars, strict=True)) == scaled


@given(asked(most_rows=8, most_columns=4))
def test_sizes_are_known_before_building_from_above(asked: list[Choice]) -> None:
    for choice in asked[:2]:
        for model in applicable(choice) if choice.optimum() is not None else []:
            if model.language is Language.PYOMO:
                form, size = model.matrix, model.size
                assert form.columns <= size.variables
                assert form.rows <= size.constraints
                assert len(form.coefficient) <= size.coefficients
            else:
                assert len(model.program.proto.constraints) <= model.size.constraints


@pytest.mark.slow
@settings(max_examples=3)
@given(asked(most_rows=9, most_columns=5), st.integers(0, 99))
def test_every_program_finds_the_optimum_on_each_backend_in_its_turn(asked: list[Choice], turn: int) -> None:
    for choice in asked[:2]:
        optimum = choice.optimum()
        solvers = [solver for solver in ao.solvers_for(choice.problem) if solver.kind is Kind.MODEL]
        assert {solver.backend.name for solver in solvers if isinstance(solver, Modelled)} == set(backend_names())
        for solver in in_turn((solver.name for solver in solvers), turn):
            answer = ao.solve(choice.problem, solver)
            assert answer.verify()
            assert answer.cost == optimum, solver
            assert answer.claim is (ao.Claim.INFEASIBLE if optimum is None else ao.Claim.OPTIMAL), solver


def test_the_programs_on_the_backends_agree_where_bounds_leave_a_search() -> None:
    rng = np.random.default_rng(2)
    rows = [tuple(row) for row in rng.integers(0, 2, (40, 8)).tolist()]
    for turn, choice in enumerate(choices(rows, [1, 2, 1, 3, 1, 2, 1, 1], 2)[:2]):
        optimum = choice.optimum()
        solvers = (solver.name for solver in ao.solvers_for(choice.problem) if isinstance(solver, Modelled))
        for solver in in_turn(solvers, turn):
            answer = ao.solve(choice.problem, solver, start=None)
            assert (answer.cost, answer.claim) == (optimum, ao.Claim.OPTIMAL), solver


def test_what_is_no_quasi_identifier_problem_is_refused_in_a_sentence() -> None:
    problem = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2))
    said = {name: ao.get_model(name).why_not(problem) for name in MODELS}
    assert said == {
        "pair-differences": "the pair-differences model is for identifying-columns, not for attribute-suppression",
        "anchor-rows": "the anchor-rows model is for witness-columns, not for attribute-suppression",
        "maximal-gaps": "the maximal-gaps model is for identifying-columns and witness-columns, not for attribute-suppression",
    }


def test_a_large_table_is_refused_before_pairs_are_compared() -> None:
    problem = ao.IdentifyingColumns(table_of([(i, i) for i in range(3000)]))
    with pytest.raises(ao.ModelTooLarge, match=r"^the pair-differences model would take 2 variables, .* are allowed"):
        PairDifferencesModel().build(problem, memory=1 << 20)


def test_a_search_for_maximal_insufficient_sets_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.models.maximal_gaps._MOST_LOOKS", 10)
    with pytest.raises(ao.ModelTooLarge, match=r"^the maximal-gaps model has grouped 16 cells and found 0 maximal"):
        MaximalGapsModel().build(
            ao.IdentifyingColumns(table_of([(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]))
        )


def test_maximal_insufficient_sets_are_the_complements_of_minimal_differences() -> None:
    rows = [(0, 0, 0, 1), (0, 1, 1, 1), (1, 1, 0, 0), (1, 0, 1, 0), (0, 0, 1, 0)]
    agree = {frozenset(c for c in range(4) if a[c] == b[c]) for a in rows for b in rows if a != b}
    maximal = {one for one in agree if not any(one < other for other in agree)}
    assert set(maximal_insufficient_sets(ao.IdentifyingColumns(table_of(rows)))) == maximal


def test_that_there_is_no_witness_is_stated_by_the_program_too() -> None:
    frame = pd.DataFrame({"zip": list("aabb"), "age": list("ccdd")})
    built = ao.get_model("anchor-rows").build(ao.WitnessColumns(ao.Table.from_frame(frame, ["zip", "age"]), 2))
    form = built.matrix
    assert (form.rows, form.row_lower.tolist(), form.coefficient.tolist()) in ((1, [1], []), (1, [1], [0]))
    answer = ao.solve_model(built, "highs")
    assert (answer.infeasible, answer.objective) == (True, None)
