from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models.group_lists import MOST_COUNTED, count_groups, kinds_by_type, kinds_by_value, list_groups
from tests.grouping import Rows, draw_rows


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    return draw_rows(lambda options: draw(st.sampled_from(options)))


@given(tables(), st.integers(1, 4))
def test_every_multiset_of_types_is_listed_once_and_counted(rows: Rows, k: int) -> None:
    kinds = kinds_by_type(rows.table(), k)
    groups = list_groups(kinds)
    there = kinds.of_row.tolist()
    for size in range(k, min(2 * k - 1, len(there)) + 1):
        expected = {tuple(sorted(there[i] for i in group)) for group in itertools.combinations(range(len(there)), size)}
        listed = [tuple(line) for block in groups.members if block.shape[1] == size for line in block.tolist()]
        assert listed == sorted(expected)
        assert count_groups(kinds)[size] == len(expected)


@given(tables(), st.integers(1, 4))
def test_every_set_of_rows_with_different_values_is_listed_once_and_counted(rows: Rows, least: int) -> None:
    kinds = kinds_by_value(rows.table(), "ill", least)
    groups = list_groups(kinds)
    there = kinds.of_row.tolist()
    for size in range(least, min(2 * least - 1, len(set(rows.ill))) + 1):
        expected = {
            tuple(sorted(there[i] for i in group))
            for group in itertools.combinations(range(len(there)), size)
            if len({rows.ill[i] for i in group}) == size
        }
        listed = [tuple(line) for block in groups.members if block.shape[1] == size for line in block.tolist()]
        assert listed == sorted(expected)
        assert count_groups(kinds)[size] == len(expected)


@given(tables(), st.integers(1, 3))
def test_entries_say_what_members_do_and_find_finds_them(rows: Rows, k: int) -> None:
    groups = list_groups(kinds_by_type(rows.table(), k))
    if not groups.members:
        return
    lines = [line for block in groups.members for line in block.tolist()]
    counted: list[Counter[int]] = [Counter() for _ in lines]
    for group, kind, copies in zip(*groups.entries, strict=True):
        counted[group][int(kind)] += int(copies)
    assert counted == [Counter(line) for line in lines]
    assert [groups.find(line) for line in lines] == list(range(len(groups)))
    assert groups.sizes.tolist() == [len(line) for line in lines]


def test_a_group_that_is_not_listed_is_not_found() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": [0, 1, 2]}), ["a"])
    groups = list_groups(kinds_by_type(table, 2))
    with pytest.raises(KeyError, match=r"\(0, 0\)"):
        groups.find([0, 0])
    with pytest.raises(KeyError, match=r"\(0,\)"):
        groups.find([0])


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=30), st.integers(1, 4))
def test_a_diverse_group_is_dealt_out_into_small_ones_of_different_values(ill: list[str], least: int) -> None:
    """The group structure of frequency l-diversity: round-robin over rows sorted by value never repeats a value in a part."""
    if least * max(Counter(ill).values()) > len(ill):
        return
    table = ao.Table.from_frame(pd.DataFrame({"a": range(len(ill)), "ill": ill}), ["a"], "ill")
    parts = kinds_by_value(table, "ill", least).cut(list(range(len(ill))))
    assert sorted(itertools.chain(*parts)) == list(range(len(ill)))
    for part in parts:
        assert least <= len(part) <= 2 * least - 1
        assert len({ill[row] for row in part}) == len(part)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.integers(1, 5))
def test_a_large_group_is_cut_into_small_ones(values: list[int], k: int) -> None:
    if len(values) < k:
        return
    table = ao.Table.from_frame(pd.DataFrame({"a": values}), ["a"])
    parts = kinds_by_type(table, k).cut(list(range(len(values))))
    assert sorted(itertools.chain(*parts)) == list(range(len(values)))
    assert all(k <= len(part) <= 2 * k - 1 for part in parts)


@pytest.mark.parametrize(("rows", "k"), [(30_000, 2), (30_000, 5), (2_000, 1_000), (5_000, 2_500)])
def test_a_hopeless_number_of_groups_is_told_at_once(rows: int, k: int) -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": range(rows)}), ["a"])
    assert sum(count_groups(kinds_by_type(table, k)).values()) >= min(MOST_COUNTED, rows * (rows - 1) // 2)


def test_large_counts_are_exact_until_they_are_hopeless() -> None:
    """10^4 different rows in pairs and triples: binomials, beyond 32 bits."""
    table = ao.Table.from_frame(pd.DataFrame({"a": range(10_000)}), ["a"])
    assert count_groups(kinds_by_type(table, 2)) == {2: 49_995_000, 3: 166_616_670_000}
    few = ao.Table.from_frame(pd.DataFrame({"a": np.repeat([0, 1, 2], 1000)}), ["a"])
    assert count_groups(kinds_by_type(few, 1000))[1000] == 1001 * 1002 // 2


def test_partial_groups_that_cannot_be_completed_are_dropped() -> None:
    """20 rows in one group of 20: on the way there are C(20, 10) = 184,756 sets of 10 rows, and one of them is wanted."""
    table = ao.Table.from_frame(pd.DataFrame({"a": range(20)}), ["a"])
    kinds = kinds_by_type(table, 20)
    assert len(list_groups(kinds)) == sum(count_groups(kinds).values()) == 1
