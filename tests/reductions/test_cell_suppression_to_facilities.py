"""Patterns as facilities, by exhaustion on small tables, and with broken constructions that must be noticed."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

import anoptima as ao
from anoptima.reductions.cell_suppression_to_facilities import CellSuppressionToFacilities
from tests.loops import each
from tests.sizing import IS_DEEP

TABLES = [
    [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 0]],
    [[0, 0], [0, 0], [0, 1], [1, 1], [1, 1]],
    [[0], [0], [1], [2]],
]


def problem(rows: list[list[int]], k: int, principle: ao.Principle | None = None) -> ao.CellSuppression:
    frame = pd.DataFrame(rows).rename(columns=str)
    weights = {"0": "3/2"}
    return ao.CellSuppression(
        ao.Table.from_frame(frame, list(frame.columns), weights=weights), principle or ao.KAnonymity(k)
    )


def optimum(facilities: ao.LowerBoundedFacilities) -> object:
    return min((facilities.cost(s) for s in facilities.solutions() if facilities.is_feasible(s)), default=None)


@pytest.mark.parametrize("rows", TABLES)
@each("k", [1, 2, 3, 4])
def test_solutions_go_there_and_back_at_the_same_cost(rows: list[list[int]], k: int) -> None:
    source = problem(rows, k)
    reduced = CellSuppressionToFacilities().apply(source)
    feasible = [partition for partition in source.solutions() if source.is_feasible(partition)]
    for partition in feasible:
        pushed = reduced.push(partition)
        assert reduced.target.violations(pushed) == []
        assert reduced.target.cost(pushed) == reduced.target_cost(source.cost(partition))
        back = reduced.pull(pushed)
        assert source.violations(back) == []
        assert source.cost(back) <= source.cost(partition)


@pytest.mark.parametrize("rows", TABLES)
@each("k", [1, 2, 3, 4] if IS_DEEP else [2, 3])
def test_every_solution_of_the_target_is_one_of_the_source(rows: list[list[int]], k: int) -> None:
    source = problem(rows, k)
    reduced = CellSuppressionToFacilities().apply(source)
    assert isinstance(reduced.target, ao.LowerBoundedFacilities)
    costs = []
    for connections in reduced.target.solutions():
        if reduced.target.is_feasible(connections):
            costs.append(reduced.target.cost(connections))
            pulled = reduced.pull(connections)
            assert source.violations(pulled) == []
            assert source.cost(pulled) <= costs[-1]
    assert min(costs) == min(source.cost(p) for p in source.solutions() if source.is_feasible(p))


def test_broken_constructions_are_noticed() -> None:
    source = problem(TABLES[0], 3)
    target = CellSuppressionToFacilities().apply(source).target
    assert isinstance(target, ao.LowerBoundedFacilities)
    best = optimum(target)
    assert optimum(replace(target, least=2)) != best, "the lower bound is k"
    free = [(f, c, 0) for f, c, _ in target.connections]
    assert optimum(replace(target, connections=free)) != best, "connections cost stars"
    used = {
        f for f, _, _ in CellSuppressionToFacilities().apply(source).push(ao.solve(source).require_solution()).served
    }
    fewer = [(f, c, cost) for f, c, cost in target.connections if f not in used]
    assert optimum(replace(target, connections=fewer)) != best, "no pattern of use may be missing"
    once = problem(TABLES[1], 2)
    doubled = CellSuppressionToFacilities().apply(once).target
    assert isinstance(doubled, ao.LowerBoundedFacilities)
    assert optimum(replace(doubled, clients=[1] * len(doubled.clients))) != optimum(doubled), "equal rows count"


def test_both_views_have_one_optimum_on_the_papers_table() -> None:
    source = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    reduced = CellSuppressionToFacilities().apply(source)
    answer = ao.solve(reduced.target, "facilities/highs")
    assert answer.cost == 54
    assert source.cost(reduced.pull(answer.require_solution())) == 54


def test_what_it_is_not_for_is_refused_with_the_reason() -> None:
    with pytest.raises(
        ao.NotApplicable, match="cell-suppression-to-facilities: it is for cell-suppression under k-anonymity"
    ):
        CellSuppressionToFacilities().apply(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)))
    with pytest.raises(ao.NotApplicable, match="k = 3 but there are only 2 rows"):
        CellSuppressionToFacilities().apply(problem([[0], [1]], 3))
