"""Covers by balls, whole and truncated."""

from __future__ import annotations

import numpy as np
import pytest

import anoptima as ao
from anoptima.instances.errata_cells import table_of
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.solvers.approximate.anonymity import harmonic


@pytest.mark.parametrize(("k", "least"), [(2, 19), (3, 12)])
def test_truncated_diameters_are_within_their_bound(k: int, least: int) -> None:
    """sum diam <= 2 H_{2k-1} D*, and groups have k to 2k - 1 rows."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k))
    found = ao.solve(problem, "truncated-balls").require_solution()
    diameters = DiameterSum(problem.table, k)
    assert diameters.violations(found) == []
    assert diameters.cost(found) <= 2 * harmonic(2 * k - 1) * least


def test_large_weights_and_many_columns() -> None:
    """Distances beyond 255 take another path than small ones."""
    source = np.random.default_rng(4)
    table = table_of(np.repeat(source.integers(0, 2, (30, 10)), 2, axis=0).tolist())
    heavy = ao.Table.from_frame(table.frame, table.quasi, weights=dict.fromkeys(table.quasi, 1000))
    costs = [ao.solve(ao.CellSuppression(t, ao.KAnonymity(3)), "truncated-balls").cost for t in (table, heavy)]
    assert costs[0] is not None
    assert costs[1] == 1000 * costs[0]


@pytest.mark.parametrize("solver", ["ball-cover", "ball-cover-pairs"])
def test_too_many_balls_are_refused(solver: str) -> None:
    table = table_of([[i, i % 7] for i in range(3000)])
    said = (
        r"^the diameters of all balls of 3,000 row types take 27,000,000,000 looks at distances; 17,179,869,184 are allowed: "
        r"take fewer rows or 'truncated-balls', which needs no diameters$"
    )
    with pytest.raises(ao.ModelTooLarge, match=said):
        ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)), solver, start=None)


def test_pairs_and_radii_list_the_same_balls_where_columns_weigh_the_same() -> None:
    """And the same balls in the same order make the same partition."""
    source = np.random.default_rng(7)
    for _ in range(10):
        problem = ao.CellSuppression(table_of(source.integers(0, 3, (12, 4)).tolist()), ao.KAnonymity(3))
        assert ao.solve(problem, "ball-cover").solution == ao.solve(problem, "ball-cover-pairs").solution
