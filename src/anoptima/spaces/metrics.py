"""Earth mover's distances between distributions of codes, exactly."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.exact import common_denominator
from anoptima.table import Groups

_CELLS = 1 << 20
"""How many differences are held at a time."""


class Metric(ABC):
    """Exact distances between the values of one column, numbered 0..M-1, and the earth mover's distance they give."""

    @property
    @abstractmethod
    def scale(self) -> int:
        """An integer that makes every distance, and every edge length of a tree, whole."""

    @abstractmethod
    def distances(self) -> NDArray[Any]:
        """Return `scale` times the distance of every two values, M x M integers."""

    @abstractmethod
    def scaled_emd(self, counts: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
        """Return `scale * size_g * n * EMD(group g, whole)` for every row g of `counts`, as exact integers.

        `counts` is groups x M, `whole` the counts of the whole table, `size_g` and n their sums.
        """

    def steepnesses(self, potentials: NDArray[np.int64]) -> list[Fraction | None]:
        """Return, for potentials of the values in each row, the least L such that two differ by at most L times their distance.

        None where no L will do. O(M^2) a row, and O(M) on a line.

        >>> from anoptima.spaces import Numeric
        >>> [str(least) for least in Numeric().fit([1, 3, 4]).steepnesses(np.array([[0, 4, 5], [2, 2, 1]]))]
        ['6', '3']
        """
        first, second, apart = self._steps
        found: list[Fraction | None] = []
        some = max(1, _CELLS // max(1, len(apart)))
        for start in range(0, len(potentials), some):
            check_time()
            block = potentials[start : start + some]
            found += largest_ratios(np.abs(block[:, first] - block[:, second]), apart)
        return [None if least is None else self.scale * least for least in found]

    @cached_property
    def _steps(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
        """Pairs of values, and `scale` times their distances: no other two are steeper than the steepest of these."""
        first, second = np.triu_indices(len(self.distances()), 1)
        return first, second, self.distances()[first, second]

    @property
    def is_equal(self) -> bool:
        """Whether every two values are known to be at distance 1: then the earth mover's distance is total variation."""
        return False

    def is_same(self, other: Metric) -> bool:
        """Return whether distances are the same as those of another metric on the same values."""
        return self is other or (self.scale == other.scale and bool((self.distances() == other.distances()).all()))

    def merged(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the counts with those of values at distance 0 added up; where different values are apart, as they are."""
        return counts

    def emd(self, counts: Sequence[int], whole: Sequence[int]) -> Fraction:
        """Return the earth mover's distance between two distributions given by counts, exactly.

        >>> from anoptima.spaces import Numeric
        >>> Numeric().fit(range(3, 12)).emd([1, 1, 1, 0, 0, 0, 0, 0, 0], [1] * 9)
        Fraction(3, 8)
        """
        p, q = np.array([list(counts)], dtype=object), np.array(list(whole), dtype=object)
        return Fraction(int(self.scaled_emd(p, q)[0]), self.scale * int(p.sum()) * int(q.sum()))

    def emd_numerators(self, groups: Groups, column: str) -> NDArray[Any]:
        """Return `scaled_emd` of every group against the whole column, a block of groups at a time."""
        whole = groups.sensitive[column].counts
        n = int(whole.sum())
        room = max(1, self.scale) * n * n * len(whole)
        kind: Any = np.int64 if room < 2**62 else object
        parts = [self.scaled_emd(block.astype(kind), whole.astype(kind)) for _, block in groups.blocks(column)]
        return np.concatenate(parts)

    def within(self, groups: Groups, column: str, limit: Fraction) -> NDArray[np.bool_]:
        """Tell which groups are within an earth mover's distance of `limit` from the whole column: exactly, so a boundary is a boundary."""
        n = int(groups.sensitive[column].counts.sum())
        return np.asarray(self.emd_numerators(groups, column) <= self.room(groups.sizes, n, limit), dtype=bool)

    def room(self, sizes: NDArray[Any], n: int, limit: Fraction) -> NDArray[Any]:
        """Return the largest `scaled_emd` that is within a limit, for groups of these sizes in a table of n rows."""
        is_small = self.scale * n * n * max(limit.numerator, limit.denominator) < 2**62
        unit = limit.numerator * self.scale * n
        most: NDArray[Any] = sizes.astype(np.int64 if is_small else object) * unit // limit.denominator
        return most


def largest_ratios(numbers: NDArray[Any], parts: NDArray[Any]) -> list[Fraction | None]:
    """Return the largest of `numbers / parts` in each row of whole numbers from 0 up; None where a part of 0 has another number.

    >>> [str(largest) for largest in largest_ratios(np.array([[3, 5, 0], [0, 0, 9], [0, 0, 0]]), np.array([2, 4, 0]))]
    ['3/2', 'None', '0']
    """
    is_part = parts != 0
    endless = (numbers[:, ~is_part] != 0).any(axis=1)
    numbers, parts = numbers[:, is_part], parts[is_part]
    # Doubles leave those in question; each is off by less than this.
    near = numbers.astype(float) / parts.astype(float)
    rows, places = np.nonzero((near >= near.max(axis=1, initial=0.0, keepdims=True) * (1 - 1e-9)) & (numbers != 0))
    found: list[Fraction | None] = [None if is_endless else Fraction(0) for is_endless in endless.tolist()]
    pairs = dict.fromkeys(zip(rows.tolist(), numbers[rows, places].tolist(), parts[places].tolist(), strict=True))
    for row, number, part in pairs:
        known = found[row]
        if known is not None and number * known.denominator > known.numerator * part:
            found[row] = Fraction(number, part)
    return found


def path_lengths(sides: NDArray[np.bool_], lengths: Sequence[int]) -> NDArray[Any]:
    """Return the lengths of the paths between every two values: of the edges with exactly one of the two below them.

    >>> path_lengths(np.array([[True, False, False], [True, True, False]]), [2, 3]).tolist()
    [[0, 2, 5], [2, 0, 3], [5, 3, 0]]
    """
    if sum(lengths) >= 2**51:
        found = np.zeros((sides.shape[1],) * 2, dtype=object)
        for side, length in zip(sides, lengths, strict=True):
            check_time()
            found[side[:, None] != side[None, :]] += length
        return found
    # Sums stay below 2^53, so doubles hold them exactly, and are multiplied much faster.
    weighted = sides * np.array(lengths, dtype=float)[:, None]
    depth = weighted.sum(axis=0)
    apart: NDArray[np.int64] = (depth[:, None] + depth[None, :] - 2 * (weighted.T @ sides.astype(float))).astype(
        np.int64
    )
    return apart


class TreeMetric(Metric):
    """Path lengths in a tree that the values hang in: `lengths[e]` for each edge e, `sides[e, v]` whether value v lies below it."""

    def __init__(self, lengths: Sequence[Fraction]) -> None:
        self.lengths = tuple(lengths)
        self._scale = common_denominator(self.lengths)

    @property
    def scale(self) -> int:
        """The least common denominator of the edge lengths."""
        return self._scale

    @cached_property
    def scaled_lengths(self) -> list[int]:
        """The edge lengths times `scale`; worked out once, since groups are looked at all the time."""
        return [int(length * self._scale) for length in self.lengths]

    @property
    @abstractmethod
    def sides(self) -> NDArray[np.bool_]:
        """Which values lie below which edge: edges x M."""

    def distances(self) -> NDArray[Any]:
        """Return the scaled distances: the lengths of the edges with exactly one of the two values below them."""
        return path_lengths(self.sides, self.scaled_lengths)

    def scaled_emd(self, counts: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
        """Sum over the edges the surplus below them, times their length."""
        surplus = counts * whole.sum() - counts.sum(axis=1)[:, None] * whole
        result: NDArray[Any] = np.abs(self.below(surplus)) @ np.array(self.scaled_lengths, dtype=counts.dtype)
        return result

    def below(self, surplus: NDArray[Any]) -> NDArray[Any]:
        """Sum, for every group and edge, the surplus of the values below the edge."""
        result: NDArray[Any] = surplus @ self.sides.T.astype(surplus.dtype)
        return result


class StarMetric(TreeMetric):
    """Every two of M values at distance 1: each on an edge of its own, half as long. The distance is total variation."""

    def __init__(self, size: int) -> None:
        super().__init__([Fraction(1, 2)] * size)

    @property
    def is_equal(self) -> bool:
        """They are."""
        return True

    def distances(self) -> NDArray[Any]:
        """Return `scale` for every two values, 0 for each with itself."""
        return self.scale * (1 - np.eye(len(self.lengths), dtype=np.int64))

    def steepnesses(self, potentials: NDArray[np.int64]) -> list[Fraction | None]:
        """Return the largest differences."""
        return [Fraction(apart) for apart in np.ptp(potentials, axis=1).tolist()]

    @property
    def sides(self) -> NDArray[np.bool_]:
        """The identity."""
        return np.eye(len(self.lengths), dtype=bool)

    def below(self, surplus: NDArray[Any]) -> NDArray[Any]:
        """Return the surplus itself."""
        return surplus

    def emd_numerators(self, groups: Groups, column: str) -> NDArray[Any]:
        """Sum over the values that occur, then add those that do not, so that a column of n distinct values costs O(n)."""
        whole = groups.sensitive[column].counts
        n = int(whole.sum())
        kind: Any = np.int64 if 4 * n * n < 2**62 else object
        tally = groups.tally(column)
        size, total = groups.sizes.astype(kind), whole.astype(kind)
        starts = np.searchsorted(tally.group, np.arange(len(groups)))
        occurring = np.abs(n * tally.count.astype(kind) - size[tally.group] * total[tally.value])
        absent = n - np.add.reduceat(total[tally.value], starts)
        result: NDArray[Any] = np.add.reduceat(occurring, starts) + size * absent
        return result


class PathMetric(TreeMetric):
    """Values on a line, at `positions` between 0 and 1: an edge between each value and the next."""

    def __init__(self, positions: Sequence[Fraction]) -> None:
        self.order = np.array(sorted(range(len(positions)), key=positions.__getitem__), dtype=np.int64)
        line = sorted(positions)
        super().__init__([after - before for before, after in itertools.pairwise(line)])

    def distances(self) -> NDArray[Any]:
        """Return the scaled distances: differences of places along the line."""
        place = np.zeros(len(self.order), dtype=self._between.dtype)
        place[self.order[1:]] = np.cumsum(self._between)
        result: NDArray[Any] = np.abs(place[:, None] - place[None, :])
        return result

    def is_same(self, other: Metric) -> bool:
        """Compare the places of two lines."""
        if not isinstance(other, PathMetric):
            return super().is_same(other)
        return self.lengths == other.lengths and bool((self.order == other.order).all())

    @cached_property
    def _steps(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
        """From each value to the next: between those further apart it is no steeper."""
        return self.order[1:], self.order[:-1], self._between

    @cached_property
    def _between(self) -> NDArray[Any]:
        kind: Any = np.int64 if self.scale < 2**62 else object
        return np.array(self.scaled_lengths, dtype=kind)

    @property
    def sides(self) -> NDArray[np.bool_]:
        """Edge e has the first e + 1 values of the order below it."""
        rank = np.argsort(self.order)
        return rank[None, :] <= np.arange(len(self.lengths))[:, None]

    def merged(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Add up the counts of one position: a number may be written in several ways."""
        begins = [0, *(e + 1 for e, length in enumerate(self.lengths) if length)]
        result: NDArray[Any] = np.add.reduceat(counts[self.order], begins)
        return result

    def below(self, surplus: NDArray[Any]) -> NDArray[Any]:
        """Return the prefix sums along the line."""
        result: NDArray[Any] = np.cumsum(surplus[:, self.order], axis=1)[:, :-1]
        return result


class BranchMetric(TreeMetric):
    """A tree given by its edges: their lengths and the values below each."""

    def __init__(self, sides: NDArray[np.bool_], lengths: Sequence[Fraction]) -> None:
        super().__init__(lengths)
        self._sides = sides

    @property
    def sides(self) -> NDArray[np.bool_]:
        """As given."""
        return self._sides
