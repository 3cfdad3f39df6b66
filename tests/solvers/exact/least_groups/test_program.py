"""Programs over some groups: their optima by duality, partitions, and groups that are told apart."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import anoptima as ao
from anoptima.solvers.exact.least_groups.program import Groups, Program
from tests.solvers.exact.least_groups.tables import pricing_of, wide


def every_triple(rows: int) -> np.ndarray:
    return np.array([*itertools.combinations(range(rows), 3)])


def test_groups_are_there_once_with_their_costs() -> None:
    pricing = pricing_of(wide(0, 9, 8, ao.KAnonymity(3)))
    groups, some = Groups(pricing), every_triple(9)[::5]
    assert groups.add(some) == len(some)
    assert groups.add(np.concatenate([some[:3], [[0, 1, 3]], [[0, 1, 3]]])) == 1
    assert (groups.cost == pricing.costs(groups.rows)).all()
    numbers, places = groups.among(np.array([8, 1, 3, 0]))
    assert [0, 1, 3] in groups.rows[numbers].tolist()
    assert all(set(row) <= {0, 1, 3, 8} for row in groups.rows[numbers].tolist())
    assert (np.array([8, 1, 3, 0])[places] == groups.rows[numbers]).all()


@pytest.mark.parametrize("is_cover", [False, True])
def test_amounts_and_worths_prove_each_other(is_cover: bool) -> None:
    """Both are feasible, and come to the same: so they are optimal. On all triples of nine rows."""
    pricing, groups = pricing_of(wide(4, 9, 8, ao.KAnonymity(3), weighted=True)), every_triple(9)
    cost = pricing.costs(groups)
    program = Program(9, 10_000)
    program.add(groups, cost)
    found = program.optimum(is_cover)
    held = np.bincount(groups.ravel(), np.repeat(found.amount, 3))
    assert found.amount.min() > -1e-9
    assert held.min() > 1 - 1e-6
    assert is_cover or held.max() < 1 + 1e-6
    assert (cost - found.worth[groups].sum(axis=1)).min() > -1e-4
    assert (found.worth > -1e-6).all() or not is_cover
    for total in (cost @ found.amount, found.worth.sum()):
        assert total == pytest.approx(found.cost, abs=1e-3)


def test_the_cheapest_partition_is_found_and_what_is_known_is_kept() -> None:
    pricing, groups = pricing_of(wide(5, 9, 8, ao.KAnonymity(3))), every_triple(9)
    cost = pricing.costs(groups)
    program = Program(9, 10_000)
    known = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    program.add(known, pricing.costs(known))
    program.add(groups, cost)
    taken = program.partition(3, 60.0)
    every = [*known, *groups]
    assert sorted(row for number in taken for row in every[number]) == [*range(9)]
    best = min(
        sum(int(pricing.costs(np.array([part]))[0]) for part in parts)
        for parts in itertools.combinations(groups.tolist(), 3)
        if len({row for part in parts for row in part}) == 9
    )
    assert sum(int(pricing.costs(every[number][None])[0]) for number in taken) == best
    alone = Program(9, 10_000)
    alone.add(known, pricing.costs(known))
    assert alone.partition(3, 60.0).tolist() == [0, 1, 2]
