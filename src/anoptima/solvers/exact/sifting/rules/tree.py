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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.solvers.compiling.loops import compiled, is_ready
from anoptima.solvers.exact.sifting.kernels.tree import Edges
from anoptima.solvers.exact.sifting.kernels.tree_cutting import NEAR, leave_out
from anoptima.solvers.exact.sifting.rules.rule import ON_TREE, Counts, Numbers, Rule
from anoptima.spaces import MOST_CARRIED, carried_by_nearest

_CELLS, _FEW_CELLS = 1 << 20, 1 << 6
"""How many counts loops cut down between two looks at the clock, and so few that loading compiled ones takes longer."""
STEP = 3
"""A lam moves farther than a worth by this factor: it is paid for distances, which are smaller than rows."""


def edges_in_order(sides: NDArray[np.bool_], useful: NDArray[np.bool_]) -> tuple[Counts, Counts, Counts, Counts]:
    """Return an order of values in which those below each edge are neighbours, and where they begin and end (one past); and which edges.

    `sides` says which values are below each edge. Only those that are `useful`, with a value below, are told, inner ones first.

    >>> sides = np.array([[True, True, True], [True, False, True], [False, False, False]])
    >>> [its.tolist() for its in edges_in_order(sides, np.array([True, True, True]))]
    [[1, 0, 2], [1, 0], [3, 3], [1, 0]]
    """
    edges = np.flatnonzero(useful & sides.any(axis=1))
    sides = sides[edges]
    # By the largest sets first, so that those below an edge share all that is decided before.
    by_size = sides[np.argsort(sides.sum(axis=1), kind="stable")]
    order = (np.lexsort(by_size) if len(sides) else np.arange(sides.shape[1])).astype(np.int64)
    place = np.argsort(order)
    first = np.array([place[side].min() for side in sides], dtype=np.int64)
    last = np.array([place[side].max() + 1 for side in sides], dtype=np.int64)
    by_end = np.lexsort((-first, last))
    return order, first[by_end], last[by_end], edges[by_end]


@dataclass(frozen=True, eq=False)
class Tree(Rule):
    """Within t of the table's `shares` of values, on a tree.

    Values come in an order in which those below each edge are neighbours: `order`. `first[e]` and `last[e]` (one past it) say where in
    that order they are, `length[e]` the edge's length; edges come by `last`, inner ones first. `least_from` says which sizes could be.
    Distances that are not those of a tree are priced along one that is nowhere longer; for releases, groups are measured by `carrying`.
    """

    shares: NDArray[np.float64]
    t: float
    order: Counts
    first: Counts
    last: Counts
    length: NDArray[np.float64]
    least_from: Callable[[int], int]
    carrying: Carrying | None = None
    kind: ClassVar[int | None] = ON_TREE

    @cached_property
    def tree(self) -> Edges:
        """The edges, as loops take them."""
        return Edges(self.first, self.last, self.length, self.below)

    @cached_property
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
        """Return sum_e d_e |S_e - N Q_e| for each row of `counts`."""
        surplus = self._sums(counts) - counts.sum(axis=1)[:, None] * self.below
        found: NDArray[np.float64] = np.abs(surplus) @ self.length
        return found

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Take rows away from the values that are most too frequent, as long as that takes the group nearer to the table.

        Plain loops would take minutes where there is much to do: until they are compiled, groups that are not close are given up.
        """
        if self.carrying is not None:
            return self.carrying.cut_down(counts, least)
        kept = counts.copy()
        is_few = kept.size <= _FEW_CELLS
        is_compiled = is_ready(leave_out, at_hand=is_few)
        if is_few or is_compiled:
            cut = compiled(leave_out) if is_compiled else leave_out
            some = max(1, _CELLS // self.values)
            for start in range(0, len(kept), some):
                check_time()
                cut(kept[start : start + some], self.order, self.tree, self.t)
        sizes = kept.sum(axis=1)
        kept[(self._distance(kept) > self.t * sizes + NEAR) | (sizes < least)] = 0
        return kept

    def lacking(self, counts: Counts) -> Numbers:
        """Return by how much the distance, times the rows, is too large."""
        if self.carrying is not None:
            return self.carrying.lacking(counts)
        over: Numbers = self._distance(counts) - self.t * counts.sum(axis=1)
        return np.where(over > NEAR, over, 0.0)


LIMITS = (1.0, 0.8, 0.6)
"""The parts of t within which groups are cut down along the tree that is nowhere longer, before the one that is nowhere shorter. Of 30,162
rows, t = 0.15 along streets (`benchmarks.tuned`), 5 s leave 29,918 stars so, 31,020 with 1 alone, and 39,374 with none."""


@dataclass(frozen=True, eq=False)
class Carrying:
    """Within t by distances of any sort, as far as one plan of carrying tells: the nearest values first (`spaces.carried_by_nearest`).

    A group that is within t by this plan is so by the cheapest one. `looser` and `stricter` are trees that are nowhere longer, and nowhere
    shorter, than the `distances`.
    """

    distances: NDArray[np.float64]
    looser: Tree
    stricter: Tree

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        """Cut down along one tree and then, where that was not enough, nearer or along the other."""
        kept, left = np.zeros_like(counts), np.arange(len(counts))
        for tree in (*(replace(self.looser, t=part * self.looser.t) for part in LIMITS), self.stricter):
            cut = tree.cut_down(counts[left], least[left])
            close = self.lacking(cut) == 0
            kept[left[close]] = cut[close]
            left = left[~close | ~cut.any(axis=1)]
        return kept

    def lacking(self, counts: Counts) -> Numbers:
        """Return by how much the plan, times the rows, is too dear; of very many values, the distance along the longer tree."""
        if len(self.distances) > MOST_CARRIED:
            return self.stricter.lacking(counts)
        size = counts.sum(axis=1)
        over = carried_by_nearest(counts - size[:, None] * self.looser.shares, self.distances) - self.looser.t * size
        return np.where(over > NEAR, over, 0.0)
