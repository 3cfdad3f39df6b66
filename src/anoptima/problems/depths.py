"""The exact number of unit boxes that cover each place, for points with exact coordinates.

A test box with corner c is the product of [c_i, c_i + 1); it holds point p exactly when c lies in the *box of p*, the product of
(p_i - 1, p_i]. The number of points it holds is the *depth* of c. Along an axis the depth changes only behind the values p_i - 1 and
p_i, so the right ends of the intervals between them, and the last place that is tested, stand for all corners.

The arrangement of all boxes may have (2 n)^d cells, most of them far from everything. So corner space is cut into unit tiles; a tile
looks only at the boxes that meet it, and tiles that no box meets are never made.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import common_denominator

Point = tuple[Fraction, ...]
"""A place with exact coordinates."""

Reach = tuple[Fraction, Fraction]
"""The least and the largest coordinate that is allowed or tested along an axis; both count."""

_MOST_CELLS = 10_000_000
"""The most cells in memory at once."""

_FITS = 1 << 60
"""Sums of four numbers below this fit into 64 bits."""


class Axis:
    """The coordinates of points along one axis as whole numbers: `unit` of them are one.

    >>> axis = Axis([Fraction(1, 2), Fraction(1, 3)])
    >>> axis.unit, axis.values.tolist(), axis.exact(5)
    (6, [3, 2], Fraction(5, 6))
    """

    def __init__(self, coordinates: Sequence[Fraction], reach: Reach | None = None) -> None:
        self.unit = common_denominator((*coordinates, *(reach or ())))
        whole = [x.numerator * (self.unit // x.denominator) for x in coordinates]
        self.reach = None if reach is None else (int(reach[0] * self.unit), int(reach[1] * self.unit))
        largest = max(map(abs, (*whole, *(self.reach or ()), self.unit)), default=0)
        self.values: NDArray[Any] = np.array(whole, dtype=np.int64 if largest < _FITS else object)

    @classmethod
    def of_whole(cls, values: NDArray[Any], unit: int, reach: tuple[int, int] | None) -> Axis:
        """Return an axis of whole numbers, `unit` of them one, which are small enough to be added up four at a time.

        >>> Axis.of_whole(np.array([3, 2]), 6, None).exact(5)
        Fraction(5, 6)
        """
        axis = cls.__new__(cls)
        axis.unit, axis.reach, axis.values = unit, reach, values
        return axis

    def exact(self, value: int) -> Fraction:
        """Return the coordinate that a whole number stands for."""
        return Fraction(int(value), self.unit)


def sparse_corners(points: Sequence[Point], k: int, tested: Sequence[Reach] | None) -> Iterator[tuple[Point, int]]:
    """Yield a corner of every cell whose depth is neither 0 nor at least `k`, with its depth.

    `tested` bounds the corners that count; None means that all do. O(n 2^d) and, for each tile that m boxes meet, O((2 m)^d).

    >>> half, seven_tenths = (Fraction(1, 2),), (Fraction(7, 10),)
    >>> [(str(corner[0]), depth) for corner, depth in sparse_corners([half, seven_tenths], 2, None)]
    [('-3/10', 1), ('7/10', 1)]
    >>> list(sparse_corners([half, seven_tenths], 2, [(Fraction(0), Fraction(1, 5))]))
    []
    """
    if not points:
        return
    yield from sparse_along(
        [Axis([point[i] for point in points], None if tested is None else tested[i]) for i in range(len(points[0]))], k
    )


def sparse_along(axes: Sequence[Axis], k: int) -> Iterator[tuple[Point, int]]:
    """Yield what `sparse_corners` does, for the points whose coordinates the axes have.

    Where every place has `k` points or more, no box with a point in it has fewer: then no corner is looked at.

    >>> [depth for _, depth in sparse_along([Axis.of_whole(np.array([3, 2]), 6, None)], 2)]
    [1, 1]
    """
    if min(Counter(zip(*(axis.values.tolist() for axis in axes), strict=True)).values(), default=k) >= k:
        return
    for tile, members in _tiles(axes).items():
        places = [_places(axis, number, axis.values[members]) for axis, number in zip(axes, tile, strict=True)]
        if all(len(place) for place in places):
            yield from _sparse_in(axes, places, members, k)


def _tiles(axes: Sequence[Axis]) -> dict[tuple[int, ...], NDArray[np.int64]]:
    """Return which boxes meet each tile; tile t holds the corners in (t, t + 1] along each axis."""
    spans = []
    for axis in axes:
        first = axis.values // axis.unit - 1
        last = -(-axis.values // axis.unit) - 1
        spans.append([sorted({int(a), int(b)}) for a, b in zip(first, last, strict=True)])
    found: dict[tuple[int, ...], list[int]] = {}
    for number, span in enumerate(zip(*spans, strict=True)):
        for tile in itertools.product(*span):
            found.setdefault(tile, []).append(number)
    return {tile: np.array(members, dtype=np.int64) for tile, members in found.items()}


def _places(axis: Axis, tile: int, values: NDArray[Any]) -> NDArray[Any]:
    """Return one coordinate for each interval of equal depth in a tile, ascending: its right end."""
    before, last = tile * axis.unit, (tile + 1) * axis.unit
    if axis.reach is not None:
        before, last = max(before, axis.reach[0] - 1), min(last, axis.reach[1])
    if last <= before:
        return values[:0]
    ends = np.concatenate([values, values - axis.unit, np.array([last], dtype=values.dtype)])
    inside = np.sort(ends[(ends > before) & (ends <= last)])
    places: NDArray[Any] = inside[np.concatenate([[True], inside[1:] != inside[:-1]])]
    return places


def _sparse_in(
    axes: Sequence[Axis], places: Sequence[NDArray[Any]], members: NDArray[np.int64], k: int
) -> Iterator[tuple[Point, int]]:
    begins, ends = [], []
    for axis, place in zip(axes, places, strict=True):
        values = axis.values[members]
        begins.append(np.searchsorted(place, values - axis.unit, side="right"))
        ends.append(np.searchsorted(place, values, side="right"))
    others = [len(place) for place in places[1:]]
    step = max(1, _MOST_CELLS // int(np.prod([size + 1 for size in others], dtype=float)))
    for base in range(0, len(places[0]), step):
        rows = min(step, len(places[0]) - base)
        clipped = [np.clip(ends_or_begins[0] - base, 0, rows) for ends_or_begins in (begins, ends)]
        depth = _depths([clipped[0], *begins[1:]], [clipped[1], *ends[1:]], [rows, *others])
        for cell in np.argwhere((depth > 0) & (depth < k)):
            first, *rest = cell.tolist()
            corner = tuple(
                axis.exact(place[j]) for axis, place, j in zip(axes, places, (first + base, *rest), strict=True)
            )
            yield corner, int(depth[tuple(cell)])


def _depths(
    begins: Sequence[NDArray[np.int64]], ends: Sequence[NDArray[np.int64]], shape: Sequence[int]
) -> NDArray[np.int32]:
    """Count the index boxes [begin, end) that hold each cell: a difference at each of their corners, summed along each axis."""
    sizes = [size + 1 for size in shape]
    cells, boxes = math.prod(sizes), len(begins[0])
    places = np.zeros((1, boxes), dtype=np.int64)
    is_upper = np.zeros(1, dtype=np.bool_)
    for begin, end, size in zip(begins, ends, sizes, strict=True):
        places = np.concatenate([places * size + begin, places * size + end])
        is_upper = np.concatenate([is_upper, ~is_upper])
    added, removed = (np.bincount(places[kind].reshape(-1), minlength=cells) for kind in (~is_upper, is_upper))
    depth = (added - removed).astype(np.int32).reshape(sizes)
    for i in range(len(shape)):
        np.cumsum(depth, axis=i, out=depth)
    return depth[tuple(slice(0, size) for size in shape)]
