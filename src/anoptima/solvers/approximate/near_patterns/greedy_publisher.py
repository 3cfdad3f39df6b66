"""A release from patterns and what rows are worth: groups one after the other, those first whose rows pay least above their worth.

At good multipliers the best groups of a pattern are worth about nothing: rows pay what they are worth. So groups are made in the order of

    v_p = min { sum z_t (c_p - pi_t) : 0 <= z_t <= what is left of t, sum z_t >= k },

which only rises while rows go. Rows that are dear wherever they go have their choice before cheap ones use up their company.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.near_patterns.kernels.publishing import MEMBERS, WAITING, look_first, publish
from anoptima.solvers.compiling.loops import fastest
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers
from anoptima.table import Counts

_LOOKS = 20_000
"""How many patterns the loop looks at between two looks at the clock: some tenths of a second where it is not compiled."""
_STAR = -1
"""The code of a starred cell."""


class GreedyPublisher:
    """Groups made so far, as row types with numbers of copies, and what is left of each row type."""

    def __init__(self, problem: CellSuppression, k: int) -> None:
        self._problem = problem
        self._k = k
        self.left: Counts = problem.table.multiplicity.copy()
        self._made = np.zeros((0, 3), dtype=np.int64)
        """Of each member of each group, in order, its row type, how many copies of it are published, and the number of the group."""

    def cover(self, arcs: Arcs, types: Counts, worth: Numbers, is_over: Callable[[], bool]) -> None:
        """Make groups by patterns until no pattern has k rows left, or the time is up; record i of `arcs` is the row type `types[i]`.

        A pattern is looked at again where rows of it went: O(A + log P) each time for P patterns of A row types each.
        """
        start, member, cost, left = arcs.start, arcs.member.copy(), arcs.cost, self.left[types]
        known, done = np.zeros(len(arcs)), 0
        while done < len(arcs) and not is_over():
            first, done = done, min(done + _LOOKS, len(arcs))
            fastest(look_first)(start, member, cost, worth, self._k, left, known, first, done)
        made = np.zeros((int(left.sum()), 3), dtype=np.int64)
        heap, count = np.argsort(known[:done], kind="stable"), np.array([done, 0, 0])
        while count[WAITING] and not is_over():
            fastest(publish)(start, member, cost, worth, self._k, left, known, heap, count, made, _LOOKS)
        made = made[: count[MEMBERS]]
        self.left[types] = left
        made[:, 0] = types[made[:, 0]]
        made[:, 2] += self._made[-1, 2] + 1 if len(self._made) else 0
        self._made = np.concatenate([self._made, made])

    def partition(self) -> Partition:
        """Return the groups; a row that is left over joins the one that it makes dearer least. O(G m) for each of those."""
        table, (types, copies, group) = self._problem.table, self._made.T
        if not len(types):
            return self._problem.trivial()
        flat = np.repeat(types, copies)
        order, by_type = np.argsort(flat, kind="stable"), np.argsort(table.type_of_row, kind="stable")
        flat = flat[order]
        rank = np.arange(len(flat)) - np.searchsorted(flat, flat)
        labels = np.full(table.rows, -1, dtype=np.int64)
        labels[by_type[np.searchsorted(table.type_of_row[by_type], flat) + rank]] = np.repeat(group, copies)[order]
        size = np.bincount(group, copies).astype(np.int64)
        codes, first = table.types[types], np.searchsorted(group, np.arange(len(size)))
        least = np.minimum.reduceat(codes, first)
        pattern = np.where(least == np.maximum.reduceat(codes, first), least, _STAR)
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
