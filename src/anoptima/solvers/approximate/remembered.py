"""A principle's verdicts on groups, remembered, since a search asks about like groups again and again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anoptima.principles import Truths
from anoptima.problems.cell_suppression import CellSuppression

_MOST_BYTES, _BYTES_EACH = 1 << 25, 100
"""So much memory answers take at most, and each one beside its key; then all are forgotten, for later ones are about other groups."""

Rows = NDArray[np.int64]


class Remembered:
    """Whether sets of rows satisfy the principle of a problem, remembered by their sensitive values.

    A principle decides on counts of sensitive values, so two sets of rows in which each value occurs equally often are one question. Groups
    are small and values few, so local search hardly ever asks a new one. O(r log r) for a set of r rows that is known.

    >>> from anoptima import LDiversity, ten_rows
    >>> remembered = Remembered(CellSuppression(ten_rows(), LDiversity(2)))
    >>> remembered.hold_each([np.array([1, 2]), np.array([0, 1])]).tolist(), len(remembered)
    ([False, True], 2)
    >>> remembered.hold_each([np.array([1, 6]), np.array([2, 4])]).tolist(), len(remembered)
    ([False, True], 2)
    """

    def __init__(self, problem: CellSuppression) -> None:
        self.problem = problem
        records = problem.table.records
        kinds = np.zeros(len(records), dtype=np.int64)
        for codes in records.sensitive.T:
            kinds = np.unique(kinds * (int(codes.max()) + 1) + codes, return_inverse=True)[1].reshape(-1)
        self._kind = kinds[records.of_row].astype(np.int16 if len(records) < 2**15 else np.int32)
        """A number for each row, equal for rows with the same sensitive values."""
        self._known: dict[bytes, bool] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def hold_each(self, groups: Sequence[Rows]) -> Truths:
        """Tell for each set of rows, none of them empty, whether it satisfies the principle."""
        return np.array(self._answers(groups), dtype=bool)

    def hold(self, groups: Sequence[Rows]) -> bool:
        """Tell whether sets of rows, none of them empty, all satisfy the principle."""
        return all(self._answers(groups))

    def _answers(self, groups: Sequence[Rows]) -> list[bool]:
        keys = [np.sort(self._kind[rows]).tobytes() for rows in groups]
        if self._bytes > _MOST_BYTES:
            self._known.clear()
            self._bytes = 0
        new = {key: rows for key, rows in zip(keys, groups, strict=True) if key not in self._known}
        if new:
            self._bytes += sum(map(len, new)) + _BYTES_EACH * len(new)
            labels = np.repeat(np.arange(len(new)), [len(rows) for rows in new.values()])
            counted = self.problem.table.groups(labels, np.concatenate(list(new.values())))
            self._known.update(zip(new, self.problem.principle.holds_each(counted).tolist(), strict=True))
        return [self._known[key] for key in keys]
