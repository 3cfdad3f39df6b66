from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.solvers.approximate.approximation import CellApproximation
from anoptima.solvers.approximate.mondrian import Order

tables = st.integers(1, 3).flatmap(
    lambda m: st.lists(st.tuples(*[st.integers(0, 5)] * m), min_size=1, max_size=40).map(
        lambda rows: pd.DataFrame(rows).rename(columns=str)
    )
)


def groups_of(frame: pd.DataFrame, k: int, name: str) -> list[list[tuple[int, ...]]]:
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(k))
    rows = list(frame.itertuples(index=False, name=None))
    return [[rows[i] for i in group] for group in cut(problem, name)]


def cut(problem: ao.CellSuppression, name: str) -> list[list[int]]:
    """What the algorithm makes; an answer keeps the trivial partition where that costs no more."""
    solver = ao.get_solver(name)
    assert isinstance(solver, CellApproximation)
    return solver.partition(problem, lambda: False).groups()


@given(tables, st.integers(1, 4))
def test_strict_groups_are_as_small_as_lefevre_dewitt_and_ramakrishnan_prove(frame: pd.DataFrame, k: int) -> None:
    if len(frame) >= k:
        most = max(Counter(frame.itertuples(index=False, name=None)).values())
        largest = max(map(len, groups_of(frame, k, "mondrian")))
        assert largest <= max(2 * len(frame.columns) * (k - 1) + most, 2 * k - 1)


@given(tables, st.integers(1, 4))
def test_strict_cuts_keep_equal_rows_together(frame: pd.DataFrame, k: int) -> None:
    if len(frame) >= k:
        groups = groups_of(frame, k, "mondrian")
        assert sum(len(set(group)) for group in groups) == len(frame.drop_duplicates())


@given(tables, st.integers(1, 4))
def test_relaxed_groups_with_a_star_have_less_than_two_k_rows(frame: pd.DataFrame, k: int) -> None:
    if len(frame) >= k:
        assert all(len(group) < 2 * k for group in groups_of(frame, k, "mondrian-relaxed") if len(set(group)) > 1)


def test_the_widest_column_is_cut_first() -> None:
    frame = pd.DataFrame({"age": [20, 21, 60, 61], "size": [1, 2, 1, 2]})
    # Both have the range of the whole table, and the first of two as wide is cut.
    assert groups_of(frame, 2, "mondrian") == [[(20, 1), (21, 2)], [(60, 1), (61, 2)]]
    assert groups_of(frame[["size", "age"]], 2, "mondrian") == [[(1, 20), (1, 60)], [(2, 21), (2, 61)]]
    frame["size"] = [1, 2, 1, 9]
    assert groups_of(frame, 2, "mondrian") == [[(20, 1), (21, 2)], [(60, 1), (61, 9)]]


@pytest.mark.parametrize("name", ["mondrian", "mondrian-relaxed"])
def test_values_are_cut_apart_beside_one_that_is_far_off(name: str) -> None:
    frame = pd.DataFrame({"income": [*range(99), 10**12]})
    assert max(map(len, groups_of(frame, 2, name))) <= 3
    assert (
        ao.solve(
            ao.CellSuppression(ao.Table.from_frame(pd.DataFrame({"x": ["1", "1.0"] * 4}), ["x"]), ao.KAnonymity(2)),
            name,
        ).cost
        == 0
    )


def test_the_other_side_of_the_median_is_tried() -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 2, 2]})
    assert groups_of(frame, 2, "mondrian") == [[(1,), (1,)], [(2,), (2,), (2,)]]


def test_both_sides_satisfy_the_principle() -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 2], "ill": ["x", "x", "y", "y"]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a"], "ill"), ao.LDiversity(2))
    assert cut(problem, "mondrian") == [[0, 1, 2, 3]]
    frame = pd.DataFrame({"a": [1, 2, 2, 3], "ill": ["x", "y", "x", "y"]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a"], "ill"), ao.LDiversity(2))
    assert cut(problem, "mondrian") == [[0, 1, 2, 3]]
    assert cut(problem, "mondrian-relaxed") == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("values", "ranks", "numeric"),
    [
        (["10", "9", "8.5"], [2, 1, 0], True),
        ([3, None, 1], [1, 2, 0], True),
        (["7", "", "5"], [1, 2, 0], True),
        (["b", "a", "10"], [2, 1, 0], False),
        ([None, None], [0], False),
        (["1", "nan"], [0, 1], False),
        ([1, "a", None], [0, 1, 2], False),
    ],
)
def test_orders(values: list[Any], ranks: list[int], numeric: bool) -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": pd.Series(values, dtype=object)}), ["a"])
    order = Order(table.quasi_columns[0])
    assert (order.rank.tolist(), order.numeric) == (ranks, numeric)


def test_widths_are_differences_of_numbers_and_counts_of_categories() -> None:
    frame = pd.DataFrame({"age": [0, 10, 100, 40], "sex": ["a", "b", "b", "c"]})
    age, sex = (Order(column) for column in ao.Table.from_frame(frame, ["age", "sex"]).quasi_columns)
    parts = np.array([0, 0, 1, 1])
    assert [width / 2**20 for width in age.widths(parts, np.arange(4), 2)] == pytest.approx([0.1, 0.6], abs=1e-5)
    assert [width / 2**20 for width in sex.widths(parts, np.array([0, 1, 1, 2]), 2)] == [0.5, 0.5]


def test_without_time_the_trivial_partition_comes_back() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    assert ao.solve(problem, "mondrian", time_limit=0).solution == problem.trivial()
