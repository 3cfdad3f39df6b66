"""A row that had to join a group once joined the first that shared its pattern, however large, instead of one with nothing to spare.

That broke the theorem (495 stars where 88 are optimal, and 137/36 times the optimum are promised) and with it the bound.
"""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.instances.errata_cells import table_of

COLUMNS = 11
MANY = [[0] * COLUMNS + [i] for i in range(40)]
FULL = [[1] * COLUMNS + [i] for i in (0, -1, -2)]
LONE = [[2] * COLUMNS + [0]]


def test_a_lone_row_joins_a_group_that_has_nothing_to_spare() -> None:
    problem = ao.CellSuppression(table_of([*MANY, *FULL, *LONE]), ao.KAnonymity(3))
    good = ao.Partition.from_groups([list(range(40)), [40, 41, 42, 43]], 44)
    answer = ao.solve(problem, "greedy-patterns")
    assert answer.cost == problem.cost(good) == 88
    assert answer.bound is not None
    assert answer.bound.value <= 88


@pytest.mark.parametrize("solver", ["cover", "truncated-balls", "ball-cover", "forest", "classes"])
def test_others_keep_their_promise_there(solver: str) -> None:
    problem = ao.CellSuppression(table_of([*MANY[:12], *FULL, *LONE]), ao.KAnonymity(3))
    answer, ratio = ao.solve(problem, solver), ao.get_solver(solver).ratio(problem)
    assert answer.cost is not None
    assert ratio is None or answer.cost <= ratio * 60
