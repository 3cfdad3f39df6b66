"""Closed patterns: the generalised rows that matter, found by column subset; the kernel that models and algorithms share.

A *pattern* keeps some columns at fixed values and stars the others; it matches the rows that agree with it. It is *closed* when no
further column could be fixed without losing a match, that is, when it is the common part of the rows it matches. The pattern of any
group is closed, so no other is ever needed. Nor is a pattern of any use whose matches hold no group that satisfies the principle.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.errors import ModelTooLarge
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.table import Counts, Table

_MOST_LOOKS = 1 << 31
"""How many (column set, record) pairs may be looked at: about an hour."""

_MANY_COLUMNS = 40
"""From this many columns on a message has the number of column sets as a power, which is easier to read."""

_AT_ONCE = 1 << 17
"""The largest number of (column set, record, record) triples in one array: ten rows of eight columns are 25,600."""

_BLOCK = 1 << 12
"""How many patterns are looked at together: memory that is used again is quicker than new one."""


def spans(start: Counts, some: Counts) -> Counts:
    """Return the numbers from `start[i]` up to `start[i + 1]`, for one i after the other.

    >>> spans(np.array([0, 2, 3, 6]), np.array([2, 0])).tolist()
    [3, 4, 5, 0, 1]
    """
    first = start[some]
    lengths = start[some + 1] - first
    found: Counts = np.repeat(first + lengths - lengths.cumsum(), lengths) + np.arange(lengths.sum())
    return found


@dataclass(frozen=True, eq=False)
class Patterns:
    """Closed patterns with the record types they match.

    Attributes
    ----------
    kept : array (P, m) of bool
        Which columns each pattern fixes.
    cost : array (P,)
        The scaled weight of its stars: what one row published with it costs.
    start : array (P + 1,)
        Pattern p matches the records `member[start[p]:start[p + 1]]`.
    member : array (arcs,)
        Record types; an *arc* is a pattern and a record that it matches.
    """

    table: Table
    kept: NDArray[np.bool_]
    cost: Counts
    start: Counts
    member: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def arcs(self) -> int:
        """The number of (pattern, record) pairs."""
        return len(self.member)

    @cached_property
    def pattern_of_arc(self) -> Counts:
        """The pattern of each arc."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.start))

    @cached_property
    def support(self) -> Counts:
        """How many rows each pattern matches."""
        found = np.zeros(len(self), dtype=np.int64)
        for first in range(0, len(self), _BLOCK):
            start = self.start[first : first + _BLOCK + 1]
            copies = self.table.records.multiplicity[self.member[start[0] : start[-1]]]
            found[first : first + _BLOCK] = np.add.reduceat(copies, start[:-1] - start[0])
        return found

    @cached_property
    def family(self) -> Counts:
        """The number of each pattern's column set: patterns of one family match no record in common."""
        return np.unique(_set_names(self.kept), return_inverse=True)[1].astype(np.int64)

    def arcs_of(self, some: Counts) -> Counts:
        """Return the arcs of some patterns, one pattern after the other."""
        return spans(self.start, some)

    def only(self, chosen: NDArray[np.bool_]) -> Patterns:
        """Keep some of the patterns."""
        lengths = np.diff(self.start)
        start = np.concatenate([[0], np.cumsum(lengths[chosen])]).astype(np.int64)
        member = self.member[np.repeat(chosen, lengths)]
        return Patterns(self.table, self.kept[chosen], self.cost[chosen], start, member)

    def columns(self, pattern: int) -> frozenset[str]:
        """Return the names of the columns that a pattern fixes."""
        return frozenset(name for name, keeps in zip(self.table.quasi, self.kept[pattern], strict=True) if keeps)

    def text(self, pattern: int) -> str:
        """Write a pattern as a released row: '9 * * Bachelor'."""
        record = int(self.member[self.start[pattern]])
        codes = self.table.types[self.table.records.type[record]]
        columns = zip(self.table.quasi_columns, codes, self.kept[pattern], strict=True)
        return " ".join(str(column.values[code]) if kept else "*" for column, code, kept in columns)

    def find(self, kept: NDArray[np.bool_], record: int) -> int:
        """Return the pattern that fixes `kept` at the values of `record`; KeyError if it is none of these."""
        codes = self.table.types[self.table.records.type[record]]
        return self._index[(kept.tobytes(), codes[kept].tobytes())]

    def find_each(self, kept: NDArray[np.bool_], record: Counts) -> Counts:
        """Return, for each row of `kept` and its record, what `find` does: column set by column set, without an index of all patterns.

        O(arcs + P log P) all in all.
        """
        sets, set_of = np.unique(_set_names(kept), return_inverse=True)
        own = _set_names(self.kept)
        order = np.argsort(own, kind="stable")
        first, last = np.searchsorted(own[order], sets), np.searchsorted(own[order], sets, side="right")
        by_set = np.split(np.argsort(set_of, kind="stable"), np.cumsum(np.bincount(set_of))[:-1])
        found = np.full(len(record), -1, dtype=np.int64)
        pattern_of = np.full(len(self.table.records), -1, dtype=np.int64)
        lengths = np.diff(self.start)
        for low, high, asking in zip(first.tolist(), last.tolist(), by_set, strict=True):
            patterns = order[low:high]
            members = self.member[self.arcs_of(patterns)]
            pattern_of[members] = np.repeat(patterns, lengths[patterns])
            found[asking] = pattern_of[record[asking]]
            pattern_of[members] = -1
        if (found < 0).any():
            raise KeyError("a group has a pattern that is none of these")
        return found

    @cached_property
    def _index(self) -> dict[tuple[bytes, bytes], int]:
        codes = self.table.types[self.table.records.type[self.member[self.start[:-1]]]]
        return {(k.tobytes(), c[k].tobytes()): p for p, (k, c) in enumerate(zip(self.kept, codes, strict=True))}


def _set_names(kept: NDArray[np.bool_]) -> NDArray[np.bytes_]:
    """Return a name for each set of columns, of as many bytes as they need."""
    packed = np.ascontiguousarray(np.packbits(kept, axis=1))
    return packed.view(f"S{packed.shape[1]}")[:, 0]


_known: WeakKeyDictionary[CellSuppression, Patterns] = WeakKeyDictionary()


def why_too_many(problem: CellSuppression) -> str | None:
    """Say why the closed patterns of a table cannot be listed in any reasonable time; None if they can. O(1)."""
    records, m = len(problem.table.records), len(problem.table.quasi)
    if (records << m) <= _MOST_LOOKS:
        return None
    looks = f"{records << m:,}" if m < _MANY_COLUMNS else f"2^{m} x {records:,}"
    return (
        f"closed patterns of {m} columns and {records:,} record types take {looks} looks, "
        f"one a column set and record type; {_MOST_LOOKS:,} are allowed: take fewer columns, or a solver that needs no patterns"
    )


def closed_patterns(problem: CellSuppression) -> Patterns:
    """Return the closed patterns whose matches could hold a group that satisfies the problem's principle; kept per problem.

    For each of the 2^m column sets: group the records by the kept columns, drop the classes that cannot hold a group, and those that
    agree on a further column. O(2^m R (m + log R)) for R records. Raises `ModelTooLarge` where that is out of reach.

    >>> from anoptima import KAnonymity, ten_rows
    >>> patterns = closed_patterns(CellSuppression(ten_rows(), KAnonymity(3)))
    >>> len(patterns), patterns.arcs, patterns.text(0)
    (11, 46, '9 * * * * * * *')
    """
    if problem not in _known:
        records, m = len(problem.table.records), len(problem.table.quasi)
        _known[problem] = (_at_once if (records * records) << m <= _AT_ONCE else _enumerate)(problem)
    return _known[problem]


def _at_once(problem: CellSuppression) -> Patterns:
    """Return what `_enumerate` does, in the same order, from one array over column sets and pairs of records: few, but all at once."""
    table, records = problem.table, problem.table.records
    types = table.types[records.type].astype(np.int64)
    m = types.shape[1]
    agree = ((types[:, None, :] == types[None, :, :]) << np.arange(m)).sum(axis=2)
    masks = np.arange(1 << m)
    same = (agree[None, :, :] & masks[:, None, None]) == masks[:, None, None]
    mask, record = np.nonzero(same.argmax(axis=2) == np.arange(len(types)))
    kept = (mask[:, None] >> np.arange(m) & 1).astype(bool)
    order = np.lexsort((*np.where(kept, types[record], 0).T[::-1], mask))
    mask, record, kept = mask[order], record[order], kept[order]
    inside = same[mask, record]
    label, member = np.nonzero(inside)
    useful = problem.principle.could_hold_each(table.groups_of_records(label, member))
    useful &= np.bitwise_and.reduce(np.where(inside, agree[record], -1), axis=1) == mask
    lengths = inside.sum(axis=1)[useful]
    return Patterns(
        table,
        kept[useful],
        (~kept[useful]).astype(np.int64) @ table.scaled_weights,
        np.concatenate([[0], lengths]).cumsum().astype(np.int64),
        member[useful[label]].astype(np.int32),
    )


def _enumerate(problem: CellSuppression) -> Patterns:
    """Return the closed patterns by column set, each column set after the one without its last column.

    Records whose class cannot hold a group are left out of all column sets with more: their class there is a part of it. So are those whose
    class agrees on a column that is passed over: so does every part of it, and none is closed. Of 30 records of 14 columns, all of whose
    classes may hold a group, a fifth of the column sets is left.
    """
    reason = why_too_many(problem)
    if reason is not None:
        raise ModelTooLarge(reason)
    table = problem.table
    types = table.types[table.records.type].astype(np.int64)
    widths = [len(column.values) for column in table.quasi_columns]
    every = range(len(widths))
    found: dict[int, tuple[Counts, Counts]] = {}
    # A set of columns, its number of columns up to the last, and records with their class on the columns but the last, by rising class.
    waiting = [(0, 0, np.arange(len(types)), np.zeros(len(types), dtype=np.int64))]
    while waiting:
        mask, end, records, labels = waiting.pop()
        check_time()
        if mask:
            key = labels * widths[end - 1] + types[records, end - 1]
            order = np.argsort(key, kind="stable")
            records, key = records[order], key[order]
            labels = np.cumsum(np.append(0, key[1:] != key[:-1]))
        could = problem.principle.could_hold_each(table.groups_of_records(labels, records))
        if not could.any():
            continue
        inside = could[labels]
        records, labels = records[inside], (np.cumsum(could) - 1)[labels[inside]]
        starts = np.searchsorted(labels, np.arange(int(could.sum())))
        closed = np.ones(len(starts), dtype=bool)
        goes_on = closed
        for j in every:
            if j == end:
                goes_on = closed.copy()
            if not mask >> j & 1:
                codes = types[records, j]
                closed &= np.minimum.reduceat(codes, starts) != np.maximum.reduceat(codes, starts)
        found[mask] = np.diff(np.append(starts, len(records)))[closed], records[closed[labels]].astype(np.int32)
        left = goes_on[labels]
        if left.any():
            records, labels = records[left], labels[left]
            waiting += [(mask | 1 << j, j + 1, records, labels) for j in every[end:]]
    masks = sorted(found)
    sizes, members = zip(*(found[mask] for mask in masks), strict=True) if masks else ((), ())
    sets = (np.array(masks, dtype=np.int64)[:, np.newaxis] >> np.arange(len(widths)) & 1).astype(bool)
    kept = sets.repeat([len(its) for its in sizes], axis=0)
    return Patterns(
        table,
        kept,
        (~kept).astype(np.int64) @ table.scaled_weights,
        np.concatenate([[0], *sizes]).cumsum().astype(np.int64),
        np.concatenate([np.zeros(0, dtype=np.int32), *members]),
    )
