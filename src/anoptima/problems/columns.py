"""Sets of columns in order of cost, and the classes of row types that they make."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.exact import Exact
from anoptima.table import Codes, Counts, Table, fold_codes

_DENSE = 4
"""Cells per label up to which classes are numbered by a look-up; beyond, they are numbered by a sort."""

_IN_A_WORD = 62
"""The most row types that have a bit each in one number."""

_FEW = 4_096
"""Row types of the smallest classes that are searched first for a column that makes a class small."""


def cheapest_sets(weights: Sequence[Exact]) -> Iterator[tuple[Exact, tuple[int, ...]]]:
    """Yield all subsets of columns with their total weights, the cheapest first; 2^m of them, O(m log) each, made as asked for.

    Columns are sorted by weight; from a set whose dearest column is the i-th, one step adds column i + 1, the other puts it in
    place of i. Each set has one such origin, and no step makes it cheaper.

    >>> [chosen for _, chosen in cheapest_sets([1, 5, 3])]
    [(), (0,), (2,), (0, 2), (1,), (0, 1), (1, 2), (0, 1, 2)]
    """
    order = sorted(range(len(weights)), key=lambda j: (weights[j], j))
    yield 0, ()
    if not order:
        return
    heap: list[tuple[Exact, tuple[int, ...]]] = [(weights[order[0]], (0,))]
    while heap:
        total, ranks = heapq.heappop(heap)
        yield total, tuple(sorted(order[rank] for rank in ranks))
        last = ranks[-1]
        if last + 1 < len(order):
            dearer = weights[order[last + 1]]
            heapq.heappush(heap, (total + dearer, (*ranks, last + 1)))
            heapq.heappush(heap, (total + dearer - weights[order[last]], (*ranks[:-1], last + 1)))


def mask_of(columns: Iterable[int]) -> int:
    """Return columns as a bit mask.

    >>> mask_of([0, 3])
    9
    """
    mask = 0
    for c in columns:
        mask |= 1 << c
    return mask


def minimal(masks: Iterable[int], most: int | None = None) -> list[int]:
    """Return the masks that contain no other one, the smallest first; at most the given number of them.

    >>> minimal([0b111, 0b011, 0b100])
    [4, 3]
    """
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for mask in set(masks):
        by_size[mask.bit_count()].append(mask)
    kept: list[int] = []
    for size in sorted(by_size):
        for mask in sorted(by_size[size]):
            if len(kept) == most:
                return kept
            check_time()
            if not any(mask & small == small for small in kept):
                kept.append(mask)
    return kept


def refined(labels: Counts, count: int, codes: NDArray[np.integer[Any]], width: int) -> tuple[Counts, int]:
    """Split classes 0..count-1 by a column of codes 0..width-1; return the new classes, numbered from 0, and their number.

    O(labels), and a sort where codes are many.

    >>> labels, count = refined(np.array([0, 0, 1, 1]), 2, np.array([5, 6, 6, 6]), 7)
    >>> labels.tolist(), count
    ([0, 1, 2, 2], 3)
    """
    key = labels * width + codes if count > 1 else codes
    if count * width <= _DENSE * len(key):
        occurs = np.zeros(count * width, dtype=bool)
        occurs[key] = True
        number = np.cumsum(occurs) - 1
        return number[key], int(number[-1]) + 1
    values, inverse = np.unique(key, return_inverse=True)
    return inverse.reshape(-1), len(values)


def classes_of_types(table: Table, columns: Iterable[int]) -> tuple[Counts, int]:
    """Number the classes of row types that agree on `columns`; return a number for each type, and how many classes there are.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [1, 1, 2], "b": [1, 2, 2]}), quasi=["a", "b"])
    >>> labels, count = classes_of_types(table, [0])
    >>> labels.tolist(), count
    ([0, 0, 1], 2)
    """
    key, range_ = keys_of_types(table, columns)
    return refined(np.zeros(len(key), dtype=np.int64), 1, key, range_)


def sizes_on(table: Table, columns: Iterable[int]) -> Counts:
    """Return how many rows there are in each class of equal values on `columns`, in no particular order. O(T |Q|) and a sort.

    >>> import pandas as pd
    >>> sorted(sizes_on(Table.from_frame(pd.DataFrame({"a": [1, 1, 2]}), quasi=["a"]), [0]).tolist())
    [1, 2]
    """
    if len(table.types) < table.rows:
        labels, count = classes_of_types(table, columns)
        return np.rint(np.bincount(labels, weights=table.multiplicity, minlength=count)).astype(np.int64)
    key, range_ = keys_of_types(table, columns)
    if range_ <= _DENSE * len(key):
        sizes = np.bincount(key, minlength=range_)
        return sizes[sizes > 0]
    # Rows differ, so that nobody has to know which one is in which class: sorted keys say it all.
    key.sort()
    begins = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    return np.diff(np.append(begins, len(key)))


def count_on(table: Table, columns: Iterable[int]) -> int:
    """Return how many classes of row types there are on `columns`. O(T |Q|) and a sort.

    >>> import pandas as pd
    >>> count_on(Table.from_frame(pd.DataFrame({"a": [1, 1, 2], "b": [1, 2, 2]}), quasi=["a", "b"]), [0])
    2
    """
    key, range_ = keys_of_types(table, columns)
    if range_ <= _DENSE * len(key):
        return int(np.count_nonzero(np.bincount(key, minlength=range_)))
    key.sort()
    return 1 + int(np.count_nonzero(key[1:] != key[:-1]))


def keys_of_types(table: Table, columns: Iterable[int]) -> tuple[Counts, int]:
    """Return a number for each row type, equal for those that agree on `columns`, and what all numbers are below.

    Columns are folded one into the other as far as 62 bits hold them, and classes numbered only then: few sorts for many columns.
    """
    key, range_ = np.zeros(len(table.types), dtype=np.int64), 1
    for j in columns:
        width = len(table.quasi_columns[j].values)
        if range_ * width >= 2**62:
            key, range_ = refined(np.zeros(len(key), dtype=np.int64), 1, key, range_)
        key *= width
        key += table.types_by_column[j]
        range_ *= width
    return key, range_


def keys_without(types: Codes, widths: Sequence[int]) -> Callable[[tuple[int, ...]], Counts]:
    """Return what gives every row type a number for its values on the columns that are not starred, the same for the same values.

    >>> keys_without(np.array([[0, 0], [0, 1], [1, 1]]), [2, 2])((0,)).tolist()
    [0, 2, 2]
    >>> wide = np.arange(80).reshape(2, 40) % 41
    >>> keys = keys_without(wide, [41] * 40)
    >>> keys(()).tolist(), keys(tuple(range(40))).tolist()
    ([1, 2], [-1, -1])
    """
    if math.prod(widths) < 2**62:
        # One number for all columns, place by place; those that are starred are taken out again.
        places = np.array([math.prod(widths[:j]) for j in range(len(widths))], dtype=np.int64)
        terms = types.T * places[:, np.newaxis]
        every = terms.sum(axis=0)
        return lambda starred: every - terms[list(starred)].sum(axis=0)

    if len(types) <= _IN_A_WORD:
        # A bit for each row: the rows that have a row's value in a column are one number; those that agree on all columns, what is common.
        alike = (types.T[:, :, np.newaxis] == types.T[:, np.newaxis, :]) @ (1 << np.arange(len(types)))

        def agreeing(starred: tuple[int, ...]) -> Counts:
            kept = np.ones(len(widths), dtype=np.bool_)
            kept[list(starred)] = False
            agree: Counts = np.bitwise_and.reduce(alike[kept], axis=0)
            return agree

        return agreeing

    def folded(starred: tuple[int, ...]) -> Counts:
        key = np.zeros(len(types), dtype=np.int64)
        for j, width in enumerate(widths):
            if j not in starred:
                key = fold_codes(key, types[:, j], width)
        return key

    return folded


def identify_each(table: Table, sets: Sequence[Collection[int]]) -> NDArray[np.bool_]:
    """Return which sets of columns distinguish all row types.

    Sets that begin with the same columns, those of many values first, share the work; types that are alone already are let go of.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [1, 1, 2], "b": [1, 2, 2]}), quasi=["a", "b"])
    >>> identify_each(table, [[0], [0, 1], []]).tolist()
    [False, True, False]
    """
    walk = _SharedWalk(table, sets)
    types = len(table.types)

    def go_on(numbers: list[int], place: int, rows: Counts, labels: Counts, count: int) -> None:
        if not len(rows):
            walk.found[numbers] = True
            return
        for taken, column, after in walk.parts(numbers, place):
            finer, classes = refined(labels, count, table.types_by_column[column][rows], walk.width(column))
            shared = (np.bincount(finer, minlength=classes) > 1)[finer]
            go_on(taken, after, rows[shared], *_renumbered(finer[shared], classes))

    everything = np.arange(types if types > 1 else 0)
    go_on(list(range(len(sets))), 0, everything, np.zeros(len(everything), dtype=np.int64), 1)
    return walk.found


def is_small_each(table: Table, sets: Sequence[Collection[int]], k: int) -> NDArray[np.bool_]:
    """Return on which sets of columns some class has fewer than `k` rows; sets that begin with the same columns share the work.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 1, 1, 2]}), quasi=["a", "b"])
    >>> is_small_each(table, [[], [0], [1]], 2).tolist()
    [False, False, True]
    """
    walk = _SharedWalk(table, sets)
    copies = None if len(table.types) == table.rows else table.multiplicity

    def go_on(numbers: list[int], place: int, labels: Counts, count: int) -> None:
        # What fails mostly fails in a class that was among the smallest before: few row types show it.
        first = _of_smallest(labels, count, copies) if len(numbers) > 1 else labels[:0]
        for taken, column, after in walk.parts(numbers, place):
            codes, width = table.types_by_column[column], walk.width(column)
            if len(first):
                _, parts = np.unique(labels[first] * width + codes[first], return_inverse=True)
                if np.rint(np.bincount(parts.reshape(-1), None if copies is None else copies[first])).min() < k:
                    walk.found[taken] = True
                    continue
            finer = None
            if count * width <= _DENSE * len(labels):
                sizes = np.bincount(labels * width + codes if count > 1 else codes, copies, count * width)
            else:
                finer = refined(labels, count, codes, width)
                sizes = np.bincount(finer[0], copies, finer[1])
            if np.rint(sizes[sizes > 0].min()) < k:
                walk.found[taken] = True
                continue
            further = walk.further(taken, after)
            if further:
                go_on(further, after, *(finer or refined(labels, count, codes, width)))

    walk.found[:] = table.rows < k
    if table.rows >= k:
        go_on(list(range(len(sets))), 0, np.zeros(len(table.types), dtype=np.int64), 1)
    return walk.found


def _of_smallest(labels: Counts, count: int, copies: Counts | None) -> Counts:
    """Return the row types of the smallest classes, whole ones, at most `_FEW` of them; none if each class has more."""
    lengths = np.bincount(labels, minlength=count)
    order = np.argsort(lengths if copies is None else np.bincount(labels, copies, count), kind="stable")
    among = np.zeros(count, dtype=np.bool_)
    among[order[: int(np.searchsorted(np.cumsum(lengths[order]), _FEW, side="right"))]] = True
    return np.flatnonzero(among[labels])


class _SharedWalk:
    """A tree of sets by their columns, those of many values first, and what is known of each set."""

    def __init__(self, table: Table, sets: Sequence[Collection[int]]) -> None:
        self._widths = [len(column.values) for column in table.quasi_columns]
        self._order = sorted(range(len(self._widths)), key=lambda j: -self._widths[j])
        self._has = np.zeros((len(sets), len(self._widths)), dtype=np.bool_)
        for number, columns in enumerate(sets):
            self._has[number, list(columns)] = True
        self.found = np.zeros(len(sets), dtype=np.bool_)

    def width(self, column: int) -> int:
        return self._widths[column]

    def further(self, numbers: list[int], place: int) -> list[int]:
        """Return those of the sets that have a column from a place on."""
        left = self._order[place:]
        return [number for number in numbers if self._has[number, left].any()]

    def parts(self, numbers: list[int], place: int) -> Iterator[tuple[list[int], int, int]]:
        """Yield those of the sets whose next column is the same, that column, and the place after it."""
        left = np.array(numbers, dtype=np.int64)
        for after, column in enumerate(self._order[place:], place + 1):
            takes = self._has[left, column]
            if takes.any():
                yield left[takes].tolist(), column, after
            left = left[~takes]
            if not len(left):
                return


def _renumbered(labels: Counts, count: int) -> tuple[Counts, int]:
    """Number the classes that are left from 0 where there may be gaps."""
    return refined(np.zeros(len(labels), dtype=np.int64), 1, labels, count) if len(labels) else (labels, 1)
