"""All groups of some dozen rows in arrays: the same as groups that are grown, under decisions, for stars and diameters."""

from __future__ import annotations

import random
from typing import Any

import pytest

import anoptima as ao
from anoptima.proofs.heaviest import RowGroups
from anoptima.proofs.worths import groups_of
from anoptima.solvers.exact.listed_groups import ListedGroups
from tests.loops import each
from tests.solvers.exact.least_groups.tables import wide


def question(seed: int) -> Any:
    principle = (ao.KAnonymity(2), ao.KAnonymity(3), ao.LDiversity(2), ao.LDiversity(3))[seed % 4]
    cells = wide(seed, 9, (5, 70)[seed % 2], principle, weighted=seed % 3 == 0)
    return ao.DiameterSum(cells.table, 2 + seed % 2) if seed % 5 == 0 else cells


@each("seed", range(30))
def test_the_same_groups_gain_as_where_groups_are_grown(seed: int) -> None:
    chance, problem = random.Random(seed), question(seed)
    k, kinds, _ = groups_of(problem)
    grown, listed = RowGroups(problem, k, kinds), ListedGroups(problem, k, kinds)
    path: list[Any] = []
    for _ in range(4):
        worth = [chance.randrange(-2, 30) for _ in range(9)]
        assert listed.largest_gain(worth, 2, path) == grown.largest_gain(worth, 2, path)
        for above in (0, 7):
            expected = sorted(gain for gain, _ in grown.gaining(worth, 2, above, path, wanted=1 << 20))
            found = list(listed.gaining(worth, 2, above, path, wanted=1 << 20))
            assert [gain for gain, _ in found] == expected
            assert all(gain == sum(worth[row] for row in group) - 2 * grown.cost(group) for gain, group in found)
            some = list(listed.gaining(worth, 2, above, path, wanted=3))
            assert [gain for gain, _ in some] == expected[-3:]
        pair = tuple(sorted(chance.sample(range(9), 2)))
        if all(pair != other for other, _ in path):
            path.append((pair, chance.random() < 0.4))


def test_odd_sets_are_left_to_groups_that_are_grown() -> None:
    problem = question(1)
    k, kinds, _ = groups_of(problem)
    grown, listed = RowGroups(problem, k, kinds), ListedGroups(problem, k, kinds)
    worth, sets, prices = [11] * 9, [(0, 1, 2), (5,)], [3, 4]
    assert listed.largest_gain(worth, 1, (), sets, prices) == grown.largest_gain(worth, 1, (), sets, prices)


@pytest.mark.parametrize(
    ("rows", "columns", "principle"),
    [(17, 24, ao.KAnonymity(3)), (23, 18, ao.KAnonymity(3)), (26, 30, ao.LDiversity(3)), (18, 20, ao.KAnonymity(4))],
    ids=str,
)
def test_rows_that_k_does_not_divide_are_proved(rows: int, columns: int, principle: Any) -> None:
    """There are no more groups than n // k: without that, programs lie a few per cent below, and cases hardly raise them."""
    problem = wide(3, rows, columns, principle)
    answer = ao.solve(problem, "group-prices")
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.proof is not None
    assert answer.proof.proved(problem) == answer.cost
    if rows <= 20:
        assert ao.solve(problem, "subset-dp").cost == answer.cost
