"""All groups of k to 2k - 1 of some dozen rows, in arrays: those that gain are looked up instead of grown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.proofs.heaviest import Decided, RowGroups
from anoptima.solvers.exact.least_groups.pricing import Pricing
from anoptima.table import Counts

MOST_LISTED = 3_000_000
"""How many groups are listed at most: those of 50 rows for k = 3. They take 50 MB."""
_AT_ONCE = 1 << 17
"""Groups whose costs are worked out at a time."""
_PATHS = 16
"""For how many decisions it is remembered which groups they allow."""


def are_listed(rows: int, k: int) -> bool:
    """Tell whether rows have few enough groups of k to 2k - 1.

    >>> are_listed(50, 3), are_listed(60, 3)
    (True, False)
    """
    return sum(math.comb(rows, size) for size in range(k, 2 * k)) <= MOST_LISTED


class ListedGroups(RowGroups):
    """Groups as `RowGroups` has them, by size: their rows and costs."""

    def __init__(self, problem: DiameterSum | CellSuppression, k: int, kinds: Sequence[int]) -> None:
        super().__init__(problem, k, kinds)
        kind = np.array(kinds)
        self._pricing = Pricing(problem, k, kinds) if isinstance(problem, CellSuppression) else None
        self._rows, self._costs = list[NDArray[np.int16]](), list[Counts]()
        for size in range(k, min(2 * k, self.rows + 1)):
            check_time()
            every = itertools.chain.from_iterable(itertools.combinations(range(self.rows), size))
            rows = np.fromiter(every, dtype=np.int16).reshape(-1, size)
            for i, j in itertools.combinations(range(size), 2):
                rows = rows[kind[rows[:, i]] != kind[rows[:, j]]]
            self._rows.append(rows)
            parts = np.array_split(rows, max(1, len(rows) // _AT_ONCE))
            self._costs.append(np.concatenate([self._costs_of(part) for part in parts]))
        self._allowed = lru_cache(_PATHS)(self._allowed_by)

    def gaining(
        self,
        worth: Sequence[float],
        d: int,
        above: float,
        path: Iterable[Decided] = (),
        sets: Sequence[Sequence[int]] = (),
        prices: Sequence[int] = (),
        wanted: int = 1,
    ) -> Iterator[tuple[float, list[int]]]:
        """Yield the `wanted` groups that gain most, if they gain more than `above`; the best one comes last."""
        if sets:
            yield from super().gaining(worth, d, above, path, sets, prices, wanted)
            return
        values, best = np.array(worth), list[tuple[float, list[int]]]()
        for rows, costs, is_allowed in zip(self._rows, self._costs, self._allowed(tuple(path)), strict=True):
            check_time()
            gain = values[rows].sum(axis=1) - d * costs
            gaining = np.flatnonzero((gain > above) & is_allowed)
            if len(gaining) > wanted:
                gaining = gaining[np.argpartition(-gain[gaining], wanted)[:wanted]]
            best += zip(gain[gaining].tolist(), rows[gaining].tolist(), strict=True)
        yield from sorted(best)[-wanted:]

    def _costs_of(self, rows: NDArray[np.int16]) -> Counts:
        """Return what groups of one size cost."""
        check_time()
        if self._pricing is not None:
            return self._pricing.costs(rows.astype(np.int64))
        apart = np.array([[0 if far is None else far for far in row] for row in self.apart], dtype=np.int64)
        widest = np.zeros(len(rows), dtype=np.int64)
        for i, j in itertools.combinations(range(rows.shape[1]), 2):
            widest = np.maximum(widest, apart[rows[:, i], rows[:, j]])
        return widest

    def _allowed_by(self, path: tuple[Decided, ...]) -> list[NDArray[np.bool_]]:
        """Tell of all groups whether decisions allow them."""
        if not path:
            return [np.ones(len(rows), dtype=np.bool_) for rows in self._rows]
        (pair, is_together), found = path[-1], list[NDArray[np.bool_]]()
        for before, rows in zip(self._allowed(path[:-1]), self._rows, strict=True):
            one, other = ((rows == row).any(axis=1) for row in pair)
            found.append(before & ((one == other) if is_together else ~(one & other)))
        return found
