"""What groups of k rows cost, and which of them gain at given worths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.least_groups import few_enough_sets
from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.exact.least_groups import kernel
from anoptima.solvers.exact.least_groups.kernel import BYTES, Ground
from anoptima.table import Counts

_AT_ONCE, _AT_ONCE_PLAIN = 1 << 22, 1 << 14
"""About how many looks there are between two looks at the clock, in compiled loops and in plain ones: some hundredths of a second."""
_TESTED = 1 << 4
"""Rows that differences are found of at a time."""
KEPT = 3
"""How many groups that gain are taken for each row at once. Of 1,000 rows of 60 columns, k = 3, the program is solved after 7.7 s with
three, after 10 with one, and after 7.3 with eight; of 3,000 sparse rows, k = 5, programs become too large with eight."""
MOST_ROWS, MOST_BYTES = 4_000, 1 << 28
"""Of more rows linear programs take too long; and what the columns in which each two rows differ may take: those of 4,000 rows of 128
columns."""


def why_not_priced(problem: CellSuppression, k: int) -> str | None:
    """Say why groups of k rows cannot be priced here; None if they can.

    >>> from anoptima import KAnonymity, census, ten_rows
    >>> why_not_priced(CellSuppression(ten_rows(), KAnonymity(3)), 3)
    >>> why_not_priced(CellSuppression(census("four"), KAnonymity(3)), 3)
    'prices of groups are for 4,000 rows at most, not for 30,162'
    """
    rows, columns = problem.table.rows, len(problem.table.quasi)
    if k < 2:
        return "groups of one row cost nothing, and prove nothing"
    if rows > MOST_ROWS:
        return f"prices of groups are for {MOST_ROWS:,} rows at most, not for {rows:,}"
    if rows * rows * BYTES * _words_of(columns) > MOST_BYTES:
        return f"{rows:,} rows of {columns:,} columns differ in too many ways to be kept"
    if not few_enough_sets(rows, k):
        return f"there are too many groups of {k} of {rows:,} rows to be looked at"
    if problem.table.scaled_weights.sum() >= 1 << 31:
        return "columns weigh too much for numbers of 32 bits"
    return None


def _words_of(columns: int) -> int:
    return -(-columns // (8 * BYTES))


@dataclass(frozen=True, eq=False)
class Found:
    """What was found for each row, in an order in which worths fall: the gain of its best group, and some that gain (-1: less than some).

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
        return np.sort(self.group[self.group[:, :, 0] >= 0], axis=1)

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
        bits, exact = 8 * BYTES * _words_of(columns), np.float32 if weights.sum() < 1 << 24 else np.float64
        differ = np.zeros((rows, rows, _words_of(columns)), dtype=np.int64)
        apart = np.zeros((rows, rows), dtype=np.int32)
        for first in range(0, rows, _TESTED):
            check_time()
            these = slice(first, first + _TESTED)
            different = np.zeros((len(codes[these]), rows, bits), dtype=np.bool_)
            different[:, :, :columns] = codes[these, None, :] != codes[None, :, :]
            differ[these] = np.packbits(different, axis=2, bitorder="little").view("<i8")
            # By floats, which is much quicker, and exact.
            flat = different[:, :, :columns].reshape(-1, columns).astype(exact)
            apart[these] = (flat @ weights.astype(exact)).reshape(-1, rows)
        every = np.zeros(bits, dtype=np.int64)
        every[:columns] = weights
        weight = every.reshape(-1, 8) @ (np.arange(256) >> np.arange(8)[:, None] & 1)
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

    def far(self, groups: Counts) -> Counts:
        """Return the columns that groups star, as bits of words."""
        return np.asarray(np.bitwise_or.reduce(self.ground.differ[groups[:, :1], groups], axis=1))

    def weighed(self, far: Counts) -> Counts:
        """Return what columns weigh."""
        bytes_ = np.ascontiguousarray(far, dtype="<i8").view(np.uint8)
        return np.asarray(self.ground.weight[np.arange(bytes_.shape[-1]), bytes_].sum(axis=-1), dtype=np.int64)

    def best_groups(self, rows: Counts, worth: Counts, d: int, most: int) -> Found:
        """Return the best groups among some rows at the worths of all, in parts of `d`, after `most` looks for each row at most."""
        order = rows[np.argsort(-worth[rows], kind="stable")]
        gain = np.zeros(len(rows), dtype=np.int64)
        group = np.zeros((len(rows), KEPT, self.k), dtype=np.int64)
        search: Any = fastest(kernel.best_groups)
        at_once = _AT_ONCE_PLAIN if search is kernel.best_groups else _AT_ONCE
        asked, best = kernel.Asked(order, worth, d, most), kernel.Best(gain, group)
        begin, step = 0, 1
        while begin < len(rows):
            check_time()
            end = min(len(rows), begin + step)
            looks = search(self.ground, asked, best, begin, end)
            step = max(1, min(4 * step, step * at_once // max(1, looks)))
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
