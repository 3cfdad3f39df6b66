from __future__ import annotations

from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems.columns import mask_of, minimal
from anoptima.solvers.exact import barriers
from anoptima.solvers.exact.barriers import Barriers, EqualPairs, FailingClasses, Growing, LargeClasses, barriers_of
from anoptima.solvers.exact.covering import bits
from tests.column_sets import Choice, asked


def check(oracle: Barriers[Any], choice: Choice) -> None:
    m = len(choice.weights)
    for columns in choice.sets():
        unmet = oracle.unmet(columns)
        assert bool(unmet) == (not choice.good(columns))
        for barrier in unmet:
            assert not barrier & mask_of(columns)
            assert not choice.good(tuple(c for c in range(m) if not barrier >> c & 1))


@given(asked(most_rows=8, most_columns=4), st.integers(0, 3))
def test_barriers_are_unmet_true_and_there_exactly_if_a_set_does_not_suffice(asked: list[Choice], seed: int) -> None:
    for choice in asked:
        if choice.optimum() is not None:
            check(barriers_of(choice.problem, seed), choice)
            check(Growing(choice.problem, seed), choice)


@given(asked(most_rows=8, most_columns=4), st.integers(0, 3))
def test_samples_of_a_few_row_types_say_the_same(asked: list[Choice], seed: int) -> None:
    with mock.patch.multiple(barriers, _SAMPLED=3, _FEW=2):
        for choice in asked:
            if choice.optimum() is not None:
                check(barriers_of(choice.problem, seed), choice)


@given(asked(most_rows=8, most_columns=4), st.integers(0, 3))
def test_every_least_barrier_is_there_once_an_oracle_says_so(asked: list[Choice], seed: int) -> None:
    for choice in asked:
        if choice.optimum() is None:
            continue
        oracle = barriers_of(choice.problem, seed)
        check(oracle, choice)
        every, m = oracle.every(), len(choice.weights)
        if every is not None:
            outside = [mask_of(range(m)) & ~mask_of(chosen) for chosen in choice.sets() if not choice.good(chosen)]
            assert sorted(every) == sorted(minimal(outside))


@given(asked(most_rows=8, most_columns=4))
def test_grown_barriers_are_minimal(asked: list[Choice]) -> None:
    for choice in asked:
        m = len(choice.weights)
        for barrier in Growing(choice.problem, 0).unmet([]) if choice.optimum() is not None else []:
            for c in bits(barrier):
                assert choice.good(tuple(j for j in range(m) if j == c or not barrier >> j & 1))


def test_each_problem_has_its_own_oracle() -> None:
    table = ao.ten_rows()
    problems = (
        ao.IdentifyingColumns(table),
        ao.WitnessColumns(table, 2),
        ao.AttributeSuppression(table, ao.KAnonymity(2)),
    )
    assert [type(barriers_of(problem, 0)) for problem in problems] == [EqualPairs, LargeClasses, FailingClasses]
