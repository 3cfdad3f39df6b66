"""Reduce: the groups of a cover, kept apart as its sets come in (Meyerson and Williams 2004, section 4.1).

A cover chooses sets of at least k rows that may share rows. Their Reduce makes a partition of it: a row in two sets leaves one that
has more than k rows, or, if both have k, the two become one. Here that is done set by set. A set that comes in brings u > 0 new rows
and has others, published before. It keeps its new rows. If they are fewer than k, it takes the others that it needs from groups with
more than k rows; where those do not suffice, its new rows join a group G that shares a row with it and has none to give.

No more than Reduce, this makes no group larger than it may be: G could spare |G| - k rows, and k - u were needed, so that
|G| - k < k - u and |G| + u <= 2k - 1. A group's diameter, or the weight of its bad columns, stays within the sum over the sets that made
it: sets that share a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from anoptima.table import Counts


class CoverGroups:
    """Disjoint groups of copies of items (row types, or records), at least `k` copies each, and what is not published yet.

    Examples
    --------
    >>> groups = CoverGroups(np.array([3, 1, 2]), 2)
    >>> groups.publish({0: 3}, [])
    >>> groups.publish({1: 1}, [0, 2])
    >>> groups.groups, groups.unpublished.tolist()
    ([{0: 2}, {1: 1, 0: 1}], [0, 0, 2])
    """

    def __init__(self, multiplicity: Counts, k: int) -> None:
        self.k = k
        self.unpublished = multiplicity.copy()
        self.groups: list[dict[int, int]] = []
        self._multiplicity = multiplicity
        self._sizes: list[int] = []
        self._holders: dict[int, dict[int, None]] = {}

    def publish(self, new: Mapping[int, int], others: Iterable[int]) -> None:
        """Publish `new` copies of items, at least one; `others` are the items of the set, those to be taken first in front.

        Copies of `others` that have been published are those that the set shares with groups; with the new ones, k at least.
        """
        wanted = self.k - sum(new.values())
        for item, count in new.items():
            self.unpublished[item] -= count
        if wanted <= 0:
            self._add(dict(new))
            return
        shared = self._shared(others)
        spared = self._spared(shared, wanted)
        if spared is None:
            self._join(self._full(shared), new)
            return
        group = dict(new)
        for number, item, count in spared:
            self._move(number, item, -count)
            group[item] = group.get(item, 0) + count
        self._add(group)

    def _shared(self, others: Iterable[int]) -> list[tuple[int, int]]:
        """Return the groups that hold copies of `others`, with the items, in their order."""
        return [(number, item) for item in others for number in self._holders.get(item, ())]

    def _spared(self, shared: list[tuple[int, int]], wanted: int) -> list[tuple[int, int, int]] | None:
        """Find `wanted` shared copies in groups that keep k without them; None if there are too few."""
        found: list[tuple[int, int, int]] = []
        left: dict[int, int] = {}
        for number, item in shared:
            spare = left.setdefault(number, self._sizes[number] - self.k)
            count = min(spare, self.groups[number][item], wanted)
            if count > 0:
                found.append((number, item, count))
                left[number] -= count
                wanted -= count
                if not wanted:
                    return found
        return None

    def _full(self, shared: list[tuple[int, int]]) -> int:
        """Return the first group that shares more copies than it can spare: there is one if what is spared does not suffice."""
        held: dict[int, int] = {}
        for number, item in shared:
            held[number] = held.get(number, 0) + self.groups[number][item]
        return next(number for number, count in held.items() if count > self._sizes[number] - self.k)

    def _add(self, group: dict[int, int]) -> None:
        for item in group:
            self._holders.setdefault(item, {})[len(self.groups)] = None
        self.groups.append(group)
        self._sizes.append(sum(group.values()))

    def _join(self, number: int, new: Mapping[int, int]) -> None:
        for item, count in new.items():
            self._move(number, item, count)

    def _move(self, number: int, item: int, count: int) -> None:
        group = self.groups[number]
        group[item] = group.get(item, 0) + count
        self._sizes[number] += count
        if group[item]:
            self._holders.setdefault(item, {})[number] = None
        else:
            del group[item]
            del self._holders[item][number]

    def labels(self, item_of_row: Counts) -> Counts:
        """Return the group of each row; -1 for rows that are not published."""
        return labels_of_groups(self.groups, self._multiplicity, item_of_row)


def labels_of_groups(groups: Sequence[Mapping[int, int]], multiplicity: Counts, item_of_row: Counts) -> Counts:
    """Deal rows out to groups, given as counts of items; return the group of each row, -1 for rows that are in none. O(rows).

    >>> labels_of_groups([{0: 1, 1: 1}, {0: 2}], np.array([3, 2]), np.array([0, 1, 0, 0, 1])).tolist()
    [0, 0, 1, 1, -1]
    """
    group_of_copy = np.full(len(item_of_row), -1, dtype=np.int64)
    filled = np.cumsum(multiplicity) - multiplicity
    for number, group in enumerate(groups):
        for item, count in group.items():
            group_of_copy[filled[item] : filled[item] + count] = number
            filled[item] += count
    labels = np.empty_like(group_of_copy)
    labels[np.argsort(item_of_row, kind="stable")] = group_of_copy
    return labels
