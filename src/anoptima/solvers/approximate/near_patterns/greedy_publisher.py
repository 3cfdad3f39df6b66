"""A release from patterns and what rows are worth: groups one after the other, those first whose rows pay least above their worth.

At good multipliers the best groups of a pattern are worth about nothing: rows pay what they are worth. So groups are made in the order of

    v_p = min { sum z_t (c_p - pi_t) : 0 <= z_t <= what is left of t, sum z_t >= k },

which only rises while rows go. Rows that are dear wherever they go have their choice before cheap ones use up their company.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, opened
from anoptima.table import Counts

_TINY = 1e-9
"""Scaled costs, in floats: what differs by less is equal."""
_STAR = -1
"""The code of a starred cell."""


class GreedyPublisher:
    """Groups made so far, as row types with numbers of copies, and what is left of each row type."""

    def __init__(self, problem: CellSuppression, k: int) -> None:
        self._problem = problem
        self._k = k
        self.left: Counts = problem.table.multiplicity.copy()
        self._groups: list[tuple[Counts, Counts]] = []

    def cover(self, arcs: Arcs, types: Counts, worth: Numbers, is_over: Callable[[], bool]) -> None:
        """Make groups by patterns until no pattern has k rows left, or the time is up; record i of `arcs` is the row type `types[i]`."""
        start, cost, k = arcs.start.tolist(), arcs.cost.tolist(), self._k
        values, _ = opened(arcs, worth, np.zeros(len(cost)))
        waiting = list(zip(values.tolist(), range(len(cost)), strict=True))
        heapq.heapify(waiting)
        while waiting and not is_over():
            known, p = waiting[0]
            members = arcs.member[start[p] : start[p + 1]]
            copies = self.left[types[members]]
            if int(copies.sum()) < k:
                heapq.heappop(waiting)
                continue
            gain = worth[members] - cost[p]
            order = np.argsort(-gain, kind="stable")
            gain, copies = gain[order], copies[order]
            taken = np.where(gain > -_TINY, copies, np.clip(k - (np.cumsum(copies) - copies), 0, copies))
            value = -float(taken @ gain)
            if value > known + _TINY:
                heapq.heapreplace(waiting, (value, p))
                continue
            heapq.heappop(waiting)
            used = taken > 0
            group, copies = types[members[order[used]]], taken[used]
            self.left[group] -= copies
            self._groups.append((group, copies))

    def partition(self) -> Partition:
        """Return the groups; a row that is left over joins the one that it makes dearer least. O(G m) for each of those."""
        table, groups = self._problem.table, len(self._groups)
        if not groups:
            return self._problem.trivial()
        by_type = np.argsort(table.type_of_row, kind="stable")
        place = np.searchsorted(table.type_of_row[by_type], np.arange(len(table.types)))
        labels = np.full(table.rows, -1, dtype=np.int64)
        for number, (types, copies) in enumerate(self._groups):
            for t, count in zip(types.tolist(), copies.tolist(), strict=True):
                labels[by_type[place[t] : place[t] + count]] = number
                place[t] += count
        pattern = np.array([self._common(types) for types, _ in self._groups])
        size = np.array([int(copies.sum()) for _, copies in self._groups])
        weights = table.scaled_weights
        cost = (pattern == _STAR) @ weights
        for row in np.flatnonzero(labels < 0).tolist():
            codes = table.types[table.type_of_row[row]]
            stars = (pattern != codes) @ weights
            chosen = int(((size + 1) * stars - size * cost).argmin())
            labels[row] = chosen
            pattern[chosen] = np.where(pattern[chosen] == codes, codes, _STAR)
            cost[chosen] = stars[chosen]
            size[chosen] += 1
        return Partition.from_labels(labels)

    def _common(self, types: Counts) -> Counts:
        codes = self._problem.table.types[types]
        return np.where((codes == codes[0]).all(axis=0), codes[0], _STAR)
