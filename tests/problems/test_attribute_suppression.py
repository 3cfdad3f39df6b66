from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from tests import brute_force
from tests.cases import Case
from tests.strategies import cases


@given(cases())
def test_every_drop_costs_its_weight_and_violates_what_its_classes_do(case: Case) -> None:
    problem, rule = case.columns(), case.rule()
    names = problem.table.quasi
    for solution in problem.solutions():
        kept = [j for j, name in enumerate(names) if name not in solution.names]
        dropped = [price for price, name in zip(case.prices, names, strict=True) if name in solution.names]
        assert problem.cost(solution) == sum(dropped, Fraction(0))
        classes = brute_force.classes([tuple(row[j] for j in kept) for row in case.rows])
        assert len(problem.violations(solution)) == sum(not rule(group) for group in classes)
        assert problem.is_valid(problem.kept(solution)) == all(rule(group) for group in classes)


@given(cases())
def test_the_problem_itself_knows_optimum_bound_and_feasibility(case: Case) -> None:
    problem = case.columns()
    solutions = [*problem.solutions()]
    assert len({solution.names for solution in solutions}) == 2 ** len(case.prices)
    feasible = [problem.cost(solution) for solution in solutions if problem.is_feasible(solution)]
    best = brute_force.best_columns(case.rows, case.prices, case.rule())
    assert (min(feasible) if feasible else None) == (best[0] if best else None)
    assert (problem.why_infeasible() is None) == bool(feasible)
    if feasible:
        assert problem.lower_bound() <= min(feasible)
        assert problem.is_feasible(problem.trivial())
    else:
        with pytest.raises(ao.InfeasibleProblem):
            problem.trivial()


@given(cases(), st.data())
def test_a_release_is_read_back_as_the_columns_it_stars(case: Case, data: st.DataObject) -> None:
    problem = case.columns()
    solution = data.draw(st.sampled_from([*problem.solutions()]))
    release = problem.release(solution)
    assert problem.solution_of_release(release) == solution
    assert problem.cost_of_release(release) == problem.cost(solution)
    assert problem.violations_of_release(release) == problem.violations(solution)


def test_a_column_starred_in_part_is_no_attribute_suppression() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": ["1", "1"], "b": ["2", "2"]}), ["a", "b"])
    problem = ao.AttributeSuppression(table, ao.KAnonymity(2))
    release = table.release(np.array([[True, False], [False, False]]))
    assert problem.violations_of_release(release) == [
        "column 'a' is starred in some rows only; attribute suppression stars whole columns"
    ]


def test_a_column_that_is_not_there_cannot_be_dropped() -> None:
    problem = ao.AttributeSuppression(
        ao.Table.from_frame(pd.DataFrame({"a": [1], "b": [2]}), ["a"], "b"), ao.KAnonymity(1)
    )
    assert problem.violations(ao.DroppedColumns(frozenset({"b"}))) == [
        "'b' is no quasi-identifying column; those are a"
    ]


def test_the_lower_bound_counts_columns_that_cannot_even_stay_alone() -> None:
    frame = pd.DataFrame({"id": [1, 2, 3, 4], "x": [1, 1, 2, 2], "y": [1, 2, 1, 2]})
    table = ao.Table.from_frame(frame, ["id", "x", "y"], weights={"id": 5})
    problem = ao.AttributeSuppression(table, ao.KAnonymity(2))
    assert problem.lower_bound() == 5
    assert min(problem.cost(solution) for solution in problem.solutions() if problem.is_feasible(solution)) == 6
    assert ao.AttributeSuppression(table, ao.KAnonymity(1)).lower_bound() == 0


def test_where_any_one_column_may_stay_the_cheapest_one_goes_at_least() -> None:
    frame = pd.DataFrame({"x": [1, 1, 2, 2], "y": [1, 2, 1, 2]})
    table = ao.Table.from_frame(frame, ["x", "y"], weights={"x": "1/2", "y": 3})
    problem = ao.AttributeSuppression(table, ao.KAnonymity(2))
    assert problem.lower_bound() == Fraction(1, 2)
    assert problem.is_feasible(ao.DroppedColumns(frozenset({"x"})))


def test_the_papers_six_rows_lose_one_column() -> None:
    """Meyerson and Williams (2004), theorem 3.2: the hyperedges {1, 2, 3}, {4, 5, 6}, {2, 3, 4}."""
    rows = ["100", "101", "101", "011", "010", "010"]
    frame = pd.DataFrame([list(row) for row in rows], columns=list("abc"))
    problem = ao.AttributeSuppression(ao.Table.from_frame(frame, list("abc")), ao.KAnonymity(3))
    feasible = {"".join(sorted(solution.names)) for solution in problem.solutions() if problem.is_feasible(solution)}
    assert feasible == {"c", "ab", "ac", "bc", "abc"}


def test_thousands_of_failing_classes_are_counted() -> None:
    problem = ao.AttributeSuppression(ao.Table.from_frame(pd.DataFrame({"q": range(1500)}), ["q"]), ao.KAnonymity(2))
    found = problem.violations(ao.DroppedColumns(frozenset()))
    assert len(found) == 101
    assert found[0] == "the class of row 1 on the kept columns: k = 2 but there is only 1 row"
    assert found[-1] == "1,400 more classes fail"
