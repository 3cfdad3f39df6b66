"""Releases from the program: every row once, legal, near the bound; rows that are left over; regions that only gain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.least_groups.release import REGION_GROUPS, Releases
from tests.loops import each
from tests.solvers.exact.least_groups.tables import least_of, wide

PRINCIPLES: list[Any] = [ao.KAnonymity(3), ao.LDiversity(3), ao.KAnonymity(4), ao.LDiversity(2)]


@pytest.mark.parametrize("seconds", [0.0, np.inf], ids=["hurried", "unhurried"])
@each("seed", range(12))
def test_a_dive_finds_a_legal_release(seed: int, seconds: float) -> None:
    """Of numbers of rows that k divides, and of others; near the bound where all has been solved before."""
    rows = 40 + seed
    problem = wide(seed, rows, 12, PRINCIPLES[seed % 4], weighted=seed % 3 == 1)
    least = least_of(problem)
    least.raise_bound(lambda: False)
    groups = Releases(least, np.random.default_rng(seed)).dive(seconds)
    assert groups is not None
    partition = Partition.from_groups(groups, rows)
    assert problem.violations(partition) == []
    proof = least._ledger.proof
    assert proof is not None
    assert proof.value <= problem.cost(partition) <= proof.value * 13 / 10


def test_a_row_that_fits_nowhere_is_told() -> None:
    """Three sick rows of seven, l = 2: what is left over is a row of a value that every group has."""
    problem = wide(1, 5, 4, ao.LDiversity(2))
    least = least_of(problem)
    releases = Releases(least, np.random.default_rng(0))
    assert not releases._put(0, [[0 + 4, 1], [4, 2]])
    groups = [[1, 2], [3, 4]]
    assert releases._put(0, groups)
    assert sorted(map(len, groups)) == [2, 3]


@each("seed", range(4))
def test_regions_make_releases_cheaper_and_stay_legal(seed: int) -> None:
    problem = wide(seed, 48, 12, PRINCIPLES[seed])
    least = least_of(problem)
    least.raise_bound(lambda: False)
    releases, found = Releases(least, np.random.default_rng(seed)), list[Partition]()
    # Rows in the order of the table: a release that is legal, as values take turns, and bad.
    start = Partition.from_groups(np.arange(48).reshape(-1, least.pricing.k).tolist(), 48)
    assert problem.violations(start) == []
    releases.mended(start, REGION_GROUPS, lambda: len(found) > 0, found.append)
    costs = [problem.cost(start), *map(problem.cost, found)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]
    assert all(problem.violations(one) == [] for one in found)
