"""Trees near a metric: one whose paths are nowhere longer than the distances, and one whose paths are nowhere shorter.

A group that is within t by the distances is within t along the first tree, and one that is within t along the second tree is within t by
the distances; along a tree, the earth mover's distance is a sum over edges. If the distances are those of a tree, both trees are this one.

Each is the best of several. One joins neighbours (Saitou and Nei, Molecular Biology and Evolution 4, 1987), which gives back a tree's own
distances (Studier and Keppler, ibid. 5, 1988) and else comes near them; it is made shorter or longer as a whole. The others are nowhere
longer, or nowhere shorter, as they are: lines, on which each value is as far along as it is from one of them; single linkage, where two
values are as far apart as the longest step of the path of shortest steps between them; and the spanning tree of these steps. Last, each
edge is made as long, or as short, as the distances allow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.spaces.metrics import BranchMetric, Metric, TreeMetric, largest_ratios, path_lengths

_PARTS = 16
"""Lengths are counted in so many parts of the distances' unit: those of a tree are halves of it."""
_MOST_LINES = 32
"""The most lines that are tried: each is grown in O(M^3)."""
_KEPT = 16
"""Of how many metrics the trees are kept."""

Edge = tuple[NDArray[np.bool_], int]
"""Which values lie below it, and its length."""
Step = tuple[int, int, int]
"""Two values, the second of which lies below the first, and their distance."""


@lru_cache(maxsize=_KEPT)
def near_trees_of(metric: Metric) -> tuple[TreeMetric, TreeMetric]:
    """Return a tree whose paths are nowhere longer than distances, and one whose paths are nowhere shorter; a tree itself, twice."""
    return (metric, metric) if isinstance(metric, TreeMetric) else near_trees(metric.distances(), metric.scale)


def near_trees(distances: NDArray[Any], scale: int) -> tuple[BranchMetric, BranchMetric]:
    """Return a tree whose paths are nowhere longer than `distances` / `scale`, and one whose paths are nowhere shorter. O(M^3).

    They are one and the same object if the distances are those of a tree.

    Of a square with sides 1/2 and diagonals 1:

    >>> square = np.array([[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]])
    >>> below, above = near_trees(square, 2)
    >>> below.distances().tolist(), below.scale
    ([[0, 2, 2, 2], [2, 0, 2, 2], [2, 2, 0, 2], [2, 2, 2, 0]], 4)
    >>> above.distances().tolist(), above.scale
    ([[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 3], [2, 1, 3, 0]], 2)
    """
    steps, values = _steps(distances), len(distances)
    joined = [(side, round(_PARTS * length)) for side, length in _joined(distances) if round(_PARTS * length) > 0]
    linked = [(side, _PARTS // 2 * length) for side, length in _linked(steps)]
    spanned = [(side, _PARTS * length) for side, length in _spanned(steps)]
    wanted = _PARTS * distances.astype(np.int64 if 4 * _PARTS * values * scale < 2**62 else object)
    shrunk, stretched = _factors(joined, wanted)
    shorter = [(side, math.floor(shrunk * length)) for side, length in joined]
    longer = [(side, math.ceil(stretched * length)) for side, length in joined]
    nowhere_longer = [linked, shorter, *(_line(distances[v]) for v in range(0, values, -(-values // _MOST_LINES)))]
    nowhere_shorter = [spanned, *([longer] if stretched else [])]
    below = _tree(max((_grown(edges, wanted) for edges in nowhere_longer), key=_weight), values, scale)
    above = _tree(min((_cut(edges, wanted) for edges in nowhere_shorter), key=_weight), values, scale)
    is_tree = (below.distances().astype(object) * scale == distances.astype(object) * below.scale).all()
    return below, below if is_tree else above


def _weight(edges: Sequence[Edge]) -> int:
    """Return the lengths of all paths, added up."""
    return sum(length * int(side.sum()) * int((~side).sum()) for side, length in edges)


def _tree(edges: Sequence[Edge], values: int, scale: int) -> BranchMetric:
    kept = [(side, length) for side, length in edges if length]
    sides = np.array([side for side, _ in kept], dtype=np.bool_).reshape(-1, values)
    return BranchMetric(sides, [Fraction(length, scale * _PARTS) for _, length in kept])


def _paths(edges: Sequence[Edge], wanted: NDArray[Any]) -> NDArray[Any]:
    sides = np.array([side for side, _ in edges], dtype=np.bool_).reshape(-1, len(wanted))
    return path_lengths(sides, [length for _, length in edges]).astype(wanted.dtype)


def _factors(edges: Sequence[Edge], wanted: NDArray[Any]) -> tuple[Fraction, Fraction]:
    """Return by what a tree's lengths must be multiplied to be nowhere too long, and nowhere too short; 0 where nothing will do."""
    pairs = np.triu_indices(len(wanted), 1)
    apart, paths = wanted[pairs].astype(object), _paths(edges, wanted)[pairs].astype(object)
    [longest], [shortest] = largest_ratios(paths[None], apart), largest_ratios(apart[None], paths)
    return 1 / longest if longest else Fraction(0), shortest or Fraction(0)


def _grown(edges: Sequence[Edge], wanted: NDArray[Any]) -> list[Edge]:
    """Return edges that are nowhere too long, each made as long as it can be, those between most pairs first."""
    return _changed(edges, wanted - _paths(edges, wanted), 1)


def _cut(edges: Sequence[Edge], wanted: NDArray[Any]) -> list[Edge]:
    """Return edges that are nowhere too short, each made as short as it can be, those between most pairs first."""
    return _changed(edges, _paths(edges, wanted) - wanted, -1)


def _changed(edges: Sequence[Edge], room: NDArray[Any], sign: int) -> list[Edge]:
    """Change the length of each edge by as much as all paths over it have room for, and no further than to 0."""
    found = []
    for side, length in sorted(edges, key=lambda edge: abs(2 * int(edge[0].sum()) - len(room))):
        most = int(room[np.ix_(side, ~side)].min())
        change = most if sign > 0 else min(most, length)
        room[np.ix_(side, ~side)] -= change
        room[np.ix_(~side, side)] -= change
        found.append((side, length + sign * change))
    return found


def _joined(distances: NDArray[Any]) -> Iterator[tuple[NDArray[np.bool_], float]]:
    """Yield the edges of the tree that joins neighbours: of all pairs those that are nearest beside how far both are from all others."""
    parts, apart = list(np.eye(len(distances), dtype=np.bool_)), distances.astype(float)
    while (many := len(parts)) > 2:
        total = apart.sum(axis=1)
        beside = (many - 2) * apart - total[:, None] - total[None, :]
        np.fill_diagonal(beside, np.inf)
        i, j = divmod(int(beside.argmin()), many)
        uneven = (total[i] - total[j]) / (many - 2)
        yield parts[i], (apart[i, j] + uneven) / 2
        yield parts[j], (apart[i, j] - uneven) / 2
        apart[i] = apart[:, i] = (apart[i] + apart[j] - apart[i, j]) / 2
        apart[i, i] = 0
        apart = np.delete(np.delete(apart, j, axis=0), j, axis=1)
        parts[i] = parts[i] | parts[j]
        del parts[j]
    if many == 2:
        yield parts[0], apart[0, 1]


def _line(places: NDArray[Any]) -> list[Edge]:
    """Return the edges of a line on which values have their places."""
    order = np.argsort(places, kind="stable")
    along = places[order]
    sides = np.argsort(order)[None, :] < np.arange(1, len(order))[:, None]
    return [(side, _PARTS * int(after - before)) for side, before, after in zip(sides, along, along[1:], strict=False)]


def _steps(distances: NDArray[Any]) -> list[Step]:
    """Return the steps of a shortest spanning tree, each from a value that is in it already (Prim)."""
    near, source = distances[0].copy(), np.zeros(len(distances), dtype=np.int64)
    left, found = np.ones(len(distances), dtype=np.bool_), []
    left[0] = False
    while left.any():
        places = np.flatnonzero(left)
        new = int(places[near[places].argmin()])
        found.append((int(source[new]), new, int(near[new])))
        left[new] = False
        nearer = distances[new] < near
        near, source = np.where(nearer, distances[new], near), np.where(nearer, new, source)
    return found


def _spanned(steps: Sequence[Step]) -> Iterator[Edge]:
    """Yield the edges of the spanning tree."""
    below = np.eye(len(steps) + 1, dtype=np.bool_)
    for source, new, length in reversed(steps):
        below[source] |= below[new]
        yield below[new], length


def _linked(steps: Sequence[Step]) -> Iterator[Edge]:
    """Yield the edges of single linkage, in halves of the distances' unit: a node is as high as the step that links what is below it."""
    parts = list(np.eye(len(steps) + 1, dtype=np.bool_))
    part_of, high = list(range(len(parts))), [0] * len(parts)
    for one, other, length in sorted(steps, key=lambda step: step[2]):
        places = part_of[one], part_of[other]
        for place in places:
            yield parts[place], length - high[place]
        linked = parts[places[0]] | parts[places[1]]
        parts.append(linked)
        high.append(length)
        for value in np.flatnonzero(linked).tolist():
            part_of[value] = len(parts) - 1
