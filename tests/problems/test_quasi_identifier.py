from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import anoptima as ao
from anoptima.problems.isolating_columns import IsolatingColumns
from tests.column_sets import Choice, asked, choices, table_of
from tests.loops import each


def chosen(names: Iterable[str]) -> ao.QuasiIdentifier:
    return ao.QuasiIdentifier(frozenset(names))


@given(asked())
def test_the_checker_agrees_with_the_definition_on_every_set(asked: list[Choice]) -> None:
    for choice in asked:
        problem = choice.problem
        for columns in choice.sets():
            solution = problem.solution_of(columns)
            assert problem.columns_of(solution) == set(columns)
            assert problem.suffices(columns) == problem.is_feasible(solution) == choice.good(columns)
            assert problem.cost(solution) == choice.price(columns)
        assert [problem.columns_of(solution) for solution in problem.solutions()] == [*map(set, choice.sets())]


@given(asked())
def test_feasibility_trivial_solution_and_bounds_agree_with_trying_every_set(asked: list[Choice]) -> None:
    for choice in asked:
        problem, optimum = choice.problem, choice.optimum()
        assert (problem.why_infeasible() is None) == (optimum is not None)
        if optimum is None:
            with pytest.raises(ao.InfeasibleProblem):
                problem.trivial()
        else:
            assert problem.is_feasible(problem.trivial())
            assert max(problem.lower_bound(), problem.least_choice()) <= optimum


@given(asked())
def test_more_columns_never_spoil_a_set(asked: list[Choice]) -> None:
    for choice in asked:
        m = len(choice.weights)
        for columns in choice.sets():
            if choice.problem.suffices(columns):
                assert all(choice.problem.suffices({*columns, c}) for c in range(m))


# ---- Yuan and Wang ------------------------------------------------------------------------------------------------------------

EXAMPLE = ["x 1 x 6 x", "x x 2 7 x", "x 3 x 8 x", "x x 4 x 9", "5 x x x 0"]
"""Their example 5.2."""


def example() -> ao.Table:
    frame = pd.DataFrame([row.split() for row in EXAMPLE], columns=list("abcde"))
    return ao.Table.from_frame(frame, quasi=list("abcde"))


def test_the_paper_claims_that_de_is_the_minimum_and_five_pairs_are() -> None:
    problem = ao.IdentifyingColumns(example())
    pairs = {"".join(pair) for pair in itertools.combinations("abcde", 2) if problem.is_feasible(chosen(pair))}
    assert pairs == {"ad", "bc", "be", "cd", "de"}
    assert not any(problem.is_feasible(chosen(name)) for name in "abcde")
    assert ao.solve(problem, "hitting-set").cost == 2


def test_the_paper_claims_that_bc_fails_and_the_algorithm_ends_at_abc_but_it_ends_at_bc() -> None:
    problem = ao.IdentifyingColumns(example())
    assert problem.is_feasible(chosen("abc"))
    assert problem.is_feasible(chosen("bc"))
    answer = ao.solve(problem, "greedy-descent")
    assert answer.solution == chosen("bc")


def test_as_the_paper_defines_it_any_single_column_is_a_quasi_identifier_of_the_example() -> None:
    problem = ao.WitnessColumns(example(), 2)
    assert all(problem.is_feasible(chosen(name)) for name in "abcde")
    assert not problem.is_feasible(chosen(""))
    assert ao.solve(problem, "hitting-set").cost == 1


SETS = {"c1": "abc", "c2": "bd", "c3": "cd", "c4": "de"}
"""Their example 4.2 of the reduction from minimum cover."""


def cover_table(copies: int) -> ao.Table:
    rows = [
        {name: e if e in members else "-" for name, members in SETS.items()} for e in "abcde" for _ in range(copies)
    ]
    return ao.Table.from_frame(pd.DataFrame([*rows, dict.fromkeys(SETS, "-")]), quasi=list(SETS))


def test_identifying_columns_of_the_reduction_are_covers() -> None:
    problem = ao.IdentifyingColumns(cover_table(1))
    for solution in problem.solutions():
        assert problem.is_feasible(solution) == ({*"".join(SETS[name] for name in solution.names)} == {*"abcde"})
    assert problem.violations(chosen(["c1", "c2", "c3"])) == [
        "rows 5 and 6 differ and are equal on the chosen columns; 5 of 6 distinct rows are told apart"
    ]
    answer = ao.solve(problem, "hitting-set")
    assert answer.solution == chosen(["c1", "c4"])


def test_as_the_paper_defines_it_its_reduction_proves_nothing_as_one_column_isolates_an_element() -> None:
    assert ao.solve(ao.WitnessColumns(cover_table(1), 2), "hitting-set").cost == 1


@each("k", [2, 3, 4])
def test_with_k_copies_of_each_element_witness_columns_are_covers_too(k: int) -> None:
    problem = ao.WitnessColumns(cover_table(k), k)
    for solution in problem.solutions():
        assert problem.is_feasible(solution) == ({*"".join(SETS[name] for name in solution.names)} == {*"abcde"})


# ---- refusals and words -------------------------------------------------------------------------------------------------------


def test_k_has_to_be_a_whole_number_from_1_up() -> None:
    table = table_of([(0,), (1,)])
    with pytest.raises(ao.BadInput, match=r"^k is 0; it must be at least 1$"):
        ao.WitnessColumns(table, 0)
    with pytest.raises(ao.BadInput, match=r"^k is 1\.5; it must be a whole number$"):
        ao.WitnessColumns(table, 1.5)  # type: ignore[arg-type]


def test_a_table_that_is_k_anonymous_has_no_witness_columns_and_every_solver_says_so() -> None:
    problem = ao.WitnessColumns(table_of([(0, 0), (0, 0), (1, 0), (1, 0)]), 2)
    reason = "all columns together are no witness set: k = 2 and the smallest class on them has 2 rows; the table is 2-anonymous as it is"
    for solver in ao.solvers_for(problem):
        answer = ao.solve(problem, solver)
        assert (answer.claim, answer.reason) == (ao.Claim.INFEASIBLE, reason)
    with pytest.raises(ao.InfeasibleProblem, match="no witness set"):
        problem.trivial()


def test_if_k_exceeds_the_rows_no_column_is_needed() -> None:
    problem = ao.WitnessColumns(table_of([(0, 0), (1, 0)]), 3)
    assert problem.is_feasible(chosen([]))
    assert problem.lower_bound() == 0
    answer = ao.solve(problem)
    assert (answer.solution, answer.cost) == (chosen([]), 0)


def test_a_table_of_equal_rows_is_identified_by_no_column() -> None:
    problem = ao.IdentifyingColumns(table_of([(0, 1), (0, 1), (0, 1)]))
    answer = ao.solve(problem)
    assert (answer.solution, answer.claim) == (chosen([]), ao.Claim.OPTIMAL)
    assert ao.solve(problem, "greedy-descent").solution == chosen([])


def test_an_unknown_column_is_named() -> None:
    said = ["'zip' is no quasi-identifying column; those are q0, q1"]
    for choice in choices([(0, 1), (1, 1)], [1, 1], 2):
        solution = choice.problem.solution_of([0])
        wrong = type(solution)(frozenset({"zip", "q0"}))
        assert choice.problem.violations(wrong) == said


def test_costs_read_as_columns_or_as_weight() -> None:
    plain = ao.IdentifyingColumns(table_of([(0, 1), (1, 1)]))
    weighed = ao.IdentifyingColumns(table_of([(0, 1), (1, 1)], [2, 1]))
    assert plain.describe_cost(1) == "1 column of 2"
    assert weighed.describe_cost(2) == "columns of weight 2"


def test_the_smallest_class_is_given() -> None:
    problem = ao.WitnessColumns(table_of([(0, 0), (0, 1), (1, 0), (1, 1)]), 2)
    assert problem.violations(chosen(["q0"])) == [
        "every class on the chosen columns has at least 2 rows; one with fewer than k = 2 is asked for"
    ]


@pytest.mark.parametrize(
    "kind", [ao.WitnessColumns, ao.DiameterSum, lambda table, k: IsolatingColumns(table, "1/2", k)]
)
def test_sizes_of_numpy_are_whole_numbers_in_every_file(tmp_path: Path, kind: Any) -> None:
    problem = kind(ao.ten_rows(), np.int64(2))
    assert type(problem.k) is int
    ao.save_proof(ao.solve(problem), tmp_path / "proof.json")
    back: Any = ao.read_proof(tmp_path / "proof.json").problem_on(problem.table)
    assert back.k == 2
    if not isinstance(problem, ao.DiameterSum):
        ao.solve(problem, checkpoint=tmp_path / "run.json")


def test_chosen_columns_are_a_frozen_set_whatever_set_they_are_given_as() -> None:
    names: Any = {"zip", "age"}
    kinds: tuple[Any, ...] = (ao.QuasiIdentifier, ao.DroppedColumns)
    for kind in kinds:
        assert {kind(names), kind(frozenset(names))} == {kind(frozenset(names))}
