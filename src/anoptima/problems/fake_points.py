r"""Fake points: the fewest points to add so that every unit box holds none or at least k (Alvarez, Chambers, Kozma).

Data P and fakes A are multisets of points with d exact coordinates. A *test box* with corner c is the product of [c_i, c_i + 1): its
lower sides count, its upper ones do not. A is feasible if every test box holds none or at least k points of P and A together. That is
not monotone: adding a fake may break validity, and so may removing one. Three regimes say what happens at the border:

- `PRIMAL`: fakes lie in the domain, the product of [lo_i, hi_i); corners with lo_i <= c_i <= hi_i - 1 are tested, so that test boxes
  lie in the domain.
- `UNRESTRICTED`: no domain; fakes lie anywhere, and every corner is tested.
- `DUAL`: the paper's Definition 3. The unit box *centred* at a point, data or fake, lies in the domain, so lo_i + 1/2 <= p_i <=
  hi_i - 1/2; every place is tested, which leaves no corner out.

The paper calls the first and the last equivalent; they are not. In the domain [0, 1.2), points 0.5 and 0.7 with k = 2 need no fake in
`PRIMAL`, where every test box holds both, and two in `DUAL`.

**Clamping** (what makes the candidates few): if A is feasible, moving every fake into the bounding box of the data, coordinate by
coordinate, keeps it feasible in all three regimes. For then a test box holds what an interval product with sides of at least 1 held
before; it is a union of test boxes, each with none or at least k. So `DUAL` and `UNRESTRICTED` have the same optimum.

**Widths.** Axes that are counted in different units, such as years and money, have test boxes of different widths w_i. Divided by the
widths, coordinates are those of unit boxes: `as_points` is that question, which all models and algorithms answer; `from_points` carries
a solution back, exactly.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Self

from anoptima.arguments import Choice, checked
from anoptima.documents.csv_texts import UTF_8, guess_separator, read_texts
from anoptima.documents.reading import Source
from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_integer, counted, decimal_text
from anoptima.limits import said
from anoptima.packages import pd
from anoptima.problems.added_points import AddedPoints, as_listed, multisets, of_counts
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.depths import Axis, Point, Reach, axes_of, counted_places, needed_apart, sparse_corners
from anoptima.problems.places import (
    aligned_coordinates,
    axis_text,
    exact_points,
    place_text,
    points_of_frame,
    side_text,
    sides_of,
    widths_by_name,
    widths_of,
)

HALF = Fraction(1, 2)


class Regime(Choice):
    """The rule at the border of the domain.

    `PRIMAL`: fakes and test boxes lie in the domain. `UNRESTRICTED`: there is no domain. `DUAL`: unit boxes centred at data and fakes lie
    in the domain, and test boxes may lie anywhere.

    >>> import anoptima as ao
    >>> points, domain = [(0.5,), (0.7,)], [(0, 1.2)]
    >>> [ao.solve(ao.FakePoints(points, k=2, domain=domain, regime=regime)).cost for regime in (ao.Regime.PRIMAL, ao.Regime.DUAL)]
    [0, 2]
    """

    PRIMAL = "primal"
    UNRESTRICTED = "unrestricted"
    DUAL = "dual"

    @classmethod
    def of(cls, value: Regime | str) -> Regime:
        """Return the regime that a word stands for.

        >>> Regime.of("dual").name
        'DUAL'
        """
        try:
            return cls(value)
        except ValueError:
            words = ", ".join(repr(regime.value) for regime in cls)
            raise BadInput(f"the regime is {value!r}; it must be one of {words}") from None


@problem_kinds.register
@checked
@dataclass(frozen=True)
class FakePoints(Problem[AddedPoints]):
    """Fewest fake points such that every unit box is empty or holds at least `k` points.

    Parameters
    ----------
    points
        The data; equal points are kept. Coordinates are exact: 0.2 means 1/5.
    k
        The least number of points in a test box that is not empty.
    domain
        One pair (lo, hi) an axis, at least a test box's width apart; None where there is none.
    regime
        A `Regime` or its word; `PRIMAL` if there is a domain and `UNRESTRICTED` if not, unless given.
    widths
        The widths of test boxes along each axis; by default 1.
    axes
        The columns that the coordinates come from: messages name them.

    Examples
    --------
    >>> FakePoints([(30, 1000), (34, 1400)], k=2, domain=[(30, 35), (1000, 1500)], widths=[5, 500]).violations(AddedPoints())
    []
    >>> problem = FakePoints([(2.0,), (2.4,), (2.8,)], k=2)
    >>> problem.lower_bound(), problem.violations(AddedPoints([(2.0,), (2.8,)]))
    (2, [])
    >>> problem.violations(AddedPoints())[0]
    'the test box with corner (1.4) holds 1 point; it must hold none or at least 2'
    """

    points: tuple[Point, ...]
    k: int
    domain: tuple[tuple[Fraction, Fraction], ...] | None
    regime: Regime
    widths: tuple[Fraction, ...]
    axes: tuple[str, ...] = field(default=(), compare=False, repr=False)

    name = "fake-points"
    unit = "fake points"

    def __init__(
        self,
        points: Iterable[Iterable[Number]],
        k: int,
        domain: Iterable[tuple[Number, Number]] | None = None,
        regime: Regime | str | None = None,
        widths: Iterable[Number] | None = None,
        axes: Sequence[str] = (),
    ) -> None:
        default = Regime.UNRESTRICTED if domain is None else Regime.PRIMAL
        object.__setattr__(self, "points", tuple(exact_points(points, "point")))
        object.__setattr__(self, "k", as_integer(k, "k"))
        object.__setattr__(self, "axes", tuple(axes))
        object.__setattr__(self, "regime", default if regime is None else Regime.of(regime))
        object.__setattr__(self, "domain", None if domain is None else tuple(sides_of(domain, axes)))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")
        if not self.points:
            raise BadInput("there are no points; there must be at least one")
        if not self.dimensions:
            raise BadInput("point 1 has no coordinates; it must have at least one")
        for number, point in enumerate(self.points, start=1):
            if len(point) != self.dimensions:
                raise BadInput(
                    f"point {number} has {counted(len(point), 'coordinates')}, and point 1 has {self.dimensions}"
                )
        object.__setattr__(self, "widths", widths_of(widths, self.dimensions, axes))
        self._require_domain()
        for number, point in enumerate(self.points, start=1):
            wrong = self._why_outside(point)
            if wrong:
                raise BadInput(f"point {number}, {place_text(point)}, {wrong}")

    def _require_domain(self) -> None:
        if self.regime is Regime.UNRESTRICTED:
            if self.domain is not None:
                raise BadInput("the unrestricted regime has no domain; leave out one of the two")
            return
        if self.domain is None:
            raise BadInput(f"the {self.regime.value} regime needs a domain: one pair (lo, hi) for each axis")
        if len(self.domain) != self.dimensions:
            sides, coordinates = counted(len(self.domain), "sides"), counted(self.dimensions, "coordinates")
            raise BadInput(f"the domain has {sides}, and the points have {coordinates}")
        for axis, ((low, high), width) in enumerate(zip(self.domain, self.widths, strict=True), start=1):
            if high - low < width:
                wide = decimal_text(width)
                raise BadInput(
                    f"{side_text(self.axes, axis)} goes from {decimal_text(low)} to {decimal_text(high)}; "
                    f"a test box is {wide} wide, so it must be at least {wide} wide"
                )

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        columns: Sequence[str],
        k: int,
        domain: Iterable[tuple[Number, Number]] | None = None,
        regime: Regime | str | None = None,
        widths: Iterable[Number] | Mapping[str, Number] | None = None,
    ) -> FakePoints:
        """Take one point from each row of a frame; `columns` are the axes. `widths` may go by their names: {"age": 5}.

        >>> FakePoints.from_frame(pd.DataFrame({"x": [1, 2], "y": [0.5, 0.7]}), ["x", "y"], 2).points[1]
        (Fraction(2, 1), Fraction(7, 10))
        """
        points = list(points_of_frame(frame, columns))
        return cls(points, k, domain, regime, widths_by_name(widths, columns), columns)

    @classmethod
    def read_csv(
        cls,
        path: Source,
        columns: Sequence[str],
        k: int,
        domain: Iterable[tuple[Number, Number]] | None = None,
        regime: Regime | str | None = None,
        separator: str | None = None,
        encoding: str = UTF_8,
        widths: Iterable[Number] | Mapping[str, Number] | None = None,
    ) -> FakePoints:
        """Take one point from each row of a CSV file with a header; coordinates such as 2, 0.2 and 1/5 are read exactly."""
        if separator is None:
            separator = guess_separator(path, encoding)
        try:
            return cls.from_frame(read_texts(path, separator, encoding=encoding), columns, k, domain, regime, widths)
        except BadInput as refusal:
            message = str(refusal)
            raise refusal if message.startswith(str(path)) else BadInput(f"{path}: {message}") from None

    @property
    def dimensions(self) -> int:
        """The number of coordinates."""
        return len(self.points[0])

    @cached_property
    def locations(self) -> Mapping[Point, int]:
        """The distinct points and how often each occurs."""
        return Counter(self.points)

    @cached_property
    def in_whole_numbers(self) -> list[Axis]:
        """The coordinates, axis by axis, and what is tested along each, in whole numbers."""
        return axes_of(self.points, self.tested)

    @cached_property
    def tested(self) -> tuple[Reach, ...] | None:
        """The least and largest corner along each axis; None where all are tested."""
        if self.regime is not Regime.PRIMAL or self.domain is None:
            return None
        return tuple((low, high - width) for (low, high), width in zip(self.domain, self.widths, strict=True))

    def _why_outside(self, point: Point) -> str:
        for axis, (x, (low, high)) in enumerate(zip(point, self.domain or (), strict=False), start=1):
            half, where = HALF * self.widths[axis - 1], f"the domain along {axis_text(self.axes, axis)}"
            if self.regime is Regime.DUAL and not low + half <= x <= high - half:
                allowed = f"[{decimal_text(low + half)}, {decimal_text(high - half)}]"
                return f"has a test box around it that leaves {where}; the coordinate must lie in {allowed}"
            if self.regime is Regime.PRIMAL and not low <= x < high:
                allowed = f"[{decimal_text(low)}, {decimal_text(high)})"
                return f"lies outside {where}; the coordinate must lie in {allowed}"
        return ""

    def misplaced(self, solution: AddedPoints) -> list[str]:
        """Say which fakes are where no fake may be."""
        places = counted_places(solution.points)
        wrong = {
            point: f"has {counted(len(point), 'coordinates')}, and the data have {self.dimensions}"
            for point in places
            if len(point) != self.dimensions
        } or {point: why for point in places if (why := self._why_outside(point))}
        return [f"fake point {place_text(point)} {why}" for point, why in wrong.items() for _ in range(places[point])]

    def sparse(self, solution: AddedPoints, *, finer: bool = False) -> Iterator[tuple[Point, int]]:
        """Yield a corner and the number of points for every kind (see `sparse_corners`) of test box that holds some, and fewer than `k`."""
        unit = self.as_points()
        points = (*unit.points, *self.points_of(solution).points)
        for corner, held in sparse_corners(points, self.k, unit.tested, finer=finer):
            yield corner if unit is self else self._wide(corner), held

    def violations(self, solution: AddedPoints) -> list[str]:
        """Name misplaced fakes, or else the test boxes that hold too few points. Time: see `depths.sparse_corners`."""
        sparse = (
            f"the test box with corner {place_text(corner)} holds {counted(held, 'points')}; "
            f"it must hold none or at least {self.k}"
            for corner, held in self.sparse(solution, finer=True)
        )
        return said(self.misplaced(solution), "fakes are misplaced") or said(sparse, "test boxes hold too few points")

    def cost(self, solution: AddedPoints) -> Exact:
        """Count the fakes."""
        return len(solution.points)

    def published(self, solution: AddedPoints) -> tuple[Point, ...]:
        """Return data and fakes together, sorted, so that nobody can tell which is which."""
        return tuple(sorted((*self.points, *solution.points)))

    def trivial(self) -> AddedPoints:
        """Top up every distinct point to `k` copies; or, in the primal regime and if that is fewer, k points at each place of a unit grid.

        The grid has the places hi_i - 1 - j with whole 0 <= j < side: every test box in the domain holds exactly one of them.
        """
        if self.as_points() is not self:
            return self.from_points(self.as_points().trivial())
        return of_counts(self._trivial)

    @property
    def most(self) -> int:
        """How many fakes the trivial solution has."""
        return sum(self.as_points()._trivial.values())

    @cached_property
    def _trivial(self) -> Mapping[Point, int]:
        topped = {point: max(0, self.k - held) for point, held in self.locations.items()}
        if self.regime is not Regime.PRIMAL or self.domain is None:
            return topped
        places = 1
        for low, high in self.domain:
            places *= floor(high - low)
        on_grid = {point: held for point, held in self.locations.items() if self._is_on_grid(point)}
        if places * self.k - sum(min(self.k, held) for held in on_grid.values()) >= sum(topped.values()):
            return topped
        axes = [[high - 1 - j for j in range(floor(high - low))] for low, high in self.domain]
        return {place: max(0, self.k - on_grid.get(place, 0)) for place in itertools.product(*axes)}

    def _is_on_grid(self, point: Point) -> bool:
        sides = self.domain or ()
        return all(
            (high - x).denominator == 1 and 1 <= high - x <= floor(high - low)
            for x, (low, high) in zip(point, sides, strict=True)
        )

    def lower_bound(self) -> Exact:
        """Pack disjoint test boxes that hold too few points, the neediest first: each needs fakes of its own. See `depths.needed_apart`."""
        return self._needed_apart

    @cached_property
    def _needed_apart(self) -> int:
        return needed_apart(self.as_points().in_whole_numbers, self.k)

    def why_infeasible(self) -> str | None:
        """Every instance has a solution: topping up every point."""
        return None

    def aligned(self) -> list[list[Fraction]]:
        """Return the coordinates, axis by axis, that the fakes of some optimum keep to: see `aligned_coordinates`."""
        points, tested = self.as_points().points, self.as_points().tested
        ends = [None if tested is None else tested[i][1] for i in range(self.dimensions)]
        columns = [[point[i] for point in points] for i in range(self.dimensions)]
        found = map(aligned_coordinates, columns, ends)
        return [[x * width for x in axis] for axis, width in zip(found, self.widths, strict=True)]

    def solutions(self) -> Iterator[AddedPoints]:
        """Yield every multiset of aligned places that is no larger than the trivial solution, smallest first."""
        places = list(itertools.product(*self.aligned()))
        return map(as_listed, multisets(places, len(self.trivial().points)))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield points on a line and in the plane, in every border regime."""
        yield cls([(2.0,), (2.4,), (2.8,)], 2)
        yield cls([(0,), (0.5,), (0.5,)], 3)
        yield cls([(0.5,), (1.5,)], 2, [(0, 2)])
        yield cls([(0.5,), (1.25,)], 2, [(0, 2)], Regime.DUAL)
        yield cls([(0, 0), (0.5, 0.5)], 2)
        yield cls([(0, 0), (0.5, 1)], 2, [(0, 1.5), (0, 1.5)])
        yield cls([(30, 1), (34, 1.5)], 2, [(24, 36), (0, 3)], widths=[8, "3/2"])

    def size(self) -> Mapping[str, int]:
        """Return points, distinct points and dimensions."""
        return {"points": len(self.points), "locations": len(self.locations), "dimensions": self.dimensions}

    @property
    def cost_scale(self) -> int:
        """Costs are whole."""
        return 1

    def as_points(self) -> FakePoints:
        """Return the same question with unit boxes: this problem, if its boxes are."""
        return self._unit

    @cached_property
    def _unit(self) -> FakePoints:
        if set(self.widths) == {1}:
            return self
        domain = None
        if self.domain is not None:
            domain = [(low / w, high / w) for (low, high), w in zip(self.domain, self.widths, strict=True)]
        return FakePoints(map(self._narrow, self.points), self.k, domain, self.regime)

    def _narrow(self, point: Point) -> Point:
        return tuple(x / width for x, width in zip(point, self.widths, strict=True))

    def _wide(self, point: Point) -> Point:
        return tuple(x * width for x, width in zip(point, self.widths, strict=True))

    def points_of(self, solution: AddedPoints) -> AddedPoints:
        """Return the solution of `as_points` that a solution stands for."""
        return solution if self.as_points() is self else solution.moved(self._narrow)

    def from_points(self, solution: AddedPoints) -> AddedPoints:
        """Return the solution that a solution of `as_points` stands for."""
        return solution if self.as_points() is self else solution.moved(self._wide)
