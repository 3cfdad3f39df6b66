r"""Fake points: a bound by weights of sparse test boxes, proved in whole numbers; and topping up without superfluous fakes.

Let c be a tested corner whose box holds b data, 0 < b < k, and m = k - b what it lacks; let E be tested corners whose boxes hold no data.
Count a fake by 1/k if it lies in a box of E, by 1/m if it lies in the box of c and in none of E, and by 0 otherwise. *All fakes of a
feasible solution together count 1 at least.* For either no fake lies in a box of E; then the box of c has m of them, 1/m each. Or some
box of E holds a fake, hence k of them, 1/k each.

So weights w of such rows, so small that no place counts more than 1 in their sum, prove that it takes sum(w) fakes: this is the dual of
a linear program. With E empty it is a packing of sparse boxes, in fractions. E makes it stronger where data end: there a fake either
lies with a datum, or sticks out into bare ground, where it needs company. The rows that are weighed are the outermost sparse corners of
each datum's box, 2^d at most, without E and with the bare corners next to it; any others would be valid, too.

The program is solved by HiGHS over some places, to which those are added that count too much. Its floats decide nothing: the weights are
rounded down to whole numbers, and divided by the largest count of any place, which a sweep over the arrangement of the boxes finds.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin
from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.exact import common_denominator
from anoptima.problems.added_points import AddedPoints, of_counts
from anoptima.problems.depths import Axis, Point, sparse_cells, sparse_corners
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger

Place = tuple[int, ...]

_WHOLE = 1 << 61
"""Sums of counts stay below this."""

_FINEST = 1 << 24
"""What the weights are at most multiplied by before they are rounded down."""

_FINEST_SHARE = 1 << 20
"""What a row's share is at most counted in parts of: in more parts, the weights have no room left where k is above 40."""

_TOO_MUCH = 1e-6
"""What a place may count above 1 before it is added to the linear program; no bound depends on it."""


@dataclass(frozen=True)
class Row:
    """A sparse test box by its corner, what it lacks, and the corners of bare boxes beside it."""

    corner: Place
    lacks: int
    bare: tuple[Place, ...] = ()


class InWholeNumbers:
    """The coordinates of a problem as whole numbers, `unit` of them one: even, so that there are places between any two."""

    def __init__(self, problem: FakePoints) -> None:
        ends = itertools.chain.from_iterable(problem.tested or ())
        self.unit = 2 * common_denominator((*itertools.chain.from_iterable(problem.points), *ends))
        check_time()
        self.places = [self.whole(point) for point in problem.locations]
        self.kind = kind_for(((self.unit,), *self.places))
        self._sides = [(min(axis), max(axis)) for axis in zip(*self.places, strict=True)]

    def clamped(self, place: Place) -> Place:
        """Return the nearest place in the data's bounding box, which lies in every sparse test box that the place itself lies in."""
        return tuple(min(max(x, low), high) for x, (low, high) in zip(place, self._sides, strict=True))

    def whole(self, point: Point) -> Place:
        """Return a place in whole numbers."""
        return _whole(point, self.unit)

    def exact(self, place: Place) -> Point:
        """Return what `whole` was given."""
        return tuple(Fraction(int(x), self.unit) for x in place)

    def added(self, fakes: Mapping[Place, int]) -> AddedPoints:
        """Return so many fakes at each place."""
        return of_counts({self.exact(place): count for place, count in fakes.items()})


def kind_for(places: Iterable[Place]) -> Any:
    """Return what numbers arrays of these places and sums of two of them are made of: those of 64 bits, where they fit.

    >>> kind_for([(1, 2)]).__name__, kind_for([(1, 1 << 62)]).__name__
    ('int64', 'object')
    """
    return np.int64 if all(abs(x) < _WHOLE for place in places for x in place) else object


class Nearby:
    """Points as whole numbers, `unit` of them one, found by where they are."""

    def __init__(self, points: Iterable[Place], unit: int) -> None:
        self.unit, self.points = unit, list(points)
        self.places: NDArray[Any] = np.array(self.points, dtype=kind_for(self.points))
        self._tiles: defaultdict[Place, list[int]] = defaultdict(list)
        for number, point in enumerate(self.points):
            self._tiles[tuple(x // unit for x in point)].append(number)
        self._blocks: dict[Place, NDArray[np.int64]] = {}

    def numbers(self, corner: Place) -> NDArray[np.int64]:
        """Return the numbers of the points in the test box with this corner."""
        numbers = self._block(tuple(x // self.unit for x in corner))
        if not len(numbers):
            return numbers
        apart = self.places[numbers] - np.array(corner, dtype=self.places.dtype)
        inside: NDArray[np.bool_] = ((apart >= 0) & (apart < self.unit)).all(axis=1)
        return numbers[inside]

    def held(self, corner: Place) -> list[Place]:
        """Return the points in the test box with this corner."""
        return [self.points[number] for number in self.numbers(corner)]

    def around(self, place: Place) -> NDArray[np.int64]:
        """Return the numbers of the points in the test boxes that hold this place."""
        corners = itertools.product(*((x - self.unit + 1, x) for x in place))
        return distinct(np.concatenate([self.numbers(corner) for corner in corners]))

    def _block(self, tile: Place) -> NDArray[np.int64]:
        """Return the numbers of the points in the tiles that test boxes with a corner in `tile` reach into."""
        if tile not in self._blocks:
            around = itertools.product(*((x, x + 1) for x in tile))
            numbers = [number for one in around for number in self._tiles.get(one, ())]
            self._blocks[tile] = np.array(numbers, dtype=np.int64)
        return self._blocks[tile]


def rows_of(problem: FakePoints, unit: int) -> list[Row]:
    """Return the rows that are weighed, in units of 1/`unit`, which is even and takes all coordinates.

    >>> rows_of(FakePoints([(0,), ("1/2",)], 2), 4)
    [Row(corner=(-2,), lacks=1, bare=()), Row(corner=(-2,), lacks=1, bare=((-4,),)), Row(corner=(2,), lacks=1, bare=()), ...]
    """
    data = Nearby((_whole(point, unit) for point in problem.points), unit)
    tested = None if problem.tested is None else [(int(a * unit), int(b * unit)) for a, b in problem.tested]
    lacking: dict[Place, int] = {}
    for exact, held in sparse_corners(problem.points, problem.k, problem.tested):
        check_time()
        lacking[_whole(exact, unit)] = problem.k - held
    holders: list[tuple[Place, NDArray[np.int64]]] = []
    for corner in lacking:
        check_time()
        holders.append((corner, data.numbers(corner)))
    outermost: set[Place] = set()
    for signs in itertools.product((-1, 1), repeat=problem.dimensions):
        check_time()
        last: dict[int, Place] = {}
        for corner, numbers in sorted(holders, key=lambda one: (_along(one[0], signs), one[0])):
            last.update(dict.fromkeys(numbers.tolist(), corner))
        outermost.update(last.values())
    rows = []
    for corner in sorted(outermost):
        rows.append(Row(corner, lacking[corner]))
        bare = tuple(_bare_beside(corner, data, tested))
        if bare:
            rows.append(Row(corner, lacking[corner], bare))
    return rows


def _bare_beside(corner: Place, data: Nearby, tested: Sequence[tuple[int, int]] | None) -> Iterator[Place]:
    """Yield the corners just outside of the data's boxes that hold a corner, along each axis, if they are tested and hold no data."""
    around = data.held(corner)
    for axis in range(len(corner)):
        below, above = max(x[axis] for x in around) - data.unit, min(x[axis] for x in around) + 1
        for beside in (below, above):
            outside = (*corner[:axis], beside, *corner[axis + 1 :])
            if tested is not None and not tested[axis][0] <= beside <= tested[axis][1]:
                continue
            if not data.held(outside):
                yield outside


def _along(place: Place, signs: Sequence[int]) -> int:
    """Return how far a place is along a diagonal."""
    return sum(sign * x for sign, x in zip(signs, place, strict=True))


def _whole(point: Point, unit: int) -> Place:
    return tuple(x.numerator * (unit // x.denominator) for x in point)


class Counts:
    """What places count in the weighted sum of rows, times `scale`: a whole number."""

    def __init__(self, rows: Sequence[Row], k: int, unit: int) -> None:
        self.rows = rows
        # Shares are rounded up to parts of this: a place may then count more than it does, and less is proved.
        self.scale = min(math.lcm(k, *(row.lacks for row in rows)), _FINEST_SHARE)
        self._unit, self._in_bare = unit, -(-self.scale // k)
        self._kind = kind_for(((unit,), *(row.corner for row in rows)))
        tiles: defaultdict[Place, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            spans = [
                range(min(along) // unit, (max(along) + unit - 1) // unit + 1)
                for along in zip(row.corner, *row.bare, strict=True)
            ]
            for tile in itertools.product(*spans):
                tiles[tile].append(number)
        self._tiles = dict(sorted(tiles.items()))

    def of(self, place: Place) -> tuple[list[int], list[int]]:
        """Return the rows in which a place counts, and how much."""
        numbers, counts = [], []
        for number in self._tiles.get(tuple(x // self._unit for x in place), ()):
            row = self.rows[number]
            if any(self._is_in(place, corner) for corner in row.bare):
                numbers.append(number)
                counts.append(self._in_bare)
            elif self._is_in(place, row.corner):
                numbers.append(number)
                counts.append(-(-self.scale // row.lacks))
        return numbers, counts

    def _is_in(self, place: Place, corner: Place) -> bool:
        return all(c <= x < c + self._unit for c, x in zip(corner, place, strict=True))

    def largest(self, weights: Sequence[int]) -> Iterator[tuple[int, Place]]:
        """Yield, for each tile with rows of weight, the largest weighted count of its places, and such a place.

        >>> counts = Counts([Row((-2,), 1), Row((2,), 1)], 2, 4)
        >>> list(counts.largest([3, 5]))
        [(6, (-2,)), (10, (2,)), (10, (4,))]
        """
        for tile, members in self._tiles.items():
            weighed = [(self.rows[number], weights[number]) for number in members if weights[number]]
            if weighed:
                check_time()
                yield self._largest_in(tile, weighed)

    def _largest_in(self, tile: Place, weighed: Sequence[tuple[Row, int]]) -> tuple[int, Place]:
        lines = []
        for axis, t in enumerate(tile):
            begin = t * self._unit
            ends = {
                corner[axis] + by for row, _ in weighed for corner in (row.corner, *row.bare) for by in (0, self._unit)
            }
            lines.append(
                np.array(sorted({begin, *(x for x in ends if begin <= x < begin + self._unit)}), dtype=self._kind)
            )
        total = np.zeros([len(axis) for axis in lines], dtype=np.int64)
        for row, weight in weighed:
            bare = np.zeros(total.shape, dtype=bool)
            for corner in row.bare:
                bare |= self._held(lines, corner)
            total += weight * np.where(bare, self._in_bare, self._held(lines, row.corner) * -(-self.scale // row.lacks))
        best = np.unravel_index(int(np.argmax(total)), total.shape)
        return int(total[best]), tuple(int(axis[i]) for axis, i in zip(lines, best, strict=True))

    def _held(self, lines: Sequence[NDArray[Any]], corner: Place) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = np.ones((), dtype=bool)
        for axis, c in zip(lines, corner, strict=True):
            held = np.logical_and.outer(held, (axis >= c) & (axis < c + self._unit))
        return held


def bounds(problem: FakePoints, known: set[Place] | None = None) -> Iterator[int]:
    """Yield numbers of fakes that every solution has at least, better ones as places are added to the program; each is proved.

    The places are added to `known`, too.

    >>> max(bounds(FakePoints([(0, 0), ("1/2", "1/2"), ("1/4", 1)], 3)))
    6
    """
    unit = InWholeNumbers(problem).unit
    rows = rows_of(problem, unit)
    if not rows:
        return
    counts = Counts(rows, problem.k, unit)
    program = _Program(len(rows))
    known = set() if known is None else known
    known.update(_whole(point, unit) for point in problem.locations)
    for place in sorted(known):
        program.add(*counts.of(place), counts.scale)
    while True:
        prices = program.prices()
        finest = min(_FINEST, _WHOLE // (counts.scale * (1 + math.ceil(sum(prices)))))
        weights = [int(price * finest) for price in prices]
        found = list(counts.largest(weights))
        most = max((count for count, _ in found), default=0)
        if not most:
            return
        yield -(-sum(weights) * counts.scale // most)
        new = {place for count, place in found if count > (1 + _TOO_MUCH) * finest * counts.scale} - known
        if not new:
            return
        known.update(new)
        for place in sorted(new):
            program.add(*counts.of(place), counts.scale)


class _Program:
    """The linear program for the weights, over the places so far: the largest sum such that no place counts more than 1."""

    def __init__(self, rows: int) -> None:
        import highspy

        from anoptima.solvers.exact.sifting.native import new_solver

        self._solver = new_solver(presolve="off", solver="simplex")
        for row in range(rows):
            self._solver.addVar(0.0, highspy.kHighsInf)
            self._solver.changeColCost(row, 1.0)
        self._solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self._none = -highspy.kHighsInf

    def add(self, numbers: Sequence[int], counts: Sequence[int], scale: int) -> None:
        """Let a place count 1 at most."""
        shares = np.array(counts, dtype=np.float64) / scale
        self._solver.addRow(self._none, 1.0, len(numbers), np.array(numbers, dtype=np.int32), shares)

    def prices(self) -> list[float]:
        """Return the weights; an upper bound on each is that of a datum in its box."""
        from anoptima.solvers.exact.sifting.native import run_to_the_deadline

        run_to_the_deadline(self._solver)
        return [max(0.0, float(value)) for value in self._solver.getSolution().col_value]


def thinned(problem: FakePoints, solution: AddedPoints) -> AddedPoints:
    """Take superfluous fakes away, those with most points around first, all copies or one; only test boxes around them are looked at.

    >>> thinned(FakePoints([(0,), (0.5,)], 2), AddedPoints([(0,), (0.25,), (0.5,), (7,), (7,)])).points
    ((Fraction(0, 1),), (Fraction(1, 2),))
    """
    fakes = Counter(solution.points)
    points = [*(Counter(problem.points) + fakes).items()]
    ends = itertools.chain.from_iterable(problem.tested or ())
    unit = common_denominator((*itertools.chain.from_iterable(point for point, _ in points), *ends))
    near = Nearby((_whole(point, unit) for point, _ in points), unit)
    counts = np.array([count for _, count in points])
    tested = None if problem.tested is None else [(int(low * unit), int(high * unit)) for low, high in problem.tested]
    number_of = {point: number for number, (point, _) in enumerate(points) if point in fakes}
    around = {number: near.around(near.points[number]) for number in number_of.values()}

    def is_needed(place: Place, others: NDArray[np.int64]) -> bool:
        """Tell whether a test box that holds the place is sparse; other boxes may hold points that are not around it."""
        reach = [(x - unit + 1, x) for x in place]
        if tested is not None:
            reach = [(max(low, a), min(high, b)) for (low, high), (a, b) in zip(tested, reach, strict=True)]
        left = near.places[np.repeat(others, counts[others])]
        axes = [Axis.of_whole(left[:, i], unit, one) for i, one in enumerate(reach)]
        return any(True for _ in sparse_cells(axes, problem.k))

    for point, number in sorted(number_of.items(), key=lambda one: (-counts[around[one[1]]].sum(), one[0])):
        for copies in (fakes[point], *itertools.repeat(1, fakes[point] - 1)):
            check_time()
            if not 0 < copies <= fakes[point]:
                break
            counts[number] -= copies
            if is_needed(near.points[number], around[number]):
                counts[number] += copies
            else:
                fakes[point] -= copies
    return of_counts(+fakes)


@algorithms.register
class WeighedBoxes(Algorithm[Any]):
    """Fake points and fake boxes: tops up sparse test boxes and drops superfluous fakes; weights of the sparse boxes prove a bound.

    No ratio is promised; the bound that comes with an answer says how good it is. For thousands of points in the plane. A linear program
    with at most 2^(d + 1) columns a point, and sweeps over what its boxes cut each unit cube into.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.instance("points-2d-15-k2").load()
    >>> answer = ao.solve(problem, "weighed-boxes", start=None)
    >>> answer.cost, problem.lower_bound(), answer.bound.value
    (15, 12, 15)
    """

    name = "weighed-boxes"
    problems = (FakePoints, FakeBoxes)
    family = "shifted-grids"
    uses_seed = False
    uses_limit = False
    kind = Kind.APPROXIMATE

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Thin out topping up, then weigh."""
        points: FakePoints = problem.as_points()
        ledger.offer(problem.from_points(thinned(points, points.trivial())))
        for least in bounds(points):
            ledger.raise_bound(least, Origin.THEOREM)
            check_time()
