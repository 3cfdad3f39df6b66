"""Distances as given: the earth mover's distance along a tree if they are the distances of one, and otherwise by transport."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.exact import common_denominator
from anoptima.spaces.metrics import Metric
from anoptima.spaces.near_trees import near_trees_of
from anoptima.spaces.transport import MOST_CARRIED, carried_by_nearest, transport
from anoptima.table import Groups

_KEPT = 1 << 12
"""How many earth mover's distances are kept: of 800 values, 30 MB."""


class MatrixMetric(Metric):
    """Distances as given; the earth mover's distance by minimum-cost flow in integers, unless they are those of a tree."""

    def __init__(self, matrix: Sequence[Sequence[Fraction]]) -> None:
        self._scale = common_denominator(distance for row in matrix for distance in row)
        self._distances = np.array([[int(d * self._scale) for d in row] for row in matrix], dtype=object)
        self._known: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}

    @property
    def scale(self) -> int:
        """The least common denominator of the distances."""
        return self._scale

    def distances(self) -> NDArray[Any]:
        """Return the scaled matrix."""
        return self._distances

    @property
    def is_tree(self) -> bool:
        """Whether the distances are those of a tree."""
        below, above = near_trees_of(self)
        return below is above

    def scaled_emd(self, counts: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
        """Sum over the edges of the tree, or solve one transportation problem for each different row of counts.

        Most groups are small, many alike, and asked for again.
        """
        if self.is_tree:
            tree = near_trees_of(self)[0]
            # Distances are sums of the tree's lengths, so that its scale is a multiple of theirs.
            along: NDArray[Any] = tree.scaled_emd(counts, whole) // (tree.scale // self._scale)
            return along
        total, costs = tuple(map(int, whole)), self._distances.tolist()
        n, rows = sum(total), [tuple(map(int, row)) for row in counts]
        known = self._known.setdefault(total, {})
        found = {row: known.get(row) for row in set(rows)}
        for row in [row for row, distance in found.items() if distance is None]:
            check_time()
            found[row] = transport([n * count for count in row], [sum(row) * count for count in total], costs)[0]
        if len(known) > _KEPT:
            known.clear()
        known.update((row, distance) for row, distance in found.items() if distance is not None)
        return np.array([found[row] for row in rows], dtype=object)

    def within(self, groups: Groups, column: str, limit: Fraction) -> NDArray[np.bool_]:
        """Bound the cost of carrying from above and below, and solve what these bounds leave open."""
        if self.is_tree:
            return super().within(groups, column, limit)
        whole, truths = groups.sensitive[column].counts, np.zeros(len(groups), dtype=np.bool_)
        n, below = int(whole.sum()), near_trees_of(self)[0]
        kind: Any = np.int64 if below.scale * self._scale * n * n * len(whole) < 2**62 else object
        for part, block in groups.blocks(column):
            counts, room = block.astype(kind), self.room(groups.sizes[part], n, limit).astype(kind)
            held = self._at_most(counts, whole.astype(kind)) <= room
            is_open = ~held & (below.scaled_emd(counts, whole.astype(kind)) * self._scale <= room * below.scale)
            if is_open.any():
                held[is_open] = self.scaled_emd(block[is_open], whole) <= room[is_open]
            truths[part] = held
        return truths

    def _at_most(self, counts: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
        """Return what no `scaled_emd` of these groups is above."""
        if len(whole) <= MOST_CARRIED:
            surplus = counts * whole.sum() - counts.sum(axis=1)[:, None] * whole
            return carried_by_nearest(surplus, self._distances.astype(counts.dtype))
        above = near_trees_of(self)[1]
        rounded_up: NDArray[Any] = -(-above.scaled_emd(counts, whole) * self._scale // above.scale)
        return rounded_up
