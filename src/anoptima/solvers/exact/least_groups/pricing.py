"""What groups of k rows cost, and which of them gain at given worths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.least_groups import few_enough_sets
from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.exact.least_groups import kernel
from anoptima.solvers.exact.least_groups.kernel import BYTES
from anoptima.solvers.side_by_side import side_by_side
from anoptima.table import Counts

_AT_ONCE, _AT_ONCE_PLAIN = 1 << 22, 1 << 14
"""About how many looks there are between two looks at the clock, in compiled loops and in plain ones: some hundredths of a second."""
_FOR_THREADS = 1 << 20
"""Rows that take so many looks are shared among threads: some milliseconds, where beginning a thread takes a tenth of one."""
KEPT = 3
"""How many groups that gain are taken for each row at once. Of 1,000 rows of 60 columns, k = 3, the program is solved after 7.7 s with
three, after 10 with one, and after 7.3 with eight; of 3,000 sparse rows, k = 5, programs become too large with eight."""
MOST_ROWS = 4_000
"""Of more rows linear programs take too long."""
MOST_WEIGHT = 1 << 31
"""What all columns weigh is below this."""


def why_not_priced(problem: CellSuppression, k: int) -> str | None:
    """Say why groups of k rows cannot be priced here; None if they can.

    >>> from anoptima import KAnonymity, census, ten_rows
    >>> why_not_priced(CellSuppression(ten_rows(), KAnonymity(3)), 3)
    >>> why_not_priced(CellSuppression(census("four"), KAnonymity(3)), 3)
    'prices of groups are for 4,000 rows at most, not for 30,162'
    """
    rows = problem.table.rows
    if k < 2:
        return "groups of one row cost nothing, and prove nothing"
    if rows > MOST_ROWS:
        return f"prices of groups are for {MOST_ROWS:,} rows at most, not for {rows:,}"
    return why_not_looked_at(problem, k)


def why_not_looked_at(problem: CellSuppression, k: int) -> str | None:
    """Say why groups of k rows cannot be looked at, of however many rows; None if they can."""
    if not few_enough_sets(problem.table.rows, k):
        return f"there are too many groups of {k} of {problem.table.rows:,} rows to be looked at"
    if problem.table.scaled_weights.sum() >= MOST_WEIGHT:
        return "columns weigh too much for numbers of 32 bits"
    return None


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
    """The rows of a table, numbered from 0: no two of a group may be of one kind. O(n m) numbers. Loops may share so many threads."""

    def __init__(self, problem: CellSuppression, k: int, kinds: Sequence[int], threads: int = 1) -> None:
        table, self._threads = problem.table, threads
        self.k, self.kinds = k, np.array(kinds, dtype=np.int64)
        self.codes, self._weights = table.types[table.type_of_row], table.scaled_weights
        assert self._weights.sum() < MOST_WEIGHT, "why_not_looked_at says so"
        columns = len(self._weights)
        eights = np.zeros(columns + -columns % (8 * BYTES), dtype=np.int64)
        eights[:columns] = self._weights
        self._eights = eights.reshape(-1, 8) @ (np.arange(256) >> np.arange(8)[:, None] & 1)

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.codes)

    def costs(self, groups: Counts) -> Counts:
        """Return what groups cost, all of one size."""
        return np.asarray(groups.shape[1] * (self.far(groups) @ self._weights), dtype=np.int64)

    def far(self, groups: Counts) -> NDArray[np.bool_]:
        """Return which columns groups star."""
        starred = np.zeros((len(groups), self.codes.shape[1]), dtype=np.bool_)
        for other in range(1, groups.shape[1]):
            starred |= self.codes[groups[:, 0]] != self.codes[groups[:, other]]
        return starred

    def apart(self, row: int) -> Counts:
        """Return what the columns weigh in which each row differs from one."""
        return np.asarray((self.codes != self.codes[row]) @ self._weights, dtype=np.int64)

    def best_groups(
        self, rows: Counts, worth: Counts, d: int, most: int, is_over: Callable[[], bool] = lambda: False
    ) -> Found:
        """Return the best groups among some rows at the worths of all, in parts of `d`, after `most` looks for each row at most.

        Once it `is_over`, nothing is looked for any more, and it is only found what groups could gain at most.
        """
        order = rows[np.argsort(-worth[rows], kind="stable")]
        gain = np.zeros(len(rows), dtype=np.int64)
        group = np.zeros((len(rows), KEPT, self.k), dtype=np.int64)
        search: Any = fastest(kernel.best_groups)
        at_once, threads = (_AT_ONCE_PLAIN, 1) if search is kernel.best_groups else (_AT_ONCE, self._threads)
        codes = np.ascontiguousarray(self.codes[order].T)
        ground = kernel.Ground(codes, self._weights.astype(np.int32), self._eights, self.kinds[order], self.k)
        asked, best = kernel.Asked(worth[order], d, most), kernel.Best(gain, group)
        begin, step, parts = 0, 1, 1
        while begin < len(rows):
            check_time()
            end = min(len(rows), begin + step)
            if asked.most and is_over():
                asked = asked._replace(most=0)
            spans = pairwise(np.linspace(begin, end, parts + 1).astype(int).tolist())
            pieces = [partial(search, ground, asked, best, *span) for span in spans]
            looks = sum(side_by_side(lambda piece: piece(), pieces, parts))
            if looks >= _FOR_THREADS:
                parts = threads
            step = max(1, min(4 * step, step * parts * at_once // max(1, looks)))
            begin = end
        return Found(order, gain, np.where(group[:, :, :1] >= 0, order[group], -1))

    def near_groups(self) -> Counts:
        """Return, for each row, groups of it and its nearest rows of different kinds, all but two of those: O(k^2) for each row."""
        k, found = self.k, list[list[int]]()
        for row in range(self.rows):
            check_time()
            near = np.argsort(self.apart(row), kind="stable")
            near = near[self.kinds[near] != self.kinds[row]]
            _, first = np.unique(self.kinds[near], return_index=True)
            near = near[np.sort(first)][: k + 1]
            found += [[row, *others] for others in combinations(near.tolist(), k - 1)]
        made = np.array(found, dtype=np.int64).reshape(-1, k)
        return np.unique(np.sort(made, axis=1), axis=0)
