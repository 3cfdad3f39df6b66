"""The judge is judged: worked examples from the literature, closed forms, and searches that are dumber still."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brute_force import (
    Rule,
    all_of,
    best_columns,
    best_partition,
    best_suppressor,
    close,
    distinct_diverse,
    earth_mover,
    equal_distance,
    frequency_diverse,
    group_cost,
    k_anonymous,
    numeric_distance,
    ordered_distance,
    partition_cost,
    partitions,
    release_cost,
    tree_distance,
    wrong_in_release,
)


def best(rows: list[Any], rule: Rule, weights: list[Fraction] | None = None) -> Fraction | None:
    split = [tuple(row) for row in rows]
    found = best_partition(split, weights or [1] * len(split[0]), rule)
    if found is None:
        return None
    cost, groups = found
    assert sorted(row for group in groups for row in group) == list(range(len(rows)))
    assert all(rule(group) for group in groups)
    assert partition_cost(split, weights or [1] * len(split[0]), groups) == cost
    return cost


def test_four_rows_of_letters() -> None:
    assert best(["xab", "zcd", "yab", "zce"], k_anonymous(2)) == 4


@pytest.mark.parametrize(("k", "cost"), [(1, 0), (2, 8), (3, 15), (4, 15), (5, 15), (6, None)])
def test_five_binary_rows(k: int, cost: int | None) -> None:
    assert best(["000", "001", "011", "111", "110"], k_anonymous(k)) == cost


def test_the_x_ray_table() -> None:
    rows = [
        ("Harry", "Stone", 34, "Afr-Am"),
        ("John", "Reyser", 36, "Cauc"),
        ("Beatrice", "Stone", 47, "Afr-Am"),
        ("John", "Ramos", 22, "Hisp"),
    ]
    assert best(rows, k_anonymous(2)) == 10


def test_three_rows_at_distance_two() -> None:
    assert group_cost([tuple("1010"), tuple("1110"), tuple("0110")], [1] * 4, (0, 1, 2)) == 6


def test_closed_patterns_may_not_absorb_rows() -> None:
    assert best(["0", "0", "1"], k_anonymous(2)) == 3


def test_a_repeated_distribution() -> None:
    assert best(["00", "01", "10", "11"], close("abab", 0, equal_distance)) == 4


def test_distinct_is_weaker_than_frequency() -> None:
    group = (0, 1, 2)
    assert distinct_diverse("aab", 2)(group)
    assert not frequency_diverse("aab", 2)(group)
    assert frequency_diverse("aab", Fraction(3, 2))(group)


def test_a_distinct_group_that_cannot_be_split() -> None:
    assert best(["0", "1", "2", "3", "4"], distinct_diverse("aaaab", 2)) == 5
    assert best(["0", "1", "2", "3", "4"], distinct_diverse("aaabb", 2)) == 5
    assert best(["0", "0", "1", "1", "1"], distinct_diverse("ababb", 2)) == 0


def test_dropping_one_column_of_the_matching_table() -> None:
    """Meyerson and Williams' reduction of the edges {1,2,3}, {4,5,6}, {2,3,4}: the first two are a perfect matching."""
    rows = [(1, 0, 0), (1, 0, 1), (1, 0, 1), (0, 1, 1), (0, 1, 0), (0, 1, 0)]
    assert best_columns(rows, [1, 1, 1], k_anonymous(3)) == (Fraction(1), frozenset({2}))
    assert best_columns(rows, [1, 1, Fraction(7, 2)], k_anonymous(3)) == (Fraction(2), frozenset({0, 1}))
    assert best_columns(rows, [1, 1, 1], k_anonymous(7)) is None


def test_weights_move_the_optimum() -> None:
    rows = ["00", "01", "10", "11"]
    assert best(rows, k_anonymous(2), [Fraction(1, 3), Fraction(5)]) == Fraction(4, 3)


# ---- distances ----------------------------------------------------------------------------------------------------------------


def moved(p: list[int], q: list[int], values: list[Any], distance: Any) -> Fraction:
    return earth_mover(
        [Fraction(x, sum(p)) for x in p],
        [Fraction(x, sum(q)) for x in q],
        [[distance(v, w) for w in values] for v in values],
    )


def test_nine_salaries() -> None:
    values = list(range(3, 12))
    for distance in (ordered_distance(values), numeric_distance(values)):
        assert moved([1, 1, 1, 0, 0, 0, 0, 0, 0], [1] * 9, values, distance) == Fraction(3, 8)
        assert moved([0, 0, 0, 1, 0, 1, 0, 0, 1], [1] * 9, values, distance) == Fraction(1, 6)


def test_a_hierarchy_of_height_two() -> None:
    values, tree = list("abcd"), {"first": ["a", "b"], "second": ["c", "d"]}
    assert moved([1, 1, 0, 0], [1] * 4, values, tree_distance(tree)) == Fraction(1, 2)
    assert moved([1, 0, 1, 0], [1] * 4, values, tree_distance(tree)) == Fraction(1, 4)
    assert moved([1, 1, 0, 0], [1] * 4, values, equal_distance) == Fraction(1, 2)
    assert moved([1, 0, 1, 0], [1] * 4, values, equal_distance) == Fraction(1, 2)


distributions = st.integers(1, 5).flatmap(
    lambda size: st.tuples(*(st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any) for _ in range(2)))
)


@given(distributions)
def test_equal_distance_is_total_variation(pair: tuple[list[int], list[int]]) -> None:
    p, q = pair
    variation = sum(abs(Fraction(x, sum(p)) - Fraction(y, sum(q))) for x, y in zip(p, q, strict=True)) / 2
    assert moved(p, q, list(range(len(p))), equal_distance) == variation


@given(distributions)
def test_on_a_line_what_crosses_each_step_is_the_surplus_before_it(pair: tuple[list[int], list[int]]) -> None:
    p, q = pair
    size = len(p)
    crossing = [abs(Fraction(sum(p[:i]), sum(p)) - Fraction(sum(q[:i]), sum(q))) for i in range(1, size)]
    assert moved(p, q, list(range(size)), ordered_distance(range(size))) == sum(crossing, Fraction(0)) / max(
        1, size - 1
    )


@given(
    st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(lambda p: 0 < sum(p) <= 3),
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3),
)
def test_against_every_whole_plan(p: list[int], lengths: list[list[int]]) -> None:
    """With whole supplies some cheapest plan is whole; and these distances need not be a metric."""
    supply, demand = [3 * x for x in p], [sum(p)] * 3
    lines = [[line for line in product(range(x + 1), repeat=3) if sum(line) == x] for x in supply]
    plans = [plan for plan in product(*lines) if [sum(column) for column in zip(*plan, strict=True)] == demand]
    costs = [sum(lengths[i][j] * plan[i][j] for i in range(3) for j in range(3)) for plan in plans]
    found = earth_mover(
        [Fraction(x) for x in supply], [Fraction(x) for x in demand], [[Fraction(x) for x in line] for line in lengths]
    )
    assert found == min(costs)


# ---- searches that are dumber still ---------------------------------------------------------------------------------------------


def rules(values: str) -> st.SearchStrategy[Rule]:
    half = Fraction(1, 2)
    single = st.sampled_from(
        [
            *(k_anonymous(k) for k in (1, 2, 3)),
            *(frequency_diverse(values, diversity) for diversity in (1, 3 * half, 2)),
            *(distinct_diverse(values, diversity) for diversity in (1, 2)),
            *(close(values, t, equal_distance) for t in (0, half / 2, half)),
        ]
    )
    return st.lists(single, min_size=1, max_size=2).map(all_of)


@st.composite
def small(draw: st.DrawFn, rows: int, columns: int) -> tuple[list[tuple[int, ...]], list[Fraction], Rule]:
    n, m = draw(st.integers(1, rows)), draw(st.integers(1, columns))
    table = draw(st.lists(st.tuples(*[st.integers(0, 1)] * m), min_size=n, max_size=n))
    weights = draw(st.lists(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3)]), min_size=m, max_size=m))
    values = draw(st.text("ab", min_size=n, max_size=n))
    return table, weights, draw(rules(values))


@given(small(6, 3))
def test_best_partition_is_the_best_of_all_partitions(case: tuple[list[tuple[int, ...]], list[Fraction], Rule]) -> None:
    rows, weights, rule = case
    allowed = [groups for groups in partitions(tuple(range(len(rows)))) if all(map(rule, groups))]
    costs = [partition_cost(rows, weights, groups) for groups in allowed]
    found = best_partition(rows, weights, rule)
    assert (found[0] if found else None) == min(costs, default=None)


@given(small(5, 2))
def test_best_partition_is_the_best_suppressor(case: tuple[list[tuple[int, ...]], list[Fraction], Rule]) -> None:
    rows, weights, rule = case
    found = best_partition(rows, weights, rule)
    assert (found[0] if found else None) == best_suppressor(rows, weights, rule)


def test_what_is_wrong_with_a_release() -> None:
    rows = [("a", 1), ("b", 1), ("b", None)]
    twos = k_anonymous(2)
    assert wrong_in_release(rows, [("*", "*"), ("*", "*"), ("*", "*")], twos) is None
    assert wrong_in_release(rows, [("*", 1), ("*", 1), ("*", "*")], twos) == "the class (2,) breaks the rule"
    assert (
        wrong_in_release(rows, [("b", 1), ("b", 1), ("b", 1)], twos) == "row 0 is ('a', 1) and is published as ('b', 1)"
    )
    assert wrong_in_release(rows, [("*", "*")], twos) == "1 rows are published of 3"
    assert release_cost([("*", 1), ("*", "*")], [2, Fraction(1, 2)]) == Fraction(9, 2)
