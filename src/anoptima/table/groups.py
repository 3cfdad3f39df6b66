"""Distinct records of a table, and exact counts of groups of rows, on which principles decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.table.columns import Codes, Column, Counts

_DENSE_CELLS = 1 << 22
"""How many counts a dense block may hold: 32 MiB."""
_CELLS_A_ROW = 8
"""Groups times values that are counted in one array, for each row: more of them, and sorting rows takes less."""


@dataclass(frozen=True, eq=False)
class Records:
    """Distinct records, quasi-identifying and sensitive values together, with multiplicities.

    `type[r]` is the row type of record r, `sensitive[r, c]` its code in the c-th sensitive column, `of_row[i]` the record of row i.
    Records of one row type are consecutive, in the order of the row types.
    """

    type: Counts
    sensitive: Codes
    multiplicity: Counts
    of_row: Counts

    def __len__(self) -> int:
        return len(self.type)


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of the values that occur in each group, sparse: `count` rows of group `group` hold value `value`; sorted."""

    group: Counts
    value: Counts
    count: Counts


@dataclass(frozen=True, eq=False)
class Groups:
    """Exact counts of groups of rows of one table, on which principles decide.

    `sizes[g]` is the number of rows in group g, none of them 0. Counts per sensitive column are made when asked for.
    """

    sizes: Counts
    sensitive: Mapping[str, Column]
    _label: Counts
    _weight: Counts
    _codes: Mapping[str, Codes]

    def __len__(self) -> int:
        return len(self.sizes)

    def size(self, group: int) -> int:
        """Return the number of rows in one group."""
        if not 0 <= group < len(self):
            raise BadInput(f"there is no group {group}; groups are numbered from 0 to {len(self) - 1}")
        return int(self.sizes[group])

    def tally(self, column: str) -> Tally:
        """Return the counts of `column`'s values in every group. O(rows log rows), and less where groups and values are few."""
        width = len(self.sensitive[column].values)
        cell = self._label * width + self._codes[column]
        if len(self) * width <= _CELLS_A_ROW * len(cell):
            counted = np.bincount(cell, weights=self._weight, minlength=len(self) * width)
            key = counted.nonzero()[0]
            return Tally(key // width, key % width, np.rint(counted[key]).astype(np.int64))
        key, position = np.unique(cell, return_inverse=True)
        count = np.bincount(position, weights=self._weight, minlength=len(key))
        return Tally(key // width, key % width, np.rint(count).astype(np.int64))

    def blocks(self, column: str) -> Iterator[tuple[slice, Counts]]:
        """Yield the counts of `column` as dense arrays, groups x values, a block of groups at a time, so memory stays bounded."""
        tally = self.tally(column)
        width = len(self.sensitive[column].values)
        step = max(1, _DENSE_CELLS // max(1, width))
        for first in range(0, len(self), step):
            last = min(first + step, len(self))
            start, end = np.searchsorted(tally.group, [first, last])
            block = np.zeros((last - first, width), dtype=np.int64)
            block[tally.group[start:end] - first, tally.value[start:end]] = tally.count[start:end]
            yield slice(first, last), block

    def counts(self, column: str, group: int) -> Counts:
        """Return how often each value of `column` occurs in one group."""
        self.size(group)
        members = self._label == group
        width = len(self.sensitive[column].values)
        count = np.bincount(self._codes[column][members], weights=self._weight[members], minlength=width)
        return np.rint(count).astype(np.int64)


def numbered(labels: NDArray[Any], chosen: NDArray[Any] | None, count: int, noun: str) -> Counts:
    """Return labels of `count` things, or of those of them that are `chosen`, once they are what `Table.groups` takes.

    >>> numbered(np.array([0, 1]), None, 3, "row")
    Traceback (most recent call last):
    anoptima.errors.BadInput: labels has the shape (2,) and the type int64; it must hold a whole number for each of 3 rows
    """
    if chosen is not None:
        _require_numbers(chosen, "chosen", f"numbers of {noun}s", (chosen.size,), count)
        count = chosen.size
    _require_numbers(labels, "labels", f"a whole number for each of {count:,} {noun}s", (count,), count)
    label = labels.astype(np.int64, copy=False)
    counted = np.bincount(label)
    if not counted.all():
        raise BadInput(
            f"labels holds {label.max()} and no {counted.argmin()}; it must use every number up to its largest"
        )
    return label


def _require_numbers(given: NDArray[Any], name: str, wanted: str, shape: tuple[int, ...], end: int) -> None:
    if given.shape != shape or given.dtype.kind not in "iu":
        raise BadInput(f"{name} has the shape {given.shape} and the type {given.dtype}; it must hold {wanted}")
    if given.size and not (given.min() >= 0 and given.max() < end):
        wrong = given.min() if given.min() < 0 else given.max()
        raise BadInput(f"{name} holds {wrong}; it must hold {wanted}, from 0 to {end - 1:,}")
