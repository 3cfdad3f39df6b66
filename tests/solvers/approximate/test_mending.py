"""Mending: groups that fail are merged until they hold, under principles that no conditions state in full."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.errors import NotApplicable
from anoptima.solvers.approximate.mending import mended
from anoptima.solvers.starts import quick_solvers
from tests.principles.brute_force import random_table

ASKED = (ao.EntropyDiversity(2), ao.RecursiveDiversity(2, 3), ao.EntropyDiversity("3/2") & ao.KAnonymity(3))


@pytest.mark.parametrize("principle", ASKED, ids=str)
def test_groups_that_fail_are_merged_until_they_hold(principle: ao.Principle) -> None:
    for seed in range(20):
        problem = ao.CellSuppression(random_table(seed, rows=30, columns=4, values=4), principle)
        if problem.why_infeasible() is None:
            alone = ao.Partition.from_labels(np.arange(30) // 2)
            found = mended(problem, alone, lambda: False)
            assert problem.is_feasible(found)
            assert mended(problem, found, lambda: False) == found
            assert problem.is_feasible(mended(problem, alone, lambda: True))


def test_a_group_that_holds_is_left_as_it_is_where_others_mend_each_other() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "x", "x", "y", "y"], "ill": ["flu", "flu", "cold", "cold", "flu", "cold"]})
    table = ao.Table.from_frame(frame, ["a"], "ill")
    problem = ao.CellSuppression(table, ao.EntropyDiversity(2))
    found = mended(problem, ao.Partition.from_groups([[0, 1], [2, 3], [4, 5]], 6), lambda: False)
    assert sorted(map(sorted, found.groups())) == [[0, 1, 2, 3], [4, 5]]


@pytest.mark.parametrize("principle", ASKED, ids=str)
def test_its_partition_is_feasible_and_no_better_than_the_optimum(principle: ao.Principle) -> None:
    for seed in range(10):
        problem = ao.CellSuppression(random_table(seed, rows=10, columns=3, values=3), principle)
        if problem.why_infeasible() is None:
            answer = ao.solve(problem, "mending")
            assert problem.is_feasible(answer.require_solution())
            assert problem.cost(answer.require_solution()) >= problem.cost(
                ao.solve(problem, "subset-dp").require_solution()
            )


def test_it_is_a_start_where_there_is_no_rule_and_nowhere_else() -> None:
    table = random_table(3, rows=30, columns=4, values=4)
    assert "mending" in [solver.name for solver in quick_solvers(ao.CellSuppression(table, ao.EntropyDiversity(2)))]
    assert "mending" not in [solver.name for solver in quick_solvers(ao.CellSuppression(table, ao.LDiversity(2)))]
    rare = ao.AlphaKAnonymity("1/2", 2, values=[table.sensitive_column("ill").values[0]])
    assert "mending" in [solver.name for solver in quick_solvers(ao.CellSuppression(table, rare))]
    with pytest.raises(NotApplicable, match="sifting prices 2-anonymity as it is"):
        ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)), "mending")
