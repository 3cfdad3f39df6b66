from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import anoptima as ao
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.greedy_pairs import columns_by_pairs
from tests.column_sets import Choice, asked, table_of


@given(asked())
def test_no_optimum_is_missed_by_more_than_the_ratio(asked: list[Choice]) -> None:
    for choice in asked:
        best = choice.optimum()
        if best is None or isinstance(choice.problem, ao.WitnessColumns):
            continue
        answer = ao.solve(choice.problem, "greedy-pairs")
        assert answer.verify()
        chosen = choice.problem.columns_of(answer.solution)
        assert all(not choice.good(tuple(chosen - {column})) for column in chosen), "some column is needless"
        ratio = algorithms.get("greedy-pairs").ratio(choice.problem)
        assert (ratio is None) == isinstance(choice.problem, ao.AttributeSuppression)
        assert answer.bound is not None
        assert answer.bound.value <= best
        if ratio is not None:
            assert Fraction(answer.cost or 0) <= ratio * best


def told_apart(rows: list[tuple[int, ...]], chosen: list[int], column: int) -> int:
    """Return how many pairs of rows agree on the chosen columns and differ in a further one."""
    return sum(
        one[column] != other[column] and all(one[c] == other[c] for c in chosen)
        for one, other in itertools.combinations(rows, 2)
    )


def test_each_column_tells_most_pairs_apart_for_its_weight_or_least() -> None:
    """By counting pairs one by one."""
    chance = np.random.default_rng(4)
    for _ in range(20):
        rows = [tuple(row) for row in chance.integers(0, 3, (12, 5)).tolist()]
        weights = [Fraction(int(w), 2) for w in chance.integers(1, 5, 5)]
        table = table_of(rows, weights)
        chosen: list[int] = []
        for column in columns_by_pairs(ao.IdentifyingColumns(table)):
            worth = [
                Fraction(told_apart(sorted(set(rows)), chosen, c)) / weights[c] for c in range(5) if c not in chosen
            ]
            assert Fraction(told_apart(sorted(set(rows)), chosen, column)) / weights[column] == max(worth)
            chosen.append(column)
        problem = ao.AttributeSuppression(table, ao.KAnonymity(2))
        kept = set(range(5)) - set(columns_by_pairs(problem))
        can = [c for c in range(5) if problem.suffices([other for other in range(5) if other != c])]
        if can:
            assert min(can, key=lambda c: (Fraction(told_apart(rows, [], c)) / weights[c], c)) in kept


def test_few_columns_of_many_are_found_where_descent_keeps_more() -> None:
    """Four columns of two values identify sixteen rows; a descent from the last column on keeps those of one rare value each."""
    rows = [[n >> bit & 1 for bit in range(4)] + [int(n == m) for m in range(15)] for n in range(16)]
    frame = pd.DataFrame(rows).rename(columns=str)
    problem = ao.IdentifyingColumns(ao.Table.from_frame(frame[[*reversed(frame.columns)]], [*reversed(frame.columns)]))
    costs = {name: ao.solve(problem, name, start=None).cost for name in ("greedy-pairs", "greedy-descent")}
    assert costs["greedy-pairs"] == 4
    assert ao.solve(problem).cost == 4


def test_weights_of_any_size_are_compared() -> None:
    """They need not fit into 62 bits once made whole: that was a fault of the start, in a warning, where the default had an answer."""
    frame = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "c": [1, 2, 3, 4]})
    table = ao.Table.from_frame(frame, ["a", "b", "c"], weights={"a": 10**12, "b": "1/1000000", "c": 3})
    problem = ao.IdentifyingColumns(table)
    assert columns_by_pairs(problem) == [1, 2]
    assert ao.solve(problem, "greedy-pairs").cost == 3


def test_what_it_is_not_for() -> None:
    with pytest.raises(
        ao.NotApplicable, match=r"^greedy-pairs is for identifying-columns and attribute-suppression, not for witness"
    ):
        ao.solve(ao.WitnessColumns(ao.ten_rows(), 2), "greedy-pairs")
