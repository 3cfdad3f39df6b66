"""t-closeness where the values hang in a tree: ordered, numeric and hierarchical distance.

With S_e the rows below edge e, of length d_e, and Q_e the table's share of rows below it, a group of N rows is legal exactly if
sum_e d_e |S_e - N Q_e| <= t N. A multiplier lam >= 0 on that condition leaves, at fixed N,

    F <= max { sum g z - lam sum_e d_e |S_e - N Q_e| : 0 <= z <= s, |z| = N } + lam t N,

which goes up the tree: below every edge, the best gain is a concave function of the rows taken, a falling list of slopes. Lists of
branches merge; an edge adds lam d_e to the slopes left of N Q_e and takes it from those right of it, which keeps them falling. The
first N of the last list are the best group. The value is concave in N, so bisection finds the largest, from the last one on. Any lam is
valid; each pattern has its own, a multiplier like the worths. The value is convex in lam: where the best group is too far from the table,
a larger lam is tried at once, again and again while the value falls, and where the prices below allow a smaller one, that is taken.

What proves F is simpler: the slopes at the splits are prices theta_e, |theta_e| <= lam d_e, with which

    w_v = sum_{e above v} theta_e + lam t - sum_e theta_e Q_e     is such that     sum_v w_v z(v) >= 0 for every legal z

(Kantorovich), so F <= max { sum (g_r + w_val(r)) z_r : 0 <= z <= s, |z| >= least }. S_e is whole, so that small groups may all be too far
from the table: the least size is the next one for which sum_e d_e (the distance of N Q_e from whole numbers) <= t N.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule

MOST_STEPS = 60
"""So often a fiftieth of a group is left out, which leaves some 30 % of it; then it is given up."""
_CELLS = 1 << 20
"""How many numbers are held at a time."""
STEP = 3
"""A lam moves farther than a worth by this factor: it is paid for distances, which are smaller than rows."""


@dataclass(frozen=True, eq=False)
class Tree(Rule):
    """Within t of the table's `shares` of values, on a tree.

    Values come in an order in which those below each edge are neighbours: `order`. `first[e]` and `last[e]` (one past it) say where in
    that order they are, `length[e]` the edge's length; edges come by `last`, inner ones first. `least_from` says which sizes could be.
    """

    shares: NDArray[np.float64]
    t: float
    order: Counts
    first: Counts
    last: Counts
    length: NDArray[np.float64]
    least_from: Callable[[int], int]
    kind: ClassVar[int | None] = 3

    @property
    def below(self) -> NDArray[np.float64]:
        """The table's share of rows below each edge."""
        below: NDArray[np.float64] = self._sums(self.shares[None])[0]
        return below

    def potentials(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sum_{e above v} theta_e for each row of `theta` (patterns x edges). O(E + V) a row."""
        steps = np.zeros((self.values + 1, len(theta)))
        np.add.at(steps, self.first, theta.T)
        np.subtract.at(steps, self.last, theta.T)
        found = np.empty((len(theta), self.values))
        found[:, self.order] = np.cumsum(steps[:-1], axis=0).T
        return found

    def _sums(self, counts: Numbers) -> Numbers:
        """Return, for each row of `counts`, the sum of the values below each edge. O(E + V) a row."""
        upto = np.zeros((len(counts), self.values + 1), dtype=counts.dtype)
        np.cumsum(counts[:, self.order], axis=1, out=upto[:, 1:])
        sums: Numbers = upto[:, self.last] - upto[:, self.first]
        return sums

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        """Look at rows alone, whatever their values."""
        sizes, its = np.unique(np.maximum(1, least), return_inverse=True)
        wanted = np.array([self.least_from(size) for size in sizes.tolist()], dtype=np.int64)[its]
        return np.where(counts.sum(axis=1) >= wanted, wanted, 0)

    def _distance(self, counts: Counts) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.abs(self._surplus(counts)) @ self.length
        return found

    def _surplus(self, counts: Counts) -> NDArray[np.float64]:
        """Return S_e - N Q_e for each row of `counts` and each edge."""
        found: NDArray[np.float64] = self._sums(counts) - counts.sum(axis=1)[:, None] * self.below
        return found

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Take rows away from the values that are most too frequent, as long as that takes the group nearer to the table."""
        kept = counts.copy()
        for _ in range(MOST_STEPS):
            check_time()
            sizes = kept.sum(axis=1)
            bad = np.flatnonzero((self._distance(kept) > self.t * sizes) & (sizes > 0))
            if not len(bad):
                break
            # What is left out goes where leaving one row of a value out helps most, a fiftieth of the group at a time.
            amount = np.minimum(np.maximum(1, sizes[bad] // 50)[:, None], kept[bad])
            chosen = self._after(kept[bad], amount).argmin(axis=1)
            kept[bad, chosen] -= amount[np.arange(len(bad)), chosen]
        sizes = kept.sum(axis=1)
        kept[(self._distance(kept) > self.t * sizes) | (sizes < least)] = 0
        return kept

    def _after(self, counts: Counts, amount: Counts) -> NDArray[np.float64]:
        """Return, for each row of `counts` and each value v, by how much the group is too far from the table without `amount` rows of v.

        Without a rows, whatever they are, S_e - N Q_e is larger by a Q_e below each edge; where they are of v, it is smaller by a below the
        edges above v, whose differences add up along the tree. O(E + V) for each row and each amount in it.
        """
        after = np.full(counts.shape, np.inf)
        row, v = np.nonzero(amount)
        pairs, its = np.unique(row * (int(amount.max(initial=0)) + 1) + amount[row, v], return_inverse=True)
        first = np.unique(its, return_index=True)[1]
        row_of, a_of, surplus, below = row[first], amount[row, v][first], self._surplus(counts), self.below
        over = np.empty(len(row))
        for start in range(0, len(pairs), self._rows_at_a_time):
            some = slice(start, start + self._rows_at_a_time)
            a = a_of[some, None]
            more = surplus[row_of[some]] + a * below
            apart = np.abs(more) @ self.length - self.t * (counts[row_of[some]].sum(axis=1) - a_of[some])
            nearer = self.potentials((np.abs(more - a) - np.abs(more)) * self.length)
            these = np.flatnonzero((its >= start) & (its < start + self._rows_at_a_time))
            over[these] = apart[its[these] - start] + nearer[its[these] - start, v[these]]
        after[row, v] = over
        return after

    @property
    def _rows_at_a_time(self) -> int:
        return max(1, _CELLS // (self.values + 1))

    def lacking(self, counts: Counts) -> Numbers:
        """Return by how much the distance, times the rows, is too large."""
        over: Numbers = self._distance(counts) - self.t * counts.sum(axis=1)
        return np.where(over > 1e-9, over, 0.0)
