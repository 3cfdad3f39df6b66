"""Mondrian: cut the table in two at a median, and the parts again, while both sides satisfy the principle. A baseline, for any principle.

The cuts are LeFevre, DeWitt and Ramakrishnan's. They publish ranges; here a group stars the columns on which it is not constant, so that
costs compare with those of other methods. Stars are dearer than ranges, and Mondrian does not know that: it promises nothing on them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.errors import BadInput
from anoptima.exact import as_fraction
from anoptima.principles import Truths
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation
from anoptima.table import Column, Counts

_FULL = 1 << 20
"""The width of a column's whole range; ranges are compared in whole parts of it."""


class Order:
    """The order of a column's values, and how wide a part of them is, out of `_FULL`.

    Numeric, if every value there is reads as a finite number: then a width is a difference. Otherwise values come in the order of their
    texts, and a width is a number of different values. A missing value is the last one.

    >>> import pandas as pd
    >>> from anoptima.table import Table
    >>> frame = pd.DataFrame({"age": ["9", "10", "30"], "sex": ["m", "f", "m"]})
    >>> age, sex = (Order(column) for column in Table.from_frame(frame, ["age", "sex"]).quasi_columns)
    >>> age.rank.tolist(), age.position.tolist(), sex.rank.tolist(), sex.numeric
    ([0, 1, 2], [0, 49932, 1048576], [1, 0], False)
    """

    def __init__(self, column: Column) -> None:
        numbers = [_number(value) for value in column.values]
        self.numeric = all(
            number is not None or _is_absent(v) for number, v in zip(numbers, column.values, strict=True)
        )
        known = [number for number in numbers if number is not None]
        self.numeric = self.numeric and bool(known)
        keys: list[tuple[Any, ...]]
        if self.numeric:
            low, high = min(known), max(known)
            # A missing value lies as far beyond the largest one as that beyond the smallest.
            past = high + (high - low if high > low else 1)
            places = [past if number is None else number for number in numbers]
            keys = [(place,) for place in places]
            span = max(places) - low
            scaled = [math.floor((place - low) * _FULL / span) if span else 0 for place in places]
            self.position: Counts = np.array(scaled, dtype=np.int64)
        else:
            keys = [(value is None, type(value).__name__, str(value)) for value in column.values]
            self.position = np.zeros(len(keys), dtype=np.int64)
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self.rank: Counts = np.empty(len(keys), dtype=np.int64)
        self.rank[order] = np.arange(len(keys))

    def widths(self, node: Counts, codes: NDArray[Any], nodes: int) -> Counts:
        """Return the width of the values in each node, out of `_FULL`; `node` is sorted. O(rows), and a sort for categories."""
        starts = np.searchsorted(node, np.arange(nodes))
        ranks = self.rank[codes]
        # Different values may lie within one part of the whole range. They can be told apart all the same.
        apart = np.maximum.reduceat(ranks, starts) != np.minimum.reduceat(ranks, starts)
        if self.numeric:
            places = self.position[codes]
            wide = np.maximum.reduceat(places, starts) - np.minimum.reduceat(places, starts)
        else:
            different = distinct(node * len(self.rank) + codes) // len(self.rank)
            wide = (np.bincount(different, minlength=nodes) - 1) * _FULL // max(1, len(self.rank) - 1)
        return np.asarray(np.maximum(wide, apart))


def _is_absent(value: Any) -> bool:
    return value is None or value == ""


def _number(value: Any) -> Fraction | None:
    try:
        return as_fraction(value, "a value")
    except BadInput:
        return None


class Cutting(CellApproximation):
    """What both versions share. All parts of one depth are cut at once, so the work a depth is a few sorts of the rows.

    A part tries its columns from the widest to the narrowest, and makes the first cut of which both sides satisfy the principle. A part
    that no column cuts is a group.
    """

    @abstractmethod
    def sides(self, ranks: Counts, median: Counts, place: Counts, size: Counts) -> Iterator[Truths]:
        """Yield ways to cut: which rows go left, given their values' ranks, the median's, their places in the part, and its size."""

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Cut until nothing can be cut, or the time is up: what there is is feasible at every moment."""
        parts = _Parts(problem)
        while parts.open.any() and not is_over():
            self._cut_all(parts)
        return Partition.from_labels(parts.of_row)

    def _cut_all(self, parts: _Parts) -> None:
        """Cut every open part once, or close it."""
        widths = parts.widths()
        tried = np.argsort(-widths, axis=1, kind="stable")
        waiting = parts.open & (np.bincount(parts.of_row, minlength=len(parts.open)) >= parts.least)
        right, cut = np.zeros(len(parts.of_row), dtype=bool), np.zeros(len(waiting), dtype=bool)
        for place in range(tried.shape[1]):
            column = tried[:, place]
            waiting &= widths[np.arange(len(waiting)), column] > 0
            if not waiting.any():
                break
            rows, *places = parts.sorted(waiting, column)
            for left in self.sides(*places):
                check_time()
                made = parts.hold(rows, left) & waiting
                cut |= made
                waiting &= ~made
                right[rows] |= made[parts.of_row[rows]] & ~left
        parts.split(cut, right)


class _Parts:
    """The parts that the table is in, one number a row; `open` tells which may still be cut."""

    def __init__(self, problem: CellSuppression) -> None:
        table = problem.table
        self._problem = problem
        self._orders = [Order(column) for column in table.quasi_columns]
        self._codes = np.column_stack([column.codes for column in table.quasi_columns])
        self.least = 2 * problem.principle.least_size(table)
        self.of_row = np.zeros(table.rows, dtype=np.int64)
        self.open = np.ones(1, dtype=bool)

    def widths(self) -> Counts:
        """Return parts x columns: how wide each part is, out of `_FULL`."""
        rows = np.argsort(self.of_row, kind="stable")
        part = self.of_row[rows]
        columns = [order.widths(part, self._codes[rows, j], len(self.open)) for j, order in enumerate(self._orders)]
        return np.column_stack(columns)

    def sorted(self, waiting: Truths, column: Counts) -> tuple[Counts, Counts, Counts, Counts, Counts]:
        """Sort the rows of the waiting parts by the part, by its column and by row type.

        Returns them with the ranks of their values, the rank of the part's median, their place in the part, and the part's size.
        """
        rows = np.flatnonzero(waiting[self.of_row])
        part = self.of_row[rows]
        ranks = np.empty(len(rows), dtype=np.int64)
        for j, order in enumerate(self._orders):
            here = column[part] == j
            ranks[here] = order.rank[self._codes[rows[here], j]]
        by = np.lexsort((self._problem.table.type_of_row[rows], ranks, part))
        rows, ranks, part = rows[by], ranks[by], part[by]
        starts = np.searchsorted(part, part)
        sizes = np.bincount(part)[part]
        return rows, ranks, ranks[starts + (sizes - 1) // 2], np.arange(len(rows)) - starts, sizes

    def hold(self, rows: Counts, left: Truths) -> Truths:
        """Tell for each part whether both sides have rows and satisfy the principle; rows come sorted by part."""
        key = self.of_row[rows] * 2 + left
        sides, labels = np.unique(key, return_inverse=True)
        holds = np.zeros(2 * len(self.open), dtype=bool)
        holds[sides] = self._problem.principle.holds_each(self._problem.table.groups(labels.reshape(-1), rows))
        return holds[0::2] & holds[1::2]

    def split(self, cut: Truths, right: Truths) -> None:
        """Give the right side of every cut part a new number; what was not cut is closed."""
        number = np.cumsum(cut) - 1 + len(self.open)
        self.of_row = np.where(right, number[self.of_row], self.of_row)
        self.open = np.concatenate([cut, np.ones(int(cut.sum()), dtype=bool)])


@algorithms.register
class Mondrian(Cutting):
    """Strict Mondrian: equal values of the cut column stay on one side. No ratio is promised.

    The values up to the median go left, or, where that is not allowed, those below it. Under k-anonymity no other value of the column
    then allows a cut either, so that a group has at most 2 m (k - 1) + mu rows: m columns, mu the largest multiplicity of a row type. (In
    each column at most k - 1 rows are below the median and k - 1 above it; all others agree with every median.)
    O(depth m (n log n)), where the depth is of order log n unless values are very unequal.

    References
    ----------
    K. LeFevre, D. J. DeWitt and R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006.
    """

    name = "mondrian"
    family = "recoding"

    def sides(self, ranks: Counts, median: Counts, place: Counts, size: Counts) -> Iterator[Truths]:
        """Yield the values up to the median, and those below it."""
        yield ranks <= median
        yield ranks < median


@algorithms.register
class RelaxedMondrian(Cutting):
    """Relaxed Mondrian: rows with the median value may go to either side, so that parts are halved. No ratio is promised.

    Equal rows are divided as little as a half allows. Where the halves do not both satisfy the principle, the strict cuts are tried. Under
    k-anonymity a group with a starred column has at most 2k - 1 rows. O(depth m (n log n)).

    References
    ----------
    K. LeFevre, D. J. DeWitt and R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006.
    """

    name = "mondrian-relaxed"
    family = "recoding"
    quick = 2

    def sides(self, ranks: Counts, median: Counts, place: Counts, size: Counts) -> Iterator[Truths]:
        """Yield the first half, the values up to the median, and those below it."""
        yield place < size // 2
        yield ranks <= median
        yield ranks < median
