"""Truncated balls: k-anonymity within a factor of order k log k in polynomial time for every k (Meyerson and Williams 2004, repaired).

Their Theorem 4.2 covers by whole balls, and its ratio does not hold: a ball may have many more rows than 2k - 1 (see the errata). What
holds is a cover by parts of balls. Let U be the rows not yet covered. For a row c of U and a radius r, let B be the rows within r of c,
at least k, and u = min(|B & U|, 2k - 1): the *price* of (c, r) is 2r / u. Take the pair of the least price, and within its ball a set S
with

    diam(S) / |S & U| <= 2r / u,        k <= |S| <= 2k - 1.

There is one, because no two rows of B are further apart than 2r: any u rows of B & U, with any others of B up to k. Take an optimal group T
of the diameter sum that meets U, c in T & U and r the distance from c to the furthest row of T. Then r <= diam(T), the ball contains T,
and u >= |T & U|: so S costs a new row at most 2 diam(T) / |T & U|. As for every greedy cover, the diameters come to 2 H_{2k-1} D* at most;
Reduce does not add to them; a group's cost is at most |S|^2 diam(S) / 2; and k D* <= OPT. In all

    cost <= ((2k - 1)^2 / k) H_{2k-1} OPT < 4k (1 + ln 2k) OPT,        H_x = 1 + 1/2 + ... + 1/x.

Any set S with these two properties will do; of several, one with few stars is taken. Distances are weights of columns, so all of this
holds for any weights.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.exact import Exact, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.anonymity import AnonymityApproximation, harmonic, least_size
from anoptima.solvers.approximate.approximation import merge_until_it_holds
from anoptima.solvers.approximate.cover_groups import CoverGroups
from anoptima.solvers.approximate.distances import Distances
from anoptima.table import Counts, Table

_MOST_COMPARED = 2000
"""Of how many row types all distances are looked at, to see which part of a ball is cheapest; of more the whole is taken."""


@algorithms.register
class TruncatedBalls(AnonymityApproximation):
    """Greedy cover by parts of balls of at most 2k - 1 new rows, then Reduce.

    cost <= ((2k - 1)^2 / k) H_{2k-1} OPT. Prices only rise, so a heap with stale prices finds the least. O(T m) memory for T row types;
    O(T m) to price a ball: T times at first, and again where prices have risen.

    References
    ----------
    A. Meyerson and R. Williams: On the complexity of optimal k-anonymity (PODS 2004), section 4.2.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "truncated-balls")
    >>> answer.cost, ao.get_solver("truncated-balls").ratio(answer.problem)
    (46, Fraction(33, 4))
    """

    name = "truncated-balls"
    family = "covers"

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return ((2k - 1)^2 / k) H_{2k-1}."""
        k = least_size(problem)
        return simplest(Fraction((2 * k - 1) ** 2, k) * harmonic(2 * k - 1))

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Cover, reducing as it goes."""
        labels = cover_by_balls(problem.table, least_size(problem), is_over)
        if (labels < 0).any():
            rest = int(labels.max()) + 1
            labels[labels < 0] = rest
            return merge_until_it_holds(problem, labels, rest)
        return Partition.from_labels(labels)


def cover_by_balls(table: Table, k: int, is_over: Callable[[], bool]) -> Counts:
    """Return the group of each row, of k to 2k - 1 rows each; -1 for rows that are not covered when `is_over` says so."""
    balls = _Balls(table, k)
    heap = [(Fraction(0), t) for t in range(len(table.types))]
    while heap and not is_over():
        known, centre = heap[0]
        if not balls.groups.unpublished[centre]:
            heapq.heappop(heap)
            continue
        distances = balls.distances.of(centre)
        price, radius, new = balls.cheapest(distances)
        if price == known:
            balls.cover(centre, distances, radius, new)
        else:
            heapq.heapreplace(heap, (price, centre))
    return balls.groups.labels(table.type_of_row)


class _Balls:
    """Balls of row types around centres, and the groups made of them."""

    def __init__(self, table: Table, k: int) -> None:
        self.k = k
        self.distances = Distances(table)
        self.groups = CoverGroups(table.multiplicity, k)
        self._weights = table.scaled_weights
        self._types = table.types
        self._multiplicity = table.multiplicity

    def cheapest(self, distances: Counts) -> tuple[Fraction, int, int]:
        """Return the least r / u over the radii r around an uncovered centre, with r and u; of equal prices the smallest radius."""
        radii, rows, new = self._rings(distances)
        best: tuple[Fraction, int, int] | None = None
        for radius, size, fresh in zip(radii, rows, new, strict=True):
            if size >= self.k:
                u = min(fresh, 2 * self.k - 1)
                if best is None or radius * best[2] < best[1] * u:
                    best = Fraction(radius, u), radius, u
                if u == 2 * self.k - 1:
                    break
        assert best is not None, "the largest ball has all rows, and there are k at least"
        return best

    def _rings(self, distances: Counts) -> tuple[list[int], list[int], list[int]]:
        """Return the radii, and how many rows, and uncovered rows, are within each."""
        if distances.dtype == np.uint8:
            rows = np.bincount(distances, weights=self._multiplicity)
            new = np.bincount(distances, weights=self.groups.unpublished)
            radii = np.flatnonzero(rows)
            rows, new = rows[radii], new[radii]
        else:
            radii, ring = np.unique(distances, return_inverse=True)
            rows = np.bincount(ring, weights=self._multiplicity)
            new = np.bincount(ring, weights=self.groups.unpublished)
        return radii.tolist(), np.rint(rows.cumsum()).astype(int).tolist(), np.rint(new.cumsum()).astype(int).tolist()

    def cover(self, centre: int, distances: Counts, radius: int, new: int) -> None:
        """Publish a set within the ball that brings new rows at no more than the ball's price, with as few stars as can be found."""
        ball = np.flatnonzero(distances <= radius)
        ball = ball[np.argsort(distances[ball], kind="stable")]
        grown = self._grow(centre, ball[self.groups.unpublished[ball] > 0], new)
        if new >= self.k and len(grown) <= _MOST_COMPARED:
            grown = self._cheapest_part(grown, radius, new)
        self.groups.publish(grown, self._by_stars(grown, ball).tolist() if new < self.k else ())

    def _grow(self, centre: int, fresh: Counts, new: int) -> dict[int, int]:
        """Start with the centre and add uncovered rows of the ball, each with the fewest further stars, up to `new` rows."""
        left = self.groups.unpublished[fresh].copy()
        codes = self._types[fresh]
        differ = codes != self._types[centre]
        bad = np.zeros(len(self._weights), dtype=bool)
        grown: dict[int, int] = {}
        while new:
            more = np.where(left > 0, (differ & ~bad) @ self._weights, np.iinfo(np.int64).max)
            best = int(more.argmin())
            count = min(new, int(left[best]))
            grown[int(fresh[best])] = count
            left[best] = 0
            new -= count
            bad |= differ[best]
        return grown

    def _cheapest_part(self, grown: dict[int, int], radius: int, new: int) -> dict[int, int]:
        """Return the first rows, k or more and within the price, with the fewest stars a row; among equals, the most rows.

        diam(S) / |S| <= 2r / u for the part S, exactly.
        """
        items = list(grown)
        apart = np.maximum.accumulate(np.tril(self.distances.among(np.array(items))).max(axis=1)).tolist()
        codes = self._types[items]
        stars = np.logical_or.accumulate(codes != codes[0], axis=0) @ self._weights
        ends = np.cumsum([grown[t] for t in items]).tolist()
        best = len(items)
        for p in range(len(items), 0, -1):
            if (
                ends[p - 1] >= self.k
                and apart[p - 1] * new <= 2 * radius * ends[p - 1]
                and stars[p - 1] < stars[best - 1]
            ):
                best = p
        return {t: grown[t] for t in items[:best]}

    def _by_stars(self, grown: dict[int, int], ball: Counts) -> Counts:
        """Return the types of the ball, those first that cost the fewest further stars, then the nearest."""
        codes = self._types[list(grown)]
        bad = (codes != codes[0]).any(axis=0)
        more = ((self._types[ball] != codes[0]) & ~bad) @ self._weights
        ordered: Counts = ball[np.argsort(more, kind="stable")]
        return ordered
