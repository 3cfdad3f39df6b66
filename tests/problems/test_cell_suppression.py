from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems import levels
from anoptima.problems.columns import cheapest_sets
from tests import brute_force
from tests.cases import Case
from tests.strategies import cases


def labels_for(case: Case) -> st.SearchStrategy[ao.Partition]:
    size = len(case.rows)
    labels = st.lists(st.integers(0, size - 1), min_size=size, max_size=size)
    return labels.map(lambda drawn: ao.Partition.from_labels(np.array(drawn)))


def groups_in(partition: ao.Partition) -> list[tuple[int, ...]]:
    return [tuple(group) for group in partition.groups()]


# ---- costs, violations, bounds ------------------------------------------------------------------------------------------------


@given(cases(), st.data())
def test_the_cost_is_the_weight_of_the_stars_that_the_groups_need(case: Case, data: st.DataObject) -> None:
    problem, partition = case.cells(), data.draw(labels_for(case))
    expected = brute_force.partition_cost(case.rows, case.prices, groups_in(partition))
    assert problem.cost(partition) == expected
    assert (problem.stars(partition) @ np.array(case.prices, dtype=object)).sum() == expected
    assert isinstance(problem.cost(partition), int) or expected.denominator > 1


@given(cases(), st.data())
def test_a_partition_violates_what_its_groups_do(case: Case, data: st.DataObject) -> None:
    partition, rule = data.draw(labels_for(case)), case.rule()
    failing = [group for group in groups_in(partition) if not rule(group)]
    violations = case.cells().violations(partition)
    assert len(violations) == len(failing)
    assert case.cells().is_feasible(partition) == (not failing)
    for group, words in zip(failing, violations, strict=True):
        assert words.startswith(
            f"the group of row{'' if len(group) == 1 else 's'} {', '.join(str(row + 1) for row in group[:5])}"
        )


@given(cases(most_rows=5))
def test_the_problem_itself_knows_optimum_bound_and_feasibility(case: Case) -> None:
    problem = case.cells()
    feasible = [problem.cost(partition) for partition in problem.solutions() if problem.is_feasible(partition)]
    best = brute_force.best_partition(case.rows, case.prices, case.rule())
    assert (min(feasible) if feasible else None) == (best[0] if best else None)
    assert (problem.why_infeasible() is None) == bool(feasible)
    if feasible:
        assert problem.lower_bound() <= min(feasible)
        assert problem.is_feasible(problem.trivial())
    else:
        with pytest.raises(ao.InfeasibleProblem):
            problem.trivial()


@pytest.mark.parametrize(("rows", "bell"), [(1, 1), (3, 5), (5, 52)])
def test_all_partitions_are_yielded_once(rows: int, bell: int) -> None:
    problem = ao.CellSuppression(ao.Table.from_frame(pd.DataFrame({"q": range(rows)}), ["q"]), ao.KAnonymity(1))
    found = [*problem.solutions()]
    assert len(found) == len(set(found)) == bell
    assert not any(problem.violations(partition) for partition in found)


@pytest.mark.parametrize("labels", [[0, 2, 2], [1, 1, 1], [-1, 0, 0], [0, 0, 1 << 40], [0, 0], [0.0, 0.0, 0.0]])
def test_labels_of_no_partition_are_no_solution(labels: list[float]) -> None:
    problem = ao.CellSuppression(ao.Table.from_frame(pd.DataFrame({"q": range(3)}), ["q"]), ao.KAnonymity(1))
    partition = ao.Partition(np.array(labels))
    assert len(problem.violations(partition)) == 1
    assert not problem.is_feasible(partition)


def test_one_group_that_fails_is_enough() -> None:
    problem = ao.CellSuppression(ao.Table.from_frame(pd.DataFrame({"q": range(3)}), ["q"]), ao.KAnonymity(2))
    feasible = [partition.labels.tolist() for partition in problem.solutions() if problem.is_feasible(partition)]
    assert feasible == [[0, 0, 0]]


def test_a_problem_that_forbids_more_is_asked_itself() -> None:
    class Whole(ao.CellSuppression):
        def violations(self, solution: ao.Partition) -> list[str]:
            more = ["there are two groups"] if solution.labels.any() else []
            return [*super().violations(solution), *more]

    problem = Whole(ao.Table.from_frame(pd.DataFrame({"q": range(3)}), ["q"]), ao.KAnonymity(1))
    assert [partition.labels.tolist() for partition in problem.solutions() if problem.is_feasible(partition)] == [
        [0, 0, 0]
    ]


def test_the_lower_bound_sees_what_each_row_pays_alone() -> None:
    # Rows 1 and 2 agree on b, rows 3 and 4 on nothing: 1 + 1 + 2 + 2.
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 1, 3, 4]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b"]), ao.KAnonymity(2))
    assert problem.lower_bound() == 6
    weighed = ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b"], weights={"a": "1/2", "b": 4}), ao.KAnonymity(2))
    assert weighed.lower_bound() == 1 + 9


def test_a_lower_bound_that_runs_out_of_work_is_still_one(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    whole = problem.lower_bound()
    bounds = []
    monkeypatch.setattr(levels, "AT_ONCE", 0)
    for work in range(0, 3000, 300):
        monkeypatch.setattr(levels, "WORK", work)
        bounds.append(ao.CellSuppression(problem.table, problem.principle).lower_bound())
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1] <= whole == 54


@given(st.lists(st.fractions(Fraction(1, 6), 5, max_denominator=6), max_size=5))
def test_sets_of_columns_come_cheapest_first_and_each_once(weights: list[Fraction]) -> None:
    found = [*cheapest_sets(weights)]
    assert len({chosen for _, chosen in found}) == len(found) == 2 ** len(weights)
    assert all(total == sum((weights[j] for j in chosen), Fraction(0)) for total, chosen in found)
    assert [total for total, _ in found] == sorted(total for total, _ in found)


def test_thousands_of_failing_groups_are_counted() -> None:
    problem = ao.CellSuppression(ao.Table.from_frame(pd.DataFrame({"q": range(1500)}), ["q"]), ao.KAnonymity(2))
    found = problem.violations(ao.Partition.from_labels(np.arange(1500)))
    assert len(found) == 101
    assert found[0] == "the group of row 1: k = 2 but there is only 1 row"
    assert found[-1] == "1,400 more groups fail"


# ---- partitions ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([[0, 1], [2, 3]], "group 1 holds row 3; rows are numbered from 0 to 2"),
        ([[0, 1], [-1]], "group 1 holds row -1; rows are numbered from 0 to 2"),
        ([[0, 1], [1, 2]], "row 1 is in groups 0 and 1"),
        ([[0], [2]], "row 1 is in no group"),
    ],
)
def test_groups_that_are_no_partition_are_refused(groups: list[list[int]], message: str) -> None:
    with pytest.raises(ao.BadInput, match=message):
        ao.Partition.from_groups(groups, 3)


def test_partitions_are_equal_however_their_groups_are_numbered() -> None:
    one = ao.Partition.from_groups([[1, 2], [0]], 3)
    other = ao.Partition.from_labels(np.array([9, 4, 4]))
    assert one == other
    assert hash(one) == hash(other)
    assert one.groups() == [[0], [1, 2]]
    assert one != ao.Partition.from_labels(np.array([0, 0, 1]))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 0], "a partition of this table has 10 whole labels, one a row; this has shape (2,)"),
        (
            [0.0] * 10,
            "a partition of this table has 10 whole labels, one a row; this has shape (10,) and the type float64",
        ),
        ([0, 2] * 5, "the labels of a partition must be 0, 1, 2, ... without a gap"),
        ([0, -1] * 5, "the labels of a partition must be 0, 1, 2, ... without a gap"),
    ],
)
def test_labels_that_are_no_partition_of_the_table_are_a_violation(labels: list[Any], message: str) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    assert problem.violations(ao.Partition(np.array(labels))) == [message]


# ---- releases -----------------------------------------------------------------------------------------------------------------


@given(cases(), st.data())
def test_a_release_is_read_back_as_what_it_shows(case: Case, data: st.DataObject) -> None:
    problem, partition = case.cells(), data.draw(labels_for(case))
    release = problem.release(partition)
    assert problem.cost_of_release(release) == problem.cost(partition)
    shown = problem.solution_of_release(release)
    assert problem.cost(shown) <= problem.cost(partition)
    assert bool(problem.violations_of_release(release)) == bool(problem.violations(shown))
    if problem.is_feasible(partition):
        assert problem.violations_of_release(release) == []


@given(cases(), st.data())
def test_a_release_with_more_stars_than_it_needs_is_judged_by_what_it_shows(case: Case, data: st.DataObject) -> None:
    problem = case.cells()
    stars = np.array(
        data.draw(
            st.lists(st.tuples(*[st.booleans()] * len(case.prices)), min_size=len(case.rows), max_size=len(case.rows))
        )
    )
    release = problem.table.release(stars)
    published = [
        tuple("*" if star else cell for cell, star in zip(row, line, strict=True))
        for row, line in zip(case.rows, stars, strict=True)
    ]
    rule = case.rule()
    assert (problem.violations_of_release(release) == []) == all(
        rule(group) for group in brute_force.classes(published)
    )
    assert problem.cost_of_release(release) == sum(
        (price for line in stars for price, star in zip(case.prices, line, strict=True) if star), Fraction(0)
    )


SICK = pd.DataFrame({"zip": ["1", "1", "2"], "age": [30, 30, 40], "ill": ["a", None, "c"], "id": [7, 8, 9]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.assign(age=[30, 30, 41]), "row 3, column 'age': published 41 where the table has 40"),
        (lambda f: f.assign(ill=["a", "b", "c"]), "row 2, column 'ill': published 'b' where the table has"),
        (lambda f: f.assign(ill=["*", None, "c"]), "row 1, column 'ill': published '*' where the table has 'a'"),
        (lambda f: f.assign(id=[7, 8, 8]), "row 3, column 'id': published 8 where the table has 9"),
        (lambda f: f.assign(zip=["1", None, "2"]), "row 2, column 'zip': published"),
        (lambda f: f.iloc[:2], "the release has 2 rows, the table 3"),
        (
            lambda f: f.assign(name="x"),
            "the release has the columns zip, age, ill, id, name; it should have zip, age, ill, id",
        ),
        (lambda f: f.drop(columns="id"), "the release has the columns zip, age, ill; it should have zip, age, ill, id"),
        (lambda f: f.iloc[::-1], "row 1, column 'zip': published '2' where the table has '1'"),
    ],
)
def test_a_release_that_is_not_true_to_the_table_is_refused(change: Any, message: str) -> None:
    table = ao.Table.from_frame(SICK, ["zip", "age"], "ill", keep=["id"])
    problem = ao.CellSuppression(table, ao.KAnonymity(1))
    assert problem.violations_of_release(SICK) == []
    assert problem.violations_of_release(SICK[["id", "ill", "age", "zip"]]) == []
    assert problem.violations_of_release(change(SICK))[0].startswith(message)


def test_a_table_that_holds_stars_already_is_refused() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"zip": ["1", "*"]}), ["zip"])
    with pytest.raises(
        ao.BadInput, match=r"row 2, column 'zip' already holds '\*', .*; write those cells some other way first"
    ):
        ao.CellSuppression(table, ao.KAnonymity(2))


def test_an_impossible_principle_says_why() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))
    assert problem.why_infeasible() == "k = 11 but there are only 10 rows"
    with pytest.raises(ao.InfeasibleProblem, match="k = 11 but there are only 10 rows"):
        problem.require_feasible()
    said = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(3)).why_infeasible()
    assert said == "l = 3 but the value 'cancer' of 'disease' is in 4 of 10 rows, more than 1/3 of them"


# ---- the papers' examples -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "cost", "principle"),
    [
        ([[1, 2, 3], [4, 5, 6, 7], [8, 9, 10]], 54, ao.KAnonymity(3)),
        ([[1, 2], [3, 5, 8, 9], [4, 6], [7, 10]], 60, ao.LDiversity(2)),
        ([[1, 2, 4], [3, 5, 8, 9], [6, 7, 10]], 67, ao.TCloseness(0.1)),
        ([[1, 6], [2, 4], [3, 9], [5, 7], [8, 10]], 46, ao.KAnonymity(2)),
        ([[1, 7, 10], [2, 4, 5], [3, 6, 8, 9]], 64, ao.TCloseness("1/10") & ao.LDiversity(3, version="distinct")),
        ([[*range(1, 11)]], 70, ao.TCloseness(0)),
    ],
)
def test_the_papers_partitions_cost_what_the_papers_say(
    groups: list[list[int]], cost: int, principle: ao.Principle
) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), principle)
    partition = ao.Partition.from_groups([[row - 1 for row in group] for group in groups], 10)
    assert problem.violations(partition) == []
    assert problem.cost(partition) == cost


def test_table_two_of_the_papers_is_not_diverse() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2) & ao.TCloseness(0.5))
    partition = ao.Partition.from_groups([[0, 1, 2], [3, 4, 5, 6], [7, 8, 9]], 10)
    assert problem.violations(partition) == [
        "the group of rows 1, 2, 3: l = 2 but the value 'heart' of 'disease' is in 2 of 3 rows, more than 1/2 of them",
        (
            "the group of rows 8, 9, 10: l = 2 but the value 'cancer' of 'disease' is in 3 of 3 rows, more than 1/2 of them; "
            "t = 1/2 but the distribution of 'disease' is 3/5 from the whole table's"
        ),
    ]


def test_costs_are_said_in_words() -> None:
    assert ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)).describe_cost(54) == "54 stars of 80 cells"
    table = ao.Table.from_frame(SICK, ["zip", "age"], weights={"zip": "1/3"})
    assert ao.CellSuppression(table, ao.KAnonymity(2)).describe_cost(Fraction(4, 3)) == "stars of weight 4/3"
    assert ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3)).describe_cost(7) == "7 columns of 8"
    assert ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)).size() == {
        "rows": 10,
        "row types": 10,
        "records": 10,
        "columns": 8,
    }


def test_the_bound_of_a_small_table_is_that_of_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(30):
        dice = random.Random(seed)
        rows, columns = dice.randint(1, 12), [f"c{j}" for j in range(dice.randint(1, 5))]
        frame = pd.DataFrame({name: [dice.randint(0, 3) for _ in range(rows)] for name in (*columns, "s")})
        weights = {name: dice.choice([Fraction(1), Fraction(2), Fraction(1, 3)]) for name in columns}
        table = ao.Table.from_frame(frame, columns, "s", weights=weights)
        for principle in (ao.KAnonymity(2), ao.KAnonymity(rows + 1), ao.KAnonymity(2) & ao.LDiversity(2)):
            at_once = ao.CellSuppression(table, principle).lower_bound()
            with monkeypatch.context() as patches:
                patches.setattr(levels, "AT_ONCE", 0)
                assert at_once == ao.CellSuppression(table, principle).lower_bound(), f"seed {seed}, {principle}"


@pytest.mark.parametrize("rows", [9, 11])
def test_a_partition_of_other_rows_costs_nothing_that_is_known(rows: int) -> None:
    wrong = ao.Partition(np.zeros(rows, dtype=np.int64))
    problems: list[Any] = [ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), ao.DiameterSum(ao.ten_rows(), 6)]
    for problem in problems:
        with pytest.raises(ao.BadInput, match="has 10 whole labels, one a row; this has shape"):
            problem.cost(wrong)
