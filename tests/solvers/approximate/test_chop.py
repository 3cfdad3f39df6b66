"""Chopping: parts of k to 2k - 1 rows, at no more cost. And distances, by row and by block."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.instances.errata_cells import table_of
from anoptima.solvers.approximate import chop as chopping
from anoptima.solvers.approximate import distances as module
from anoptima.solvers.approximate.chop import chop
from anoptima.solvers.approximate.distances import Distances


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 30))
def test_chopping_never_costs_more(seed: int, k: int, rows: int) -> None:
    source = np.random.default_rng(seed)
    problem = ao.CellSuppression(table_of(source.integers(0, 3, (max(rows, k), 4)).tolist()), ao.KAnonymity(k))
    before = ao.Partition.from_labels(source.integers(0, max(1, rows // (3 * k)), problem.table.rows))
    if problem.violations(before):
        before = problem.trivial()
    after = chop(problem, before, k)
    assert problem.violations(after) == []
    assert problem.cost(after) <= problem.cost(before)
    costly = problem.stars(after).any(axis=1)
    assert (np.bincount(after.labels)[after.labels[costly]] < 2 * k).all()
    for group in after.groups():
        assert len(set(before.labels[group].tolist())) == 1, "parts do not mix groups"


def test_groups_that_cost_nothing_stay() -> None:
    problem = ao.CellSuppression(table_of(["ab"] * 9), ao.KAnonymity(2))
    assert chop(problem, problem.trivial(), 2) == problem.trivial()


@pytest.mark.parametrize(("k", "blocks"), [(2, 6), (20, 6), (21, 1)])
def test_a_large_group_is_cut_into_blocks_first(k: int, blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time for more, blocks are the parts: each is of rows that agree on the columns of fewest values."""
    monkeypatch.setattr(chopping, "BLOCK", 20)
    source = np.random.default_rng(5)
    codes = np.stack([source.integers(0, values, 125) for values in (9, 2, 99, 3)], axis=1)
    problem = ao.CellSuppression(table_of(codes.tolist()), ao.KAnonymity(k))
    assert 120 < len(problem.table.types) < 125
    at_once = chop(problem, problem.trivial(), k, lambda: True)
    assert len(at_once.groups()) == blocks
    assert problem.violations(at_once) == []
    of_row = problem.table.types[problem.table.type_of_row]
    held = [of_row[group][:, 1].max() - of_row[group][:, 1].min() for group in at_once.groups()]
    assert sum(held) <= 1, "at most one block has both values of the second column"
    after = chop(problem, problem.trivial(), k)
    assert problem.violations(after) == []
    assert np.bincount(after.labels).max() < 2 * k
    if blocks > 1:
        assert problem.cost(after) <= problem.cost(at_once) < problem.cost(problem.trivial())


def test_parts_are_the_same_where_distances_are_not_all_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a k above a block, a group of many row types is not cut into blocks, and its distances are too many to be held."""
    problem = ao.CellSuppression(table_of(np.random.default_rng(2).integers(0, 4, (90, 4)).tolist()), ao.KAnonymity(21))
    parts = chop(problem, problem.trivial(), 21)
    monkeypatch.setattr(chopping, "BLOCK", 20)
    monkeypatch.setattr(Distances, "among", None)
    assert chop(problem, problem.trivial(), 21) == parts


@pytest.mark.parametrize("many", [1, 64], ids=["by row", "by column"])
@pytest.mark.parametrize("weights", [(1, 1, 1), (2, Fraction(1, 3), 1), (1000, 1, 70000)])
def test_distances(weights: tuple[Fraction | int, ...], many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 100)
    monkeypatch.setattr(module, "_MANY_COLUMNS", many)
    table = table_of(np.random.default_rng(3).integers(0, 4, (60, 3)).tolist())
    table = ao.Table.from_frame(table.frame, table.quasi, weights=dict(zip(table.quasi, weights, strict=True)))
    differ = table.types[:, None, :] != table.types[None, :, :]
    expected = (differ * table.scaled_weights).sum(axis=2)
    distances = Distances(table)
    some = np.array([3, 1, 7])
    assert (np.array([distances.of(t) for t in range(len(table.types))]) == expected).all()
    assert (distances.of(5, some) == expected[5, some]).all()
    assert (distances.among(some) == expected[np.ix_(some, some)]).all()
    blocks = list(distances.blocks())
    assert len(blocks) > 1
    assert (np.concatenate([block for _, block in blocks]) == expected).all()
    assert [first for first, _ in blocks] == np.cumsum([0, *(len(block) for _, block in blocks)])[:-1].tolist()
