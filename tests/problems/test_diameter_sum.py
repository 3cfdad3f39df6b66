from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems import diameter_sum
from tests.grouping import Rows, draw_rows, least_total
from tests.loops import each


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    return draw_rows(lambda options: draw(st.sampled_from(options)), 6)


@given(tables(), st.integers(1, 4))
def test_the_problem_itself_knows_optimum_bound_and_feasibility(rows: Rows, k: int) -> None:
    problem = ao.DiameterSum(rows.table(), k)
    feasible = []
    for solution in problem.solutions():
        groups = [tuple(group) for group in solution.groups()]
        assert problem.cost(solution) == sum((rows.diameter(group) for group in groups), Fraction(0))
        wrong = [group for group in groups if not k <= len(group) <= 2 * k - 1]
        assert len(problem.violations(solution)) == len(wrong)
        if not wrong:
            feasible.append(problem.cost(solution))
    assert (problem.why_infeasible() is None) == bool(feasible)
    if feasible:
        assert problem.lower_bound() <= min(feasible) <= problem.cost(problem.trivial())
        assert problem.is_feasible(problem.trivial())
    else:
        with pytest.raises(ao.InfeasibleProblem, match=f"k = {k} but there"):
            problem.trivial()


@each("k", range(1, 8))
def test_every_number_of_rows_from_k_on_is_a_sum_of_allowed_sizes(k: int) -> None:
    for n in range(1, 6 * k):
        problem = ao.DiameterSum(ao.Table.from_frame(pd.DataFrame({"a": range(n)}), ["a"]), k)
        assert (problem.why_infeasible() is None) == (n >= k)
        if n >= k:
            assert problem.is_feasible(problem.trivial())


@given(tables())
def test_a_groups_stars_are_at_most_half_its_square_times_its_diameter(rows: Rows) -> None:
    """|S| bad(S) <= |S|^2 diam(S) / 2, weights and all: every bad column separates |S| - 1 pairs at least."""
    for mask in range(1, 1 << len(rows.cells)):
        group = tuple(i for i in range(len(rows.cells)) if mask >> i & 1)
        assert rows.stars(group) <= Fraction(len(group) ** 2, 2) * rows.diameter(group)


@given(tables(), st.integers(1, 4), st.data())
def test_stars_and_diameters_bound_each_other(rows: Rows, k: int, data: st.DataObject) -> None:
    """k D* <= OPT <= stars(P) <= (2k - 1)^2 / 2 diameters(P), for every partition P into k to 2k - 1 rows."""
    n = len(rows.cells)
    if n < k:
        return
    problem = ao.DiameterSum(rows.table(), k)
    least = least_total(n, lambda group: rows.diameter(group) if k <= len(group) <= 2 * k - 1 else None)
    stars = least_total(n, lambda group: rows.stars(group) if len(group) >= k else None)
    assert least is not None
    assert stars is not None
    assert k * least <= stars
    solution = data.draw(st.sampled_from([s for s in problem.solutions() if problem.is_feasible(s)]))
    cost = ao.CellSuppression(rows.table(), ao.KAnonymity(k)).cost(solution)
    assert stars <= cost <= Fraction((2 * k - 1) ** 2, 2) * problem.cost(solution)


@each("size", range(2, 9))
def test_unit_vectors_reach_the_bound(size: int) -> None:
    """Rows e_1 ... e_s: every two are 2 apart and every column is bad, so s^2 stars = s^2 * 2 / 2."""
    cells = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    rows = Rows(cells, [0] * size, [Fraction(1)] * size)
    everything = tuple(range(size))
    assert rows.stars(everything) == Fraction(size**2, 2) * rows.diameter(everything)
    table = rows.table()
    whole = ao.Partition(np.zeros(size, dtype=np.int64))
    assert ao.CellSuppression(table, ao.KAnonymity(size)).cost(whole) == size**2
    assert ao.DiameterSum(table, size).cost(whole) == 2


@each("columns", range(1, 5))
def test_the_bound_as_printed_is_false(columns: int) -> None:
    """Meyerson and Williams (2004), Lemma 4.1, bound a group's stars by C(|S|, 2) diam(S): two rows d apart cost 2 d, not d."""
    rows = Rows([(0,) * columns, (1,) * columns], [0, 0], [Fraction(1)] * columns)
    stars, printed = rows.stars((0, 1)), Fraction(2 * 1, 2) * rows.diameter((0, 1))
    assert stars == 2 * columns
    assert printed == columns
    assert stars > printed
    assert (2 * 2 - 1) ** 2 / 2 < 3 * 2**2, "the lemma's final 3 k^2 survives"


def test_the_dossiers_example() -> None:
    frame = pd.DataFrame([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]).rename(columns=str)
    table = ao.Table.from_frame(frame, ["0", "1", "2"])
    assert ao.solve(ao.DiameterSum(table, 2)).cost == 2
    assert ao.solve(ao.CellSuppression(table, ao.KAnonymity(2))).cost == 4


def test_costs_are_said_in_words() -> None:
    frame = pd.DataFrame({"a": [0, 1], "b": [0, 1]})
    problem = ao.DiameterSum(ao.Table.from_frame(frame, ["a", "b"]), 2)
    assert problem.describe_cost(problem.cost(problem.trivial())) == "diameters of 2 columns in all"
    heavy = ao.DiameterSum(ao.Table.from_frame(frame, ["a", "b"], weights={"b": "1/2"}), 2)
    assert heavy.describe_cost(heavy.cost(heavy.trivial())) == "diameters of 3/2 weight in all"
    assert dict(problem.size()) == {"rows": 2, "row types": 2, "columns": 2}


def test_what_is_wrong_is_said() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": range(7)}), ["a"])
    problem = ao.DiameterSum(table, 2)
    assert problem.violations(ao.Partition.from_groups([[0], [1, 2, 3, 4, 5, 6]], 7)) == [
        "the group of row 1: it has 1 row, and 2 to 3 are allowed",
        "the group of rows 2, 3, 4, 5, 6, ...: it has 6 rows, and 2 to 3 are allowed",
    ]
    assert problem.violations(ao.Partition(np.array([0, 2, 2, 0, 0, 2, 2]))) == [
        "the labels of a partition must be 0, 1, 2, ... without a gap"
    ]
    with pytest.raises(ao.BadInput, match="k is 0; it must be at least 1"):
        ao.DiameterSum(table, 0)
    answer = ao.solve(ao.DiameterSum(table, 8))
    assert answer.claim is ao.Claim.INFEASIBLE
    assert answer.reason == "k = 8 but there are only 7 rows"


def test_hundreds_of_failing_groups_are_counted() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": range(150)}), ["a"])
    found = ao.DiameterSum(table, 2).violations(ao.Partition(np.arange(150)))
    assert len(found) == 101
    assert found[-1] == "50 more groups fail"


def test_of_large_tables_the_lower_bound_looks_at_some_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": range(90)}), ["a"])
    assert ao.DiameterSum(table, 2).lower_bound() == 30
    monkeypatch.setattr(diameter_sum, "_BOUND_WORK", 45 * 90)
    assert ao.DiameterSum(table, 2).lower_bound() == 15
    monkeypatch.setattr(diameter_sum, "_AT_ONCE", 7 * 90)
    assert ao.DiameterSum(table, 2).lower_bound() == 15


@given(tables(), st.integers(1, 4))
def test_the_lower_bound_adds_up_every_so_manieth_radius(rows: Rows, k: int) -> None:
    problem = ao.DiameterSum(rows.table(), k)
    count = problem.table.rows
    if count >= 2 * k:
        radii = [sorted(rows.diameter((one, other)) for other in range(count))[k - 1] for one in range(count)]
        assert problem.lower_bound() == sum(sorted(radii, reverse=True)[:: 2 * k - 1])


def test_few_rows_are_one_group_and_far_rows_need_groups_of_their_own() -> None:
    line = pd.DataFrame({f"c{j}": [int(i > j) for i in range(7)] for j in range(6)})
    assert ao.DiameterSum(ao.Table.from_frame(line, [*map(str, line)]), 4).lower_bound() == 6, (
        "7 rows are one group for k = 4"
    )
    # 3 equal rows, and 4 that differ from all others in both columns: 3 of those fill a group, the fourth needs another.
    frame = pd.DataFrame({"a": [0, 0, 0, 1, 2, 3, 4], "b": [0, 0, 0, 1, 2, 3, 4]})
    problem = ao.DiameterSum(ao.Table.from_frame(frame, ["a", "b"]), 2)
    assert problem.lower_bound() == 4 == ao.solve(problem, "subset-dp").cost


def test_small_groups_are_measured_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Group by group, 50,000 pairs of rows took longer than a limit of some seconds."""
    frame = pd.DataFrame({"a": np.arange(600) % 3, "b": np.arange(600) % 7, "c": np.arange(600) % 2})
    table = ao.Table.from_frame(frame, ["a", "b", "c"], weights={"b": "1/2"})
    partition = ao.Partition.from_labels([row * row % 101 for row in range(600)])
    alone = [int(diameter_sum.scaled_distances(table, table.type_of_row[group]).max()) for group in partition.groups()]
    monkeypatch.setattr(diameter_sum, "_FEW_ROWS", 8)
    assert diameter_sum.scaled_diameters(table, partition) == alone
    monkeypatch.undo()
    monkeypatch.setattr(diameter_sum, "scaled_distances", None)
    assert diameter_sum.scaled_diameters(table, partition) == alone
