"""The exact number of unit boxes that cover each place, for points with exact coordinates.

A test box with corner c is the product of [c_i, c_i + 1); it holds point p exactly when c lies in the *box of p*, the product of
(p_i - 1, p_i]. The number of points it holds is the *depth* of c. Along an axis the depth changes only behind the values p_i - 1 and
p_i, so the right ends of the intervals between them, and the last place that is tested, stand for all corners.

The arrangement of all boxes may have (2 n)^d cells, most of them far from everything. So corner space is cut into unit tiles; a tile
looks only at the boxes that meet it, and tiles that no box meets are never made. Many tiles with few boxes are looked at several at a
time, as one wide tile. A tile of too many cells is cut into slabs, between two changes along an axis, and a slab looks only at the boxes
that meet it. Equal points are one that counts several times; where all boxes have k points each, no cell is sparse.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.exact import in_whole_numbers

Point = tuple[Fraction, ...]
"""A place with exact coordinates."""

Reach = tuple[Fraction, Fraction]
"""The least and the largest coordinate that is allowed or tested along an axis; both count."""

_MOST_CELLS = 1 << 20
"""The most cells in memory at once; a tile with more is cut into slabs."""

_MANY_TILES, _WIDE_CELLS = 1_000, 1 << 13
"""With more unit tiles than the first number they are wide, with the second number of cells on average at most: a look at a tile takes as
long as one at so many cells."""

_SOME_TILES = 30
"""So many unit tiles are looked at one by one where nothing but whether there is a sparse cell matters."""

_MOST_SEEN, _A_TILE = 200_000, 8
"""The most sparse cells that are looked at for a quick bound, and how many of a tile are tried: its test boxes all meet each other."""

_FITS = 1 << 60
"""Sums of four numbers below this fit into 64 bits."""


class Axis:
    """The coordinates of points along one axis as whole numbers: `unit` of them are one.

    >>> axis = Axis([Fraction(1, 2), Fraction(1, 3)])
    >>> axis.unit, axis.values.tolist(), axis.exact(5)
    (6, [3, 2], Fraction(5, 6))
    """

    def __init__(self, coordinates: Sequence[Fraction], reach: Reach | None = None) -> None:
        self.unit, whole = in_whole_numbers(coordinates, reach or ())
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


@dataclass(frozen=True)
class SparseCells:
    """Sparse cells of a tile or slab: the corners above `lows` up to `corners`, in whole numbers of the axes, and their depths.

    `members` are numbers of distinct points, in the order in which they first occur.
    """

    lows: NDArray[Any]
    corners: NDArray[Any]
    depths: NDArray[np.int64]
    members: NDArray[np.int64]
    _cells: NDArray[np.int64]
    _begins: NDArray[np.int64]
    _ends: NDArray[np.int64]

    def holders(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pairs of a cell and a point whose box holds it."""
        inside = np.ones((len(self._cells), len(self.members)), dtype=bool)
        for cell, begin, end in zip(self._cells.T, self._begins, self._ends, strict=True):
            inside &= (begin <= cell[:, None]) & (cell[:, None] < end)
        cells, members = np.nonzero(inside)
        return cells, self.members[members]


def sparse_corners(
    points: Sequence[Point], k: int, tested: Sequence[Reach] | None, *, finer: bool = False
) -> Iterator[tuple[Point, int]]:
    """Yield a corner of every cell whose depth is neither 0 nor at least `k`, with its depth; `finer` as in `sparse_cells`.

    `tested` bounds the corners that count; None means that all do. O(n 2^d) and, for each tile that m boxes meet, O((2 m)^d).

    >>> half, seven_tenths = (Fraction(1, 2),), (Fraction(7, 10),)
    >>> [(str(corner[0]), depth) for corner, depth in sparse_corners([half, seven_tenths], 2, None)]
    [('-3/10', 1), ('7/10', 1)]
    >>> list(sparse_corners([half, seven_tenths], 2, [(Fraction(0), Fraction(1, 5))]))
    []
    """
    places, often = _by_object(points)
    axes = axes_of(places, tested)
    for found in sparse_cells(axes, k, often, finer=finer, few=_SOME_TILES if finer else None):
        for corner, depth in zip(found.corners, found.depths, strict=True):
            yield tuple(axis.exact(x) for axis, x in zip(axes, corner, strict=True)), int(depth)


def counted_places(points: Sequence[Point]) -> Counter[Point]:
    """Count equal points. One that is there a million times is one object, and is looked at once: fractions take long to compare.

    >>> counted_places([(Fraction(1),)] * 3 + [(Fraction(1),)])
    Counter({(Fraction(1, 1),): 4})
    """
    held: Counter[Point] = Counter()
    for point, often in zip(*_by_object(points), strict=True):
        held[point] += often
    return held


def _by_object(points: Sequence[Point]) -> tuple[list[Point], list[int]]:
    """Return the objects among points, and how often each is there."""
    often, objects = Counter(map(id, points)), dict(zip(map(id, points), points, strict=True))
    return list(objects.values()), [often[number] for number in objects]


def axes_of(points: Sequence[Point], tested: Sequence[Reach] | None) -> list[Axis]:
    """Return the axes of points, and what is tested along each; none without points.

    >>> [axis.unit for axis in axes_of([(Fraction(1, 2), Fraction(1, 3))], None)]
    [2, 3]
    """
    columns = zip(*points, strict=True)
    return [Axis(column, None if tested is None else tested[i]) for i, column in enumerate(columns)]


def sparse_cells(
    axes: Sequence[Axis],
    k: int,
    often: Sequence[int] | None = None,
    *,
    finer: bool = False,
    few: int | None = None,
) -> Iterator[SparseCells]:
    """Yield the cells whose depth is neither 0 nor at least `k`, for points with the coordinates of the axes, each `often` times or once.

    With more than one axis, cells of many tiles are found in less time if they may be `finer`: cut where a box ends that is not near, too.
    More than `few` tiles are many, if that is said, and are as wide as the grid that points lie on allows.

    >>> next(sparse_cells([Axis.of_whole(np.array([3, 2]), 6, None)], 2)).depths.tolist()
    [1]
    """
    if not axes:
        return
    places = zip(*(axis.values.tolist() for axis in axes), strict=True)
    held = Counter(places if often is None else {})
    for place, times in zip(places, often or (), strict=True):
        held[place] += times
    counts = np.array(list(held.values()), dtype=np.int64)
    if counts.min(initial=k) >= k:
        return
    once = [
        Axis.of_whole(np.array(values, dtype=axis.values.dtype), axis.unit, axis.reach)
        for axis, values in zip(axes, zip(*held, strict=True), strict=True)
    ]
    tiles, side = _tiles(once, 1), 1
    if len(tiles) > (_MANY_TILES if few is None else few) and (finer or len(axes) == 1):
        boxes = sum(map(len, tiles.values())) / len(tiles)
        most = [math.inf if few is None else _most_ends(axis) for axis in once]
        while math.prod(min(2 * boxes * (2 * side) ** len(axes), 2 * side * ends) for ends in most) <= _WIDE_CELLS:
            side *= 2
        tiles = tiles if side == 1 else _tiles(once, side)
    for tile, members in tiles.items():
        yield from _sparse_in(once, counts, [t * side for t in tile], side, members, k)


def needed_apart(axes: Sequence[Axis], k: int) -> int:
    """Return how many points test boxes lack that have no point in common: the neediest are taken first, whatever meets none of them after.

    On a line the boxes are the ones that lack most together.

    >>> needed_apart([Axis.of_whole(np.array([0, 1, 9]), 2, None)], 3)
    6
    """
    if len(axes) == 1:
        return _needed_on_a_line(axes[0], k)
    units = [axis.unit for axis in axes]
    boxes: list[tuple[int, tuple[int, ...]]] = []
    seen = 0
    for cells in sparse_cells(axes, k, finer=True):
        some = _neediest(cells, units)
        boxes += zip(cells.depths[some].tolist(), map(tuple, cells.corners[some].tolist()), strict=True)
        seen += len(cells.depths)
        if seen > _MOST_SEEN:
            break
    taken: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    needed = 0
    for held, corner in sorted(set(boxes)):
        tile = tuple(x // unit for x, unit in zip(corner, units, strict=True))
        around = itertools.product(*((t - 1, t, t + 1) for t in tile))
        others = (other for near in around for other in taken.get(near, ()))
        if all(any(abs(x - y) >= unit for x, y, unit in zip(corner, other, units, strict=True)) for other in others):
            taken.setdefault(tile, []).append(corner)
            needed += k - held
    return needed


def _neediest(cells: SparseCells, units: Sequence[int]) -> NDArray[np.int64]:
    """Return, of the cells in each unit tile, the first and the last few of those of the least depth."""
    tile = _numbered([-(-at // unit) for at, unit in zip(cells.corners.T, units, strict=True)])
    order = np.lexsort((cells.depths, tile))
    tile, depth = tile[order], cells.depths[order]
    first = np.searchsorted(tile, tile)
    is_least = depth == depth[first]
    before, many = np.arange(len(tile)) - first, np.bincount(first, is_least, len(tile))[first]
    some: NDArray[np.int64] = order[is_least & ((before < _A_TILE // 2) | (before >= many - _A_TILE // 2))]
    return some


def _needed_on_a_line(axis: Axis, k: int) -> int:
    """Return how many points test boxes without a point in common lack on a line: the most of all whose corners are tried. O(n log n).

    Corners are tried where the depth changes, a box before, and at the whole number below each: boxes may have to move to make room.
    """
    points = np.sort(axis.values)
    ends = np.concatenate([points, points - axis.unit, points - 2 * axis.unit])
    corners = distinct(np.concatenate([ends, ends // axis.unit * axis.unit]))
    if axis.reach is not None:
        low, high = axis.reach
        corners = np.append(corners[(low <= corners) & (corners < high)], np.array([high], dtype=points.dtype))
    held = np.searchsorted(points, corners + axis.unit) - np.searchsorted(points, corners)
    sparse = (held > 0) & (held < k)
    lacking, corners = (k - held[sparse]).tolist(), corners[sparse]
    before = np.searchsorted(corners, corners - axis.unit, side="right").tolist()
    most = [0]
    for lacks, apart in zip(lacking, before, strict=True):
        most.append(max(most[-1], lacks + most[apart]))
    return most[-1]


def _tiles(axes: Sequence[Axis], side: int) -> dict[tuple[int, ...], NDArray[np.int64]]:
    """Return which boxes meet each tile of `side` units; tile t holds the corners in (t, t + 1] times that along each axis."""
    numbers = np.arange(len(axes[0].values))
    tiles: list[NDArray[Any]] = []
    for axis in axes:
        length = side * axis.unit
        first, last = (axis.values - axis.unit) // length, -(-axis.values // length) - 1
        both = np.flatnonzero(first[numbers] != last[numbers])
        tiles = [np.concatenate([tile, tile[both]]) for tile in tiles]
        tiles.append(np.concatenate([first[numbers], last[numbers[both]]]))
        numbers = np.concatenate([numbers, numbers[both]])
    number, sides = _numbered(tiles), np.column_stack(tiles)
    order = np.argsort(number, kind="stable")
    begins = np.flatnonzero(np.diff(number[order], prepend=-1))
    members = np.split(numbers[order], begins[1:])
    # In the order in which they first occur.
    first = order[begins]
    return {tuple(sides[first[i]].tolist()): members[i] for i in np.argsort(first).tolist()}


def _most_ends(axis: Axis) -> int:
    """Return at how many places in a unit of an axis boxes begin or end at most; on a grid, many do so at one place."""
    ends = distinct(np.concatenate([axis.values, axis.values - axis.unit]))
    return int(np.unique(ends // axis.unit, return_counts=True)[1].max())


def _numbered(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Return a number from 0 up for each row of the columns, the same for equal rows. O(d n log n) for d columns."""
    number = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        number = np.unique(number * len(values) + place, return_inverse=True)[1]
    return number


def _before(axis: Axis, tile: int) -> int:
    """Return what the corners from a unit tile on that are tested lie above."""
    return tile * axis.unit if axis.reach is None else max(tile * axis.unit, axis.reach[0] - 1)


def _places(axis: Axis, tile: int, side: int, values: NDArray[Any]) -> NDArray[Any]:
    """Return one coordinate for each interval of equal depth in `side` unit tiles, ascending: its right end; none reaches over a border."""
    before, last = _before(axis, tile), (tile + side) * axis.unit
    if axis.reach is not None:
        last = min(last, axis.reach[1])
    if last <= before:
        return values[:0]
    borders = [last, *((tile + inner) * axis.unit for inner in range(1, side))]
    ends = np.concatenate([values, values - axis.unit, np.array(borders, dtype=values.dtype)])
    inside = np.sort(ends[(ends > before) & (ends <= last)])
    places: NDArray[Any] = inside[np.concatenate([[True], inside[1:] != inside[:-1]])]
    return places


def _sparse_in(
    axes: Sequence[Axis],
    counts: NDArray[np.int64],
    tile: Sequence[int],
    side: int,
    members: NDArray[np.int64],
    k: int,
    slab: tuple[tuple[Any, Any], ...] = (),
) -> Iterator[SparseCells]:
    """Yield the sparse cells of `side` unit tiles along each axis, from `tile` on.

    In the slab where the first coordinates of corners lie between the pairs of `slab`.
    """
    check_time()
    if counts[members].min(initial=k) >= k:
        return
    free = range(len(slab), len(axes))
    places = [_places(axes[i], tile[i], side, axes[i].values[members]) for i in free]
    cells = math.prod(map(len, places))
    if cells > _MOST_CELLS and len(places) > 1:
        axis = axes[len(slab)]
        for span in itertools.pairwise([_before(axis, tile[len(slab)]), *places[0].tolist()]):
            meet = members[(axis.values[members] - axis.unit < span[1]) & (span[1] <= axis.values[members])]
            yield from _sparse_in(axes, counts, tile, side, meet, k, (*slab, span))
    elif cells:
        values = [axes[i].values[members] for i in free]
        begins = [
            np.searchsorted(at, x - axes[i].unit, side="right") for i, at, x in zip(free, places, values, strict=True)
        ]
        ends = [np.searchsorted(at, x, side="right") for at, x in zip(places, values, strict=True)]
        depth = _depths(begins, ends, counts[members], [len(at) for at in places])
        found = np.argwhere((depth > 0) & (depth < k))
        if len(found):
            steps = [np.append(at, _before(axes[i], tile[i])) for i, at in zip(free, places, strict=True)]
            spans = [
                np.full((len(found), 2), span, dtype=axis.values.dtype) for axis, span in zip(axes, slab, strict=False)
            ]
            spans += [np.column_stack([at[j - 1], at[j]]) for at, j in zip(steps, found.T, strict=True)]
            lows, corners = (np.column_stack([span[:, side] for span in spans]) for side in (0, 1))
            depths = depth[tuple(found.T)].astype(np.int64)
            yield SparseCells(lows, corners, depths, members, found, np.array(begins), np.array(ends))


def _depths(
    begins: Sequence[NDArray[np.int64]],
    ends: Sequence[NDArray[np.int64]],
    counts: NDArray[np.int64],
    shape: Sequence[int],
) -> NDArray[np.int32]:
    """Sum the counts of the index boxes [begin, end) that hold each cell: a difference at each of their corners, summed along each axis."""
    sizes = [size + 1 for size in shape]
    places = np.zeros((1, len(counts)), dtype=np.int64)
    signs = np.ones(1, dtype=np.int64)
    for begin, end, size in zip(begins, ends, sizes, strict=True):
        places = np.concatenate([places * size + begin, places * size + end])
        signs = np.concatenate([signs, -signs])
    # Sums of whole numbers below 2^53: floats are exact.
    changes = np.bincount(places.reshape(-1), np.outer(signs, counts).reshape(-1), math.prod(sizes))
    depth = changes.astype(np.int32).reshape(sizes)
    for i in range(len(shape)):
        np.cumsum(depth, axis=i, out=depth)
    return depth[tuple(slice(0, size) for size in shape)]
