"""Conditions on the counts of one group, for models and engines to state in their own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.spaces import path_lengths


@dataclass(frozen=True)
class AtLeastRows:
    """A group is empty, or has at least `rows` rows."""

    rows: int


@dataclass(frozen=True)
class AtLeastValues:
    """A group is empty, or at least `values` different values of `column` occur in it."""

    column: str
    values: int


@dataclass(frozen=True)
class AtMostShare:
    """Each value of `column` makes up at most `share` of the group: count_v <= share * rows for every v."""

    column: str
    share: Fraction


@dataclass(frozen=True)
class CloseOnTree:
    """The group's distribution is within `limit` of the whole's, on a tree of values.

    `sum_e lengths_e |sum_{v below e} (n count_v - whole_v rows)| <= limit n scale rows`, all integers but for `limit`.
    """

    column: str
    sides: NDArray[np.bool_]
    lengths: Sequence[int]
    scale: int
    whole: Sequence[int]
    limit: Fraction

    @cached_property
    def depths(self) -> list[int]:
        """How deep each value hangs: the lengths of the edges above it, in all."""
        depths = np.zeros(self.sides.shape[1], dtype=object)
        for side, length in zip(self.sides, self.lengths, strict=True):
            depths[side] += length
        return [int(depth) for depth in depths]

    @cached_property
    def common_depth(self) -> int:
        """The depth that most values have."""
        return Counter(self.depths).most_common(1)[0][0]

    @cached_property
    def mean_depth(self) -> Fraction:
        """The depth of a row of the table, on average."""
        total = sum(depth * count for depth, count in zip(self.depths, self.whole, strict=True))
        return Fraction(total, sum(self.whole))

    def by_flow(self) -> CloseByFlow:
        """Say the same by flows between the values: what comes out of the tree are the lengths of its paths."""
        distances = path_lengths(self.sides, self.lengths)
        return CloseByFlow(self.column, distances, self.scale, self.whole, self.limit)


@dataclass(frozen=True)
class CloseByFlow:
    """The group's distribution can be carried to the whole's at a cost within `limit`, for any distances.

    There are flows F >= 0 with `sum_j F_ij = n count_i`, `sum_i F_ij = whole_j rows`, `sum_ij distances_ij F_ij <= limit n scale rows`.
    """

    column: str
    distances: NDArray[Any]
    scale: int
    whole: Sequence[int]
    limit: Fraction


Condition = AtLeastRows | AtLeastValues | AtMostShare | CloseOnTree | CloseByFlow
