"""The ten patients of Liang and Yuan (2013, Table 1): every optimum, by every solver; and the partitions that the paper prints."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.base import Kind
from tests import brute_force
from tests.brute_force import Rule
from tests.cases import (
    Case,
    Closeness,
    Demand,
    Distinct,
    Equal,
    Frequency,
    Ground,
    InOrder,
    Matrix,
    Numbers,
    Size,
    Spelled,
    Tree,
)
from tests.turns import has_turns

PATIENTS = """
98765 38 Bachelor  viral
98654 39 Doctorate heart
98543 32 Master    heart
97654 65 Bachelor  cancer
96689 45 Bachelor  viral
97427 33 Bachelor  viral
96552 54 Bachelor  heart
97017 69 Doctorate cancer
97023 55 Master    cancer
97009 62 Bachelor  cancer
"""
FIELDS = [line.split() for line in PATIENTS.strip().splitlines()]
ROWS = tuple((*zip_code, *age, education) for zip_code, age, education, _ in FIELDS)
DISEASES = tuple(disease for *_, disease in FIELDS)
SEVERITY = tuple({"viral": 1, "heart": 2, "cancer": 5}[disease] for disease in DISEASES)
ONES = [1] * 8
NAMES = ["zip1", "zip2", "zip3", "zip4", "zip5", "age1", "age2", "education"]

LY_TABLE_2 = [[1, 2, 3], [4, 5, 6, 7], [8, 9, 10]]
LY_TABLE_3 = [[1, 2], [3, 5, 8, 9], [4, 6], [7, 10]]
LY_TABLE_5 = [[1, 2, 4], [3, 5, 8, 9], [6, 7, 10]]


def ask(*demands: Demand, sensitive: tuple[Any, ...] = DISEASES) -> Case:
    """The ten rows, with demands on them."""
    return Case(ROWS, demands, (sensitive,))


def closeness(t: str) -> Closeness:
    return Closeness(Fraction(t), 0, Equal())


KNOWN = {
    "k = 2": (ask(Size(2)), 46),
    "k = 3": (ask(Size(3)), 54),
    "k = 4": (ask(Size(4)), 64),
    "k = 5": (ask(Size(5)), 65),
    "frequency l = 2": (ask(Frequency(Fraction(2), 0)), 50),
    "frequency l = 5/2": (ask(Frequency(Fraction(5, 2), 0)), 65),
    "distinct l = 2": (ask(Distinct(2, 0)), 50),
    "distinct l = 3": (ask(Distinct(3, 0)), 64),
    "t = 0": (ask(closeness("0")), 70),
    "t = 0.1": (ask(closeness("0.1")), 64),
    "t = 0.2": (ask(closeness("0.2")), 64),
    "t = 0.3": (ask(closeness("0.3")), 52),
    "t = 0.4": (ask(closeness("0.4")), 50),
    "t = 0.5": (ask(closeness("0.5")), 50),
}
"""What the literature's table is known to cost."""

ORDER = InOrder(("viral", "heart", "cancer"))
LONG_ORDER = InOrder(("heart", "none", "viral", "cancer"))
TREE = Tree({"infection": ["viral"], "organ": ["heart", "cancer"]})
FAR = Matrix(
    ("viral", "heart", "cancer"),
    (
        (Fraction(0), Fraction(2, 3), Fraction(1)),
        (Fraction(2, 3), Fraction(0), Fraction(1, 2)),
        (Fraction(1), Fraction(1, 2), Fraction(0)),
    ),
)
GROUNDS: dict[str, Ground] = {
    "order": ORDER,
    "long order": LONG_ORDER,
    "tree": TREE,
    "matrix": FAR,
    "equal, spelled out": Spelled(Equal()),
}
GROUNDS |= {"order, spelled out": Spelled(ORDER), "tree, spelled out": Spelled(TREE)}

FURTHER = {
    f"t = {t}, {name}": ask(Closeness(Fraction(t), 0, g)) for name, g in GROUNDS.items() for t in ("1/10", "1/5")
}
FURTHER |= {
    f"t = {t}, {g.name}": ask(Closeness(Fraction(t), 0, g), sensitive=SEVERITY)
    for g in (Numbers(), Spelled(Numbers()))
    for t in ("1/10", "1/4")
}
FURTHER |= {
    "k = 3, frequency l = 2": ask(Size(3), Frequency(Fraction(2), 0)),
    "k = 3, distinct l = 2": ask(Size(3), Distinct(2, 0)),
    "k = 2, t = 0.3": ask(Size(2), closeness("0.3")),
    "distinct l = 2, t = 0.2": ask(Distinct(2, 0), closeness("0.2")),
    "k = 3, frequency l = 2, t = 0.3": ask(Size(3), Frequency(Fraction(2), 0), closeness("0.3")),
    "k = 4, distinct l = 3, t = 0.2, order": ask(Size(4), Distinct(3, 0), Closeness(Fraction(1, 5), 0, ORDER)),
    "k = 2, frequency l = 3/2, t = 1/4, matrix": ask(
        Size(2), Frequency(Fraction(3, 2), 0), Closeness(Fraction(1, 4), 0, FAR)
    ),
}
"""Other spaces and conjunctions, whose optima the brute force finds."""

CASES = {**{name: case for name, (case, _) in KNOWN.items()}, **FURTHER}
COLUMNS = [*KNOWN, "t = 1/10, tree", "t = 1/5, matrix", "t = 1/4, spelled out", "k = 3, frequency l = 2, t = 0.3"]


def table_of(case: Case) -> ao.Table:
    """The package's own ten rows where the column is theirs, the same with severities where it is not."""
    if case.sensitive == (DISEASES,):
        return ao.ten_rows()
    frame = ao.ten_rows().frame.assign(disease=list(SEVERITY))
    return ao.Table.from_frame(frame, NAMES, "disease")


def cells(name: str) -> ao.CellSuppression:
    return ao.CellSuppression(table_of(CASES[name]), CASES[name].principle())


def columns(name: str) -> ao.AttributeSuppression:
    return ao.AttributeSuppression(table_of(CASES[name]), CASES[name].principle())


TWO_LIMITS = [name for name in FURTHER if name.startswith("t = ")]
"""Each distance twice in a row, with two limits."""


def is_asked(name: str, place: int) -> bool:
    """Tell whether a solver, by its place among all, has a problem: of a distance with two limits one, and the next solver the other."""
    number = TWO_LIMITS.index(name) if name in TWO_LIMITS else -1
    return number < 0 or (number % 2 == (number // 2 + place) % 2)


def pairs(make: Any, names: list[str]) -> list[Any]:
    """Every problem with every solver that claims to find its optimum, cells as `is_asked` says; of backends that are asked by turns,
    one problem for each model.
    """
    asked: dict[str, list[str]] = {}
    for name in names:
        for solver in ao.solvers_for(make(name)):
            if solver.kind is not Kind.APPROXIMATE:
                asked.setdefault(solver.name, []).append(name)
    found = []
    for place, (solver_name, problems) in enumerate(asked.items()):
        if has_turns(solver_name):
            chosen = [problems[7 * place % len(problems)]]
        else:
            chosen = [name for name in problems if make is columns or is_asked(name, place)]
        found += [pytest.param(name, solver_name, id=f"{name} by {solver_name}") for name in chosen]
    return found


@cache
def least_cells(name: str) -> Fraction:
    found = brute_force.best_partition(ROWS, ONES, CASES[name].rule())
    assert found is not None
    return found[0]


@cache
def least_columns(name: str) -> Fraction:
    found = brute_force.best_columns(ROWS, ONES, CASES[name].rule())
    assert found is not None
    return found[0]


def check(problem: TableProblem[Any], solver: str, optimum: Fraction | int, rule: Rule) -> ao.Answer[Any]:
    """Solve, and believe nothing."""
    answer = ao.solve(problem, solver)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.stop is ao.Stop.PROVED
    assert answer.cost == optimum
    assert answer.bound is not None
    assert answer.bound.value == optimum
    assert answer.verify()
    assert problem.violations_of_release(answer.release) == []
    assert problem.cost_of_release(answer.release) == optimum
    assert brute_force.wrong_in_release(ROWS, shown(answer.release), rule) is None
    return answer


def shown(release: pd.DataFrame) -> list[brute_force.Row]:
    return list(release[NAMES].astype(object).itertuples(index=False, name=None))


def partition(groups: list[list[int]]) -> ao.Partition:
    """From row numbers as the paper counts them."""
    return ao.Partition.from_groups([[row - 1 for row in group] for group in groups], 10)


def test_the_table_is_the_papers() -> None:
    frame = ao.ten_rows().frame
    assert shown(frame) == list(ROWS)
    assert tuple(frame["disease"]) == DISEASES


@pytest.mark.parametrize("name", KNOWN)
def test_the_brute_force_agrees_with_the_literature(name: str) -> None:
    assert least_cells(name) == KNOWN[name][1]


@pytest.mark.parametrize(("name", "solver"), pairs(cells, list(CASES)))
def test_fewest_stars(name: str, solver: str) -> None:
    answer = check(cells(name), solver, least_cells(name), CASES[name].rule())
    assert brute_force.release_cost(shown(answer.release), ONES) == least_cells(name)


@pytest.mark.parametrize(("name", "solver"), pairs(columns, COLUMNS))
def test_fewest_columns(name: str, solver: str) -> None:
    check(columns(name), solver, least_columns(name), CASES[name].rule())


def test_which_columns_have_to_go() -> None:
    """Besides the first digit, education alone can stay, for k = 2: its rarer values occur twice."""
    assert [least_columns(f"k = {k}") for k in (2, 3, 4, 5)] == [6, 7, 7, 7]


@pytest.mark.parametrize("name", CASES)
def test_approximations_are_feasible_and_keep_their_promise(name: str) -> None:
    problem = cells(name)
    for place, solver in enumerate(ao.solvers_for(problem)):
        if solver.kind is Kind.APPROXIMATE and is_asked(name, place):
            answer = ao.solve(problem, solver)
            assert answer.verify(), f"{solver.name}: {answer.verify()}"
            assert answer.cost is not None
            assert least_cells(name) <= answer.cost <= (solver.ratio(problem) or 1000) * least_cells(name)


@pytest.mark.parametrize("kind", [ao.CellSuppression, ao.AttributeSuppression])
def test_four_of_ten_are_too_many_for_three_diversity(kind: type[Any]) -> None:
    problem = kind(ao.ten_rows(), ao.LDiversity(3))
    assert brute_force.best_partition(ROWS, ONES, brute_force.frequency_diverse(DISEASES, 3)) is None
    solvers = ao.solvers_for(problem)
    assert len(solvers) >= 3
    for solver in solvers:
        answer = ao.solve(problem, solver)
        assert answer.claim is ao.Claim.INFEASIBLE
        assert answer.verify()
        assert "'cancer'" in answer.reason
        assert "4 of 10 rows" in answer.reason


# ---- what the paper prints ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("groups", "cost"), [(LY_TABLE_2, 54), (LY_TABLE_3, 60), (LY_TABLE_5, 67)])
def test_what_the_papers_partitions_cost(groups: list[list[int]], cost: int) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    assert problem.cost(partition(groups)) == cost
    counted = [tuple(row - 1 for row in group) for group in groups]
    assert brute_force.partition_cost(ROWS, ONES, counted) == cost


def test_table_2_is_anonymous_and_not_diverse() -> None:
    table = ao.ten_rows()
    assert ao.CellSuppression(table, ao.KAnonymity(3)).violations(partition(LY_TABLE_2)) == []
    assert ao.CellSuppression(table, ao.TCloseness("3/5")).violations(partition(LY_TABLE_2)) == []
    wrong = ao.CellSuppression(table, ao.LDiversity(2)).violations(partition(LY_TABLE_2))
    assert len(wrong) == 2
    assert "rows 8, 9, 10" in wrong[1]
    assert "'cancer' of 'disease' is in 3 of 3 rows" in wrong[1]
    wrong = ao.CellSuppression(table, ao.TCloseness("0.599999")).violations(partition(LY_TABLE_2))
    assert len(wrong) == 1
    assert "3/5" in wrong[0]


def test_table_3_is_diverse_and_not_close() -> None:
    table = ao.ten_rows()
    assert ao.CellSuppression(table, ao.LDiversity(2)).violations(partition(LY_TABLE_3)) == []
    wrong = ao.CellSuppression(table, ao.TCloseness("0.39")).violations(partition(LY_TABLE_3))
    assert "rows 1, 2:" in wrong[0]
    assert "2/5" in wrong[0]


def test_table_5_sits_on_the_boundary() -> None:
    """The group {3, 5, 8, 9} is at distance 1/10 exactly; floating-point sums put it on either side."""
    table, hair = ao.ten_rows(), Fraction(1, 10**12)
    metric = ao.EqualDistance().fit(["viral", "heart", "cancer"])
    assert metric.emd([1, 1, 2], [3, 3, 4]) == Fraction(1, 10)
    for t in (Fraction(1, 10), 0.1, "0.1"):
        assert ao.CellSuppression(table, ao.TCloseness(t)).violations(partition(LY_TABLE_5)) == []
    wrong = ao.CellSuppression(table, ao.TCloseness(Fraction(1, 10) - hair)).violations(partition(LY_TABLE_5))
    assert len(wrong) == 1
    assert "rows 3, 5, 8, 9:" in wrong[0]
    assert "is 1/10 from" in wrong[0]


@pytest.mark.parametrize("solver", ["pattern/highs", "pattern/cp-sat", "assignment/cp-sat"])
def test_a_hair_below_the_boundary(solver: str) -> None:
    """No float tells 1/10 - 10^-12 from 1/10 by the tolerances of a solver; the optimum under it is another."""
    t = Fraction(1, 10) - Fraction(1, 10**12)
    rule = brute_force.close(DISEASES, t, brute_force.equal_distance)
    found = brute_force.best_partition(ROWS, ONES, rule)
    assert found is not None
    assert found[0] > 64
    check(ao.CellSuppression(ao.ten_rows(), ao.TCloseness(t)), solver, found[0], rule)
