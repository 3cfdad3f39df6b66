"""Agglomerative clustering: merge the two clusters whose merger costs least, until every one satisfies the principle. A baseline.

The agglomerative algorithms of Gionis, Mazza and Tassa, with the stars that a merger costs as the distance, under any principle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anoptima.principles import Splitting
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation, merge_until_it_holds
from anoptima.table import Counts

_NEVER = np.iinfo(np.int64).max
_STAR, _ANOTHER_STAR = -1, -2
"""A starred column of a cluster, and of the one that it is compared with: two stars are no agreement."""


@algorithms.register
class Clustering(CellApproximation):
    """Clusters of whole row types, merged bottom up until they satisfy the principle. No ratio is promised.

    Each turn merges the pair with the least rise of cost `|A + B| w(A + B) - |A| w(A) - |B| w(B)`, w the weight of a cluster's stars,
    among pairs of which one fails. A cluster that satisfies the principle starts no further merger. Partners are looked for again only
    when the one found has changed or gone: O(T) mergers and searches of O(T m) in practice for T row types, and O(T m) memory.

    References
    ----------
    A. Gionis, A. Mazza and T. Tassa: k-anonymization revisited. ICDE 2008, algorithm 1.
    """

    name = "clustering"
    family = "clusters-and-search"
    quick = 3

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Merge until all clusters hold; once time is up, the failing ones are one."""
        clusters = _Clusters(problem)
        while clusters.failing and not is_over():
            clusters.merge_nearest()
        return clusters.partition()


@dataclass(eq=False)
class _Nearest:
    """The partner that each failing cluster is nearest to, the version that this had then, and how much the cost rises if they merge."""

    cluster: Counts
    version: Counts
    rise: Counts


class _Clusters:
    """Clusters of row types, each in a slot with its rows, its pattern, and the partner that it is nearest to."""

    def __init__(self, problem: CellSuppression) -> None:
        table = problem.table
        self._problem = problem
        self._sized = problem.principle.splitting is Splitting.ANYWHERE
        self._least = problem.principle.least_size(table)
        self._weights: list[int] = table.scaled_weights.tolist()
        order = np.argsort(table.type_of_row, kind="stable")
        self._rows = np.split(order, np.cumsum(table.multiplicity)[:-1])
        # A column to a line: what is compared at once lies side by side.
        self._pattern = np.array(table.types.T, order="C")
        self._size = table.multiplicity.copy()
        slots = len(self._size)
        self._cost = np.zeros(slots, dtype=np.int64)
        self._alive = np.ones(slots, dtype=bool)
        self._fails = ~problem.principle.holds_each(table.groups(table.type_of_row))
        self._version = np.zeros(slots, dtype=np.int64)
        self._nearest = _Nearest(
            np.full(slots, -1, dtype=np.int64), np.zeros(slots, dtype=np.int64), np.where(self._fails, 0, _NEVER)
        )

    @property
    def failing(self) -> bool:
        """Whether a cluster fails."""
        return bool(self._fails.any())

    def merge_nearest(self) -> None:
        """Take the failing cluster that promises the least rise; merge it if its partner is still what it was, or look again."""
        a = int(self._nearest.rise.argmin())
        b = int(self._nearest.cluster[a])
        if b < 0 or not self._alive[b] or self._version[b] != self._nearest.version[a]:
            self._choose_partner(a, self._rises(a))
            return
        self._merge(a, b)
        rises = self._rises(a)
        nearest = self._nearest
        nearer = self._fails & (rises < nearest.rise)
        nearest.cluster[nearer], nearest.version[nearer], nearest.rise[nearer] = a, self._version[a], rises[nearer]
        if self._fails[a]:
            self._choose_partner(a, rises)
        if 2 * np.count_nonzero(self._alive) < len(self._alive):
            self._close_up()

    def partition(self) -> Partition:
        """Return the clusters as groups; those that fail as one, with others as far as they are needed."""
        labels = np.empty(self._problem.table.rows, dtype=np.int64)
        rest = len(self._rows)
        for slot in np.flatnonzero(self._alive):
            labels[self._rows[slot]] = rest if self._fails[slot] else slot
        return merge_until_it_holds(self._problem, labels, rest) if self.failing else Partition.from_labels(labels)

    def _choose_partner(self, a: int, rises: Counts) -> None:
        b, nearest = int(rises.argmin()), self._nearest
        nearest.cluster[a], nearest.version[a], nearest.rise[a] = b, self._version[b], rises[b]

    def _rises(self, a: int) -> Counts:
        """Return by how much the cost rises if cluster a is merged with each one; `_NEVER` for itself and the dead."""
        stars = np.zeros(len(self._size), dtype=np.int64)
        own = np.where(self._pattern[:, a] == _STAR, _ANOTHER_STAR, self._pattern[:, a])
        for weight, line, code in zip(self._weights, self._pattern, own.tolist(), strict=True):
            stars += weight * (line != code)
        rises = (self._size + self._size[a]) * stars - self._cost - self._cost[a]
        rises[~self._alive] = _NEVER
        rises[a] = _NEVER
        return np.asarray(rises)

    def _merge(self, a: int, b: int) -> None:
        """Let a have b's rows."""
        self._pattern[:, a] = np.where(self._pattern[:, a] == self._pattern[:, b], self._pattern[:, a], _STAR)
        self._cost[a] += self._cost[b] + self._nearest.rise[a]
        self._size[a] += self._size[b]
        self._rows[a] = np.concatenate([self._rows[a], self._rows[b]])
        self._version[a] += 1
        self._alive[b] = self._fails[b] = False
        self._fails[a] = not self._holds(a)
        self._nearest.rise[[a, b]] = _NEVER

    def _holds(self, a: int) -> bool:
        if self._sized or self._size[a] < self._least:
            return bool(self._size[a] >= self._least)
        rows = self._rows[a]
        return self._problem.principle.holds(self._problem.table.groups(np.zeros(len(rows), dtype=np.int64), rows))

    def _close_up(self) -> None:
        """Forget the slots of the dead, so that later searches are shorter."""
        alive = np.flatnonzero(self._alive)
        number = np.full(len(self._alive) + 1, -1, dtype=np.int64)
        number[alive] = np.arange(len(alive))
        nearest = self._nearest
        self._nearest = _Nearest(number[nearest.cluster[alive]], nearest.version[alive], nearest.rise[alive])
        self._rows = [self._rows[slot] for slot in alive]
        self._pattern = np.ascontiguousarray(self._pattern[:, alive])
        self._size, self._cost = self._size[alive], self._cost[alive]
        self._fails, self._version = self._fails[alive], self._version[alive]
        self._alive = np.ones(len(alive), dtype=bool)
