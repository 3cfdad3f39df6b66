"""Closed patterns: small tables look at all column sets at once, and find the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima import patterns
from tests.cases import make_case

T = TypeVar("T")


def test_all_column_sets_at_once_give_the_same_patterns_in_the_same_order() -> None:
    compared = 0
    for seed in range(150):
        chance = random.Random(seed)

        def choose(options: Sequence[T], chance: random.Random = chance) -> T:
            return chance.choice(options)

        problem = make_case(choose, 9, 5).cells()
        if problem.why_infeasible() is not None:
            continue
        one, other = patterns._at_once(problem), patterns._enumerate(problem)
        for name in ("kept", "cost", "start", "member"):
            found, expected = getattr(one, name), getattr(other, name)
            assert found.dtype == expected.dtype, (seed, name)
            assert np.array_equal(found, expected), (seed, name)
        compared += len(one) > 0
    assert compared > 80


def test_column_sets_are_left_out_where_no_class_of_them_can_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under closeness any class may hold a group, also one of equal rows, which agree on every further column."""
    sets = 0

    def count() -> None:
        nonlocal sets
        sets += 1

    codes = np.random.default_rng(7).integers(0, 3, (9, 9))
    frame = pd.DataFrame(codes).rename(columns=str).assign(ill=[*"xyz"] * 3)
    problem = ao.CellSuppression(ao.Table.from_frame(frame, [*frame][:9], "ill"), ao.TCloseness("0.6"))
    monkeypatch.setattr(patterns, "check_time", count)
    one, other = patterns._at_once(problem), patterns._enumerate(problem)
    assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("kept", "cost", "start", "member"))
    assert sets < 2**9 // 2


def test_many_patterns_are_found_as_each_of_them_is() -> None:
    found = patterns.closed_patterns(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    chance = np.random.default_rng(0)
    wanted = chance.permutation(np.repeat(np.arange(len(found)), 2))
    record = np.array([chance.choice(found.member[found.start[p] : found.start[p + 1]]) for p in wanted.tolist()])
    assert found.find_each(found.kept[wanted], record).tolist() == wanted.tolist()
    assert [found.find(found.kept[p], int(r)) for p, r in zip(wanted, record, strict=True)] == wanted.tolist()
    with pytest.raises(KeyError):
        found.find_each(np.ones((1, 8), dtype=bool), np.zeros(1, dtype=np.int64))


def test_column_sets_are_told_apart_however_they_lie_in_memory() -> None:
    kept = np.array([[1, 0] * 6, [1, 1] * 6, [1, 0] * 6], dtype=bool)
    names = patterns._set_names(kept)
    assert names[0] == names[2]
    assert names[0] != names[1]
    assert patterns._set_names(np.asfortranarray(kept)).tolist() == names.tolist()


def test_patterns_are_told_apart_by_all_their_columns() -> None:
    chance = np.random.default_rng(1)
    frame = pd.DataFrame(chance.integers(0, 2, (6, 70))).rename(columns="q{}".format)
    table = ao.Table.from_frame(frame, list(frame.columns))
    # Two patterns of one row that differ in the last column alone.
    kept = np.ones((2, 70), dtype=bool)
    kept[1, 69] = False
    found = patterns.Patterns(table, kept, np.array([0, 1]), np.array([0, 1, 2]), np.array([3, 3], dtype=np.int32))
    assert found.find_each(kept[::-1], np.array([3, 3])).tolist() == [1, 0]


def test_supports_are_counted_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    for block in (1, 3, 1 << 12):
        monkeypatch.setattr(patterns, "_BLOCK", block)
        found = patterns._enumerate(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
        copies = found.table.records.multiplicity
        spans = zip(found.start[:-1], found.start[1:], strict=True)
        assert len(found) > 3
        assert found.support.tolist() == [copies[found.member[first:end]].sum() for first, end in spans]
