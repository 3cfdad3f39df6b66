"""Whether k rows gain anything: all that must be asked of worths without cases and odd sets, however large the groups of a release are.

Let no k rows be worth more than D times what they cost as a group. A group of N rows is a mean of sets of k of them in which each row has
the share k / N; under frequency k-diversity so are those sets alone whose values differ, since none has more than N / k of the rows. Each
set stars no column that the group does not. So the group's rows are worth at most D times what it costs, and D cost >= sum_r worth_r.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression

MOST_SETS = 1 << 80
"""How many sets of k rows there may be: those of 100,000 rows for k = 5, of 1,000 rows for k = 10. Worths leave nearly all of them out."""
_EXACT = 1 << 53
"""Whole numbers below this are the same in floats, in which arrays are multiplied."""

Array = NDArray[Any]


def few_enough_sets(rows: int, k: int) -> bool:
    """Tell whether rows have at most `MOST_SETS` sets of k.

    >>> few_enough_sets(100_000, 5), few_enough_sets(4_000, 10), few_enough_sets(10**9, 10**6)
    (True, False, False)
    """
    return min(k, rows - k) <= MOST_SETS.bit_length() and math.comb(rows, k) <= MOST_SETS


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows that may join a group, by falling worth: their worths, kinds, and the columns in which they differ from the first one."""

    worth: Array
    kinds: Array
    apart: Array

    def some(self, which: Array | slice) -> _Rows:
        return _Rows(self.worth[which], self.kinds[which], self.apart[which])


@dataclass(frozen=True, eq=False)
class _Group:
    """Rows that are together: what they are worth, in which columns they differ, how many they lack, and which may join them."""

    held: Any
    far: Array
    room: int
    left: _Rows


def _joined(rows: _Rows, held: Any, room: int) -> Iterator[_Group]:
    """Yield a group with each of some rows that may join it, and after it those that come later."""
    for row in range(len(rows.worth) - room + 1):
        later = row + 1 + np.flatnonzero(rows.kinds[row + 1 :] != rows.kinds[row])
        yield _Group(held + rows.worth[row], rows.apart[row], room - 1, rows.some(later))


class LeastGroups:
    """Groups of k rows, no two of them of one kind, in the table's order of rows."""

    def __init__(self, problem: CellSuppression, k: int, kinds: Sequence[int]) -> None:
        table = problem.table
        self._k, self._kinds, self._codes = k, np.array(kinds), table.types[table.type_of_row]
        self._weights = np.array(table.scaled_weights.tolist())
        is_small = int(self._weights.sum()) < _EXACT
        self._kind: Any = np.float64 if is_small else object

    def some_gain(self, worth: Sequence[int], d: int) -> bool:
        """Tell whether k rows are worth more than d times what they cost.

        >>> from anoptima import KAnonymity, ten_rows
        >>> groups = LeastGroups(CellSuppression(ten_rows(), KAnonymity(3)), 3, range(10))
        >>> groups.some_gain([5] * 10, 1), groups.some_gain([6] * 10, 1), groups.some_gain([50] * 10, 10)
        (False, True, False)
        """
        k, most = self._k, self._k * (d * int(self._weights.sum()) + max(map(abs, worth)))
        if k == 1:
            return max(worth) > 0
        kind: Any = np.int64 if most < 1 << 62 else object
        worths, each = np.array(worth, dtype=kind), k * d
        order = np.argsort(-worths, kind="stable")
        worths, kinds, codes = worths[order], self._kinds[order], np.ascontiguousarray(self._codes[order].T)
        for first in range(len(order) - k + 1):
            check_time()
            later = slice(first + 1, None)
            cost = np.zeros(len(order) - first - 1, dtype=kind)
            for column, weight in zip(codes, self._weights.tolist(), strict=True):
                cost += weight * (column[later] != column[first]).astype(kind)
            beside = worths[first] + (k - 2) * worths[first + 1]
            near = first + 1 + np.flatnonzero((beside + worths[later] > each * cost) & (kinds[later] != kinds[first]))
            apart = (codes[:, near] != codes[:, first, None]).T
            rows = _Rows(worths[near], kinds[near], apart)
            if self._grows(_Group(worths[first], np.zeros(len(codes), dtype=np.bool_), k - 1, rows), each):
                return True
        return False

    def _grows(self, group: _Group, each: int) -> bool:
        """Tell whether a group gains with some of the rows that may join it."""
        waiting = [iter([group])]
        while waiting:
            grown = next(waiting[-1], None)
            if grown is None:
                waiting.pop()
                continue
            check_time()
            rows = self._hopeful(grown, each)
            if grown.room > 2:
                waiting.append(_joined(rows, grown.held, grown.room))
            elif len(rows.worth) >= grown.room and (grown.room == 1 or self._pairs_gain(rows, grown.held, each)):
                return True
        return False

    def _hopeful(self, group: _Group, each: int) -> _Rows:
        """Return the rows that might gain with a group, and in which columns it then differs; none if too few are left."""
        left = group.left
        if len(left.worth) < group.room:
            return left.some(slice(0))
        # Beside other rows, none of which is worth more than the first of these.
        beside = group.held + (group.room - 1) * left.worth[0]
        apart = left.apart | group.far
        cost = self._weighed(apart).astype(left.worth.dtype) * each
        return _Rows(left.worth, left.kinds, apart).some(beside + left.worth > cost)

    def _pairs_gain(self, rows: _Rows, held: Any, each: int) -> bool:
        """Tell whether two more rows gain: together they star what the one does, what the other does, less what both do."""
        check_time()
        weighed = self._weighed(rows.apart)
        apart = rows.apart.astype(self._kind)
        both = (apart * self._weights.astype(self._kind)) @ apart.T
        cost = (weighed[:, None] + weighed[None, :] - both.astype(weighed.dtype)).astype(rows.worth.dtype) * each
        may = rows.kinds[:, None] != rows.kinds[None, :]
        return bool((may & (held + rows.worth[:, None] + rows.worth[None, :] > cost)).any())

    def _weighed(self, apart: Array) -> Array:
        """Return what some columns weigh, for each row."""
        weighed: Array = apart.astype(self._kind) @ self._weights.astype(self._kind)
        return weighed.astype(np.int64 if self._kind is np.float64 else object)
