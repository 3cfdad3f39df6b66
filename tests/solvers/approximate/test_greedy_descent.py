from __future__ import annotations

import itertools
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

import anoptima as ao
from anoptima.instances.errata_columns import example_of_five_rows
from anoptima.solvers.approximate.greedy_descent import descend
from tests.column_sets import Choice, Good, asked, table_of


def yuan_wang(good: Good, m: int) -> frozenset[int]:
    """Their algorithm, line by line; it stops at the empty set, where the paper asks for sets of size -1."""
    fields, found = tuple(range(m)), True
    while found and fields:
        found = False
        for smaller in itertools.combinations(fields, len(fields) - 1):
            if good(smaller):
                found, fields = True, smaller
                break
    return frozenset(fields)


@given(asked())
def test_with_equal_weights_one_pass_ends_where_yuan_and_wang_end(asked: list[Choice]) -> None:
    for choice in asked:
        if choice.optimum() is not None and set(choice.weights) == {Fraction(1)}:
            answer = ao.solve(choice.problem, "greedy-descent")
            assert choice.problem.columns_of(answer.solution) == yuan_wang(choice.good, len(choice.weights))


@given(asked())
def test_what_is_left_is_minimal(asked: list[Choice]) -> None:
    for choice in asked:
        answer = ao.solve(choice.problem, "greedy-descent")
        assert answer.verify()
        if choice.optimum() is None:
            assert answer.claim is ao.Claim.INFEASIBLE
            continue
        left = choice.problem.columns_of(answer.solution)
        assert choice.good(tuple(sorted(left)))
        assert not any(choice.good(tuple(sorted(left - {c}))) for c in left)


def test_equal_columns_go_from_the_last_to_the_first() -> None:
    """Any single column of these identifies; `combinations` drops the last column first, so the first one stays."""
    problem = ao.IdentifyingColumns(table_of([(0, 0, 0, 0), (1, 1, 1, 1)]))
    assert ao.solve(problem, "greedy-descent", start=None).solution == ao.QuasiIdentifier(frozenset({"q0"}))


def test_the_example_of_yuan_and_wang_ends_at_b_and_c() -> None:
    answer = ao.solve(ao.IdentifyingColumns(example_of_five_rows()), "greedy-descent", start=None)
    assert answer.solution == ao.QuasiIdentifier(frozenset("bc"))
    witness = ao.solve(ao.WitnessColumns(example_of_five_rows(), 2), "greedy-descent", start=None)
    assert witness.solution == ao.QuasiIdentifier(frozenset("a"))


def test_one_distinct_row_needs_no_column() -> None:
    table = table_of([(0, 1), (0, 1), (0, 1)])
    empty = ao.QuasiIdentifier(frozenset())
    assert ao.solve(ao.IdentifyingColumns(table), "greedy-descent", start=None).solution == empty
    assert ao.solve(ao.WitnessColumns(table, 4), "greedy-descent", start=None).solution == empty
    none = ao.solve(ao.WitnessColumns(table, 3), "greedy-descent", start=None)
    assert none.claim is ao.Claim.INFEASIBLE
    assert none.reason == (
        "all columns together are no witness set: k = 3 and the smallest class on them has 3 rows; "
        "the table is 3-anonymous as it is"
    )


@given(asked())
def test_one_pass_is_one_question_a_column(asked: list[Choice]) -> None:
    for choice in asked:
        kind, columns = type(choice.problem), range(len(choice.weights))
        if choice.optimum() is not None:
            with mock.patch.object(kind, "suffices", autospec=True, side_effect=kind.suffices) as question:
                descend(choice.problem, columns, lambda: False)
            assert question.call_count == len(columns)


def test_very_many_columns_take_few_questions_and_end_alike() -> None:
    dice = np.random.default_rng(3)
    problem = ao.IdentifyingColumns(table_of([tuple(row) for row in dice.integers(0, 2, (30, 700)).tolist()]))
    left = set(range(700))
    for column in reversed(range(700)):
        if problem.suffices(left - {column}):
            left.remove(column)
    kind = ao.IdentifyingColumns
    with mock.patch.object(kind, "suffices", autospec=True, side_effect=kind.suffices) as question:
        assert descend(problem, range(700), lambda: False) == left
    assert question.call_count < 150


def test_the_dearest_columns_go_first() -> None:
    answer = ao.solve(ao.IdentifyingColumns(table_of([(0, 0), (1, 1)], [3, 2])), "greedy-descent")
    assert answer.solution == ao.QuasiIdentifier(frozenset({"q1"}))


def test_it_gives_up_columns_of_its_start() -> None:
    problem = ao.IdentifyingColumns(table_of([(0, 0, 0), (1, 1, 1)]))
    start = ao.QuasiIdentifier(frozenset({"q1", "q2"}))
    assert ao.solve(problem, "greedy-descent", start=start).solution == ao.QuasiIdentifier(frozenset({"q1"}))


def test_without_time_the_start_comes_back() -> None:
    problem = ao.IdentifyingColumns(table_of([(0, 0, 0), (1, 1, 1)]))
    answer = ao.solve(problem, "greedy-descent", time_limit=0)
    assert answer.solution == problem.trivial()


def test_it_is_not_for_cells() -> None:
    with pytest.raises(
        ao.NotApplicable, match=r"^greedy-descent is for problems that choose columns, not for cell-supp"
    ):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "greedy-descent")
