"""Cover by balls, as printed (Meyerson and Williams 2004, section 4.2): valid, and without the ratio that its Theorem 4.2 claims.

The sets are balls with k rows or more: those within i columns of a row, for every row and i = 0, 1, ..., m (the paper begins at 1, which
loses rows that are equal); or those within d(c, c') of a row c, for every two rows c and c'. While rows are uncovered, take the ball S
with the least diam(S) / |S & U|, U the uncovered rows; then Reduce, and chop groups of 2k rows or more, which Reduce may leave.

The paper claims 6k (1 + ln m) times OPT. But a ball may have up to n rows, not m, so the greedy cover is within 1 + ln n; and the step from
diameters to stars needs groups of at most 2k - 1 rows, while chopping multiplies diameters. On 220 random pairs of rows in {0, 1}^300,
partners at distance 1 and k = 2, the first ball is the whole table. `truncated-balls` repairs it.
"""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.errors import ModelTooLarge
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.anonymity import AnonymityApproximation, least_size
from anoptima.solvers.approximate.approximation import merge_until_it_holds
from anoptima.solvers.approximate.chop import chop
from anoptima.solvers.approximate.cover_groups import CoverGroups
from anoptima.solvers.approximate.distances import Distances
from anoptima.table import Counts, Table

_MOST_LOOKS = 1 << 34
"""How many distances may be looked at, T^3 of T row types: some minutes."""


class BallCoverAsPrinted(AnonymityApproximation):
    """Greedy cover by whole balls; subclasses say by which. O(T^3) for T row types, O(T^2 m) memory."""

    @abstractmethod
    def apart(self, table: Table, centre: int, distances: Counts) -> Counts:
        """Return how far each row type is from the centre, for its balls: there is one for each value."""

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Cover, reduce, chop."""
        k = least_size(problem)
        return chop(problem, self.unchopped(problem, is_over), k, is_over)

    def unchopped(self, problem: CellSuppression, is_over: Callable[[], bool] = lambda: False) -> Partition:
        """Return the partition that Reduce leaves; diameters are fixed and new rows get fewer, so a heap finds the least ratio."""
        table, k = problem.table, least_size(problem)
        groups = CoverGroups(table.multiplicity, k)
        balls = list(self._balls(table, k))
        heap = [
            (Fraction(diameter, int(table.multiplicity[ball].sum())), b) for b, (diameter, ball) in enumerate(balls)
        ]
        heapq.heapify(heap)
        while groups.unpublished.any() and not is_over():
            ratio, b = heap[0]
            diameter, ball = balls[b]
            fresh = groups.unpublished[ball]
            new = int(fresh.sum())
            if not new:
                heapq.heappop(heap)
            elif Fraction(diameter, new) == ratio:
                groups.publish(
                    {t: count for t, count in zip(ball.tolist(), fresh.tolist(), strict=True) if count}, ball.tolist()
                )
            else:
                heapq.heapreplace(heap, (Fraction(diameter, new), b))
        labels = groups.labels(table.type_of_row)
        if (labels < 0).any():
            labels[labels < 0] = len(groups.groups)
            return merge_until_it_holds(problem, labels, len(groups.groups))
        return Partition.from_labels(labels)

    def _balls(self, table: Table, k: int) -> Iterator[tuple[int, Counts]]:
        """Yield the diameter and the row types of every ball with k rows or more."""
        count = len(table.types)
        if count**3 > _MOST_LOOKS:
            raise ModelTooLarge(
                f"the diameters of all balls of {count:,} row types take {count**3:,} looks at distances; {_MOST_LOOKS:,} are allowed: "
                f"take fewer rows or 'truncated-balls', which needs no diameters"
            )
        between = Distances(table).among(np.arange(count))
        for centre in range(count):
            check_time()
            apart = self.apart(table, centre, between[centre])
            order = np.argsort(apart, kind="stable")
            rows = np.cumsum(table.multiplicity[order])
            reach = np.maximum.accumulate(np.tril(between[order][:, order]).max(axis=1))
            for end in _last_of_equal(apart[order]):
                if rows[end - 1] >= k:
                    yield int(reach[end - 1]), order[:end]


@algorithms.register
class BallCover(BallCoverAsPrinted):
    """Balls of every radius around every row; no ratio is promised.

    Balls go by the number of columns on which rows differ, diameters by the weights of those columns.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "ball-cover")
    >>> answer.cost, ao.get_solver("ball-cover").ratio(answer.problem)
    (48, None)
    """

    name = "ball-cover"
    family = "covers"

    def apart(self, table: Table, centre: int, distances: Counts) -> Counts:
        """Return on how many columns each type differs from the centre."""
        columns: Counts = (table.types != table.types[centre]).sum(axis=1)
        return columns


@algorithms.register
class BallCoverPairs(BallCoverAsPrinted):
    """Balls around every row whose radius is the distance to another row; no ratio is promised.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "ball-cover-pairs")
    >>> answer.cost, ao.get_solver("ball-cover-pairs").ratio(answer.problem)
    (48, None)
    """

    name = "ball-cover-pairs"
    family = "covers"

    def apart(self, table: Table, centre: int, distances: Counts) -> Counts:
        """Return the distances."""
        return distances


def _last_of_equal(values: NDArray[np.integer]) -> list[int]:
    """Return the ends of the runs of equal values."""
    return [*(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
