"""What groups of k rows cost, and which of them gain at given worths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.exact.least_groups import kernel
from anoptima.solvers.exact.least_groups.kernel import Ground
from anoptima.table import Counts

_AT_ONCE = 1 << 22
"""About how many looks there are between two looks at the clock: some hundredths of a second."""
_TESTED = 1 << 6
"""Rows that differences are found of at a time."""
MOST_BYTES = 1 << 28
"""What the columns in which each two rows differ may take: those of 4,000 rows of 128 columns."""


def bytes_of(rows: int, columns: int) -> int:
    """Return what the columns in which each two rows differ take."""
    return rows * rows * -(-columns // 8)


@dataclass(frozen=True, eq=False)
class Found:
    """What was found for each row, in an order in which worths fall: a group, if one gains (its first row is not -1), and its gain.

    Where the search was not finished, the gain is minus what groups can gain at most.
    """

    order: Counts
    gain: Counts
    group: Counts

    @property
    def is_complete(self) -> bool:
        """Whether the gains of all rows are known."""
        return bool((self.gain >= 0).all())

    @property
    def groups(self) -> Counts:
        """The groups that gain, their rows rising."""
        return np.sort(self.group[self.group[:, 0] >= 0], axis=1)

    def corrected(self, worth: Counts) -> Counts:
        """Return worths at which no group gains: those of first rows are less by what their groups gain at most."""
        less = worth.copy()
        less[self.order] -= np.abs(self.gain)
        return less


class Pricing:
    """The rows of a table, numbered from 0: no two of a group may be of one kind."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground

    @classmethod
    def of(cls, problem: CellSuppression, k: int, kinds: Sequence[int]) -> Pricing:
        """Return the pricing of all rows. O(n^2 m)."""
        table = problem.table
        codes, weights = table.types[table.type_of_row], table.scaled_weights
        rows, columns = codes.shape
        differ = np.zeros((rows, rows, -(-columns // 8)), dtype=np.uint8)
        apart = np.zeros((rows, rows), dtype=np.int64)
        for first in range(0, rows, _TESTED):
            check_time()
            different = codes[first : first + _TESTED, None, :] != codes[None, :, :]
            differ[first : first + _TESTED] = np.packbits(different, axis=2, bitorder="little")
            apart[first : first + _TESTED] = different @ weights
        bits = np.zeros((differ.shape[2] * 8, 1), dtype=np.int64)
        bits[:columns, 0] = weights
        every = np.arange(256)[:, None] >> np.arange(8) & 1
        weight = np.ascontiguousarray((every @ bits.reshape(-1, 8, 1))[:, :, 0])
        return cls(Ground(differ, apart, weight, np.array(kinds, dtype=np.int64), k))

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.ground.apart)

    @property
    def k(self) -> int:
        """How many rows a group has."""
        return self.ground.k

    def costs(self, groups: Counts) -> Counts:
        """Return what groups cost, all of one size."""
        return np.asarray(groups.shape[1] * self.weighed(self.far(groups)), dtype=np.int64)

    def far(self, groups: Counts) -> NDArray[np.uint8]:
        """Return the columns that groups star, as bits."""
        return np.bitwise_or.reduce(self.ground.differ[groups[:, :1], groups], axis=1)

    def weighed(self, far: NDArray[np.uint8]) -> Counts:
        """Return what columns weigh."""
        return np.asarray(self.ground.weight[np.arange(far.shape[-1]), far].sum(axis=-1), dtype=np.int64)

    def best_groups(self, rows: Counts, worth: Counts, d: int, most: int) -> Found:
        """Return the best groups among some rows at the worths of all, in parts of `d`, after `most` looks for each row at most."""
        order = rows[np.argsort(-worth[rows], kind="stable")]
        gain = np.zeros(len(rows), dtype=np.int64)
        group = np.zeros((len(rows), self.k), dtype=np.int64)
        search: Any = fastest(kernel.best_groups)
        begin, step = 0, 1
        while begin < len(rows):
            check_time()
            end = min(len(rows), begin + step)
            looks = search(self.ground, order, worth, d, begin, end, most, gain, group)
            step = max(1, min(4 * step, step * _AT_ONCE // max(1, looks)))
            begin = end
        return Found(order, gain, group)

    def near_groups(self) -> Counts:
        """Return, for each row, groups of it and its nearest rows of different kinds, all but two of those: O(k^2) for each row."""
        ground, k = self.ground, self.k
        found = []
        for row in range(self.rows):
            check_time()
            near = np.argsort(ground.apart[row], kind="stable")
            near = near[ground.kind[near] != ground.kind[row]]
            _, first = np.unique(ground.kind[near], return_index=True)
            near = near[np.sort(first)][: k + 1]
            if len(near) < k - 1:
                continue
            found += [[row, *others] for others in combinations(near.tolist(), k - 1)]
        made = np.array(found, dtype=np.int64).reshape(-1, k)
        return np.unique(np.sort(made, axis=1), axis=0)
