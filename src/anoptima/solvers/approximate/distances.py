"""Distances between row types, a row or a block at a time: never all of them at once.

The distance of two rows is the scaled weight of the columns on which they differ; with weights that are all 1, their Hamming distance.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.table import Counts, Table

_BLOCK = 1 << 23
"""How many distances a block may hold."""

_MANY_COLUMNS = 64
"""From this many columns of equal weight on, the codes of a row are compared at once, rather than those of a column."""


class Distances:
    """Distances between the row types of a table, in the smallest integers that hold codes and weights.

    Examples
    --------
    >>> from anoptima import ten_rows
    >>> Distances(ten_rows()).of(0).tolist()
    [0, 5, 5, 6, 5, 7, 7, 6, 6, 6]
    """

    def __init__(self, table: Table) -> None:
        self.types = len(table.types)
        self.most = int(table.scaled_weights.sum())
        self._dtype = np.min_scalar_type(self.most)
        self._weights = table.scaled_weights.astype(self._dtype).tolist()
        self._codes = [
            np.ascontiguousarray(table.types[:, j].astype(np.min_scalar_type(len(column.values))))
            for j, column in enumerate(table.quasi_columns)
        ]
        self._by_row: NDArray[Any] | None = None
        if len(self._codes) >= _MANY_COLUMNS and set(self._weights) == {1}:
            self._by_row = np.column_stack(self._codes)

    def of(self, type_: int, others: Counts | None = None) -> Counts:
        """Return the distances of a row type from all, or from the `others`. O(T m)."""
        if self._by_row is not None:
            rows = self._by_row if others is None else self._by_row[others]
            return np.asarray(np.count_nonzero(rows != self._by_row[type_], axis=1), dtype=self._dtype)
        codes = self._codes if others is None else [code[others] for code in self._codes]
        return self._sum(code != own[type_] for code, own in zip(codes, self._codes, strict=True))

    def among(self, chosen: Counts) -> Counts:
        """Return the distances between every two of the `chosen` row types. O(c^2 m)."""
        if self._by_row is not None and len(chosen) ** 2 * len(self._codes) <= _BLOCK:
            rows = self._by_row[chosen]
            return np.asarray(np.count_nonzero(rows[:, None] != rows, axis=2), dtype=self._dtype)
        codes = [code[chosen] for code in self._codes]
        return self._sum(code[:, None] != code for code in codes)

    def blocks(self) -> Iterable[tuple[int, Counts]]:
        """Yield the distances of row types first, first + 1, ... from all, with `first`, a block at a time. O(T^2 m) in all."""
        step = max(1, _BLOCK // self.types)
        for first in range(0, self.types, step):
            check_time()
            rows = slice(first, first + step)
            yield first, self._sum(code[rows, None] != code for code in self._codes)

    def _sum(self, differ: Iterable[NDArray[np.bool_]]) -> Counts:
        total: Any = self._dtype.type(0)
        for weight, here in zip(self._weights, differ, strict=True):
            total = total + (here.view(np.uint8) if weight == 1 else here * self._dtype.type(weight))
        return np.asarray(total, dtype=self._dtype)
