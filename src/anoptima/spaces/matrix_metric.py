"""Distances as given: the earth mover's distance along a tree, where they are those of one, and by transport where they are not."""

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
from anoptima.spaces.transport import transport
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
            along: NDArray[Any] = tree.scaled_emd(counts, whole) * self._scale // tree.scale
            return along
        total, costs = tuple(map(int, whole)), self._distances.tolist()
        n, rows = sum(total), [tuple(map(int, row)) for row in counts]
        known = self._known.setdefault(total, {})
        found = {row: known.get(row) for row in set(rows)}
        for row in [row for row, distance in found.items() if distance is None]:
            check_time()
            surplus = [n * count - sum(row) * all_ for count, all_ in zip(row, total, strict=True)]
            # What is where it should be stays there: no way is shorter than another's first part and its rest.
            found[row] = transport([max(0, its) for its in surplus], [max(0, -its) for its in surplus], costs)[0]
        if len(known) > _KEPT:
            known.clear()
        known.update((row, distance) for row, distance in found.items() if distance is not None)
        return np.array([found[row] for row in rows], dtype=object)

    def within(self, groups: Groups, column: str, limit: Fraction) -> NDArray[np.bool_]:
        """Ask the two trees, and carry what they leave open."""
        if self.is_tree:
            return super().within(groups, column, limit)
        below, above = near_trees_of(self)
        truths = above.within(groups, column, limit)
        is_open = ~truths & below.within(groups, column, limit)
        if is_open.any():
            numerators = np.zeros(len(groups), dtype=object)
            whole = groups.sensitive[column].counts
            for part, block in groups.blocks(column):
                numerators[part][is_open[part]] = self.scaled_emd(block[is_open[part]], whole)
            truths |= is_open & self.are_within(numerators, groups, column, limit)
        return truths
