"""Our own exact algorithms against the brute force on random tables, by name; what each refuses, and the reference values."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.solvers.exact.states import Candidates, states_of
from tests.cases import Case, seeded
from tests.grouping import anonymity, closeness, diameter, diversity
from tests.strategies import cases
from tests.test_agreement import corners
from tests.trial import judge_solver, questions

NAMES = ("attribute-branch-and-bound", "halving", "simplex-matching", "subset-dp")


def solvers(problem: Any) -> list[Any]:
    return [solver for solver in map(ao.get_solver, NAMES) if solver.why_not(problem) is None]


@given(cases())
@corners
def test_they_find_the_optimum(case: Case) -> None:
    for question in questions(case):
        for solver in solvers(question.problem):
            assert list(judge_solver(question, solver)) == [], solver.name


@given(cases(), st.integers(0, 99))
def test_no_answer_is_worse_than_its_start(case: Case, seed: int) -> None:
    for question in questions(case):
        for start in list(question.others(random.Random(seed)))[:2]:
            for solver in solvers(question.problem):
                for time_limit in (0, None):
                    answer = ao.solve(question.problem, solver, start=start, time_limit=time_limit)
                    assert answer.cost is not None
                    assert answer.cost <= question.problem.cost(start)


@pytest.mark.parametrize("make", [anonymity, diversity, closeness, diameter])
@given(st.integers(0, 10**9))
def test_they_find_the_optimum_of_groups(make: Any, seed: int) -> None:
    instance = make(seeded(seed))
    for solver in solvers(instance.problem):
        answer = ao.solve(instance.problem, solver)
        found = None if answer.claim is ao.Claim.INFEASIBLE else answer.cost
        assert found == instance.optimum, f"{solver.name}: {instance.told}"
        assert answer.claim in (ao.Claim.OPTIMAL, ao.Claim.INFEASIBLE)
        assert answer.verify()


TEN_ROWS: list[tuple[ao.Principle, int]] = [
    (ao.KAnonymity(2), 46),
    (ao.KAnonymity(3), 54),
    (ao.KAnonymity(4), 64),
    (ao.KAnonymity(5), 65),
    (ao.LDiversity(2), 50),
    (ao.LDiversity(2, version="distinct"), 50),
    (ao.LDiversity("5/2"), 65),
    (ao.LDiversity(3, version="distinct"), 64),
    (ao.TCloseness(0), 70),
    (ao.TCloseness("0.1"), 64),
    (ao.TCloseness("0.2"), 64),
    (ao.TCloseness("0.3"), 52),
    (ao.TCloseness("0.4"), 50),
    (ao.TCloseness("0.5"), 50),
]


@pytest.mark.parametrize(("principle", "optimum"), TEN_ROWS)
def test_the_ten_rows_of_liang_and_yuan(principle: ao.Principle, optimum: int) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), principle)
    able = solvers(problem)
    assert {"subset-dp", "halving"} <= {solver.name for solver in able}
    assert [ao.solve(problem, solver, start=None).cost for solver in able] == [optimum] * len(able)


@pytest.mark.parametrize(("k", "optimum"), [(2, 19), (3, 12)])
def test_diameter_sums_of_the_ten_rows(k: int, optimum: int) -> None:
    assert ao.solve(ao.DiameterSum(ao.ten_rows(), k), "subset-dp").cost == optimum


def copies(counts: list[int]) -> ao.Table:
    rows = [(kind, kind % 2, "xyz"[i % 3]) for kind, count in enumerate(counts) for i in range(count)]
    return ao.Table.from_frame(pd.DataFrame(rows, columns=["a", "b", "s"]), ["a", "b"], "s")


def test_equal_rows_shrink_the_states() -> None:
    table = copies([40, 30, 2, 1])
    anonymous = ao.CellSuppression(table, ao.KAnonymity(3))
    assert Candidates(anonymous).states.count == 41 * 31 * 3 * 2
    assert ao.solve(anonymous, "subset-dp").cost == ao.solve(anonymous, "pattern/highs").cost
    diverse = ao.CellSuppression(table, ao.LDiversity(2))
    assert Candidates(diverse).states.count == states_of(diverse).count == 15 * 14 * 14 * 11**3 * 2**3


def test_kinds_of_a_second_sensitive_column_are_one() -> None:
    """Groups were listed by one column and looked for by both: the first found in hypothesis' tables, shrunk."""
    frame = pd.DataFrame({"a": [*"aaaaba"], "s": [*"xxxxxx"], "t": [*"xxxxxy"]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a"], ["s", "t"]), ao.LDiversity(1, "s"))
    assert Candidates(problem).states.count == 6 * 2
    assert ao.solve(problem, "subset-dp", start=None).cost == 0


def test_sizes_are_those_of_all_subsets_where_rows_differ() -> None:
    states = states_of(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    assert (states.count, states.inclusions) == (2**10, 3**10)


def many(rows: int) -> ao.Table:
    return ao.Table.from_frame(
        pd.DataFrame({"a": range(rows), "b": 0, "s": [i % 3 for i in range(rows)]}), ["a", "b"], "s"
    )


def test_too_many_parts_are_refused_with_their_number() -> None:
    problem = ao.CellSuppression(many(40), ao.KAnonymity(3))
    with pytest.raises(
        ao.NotApplicable,
        match=r"^subset-dp keeps a number for each part of the table, 1e12 of them for these 40 kinds of rows; 16,777,216 are the most$",
    ):
        ao.solve(problem, "subset-dp")
    with pytest.raises(
        ao.NotApplicable, match=r"^halving takes 1e19 looks at two parts of the table, one in the other, and keeps 1e12"
    ):
        ao.solve(problem, "halving")


def test_too_many_looks_are_refused_with_their_number() -> None:
    problem = ao.CellSuppression(many(24), ao.TCloseness("1/2"))
    with pytest.raises(
        ao.NotApplicable,
        match=r"^subset-dp takes 315,983,968,481 looks at a part of the table and a group in it; 4,294,967,296 are",
    ):
        ao.solve(problem, "subset-dp")


def test_too_many_rows_are_refused_with_their_pairs() -> None:
    problem = ao.CellSuppression(many(4001), ao.KAnonymity(2))
    with pytest.raises(
        ao.NotApplicable,
        match=r"^simplex-matching keeps a few numbers for each pair of rows, 4,001\^2 = 16,008,001 pairs here; 4,000 rows are the most$",
    ):
        ao.solve(problem, "simplex-matching")


@pytest.mark.parametrize(
    ("solver", "problem", "words"),
    [
        (
            "subset-dp",
            ao.FakePoints([(0,)], 2),
            "subset-dp is for cell-suppression and diameter-sum, not for fake-points",
        ),
        ("halving", ao.DiameterSum(ao.ten_rows(), 2), "halving is for cell-suppression, not for diameter-sum"),
        (
            "simplex-matching",
            ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)),
            "simplex-matching is for 2-anonymity and for frequency 2-diversity, not for 3-anonymity",
        ),
        (
            "simplex-matching",
            ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2, version="distinct")),
            "simplex-matching is for 2-anonymity and for frequency 2-diversity, not for distinct 2-diversity",
        ),
        (
            "simplex-matching",
            ao.FakePoints([(0,)], 2),
            "simplex-matching is for cell-suppression and simplex-matching, not for fake-points",
        ),
        (
            "attribute-branch-and-bound",
            ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)),
            "attribute-branch-and-bound is for problems that choose columns, not for cell-suppression",
        ),
    ],
)
def test_what_they_are_not_for(solver: str, problem: Any, words: str) -> None:
    with pytest.raises(ao.NotApplicable) as refusal:
        ao.solve(problem, solver)
    assert str(refusal.value) == words


@pytest.mark.usefixtures("weak_bound")
def test_a_bound_is_the_theorem_s() -> None:
    """And where every partition can be tried again, there is a proof besides."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    for solver, origin in (("halving", ao.Origin.THEOREM), ("subset-dp", ao.Origin.PROOF)):
        answer = ao.solve(problem, solver, start=None)
        assert answer.bound is not None
        assert (answer.bound.value, answer.bound.origin) == (54, origin)
        assert (answer.proof is not None) == (origin is ao.Origin.PROOF)


def test_columns_under_any_principle_with_weights() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 2, 3], "s": [*"xyyx"]})
    table = ao.Table.from_frame(frame, ["a", "b", "c"], "s", weights={"a": "1/2", "b": "1/3", "c": 5})
    for principle, optimum in (
        (ao.LDiversity(2), Fraction(16, 3)),
        (ao.TCloseness(0), Fraction(16, 3)),
        (ao.KAnonymity(4), Fraction(35, 6)),
        (ao.KAnonymity(1), 0),
    ):
        assert ao.solve(ao.AttributeSuppression(table, principle), "attribute-branch-and-bound").cost == optimum
