"""The cheap bound of cell suppression: never above a brute force, exact where a table is one group, and the same in each of its forms."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pandas as pd
import pytest

import anoptima as ao
from anoptima.problems import levels
from anoptima.problems.levels import bound_of_levels, least_group, most_below
from tests import brute_force
from tests.cases import Case, Closeness, Demand, Distinct, Equal, Frequency, InOrder, Numbers, Size, Tree
from tests.sizing import asked

VALUES = (1, 2, 3, 4)
GROUNDS = (Equal(), InOrder((2, 1, 4, 3)), Numbers(), Tree({"x": [1, 2], "y": [3, 4]}))


def drawn(seed: int) -> tuple[list[tuple[Demand, ...]], Callable[[tuple[Demand, ...]], Case]]:
    """Return demands, alone and together, and what makes a case of a random table and some of them."""
    chance = random.Random(seed)
    n, m = chance.randint(2, 7), chance.randint(1, 4)
    letters = ["abcd"[: chance.choice((2, 3, 4))] for _ in range(m)]
    rows = [tuple(map(chance.choice, letters)) for _ in range(n)]
    for i in range(1, n):
        if chance.random() < 0.2:
            rows[i] = rows[i - 1]
    ill = (tuple(chance.choice(VALUES[: chance.choice((2, 3, 4))]) for _ in range(n)),)
    weights = tuple(chance.choice((Fraction(1), Fraction(2), Fraction(1, 3))) for _ in range(m)) if seed % 2 else ()
    k = Size(chance.randint(2, 4))
    frequency = Frequency(chance.choice((Fraction(3, 2), Fraction(2), Fraction(5, 2))), 0)
    distinct = Distinct(chance.choice((2, 3)), 0)
    close = Closeness(
        chance.choice((Fraction(0), Fraction(1, 10), Fraction(1, 5), Fraction(1, 3))), 0, chance.choice(GROUNDS)
    )
    demands: list[tuple[Demand, ...]] = [
        (k,),
        (frequency,),
        (distinct,),
        (close,),
        (Size(2), close),
        (Size(2), frequency, close),
        (k, distinct),
    ]
    return demands, lambda some: Case(tuple(rows), some, ill, weights)


def test_no_bound_is_above_a_brute_force_and_most_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reached, tables = 0, 0
    for seed in range(asked(25, 60)):
        demands, case_of = drawn(seed)
        for some in demands:
            case = case_of(some)
            best = brute_force.best_partition(case.rows, case.prices, case.rule())
            if best is None:
                continue
            problem = case.cells()
            least, bound = least_group(problem), problem.lower_bound()
            assert bound <= best[0], case
            if len(best[1]) > 1:
                assert all(len(group) >= least for group in best[1]), case
            tables, reached = tables + 1, reached + (bound == best[0])
            with monkeypatch.context() as patches:
                patches.setattr(levels, "AT_ONCE", 0)
                assert case.cells().lower_bound() == bound
                balls = levels.levels_of_balls(problem.table, least)
                end = sum(problem.table.scaled_weights.tolist())
                assert problem.unscale(bound_of_levels(problem.table.rows, least, balls, end)) <= bound
                patches.setattr(levels, "WORK", seed)
                assert case.cells().lower_bound() <= bound
    assert tables > asked(100, 250)
    assert reached > 0.75 * tables


def test_a_table_of_fewer_than_two_groups_costs_what_one_group_does() -> None:
    for seed in range(40):
        chance = random.Random(seed)
        k = chance.randint(2, 5)
        frame = pd.DataFrame(
            {f"c{j}": [chance.choice("ab") for _ in range(chance.randint(k, 2 * k - 1))][:k] for j in range(3)}
        )
        problem = ao.CellSuppression(ao.Table.from_frame(frame, [*map(str, frame)]), ao.KAnonymity(k))
        assert problem.lower_bound() == problem.cost(problem.trivial())
        answer = ao.solve(problem, "mondrian", start=None)
        assert (answer.claim, answer.bound) == (
            ao.Claim.OPTIMAL,
            ao.Bound(answer.cost or 0, ao.Origin.PROBLEM, problem.name),
        )
        assert answer.verify()


def test_one_group_by_values_alone() -> None:
    frame = pd.DataFrame({"a": range(6), "b": [1, 1, 1, 2, 2, 2], "ill": list("xyyyyy")})
    table = ao.Table.from_frame(frame, ["a", "b"], "ill")
    once = ao.CellSuppression(table, ao.LDiversity(2, version="distinct"))
    assert (least_group(once), once.lower_bound()) == (6, 12), "x occurs once, and every group needs two values"
    uneven = ao.Table.from_frame(frame.assign(ill=list("xxyyzy")), ["a", "b"], "ill")
    assert least_group(ao.CellSuppression(uneven, ao.LDiversity("3/2"))) == 2
    halves = ao.Table.from_frame(frame.assign(ill=list("xxxyyy")), ["a", "b"], "ill")
    assert least_group(ao.CellSuppression(halves, ao.TCloseness("1/10"))) == 2
    assert least_group(ao.CellSuppression(halves, ao.TCloseness("1/10") & ao.KAnonymity(3))) == 6, (
        "1 of 3 is 1/6 from 1 of 2"
    )


def test_a_remainder_makes_a_larger_group_and_a_row_that_pays_makes_others_pay() -> None:
    pairs = pd.DataFrame({"a": [0, 0, 1, 1, 2], "b": [0, 1, 2, 3, 4]})
    problem = ao.CellSuppression(ao.Table.from_frame(pairs, ["a", "b"]), ao.KAnonymity(2))
    assert problem.lower_bound() == 2 * 1 + 3 * 2, "each pair pays 1 a row; the last row pays 2, and so do two with it"
    assert most_below(5, 2, 4, 2) == 2, "4 in pairs would leave 1 alone"
    assert most_below(7, 2, 6, 2) == 4
    assert most_below(9, 3, 7, 3) == 6, "no group of more than 3, so 6 and not 7"


def test_many_columns_are_bounded_by_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "WORK", 100_000)
    frame = pd.DataFrame({f"c{j}": [i * (j + 7) % 11 for i in range(40)] for j in range(40)})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, [*map(str, frame)]), ao.KAnonymity(12))
    answer = ao.solve(problem, "mondrian", start=None)
    assert problem.lower_bound() > 40 * 5, "sets of columns that can be looked at are far lighter"
    assert answer.verify()


def test_one_lone_row_among_a_hundred_thousand_makes_others_pay() -> None:
    frame = pd.DataFrame(
        {"a": [i % 1000 for i in range(100_000)], "b": [i % 7 for i in range(100_000)], "c": [0] * 99_999 + [1]}
    )
    problem = ao.CellSuppression(ao.Table.from_frame(frame, [*map(str, frame)]), ao.KAnonymity(5))
    assert problem.lower_bound() == 5, "the one row of its value stars c, and four with it"
