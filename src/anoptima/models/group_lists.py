"""Lists of groups: every group that an exact search must look at, once up to rows that are alike.

Rows of one *kind* are alike to a problem. A listed group is a multiset of kinds, written as its kinds in increasing order. What may be
in one group is said by three things a kind: how many copies of it a group may hold, and which kind is the first that may follow it.

- Where groups split anywhere into parts of the least size k, groups of k to 2k - 1 rows are enough, and kinds are row types.
- Under frequency l-diversity, l whole, groups of l to 2l - 1 rows with pairwise different values are enough: a larger group, sorted by
  value and dealt round-robin into size // l parts, falls into such ones, because a value occurs at most size / l times. Kinds are
  pairs of row type and value, sorted by value, and what follows a kind is of another value.

A list knows no program and no cost: a search that makes groups as it needs them can make shorter lists of the same sort.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.principles import AtLeastRows, AtMostShare
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.table import Counts, Table, fold_codes

Members = NDArray[np.int32]

MOST_COUNTED = 1 << 40
"""Counting stops here: no longer list of groups is ever made."""


@dataclass(frozen=True, eq=False)
class RowKinds:
    """Which rows are alike, and which kinds may be in one group.

    Attributes
    ----------
    of_row : array (n,)
        The kind of each row.
    type : array (K,)
        The row type of each kind.
    rows : array (K,)
        How many rows are of each kind.
    copies : array (K,)
        How many rows of a kind one group may hold.
    after : array (K,)
        The first kind that may follow the last copy of a kind; K if none may.
    least, most : int
        The sizes of a group.
    apart : bool
        Whether large groups are to be dealt out rather than cut, as rows of kinds near each other may not share a group.
    """

    of_row: Counts
    type: Counts
    rows: Counts
    copies: Counts
    after: Counts
    least: int
    most: int
    apart: bool

    def __len__(self) -> int:
        return len(self.type)

    @cached_property
    def room(self) -> Counts:
        """How many rows a group may hold of the kinds from each one on; 0 after the last."""
        room = np.zeros(len(self) + 1, dtype=np.int64)
        for kind in reversed(range(len(self))):
            # All kinds up to `after` exclude one another, so the next one of them may be the better choice.
            beside = room[kind + 1] if self.after[kind] > kind + 1 else 0
            room[kind] = max(self.copies[kind] + room[self.after[kind]], beside)
        return room

    def cut(self, group: list[int]) -> list[list[int]]:
        """Cut a group of rows into groups of `least` to `most` rows that may be; no part has a column that the whole has not starred."""
        rows = np.array(sorted(group, key=lambda row: (self.of_row[row], row)))
        parts = max(1, len(rows) // self.least)
        if self.apart:
            return [rows[part::parts].tolist() for part in range(parts)]
        return [part.tolist() for part in np.array_split(rows, parts)]


def kinds_by_type(table: Table, least: int) -> RowKinds:
    """Return the kinds where any rows may be grouped, and groups of `least` to 2 `least` - 1 rows are enough."""
    types = np.arange(len(table.types), dtype=np.int64)
    most = min(2 * least - 1, table.rows)
    copies = np.minimum(table.multiplicity, most)
    return RowKinds(table.type_of_row, types, table.multiplicity, copies, types + 1, least, most, apart=False)


def kinds_by_value(table: Table, column: str, least: int) -> RowKinds:
    """Return the kinds where rows with one value of `column` may not be grouped, and `least` to 2 `least` - 1 rows are enough."""
    codes = table.sensitive_column(column).codes
    key = fold_codes(codes.astype(np.int64), table.type_of_row, len(table.types))
    _, first, of_row, rows = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    values = codes[first]
    after = np.searchsorted(values, values, side="right").astype(np.int64)
    most = min(2 * least - 1, len(distinct(values)))
    return RowKinds(
        of_row.reshape(-1).astype(np.int64),
        table.type_of_row[first],
        rows.astype(np.int64),
        np.ones(len(first), dtype=np.int64),
        after,
        least,
        most,
        apart=True,
    )


def kinds_of(problem: CellSuppression) -> RowKinds | None:
    """Return the kinds of rows whose groups are enough for an exact search; None where no list of small groups is.

    >>> from anoptima import KAnonymity, LDiversity, ten_rows
    >>> by_value = kinds_of(CellSuppression(ten_rows(), LDiversity(2)))
    >>> by_value.least, by_value.most, kinds_of(CellSuppression(ten_rows(), KAnonymity(3) & LDiversity(2)))
    (2, 3, None)
    """
    principle = problem.plain.principle
    conditions = principle.conditions(problem.table)
    least = principle.least_size(problem.table)
    if all(isinstance(condition, AtLeastRows) for condition in conditions):
        return kinds_by_type(problem.table, least)
    # Conditions speak of this table: in a small one, 5/2-diversity may be 3-diversity. A share of 0 is what no group can have.
    if len(conditions) == 1 and isinstance(conditions[0], AtMostShare) and conditions[0].share.numerator <= 1:
        return kinds_by_value(problem.table, conditions[0].column, least)
    return None


def count_groups(kinds: RowKinds) -> dict[int, int]:
    """Return how many groups there are of each size, exactly up to `MOST_COUNTED` in all; beyond that, a number from below.

    Multiplies the polynomials that count, for each set of kinds that exclude one another, the ways to take rows of it. Every partial
    group that is counted can be completed, so once there are `MOST_COUNTED` of them, there are at least that number of groups. O(K most).

    >>> from anoptima import KAnonymity, ten_rows
    >>> count_groups(kinds_of(CellSuppression(ten_rows(), KAnonymity(3))))
    {3: 120, 4: 210, 5: 252}
    """
    ways = np.zeros(kinds.most + 1, dtype=np.int64)
    ways[0] = 1
    for kind, after in _blocks(kinds):
        if after == kind + 1:
            copies = int(kinds.copies[kind])
            sums = np.cumsum(ways)
            sums[copies + 1 :] -= sums[: len(sums) - copies - 1].copy()
            ways = sums
        else:
            ways[1:] += (after - kind) * ways[:-1].copy()
        completed = np.arange(len(ways)) + kinds.room[after] >= kinds.least
        ways[~completed] = 0
        if ways.max() >= MOST_COUNTED:
            return {kinds.least: int(ways.max())}
    return {size: int(ways[size]) for size in range(kinds.least, kinds.most + 1)}


def _blocks(kinds: RowKinds) -> Iterator[tuple[int, int]]:
    """Yield the ranges of kinds that exclude one another."""
    kind = 0
    while kind < len(kinds):
        yield kind, int(kinds.after[kind])
        kind = int(kinds.after[kind])


@dataclass(frozen=True, eq=False)
class GroupList:
    """Groups of kinds: `members[s]` holds those of one size, one a line, each in increasing order and the lines in lexicographic order."""

    kinds: RowKinds
    members: tuple[Members, ...]

    def __len__(self) -> int:
        return sum(len(block) for block in self.members)

    @cached_property
    def offsets(self) -> list[int]:
        """The number of the first group of each size."""
        return [0, *itertools.accumulate(len(block) for block in self.members)]

    @cached_property
    def sizes(self) -> Counts:
        """How many rows each group has."""
        return np.repeat([block.shape[1] for block in self.members], [len(block) for block in self.members])

    @cached_property
    def entries(self) -> tuple[Counts, Counts, Counts]:
        """For each group and kind in it: the group, the kind, and how many rows of the kind the group has. Sorted by group."""
        groups, held, copies = [], [], []
        for offset, block in zip(self.offsets[:-1], self.members, strict=True):
            begins = np.ones(block.shape, dtype=bool)
            begins[:, 1:] = block[:, 1:] != block[:, :-1]
            flat = np.flatnonzero(begins)
            groups.append(offset + flat // block.shape[1])
            held.append(block.reshape(-1)[flat].astype(np.int64))
            copies.append(np.diff(np.append(flat, block.size)))
        return np.concatenate(groups), np.concatenate(held), np.concatenate(copies)

    def find(self, kinds: list[int]) -> int:
        """Return the number of the group with these kinds, in increasing order; KeyError if it is not listed. O(size log groups)."""
        for offset, block in zip(self.offsets[:-1], self.members, strict=True):
            if block.shape[1] != len(kinds):
                continue
            low, high = 0, len(block)
            for place, kind in enumerate(kinds):
                column = block[low:high, place]
                first, end = np.searchsorted(column, kind), np.searchsorted(column, kind, side="right")
                low, high = low + int(first), low + int(end)
            if low < high:
                return offset + low
        raise KeyError(tuple(kinds))


def list_groups(kinds: RowKinds) -> GroupList:
    """Return every group, made size by size: each group with its last kind gone is a group on the way, and none is made twice.

    A partial group that can no longer reach the least size is dropped, so there never are more of them than groups in the end.
    O(groups x size) in time and memory.

    >>> from anoptima import KAnonymity, ten_rows
    >>> groups = list_groups(kinds_of(CellSuppression(ten_rows(), KAnonymity(3))))
    >>> len(groups), groups.members[0][0].tolist(), groups.find([0, 1, 3])
    (582, [0, 1, 2], 1)
    """
    members = np.zeros((1, 0), dtype=np.int32)
    run = np.zeros(1, dtype=np.int64)
    found = []
    for size in range(1, kinds.most + 1):
        check_time()
        if size == 1:
            first = np.zeros(1, dtype=np.int64)
        else:
            last = members[:, -1].astype(np.int64)
            first = np.where(run < kinds.copies[last], last, kinds.after[last])
        lengths = len(kinds) - first
        origin = np.repeat(np.arange(len(members)), lengths)
        added = np.arange(len(origin)) - np.repeat(np.cumsum(lengths) - lengths - first, lengths)
        again = members[origin, -1] == added if size > 1 else np.zeros(len(added), dtype=bool)
        run = np.where(again, run[origin] + 1, 1)
        beyond = np.where(run < kinds.copies[added], kinds.copies[added] - run, 0) + kinds.room[kinds.after[added]]
        reaches = size + beyond >= kinds.least
        members = np.column_stack([members[origin[reaches]], added[reaches].astype(np.int32)])
        run = run[reaches]
        if size >= kinds.least:
            found.append(members)
    return GroupList(kinds, tuple(found))
