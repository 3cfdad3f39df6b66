"""Reduce, set by set: groups stay disjoint, at least k, and at most 2k - 1 where the sets are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anoptima.solvers.approximate.cover_groups import CoverGroups, labels_of_groups


@given(st.lists(st.integers(1, 4), min_size=1, max_size=7), st.integers(1, 4), st.randoms(use_true_random=False))
def test_sets_become_a_partition(counts: list[int], k: int, chance: object) -> None:
    """Whatever sets of k to 2k - 1 rows come in, in any order."""
    multiplicity = np.array(counts)
    if multiplicity.sum() < k:
        return
    groups = CoverGroups(multiplicity, k)
    while groups.unpublished.any():
        first = int(np.flatnonzero(groups.unpublished)[0])
        new = {first: 1}
        others = list(range(len(counts)))
        chance.shuffle(others)  # type: ignore[attr-defined]
        for item in others:
            room = int(groups.unpublished[item]) - new.get(item, 0)
            count = min(room, chance.randint(0, 2), 2 * k - 1 - sum(new.values()))  # type: ignore[attr-defined]
            if count > 0:
                new[item] = new.get(item, 0) + count
        published = int((multiplicity - groups.unpublished).sum())
        if sum(new.values()) + published < k:
            new = {item: int(count) for item, count in enumerate(groups.unpublished) if count}
            if sum(new.values()) > 2 * k - 1:
                continue
        groups.publish(new, others)
        for group in groups.groups:
            assert k <= sum(group.values()) <= 2 * k - 1
            assert all(count > 0 for count in group.values())
        held = np.zeros(len(counts), dtype=np.int64)
        for group in groups.groups:
            for item, count in group.items():
                held[item] += count
        assert (held + groups.unpublished == multiplicity).all()


def test_a_set_takes_from_groups_that_can_spare() -> None:
    groups = CoverGroups(np.array([3, 1]), 2)
    groups.publish({0: 3}, [])
    groups.publish({1: 1}, [1, 0])
    assert groups.groups == [{0: 2}, {1: 1, 0: 1}]


def test_a_set_joins_a_group_that_cannot() -> None:
    groups = CoverGroups(np.array([2, 1]), 2)
    groups.publish({0: 2}, [])
    groups.publish({1: 1}, [1, 0])
    assert groups.groups == [{0: 2, 1: 1}]


def test_a_set_does_not_join_a_large_group_that_gives_what_it_shares() -> None:
    """Item 0 is in a group of five, which spares it; that is one row of two, so the lone row joins the group of item 2."""
    groups = CoverGroups(np.array([1, 4, 1, 2, 1]), 3)
    groups.publish({0: 1, 1: 4}, [])
    groups.publish({2: 1, 3: 2}, [])
    groups.publish({4: 1}, [0, 2, 4])
    assert groups.groups == [{0: 1, 1: 4}, {2: 1, 3: 2, 4: 1}]


def test_rows_that_are_in_no_group() -> None:
    assert labels_of_groups([], np.array([2]), np.array([0, 0])).tolist() == [-1, -1]
