"""A partition that changes a little at a time, with exact costs kept up to date: what local search works on.

For every group it keeps the pattern that its rows have in common, and for every row the pattern that its group would have without it.
With these, one pass over the table says what it costs to put a row into each group, or to exchange it for each other row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.principles import Splitting, Truths
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.remembered import Remembered, Rows
from anoptima.table import Counts

STARRED = -1
"""What a pattern holds in a column that it stars; no row has it."""
IMPOSSIBLE = 1 << 61
"""More than any change of cost."""

NEW = -1
"""In a change, the number of a group that there is not yet."""
Change = Sequence[tuple[int, Rows]]
"""The rows that some groups are to have; a group without rows ends."""


@dataclass(frozen=True, eq=False)
class _Starred:
    """Patterns, a column to a line, and the scaled cost of all rows that have each of them."""

    pattern: NDArray[np.signedinteger]
    cost: Counts


class _Weights:
    """The weights of columns that lie in rising order of them: columns of one weight are counted before they are weighed."""

    def __init__(self, weights: Counts) -> None:
        values, first = np.unique(weights, return_index=True)
        self._blocks = list(zip(values.tolist(), first.tolist(), [*first[1:].tolist(), len(weights)], strict=True))
        self._weights = weights

    def of_stars(self, pattern: NDArray[np.signedinteger]) -> Any:
        """Return the weight of the starred columns of a pattern, or of each of some."""
        return self._weights @ (pattern == STARRED)

    def __call__(self, apart: Truths) -> Counts:
        """Return the weight of the true columns of each column vector: columns x anything. O(m) passes over booleans."""
        if len(self._blocks) == 1:
            weight = self._blocks[0][0]
            # A count of columns fits a byte in every table that has a name for each.
            counts = apart.sum(axis=0, dtype=np.uint8 if len(apart) < 256 else np.int64)
            return np.asarray(np.multiply(counts, weight, dtype=np.int64))
        total = np.zeros(apart.shape[1:], dtype=np.int64)
        for weight, first, last in self._blocks:
            total += weight * apart[first:last].sum(axis=0, dtype=np.int64)
        return total


class _Numbers:
    """Numbers for groups: all below `used` are, or have been, and those that are free again are given out first."""

    def __init__(self, used: int) -> None:
        self.used = used
        self.free: list[int] = []

    def next(self) -> int:
        """Give a number out."""
        if self.free:
            return self.free.pop()
        self.used += 1
        return self.used - 1


class Grouping:
    """Groups by number, with their rows, patterns and scaled costs; a number without rows is free.

    >>> from anoptima import KAnonymity, ten_rows
    >>> problem = CellSuppression(ten_rows(), KAnonymity(2))
    >>> grouping = Grouping(problem, Partition.from_groups([[0, 1, 2], [3, 4, 5, 6], [7, 8, 9]], 10))
    >>> grouping.total, grouping.pattern_of(np.array([0, 1])).tolist().count(STARRED)
    (54, 5)
    >>> grouping.put([(0, np.array([0, 1])), (1, np.array([2, 3, 4, 5, 6]))])
    [0, 1]
    >>> grouping.total, problem.cost(Partition.from_labels(grouping.group))
    (60, 60)
    """

    def __init__(
        self, problem: CellSuppression, partition: Partition, chosen: Rows | None = None, like: Grouping | None = None
    ) -> None:
        """Take the groups of `partition`; of the `chosen` rows of the table alone if any are given, which are then numbered from 0.

        What one grouping was told by the principle, another one `like` it knows.
        """
        table = problem.table
        self._chosen = np.arange(table.rows) if chosen is None else chosen
        n = len(self._chosen)
        self._remembered: Remembered = Remembered(problem) if like is None else like._remembered
        order = np.argsort(table.scaled_weights, kind="stable")
        self.weigh = _Weights(table.scaled_weights[order])
        widest = max(len(column.values) for column in table.quasi_columns)
        kind = np.int16 if widest < 2**15 else np.int32
        self.codes = np.array([table.quasi_columns[j].codes[self._chosen] for j in order], dtype=kind)
        self.group = np.zeros(n, dtype=np.int64)
        slots = n + 1
        self.size = np.zeros(slots, dtype=np.int64)
        self.groups, self.without = (
            _Starred(np.full((len(order), count), STARRED, dtype=kind), np.zeros(count, dtype=np.int64))
            for count in (slots, n)
        )
        """The patterns of groups, and those that they would have without each of their rows."""
        self.rows: list[Rows] = [np.zeros(0, dtype=np.int64)] * slots
        self.total = 0
        self.numbers = _Numbers(0)
        self._undo: dict[int, Rows] | None = None
        by_group = np.argsort(partition.labels, kind="stable")
        for number, rows in enumerate(np.split(by_group, np.cumsum(np.bincount(partition.labels))[:-1])):
            self._set(number, rows)
        self.numbers = _Numbers(int(partition.labels.max()) + 1)

    @property
    def problem(self) -> CellSuppression:
        """What the groups are a partition for."""
        return self._remembered.problem

    @cached_property
    def least(self) -> int:
        """The least size of a group; where the principle is one of sizes, that is all it asks."""
        return self.problem.principle.least_size(self.problem.table)

    @cached_property
    def _is_sized(self) -> bool:
        return self.problem.principle.splitting is Splitting.ANYWHERE

    def partition(self) -> Partition:
        """Return the groups as they are."""
        return Partition.from_labels(self.group)

    def costly(self) -> Counts:
        """Return the numbers of the groups that have stars."""
        return np.flatnonzero(self.groups.cost[: self.numbers.used])

    # ---- change -----------------------------------------------------------------------------------------------------------------

    def put(self, change: Change) -> list[int]:
        """Let groups have other rows, and return their numbers. The rows of a change are, together, those that its groups had."""
        numbers = []
        for number, rows in change:
            group = self.numbers.next() if number == NEW else number
            if self._undo is not None:
                self._undo.setdefault(group, self.rows[group])
            self._set(group, rows)
            if not len(rows):
                self.numbers.free.append(group)
            numbers.append(group)
        return numbers

    def replace(self, groups: Sequence[int], made: Sequence[Rows]) -> list[int]:
        """Put what has been `made` of some groups in their place; return its numbers."""
        none: Rows = np.zeros(0, dtype=np.int64)
        numbers = [*groups, *[NEW] * (len(made) - len(groups))]
        return self.put(list(zip(numbers, [*made, *[none] * (len(groups) - len(made))], strict=True)))

    def records(self, rows: Rows) -> Counts:
        """Return the records that rows have."""
        return self.problem.table.records.of_row[self._chosen[rows]]

    def begin(self) -> None:
        """Remember what groups were from now on."""
        self._undo = {}

    def keep(self) -> None:
        """Forget what they were."""
        self._undo = None

    def back(self) -> None:
        """Make them what they were when it began."""
        before, self._undo = self._undo or {}, None
        for group, rows in before.items():
            if not len(rows) and len(self.rows[group]):
                self.numbers.free.append(group)
            elif len(rows) and not len(self.rows[group]):
                self.numbers.free.remove(group)
            self._set(group, rows)

    def _set(self, group: int, rows: Rows) -> None:
        self.total -= int(self.groups.cost[group])
        self.rows[group] = rows
        self.size[group] = len(rows)
        self.group[rows] = group
        if not len(rows):
            self.groups.pattern[:, group] = STARRED
            self.groups.cost[group] = 0
            return
        codes = self.codes[:, rows]
        like_first = codes == codes[:, :1]
        alike = np.count_nonzero(like_first, axis=1)
        pattern = np.where(alike == len(rows), codes[:, 0], STARRED)
        without = np.repeat(pattern[:, None], len(rows), axis=1)
        if len(rows) > 1:
            # One row alone differs from the first, or the first from all others, which agree.
            last = np.flatnonzero(alike == len(rows) - 1)
            without[last, like_first[last].argmin(axis=1)] = codes[last, 0]
            first = np.flatnonzero(alike == 1)
            others = codes[first, 1:]
            agree = (others == others[:, :1]).all(axis=1)
            without[first[agree], 0] = others[agree, 0]
        self.groups.pattern[:, group] = pattern
        self.without.pattern[:, rows] = without
        self.without.cost[rows] = (len(rows) - 1) * self.weigh.of_stars(without)
        self.groups.cost[group] = len(rows) * int(self.weigh.of_stars(pattern))
        self.total += int(self.groups.cost[group])

    # ---- what changes would cost -----------------------------------------------------------------------------------------------------

    def pattern_of(self, rows: Rows) -> NDArray[np.signedinteger]:
        """Return what rows have in common, `STARRED` elsewhere, in this grouping's order of columns."""
        codes = self.codes[:, rows]
        return np.asarray(np.where((codes == codes[:, :1]).all(axis=1), codes[:, 0], STARRED))

    def cost_of(self, rows: Rows) -> int:
        """Return what rows cost as a group."""
        return len(rows) * int(self.weigh.of_stars(self.pattern_of(rows)))

    def entering(self, rows: Rows) -> Counts:
        """Return by how much each group gets dearer with each of some rows of others: rows x groups. O(G m) for a row.

        `IMPOSSIBLE` for a row's own group and for free numbers.
        """
        used = slice(0, self.numbers.used)
        stars = self.weigh(self.groups.pattern[:, None, used] != self.codes[:, rows, None])
        rise = (self.size[used] + 1) * stars - self.groups.cost[used]
        rise[:, self.size[used] == 0] = IMPOSSIBLE
        rise[np.arange(len(rows)), self.group[rows]] = IMPOSSIBLE
        return np.asarray(rise)

    def merging(self, group: int) -> Counts:
        """Return by how much the cost rises if a group is merged with each other one; `IMPOSSIBLE` for itself and free numbers. O(G m)."""
        used = slice(0, self.numbers.used)
        own = self.groups.pattern[:, group, None]
        stars = self.weigh((self.groups.pattern[:, used] != own) | (own == STARRED))
        rise = (self.size[used] + self.size[group]) * stars - self.groups.cost[used] - self.groups.cost[group]
        rise[self.size[used] == 0] = IMPOSSIBLE
        rise[group] = IMPOSSIBLE
        return np.asarray(rise)

    def replacing(self, rows: Rows) -> Counts:
        """Return by how much the groups of some rows get dearer with each other row in that one's place: rows x rows. O(n m) for a row."""
        stars = self.weigh(self.without.pattern[:, rows, None] != self.codes[:, None, :])
        groups = self.group[rows, None]
        return np.asarray(self.size[groups] * stars - self.groups.cost[groups])

    def replaced(self, rows: Rows) -> Counts:
        """Return by how much the group of each other row gets dearer with each of some rows in that one's place: rows x rows. O(n m)."""
        stars = self.weigh(self.without.pattern[:, None, :] != self.codes[:, rows, None])
        return np.asarray(self.size[self.group] * stars - self.groups.cost[self.group])

    # ---- what is allowed --------------------------------------------------------------------------------------------------------

    def hold_each(self, groups: Sequence[Rows]) -> Truths:
        """Tell for each set of rows whether it satisfies the principle; one without rows does."""
        holds: Truths = np.array([not len(rows) or len(rows) >= self.least for rows in groups], dtype=bool)
        asked = [] if self._is_sized else [place for place, rows in enumerate(groups) if holds[place] and len(rows)]
        if asked:
            holds[asked] = self._remembered.hold_each([self._chosen[groups[place]] for place in asked])
        return holds

    def hold(self, groups: Sequence[Rows]) -> bool:
        """Tell whether sets of rows all satisfy the principle."""
        if any(0 < len(rows) < self.least for rows in groups):
            return False
        return self._is_sized or self._remembered.hold([self._chosen[rows] for rows in groups if len(rows)])
