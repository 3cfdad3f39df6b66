"""A forest of short edges, cut into groups: k-anonymity within a factor of 3k - 3 (after Aggarwal et al. 2005).

Grow: every row starts as a tree of its own. While some tree has fewer than k rows, the one row in it that has no edge of its own yet,
its root, gets one to the nearest row outside the tree. That row is among the k - 1 nearest, for fewer than those are in the tree. So the
edges weigh W <= OPT in all: each row has one at most, no longer than the distance to its (k - 1)-th nearest row, and in any solution
the row has at least that number of stars, because its group has k - 1 others.

Cut: from the leaves up, subtrees are collected at each row until they have k rows, which makes a group. What is left at the root, fewer
than k rows, joins a group that hangs from it. The groups have at most 3k - 3 rows and connect through disjoint sets of edges, and a column
on which a group is not constant changes along one of its edges: so bad(S) is at most the weight of its edges, and in all

    cost <= (3k - 3) W <= (3k - 3) OPT.

Here the trees are of row types: edges between equal rows weigh nothing, and are the nearest there are. All of it holds for any weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.anonymity import AnonymityApproximation, least_size
from anoptima.solvers.approximate.chop import chop
from anoptima.solvers.approximate.cover_groups import labels_of_groups
from anoptima.solvers.approximate.distances import Distances
from anoptima.table import Counts, Table


@algorithms.register
class ForestCover(AnonymityApproximation):
    """Join each row to a near one until every tree has k rows; cut the trees into groups; chop the large ones.

    cost <= (3k - 3) OPT. O(T^2 m) for T row types, all distances looked at once, in blocks; O(T k) memory.

    References
    ----------
    G. Aggarwal, T. Feder, K. Kenthapadi, R. Motwani, R. Panigrahy, D. Thomas, A. Zhu: Approximation algorithms for k-anonymity (2005).

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "forest")
    >>> answer.cost, ao.get_solver("forest").ratio(answer.problem)
    (67, 6)
    """

    name = "forest"
    family = "trees-and-classes"

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return 3k - 3, or 1 for k = 1."""
        return max(1, 3 * least_size(problem) - 3)

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Grow, cut and chop."""
        k = least_size(problem)
        groups = cut(problem.table, grow(problem.table, k), k)
        labels = labels_of_groups(groups, problem.table.multiplicity, problem.table.type_of_row)
        return chop(problem, Partition.from_labels(labels), k, is_over)


@dataclass(frozen=True)
class Forest:
    """Trees of row types with k rows or more: `parent[t]` is what type t has an edge to, t itself for a root.

    `weight` is that of all edges, scaled: no solution costs less.
    """

    parent: list[int]
    weight: int


def grow(table: Table, k: int) -> Forest:
    """Join types until every tree has k rows. O(T^2 m).

    >>> from anoptima import ten_rows
    >>> [grow(ten_rows(), k).weight for k in (1, 2, 3)]
    [0, 37, 41]
    """
    near = nearest_types(table, k)
    distances = Distances(table)
    sizes = table.multiplicity.tolist()
    parent = list(range(len(sizes)))
    above = list(range(len(sizes)))  # towards the root, with short cuts
    weight = 0

    def root(t: int) -> int:
        while above[t] != t:
            above[t] = above[above[t]]
            t = above[t]
        return t

    waiting = [t for t, size in enumerate(sizes) if size < k]
    for first in waiting:
        check_time()
        t = root(first)
        while sizes[t] < k:
            other = next(v for v in near[t].tolist() if root(v) != t)
            weight += int(distances.of(t, np.array([other]))[0])
            joined = root(other)
            parent[t] = other
            above[t] = joined
            sizes[joined] += sizes[t]
            t = joined
    return Forest(parent, weight)


def nearest_types(table: Table, k: int) -> Counts:
    """Return the k - 1 other row types that are nearest to each, nearest first, ties by number; all of them if there are fewer.

    They hold k - 1 other rows and more. O(T^2 (m + log k)), in blocks.
    """
    count = len(table.types)
    wanted = min(k - 1, count - 1)
    near = np.empty((count, wanted), dtype=np.int64)
    distances = Distances(table)
    for first, block in distances.blocks():
        here = np.arange(len(block))
        # One number for distance and type, so that ties go by number.
        kind = np.min_scalar_type((distances.most + 2) * count)
        key = block.astype(kind) * count + np.arange(count, dtype=kind)
        key[here, first + here] = (distances.most + 1) * count
        if 0 < wanted < count - 1:
            key = np.partition(key, wanted - 1, axis=1)[:, :wanted]
        near[first : first + len(block)] = np.sort(key, axis=1)[:, :wanted] % count
    return near


def cut(table: Table, forest: Forest, k: int) -> list[dict[int, int]]:
    """Cut the trees into groups of at least k rows, given as counts of types; at most 3k - 3 rows unless they are all equal. O(T log T).

    A type with k rows or more is a root, and keeps a group of equal rows if it can: those cost nothing.
    """
    children: list[list[int]] = [[] for _ in forest.parent]
    roots: list[int] = []
    for t, parent in enumerate(forest.parent):
        (roots if parent == t else children[parent]).append(t)
    groups: list[_Piece] = []
    for root in roots:
        groups += _cut_tree(table, root, children, forest.parent, k)
    return [piece.types for piece in groups]


@dataclass
class _Piece:
    """Counts of types, connected by edges of the tree; `hangs` is the type through which it connects, or to which its edge leads."""

    hangs: int
    types: dict[int, int] = field(default_factory=dict)
    size: int = 0

    def take(self, types: dict[int, int]) -> None:
        for t, count in types.items():
            self.types[t] = self.types.get(t, 0) + count
            self.size += count


def _cut_tree(table: Table, root: int, children: list[list[int]], parent: list[int], k: int) -> list[_Piece]:
    """Cut one tree, from the leaves up."""
    multiplicity = table.multiplicity
    order = [root]
    for t in order:
        order += children[t]
    done: list[_Piece] = []
    pending: dict[int, dict[int, int]] = {}
    for t in reversed(order):
        collected = _Piece(t)
        for child in children[t]:
            collected.take(pending.pop(child, {}))
            if collected.size >= k:
                done.append(collected)
                collected = _Piece(t)
        own = int(multiplicity[t])
        missing = k - collected.size
        if own - missing >= k and collected.size:
            collected.take({t: missing})
            done.append(collected)
            collected = _Piece(t)
            own -= missing
        collected.take({t: own})
        if collected.size >= k:
            done.append(_Piece(parent[t], collected.types, collected.size))
        else:
            pending[t] = collected.types
    left = pending.get(root)
    if left:
        able = [piece for piece in done if piece.hangs in left]
        min(
            able,
            key=lambda piece: (
                _price(table, [*piece.types, *left]) * (piece.size + sum(left.values()))
                - _price(table, list(piece.types)) * piece.size
            ),
        ).take(left)
    return done


def _price(table: Table, types: list[int]) -> int:
    """Return the scaled weight of the columns on which types differ."""
    codes = table.types[types]
    return int(table.scaled_weights[(codes != codes[0]).any(axis=0)].sum())
