"""Fake boxes: the same question as fake points, seen from the corners of the test boxes.

In *corner space*, point p is the unit box (p - 1, p], the product of (p_i - 1, p_i], because the test box with corner c holds p exactly
when c lies in that box. A box is named by its lower corner q = p - 1, and is the product of (q_i, q_i + 1]. Feasible means: every place
of corner space that is tested lies in none or in at least k boxes, data and fake together. The regimes of `fake_points` become:

- `PRIMAL`: the *region* T is a product of [a_i, b_i]; every place of T is tested, and every box must meet T. It is the domain
  [a_i, b_i + 1) seen from its corners.
- `UNRESTRICTED`: no region.
- `DUAL`: the region is a product of (a_i, b_i], at least 1 wide; every box must lie in it, and all of it is tested. This is the
  paper's Definition 3, up to the shift by 1/2 between corners and centres.

This is a view: an instance holds the boxes and asks the fake points for everything else.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_fraction, as_integer, counted, decimal_text
from anoptima.limits import said
from anoptima.problems.added_points import AddedPoints, multisets, of_counts
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.depths import Point
from anoptima.problems.fake_points import HALF, FakePoints, Regime
from anoptima.problems.places import exact_points, place_text


@checked
@dataclass(frozen=True)
class AddedBoxes:
    """The lower corners of the fake boxes, in order, each as often as it is added.

    >>> AddedBoxes([(2, "0.5"), (1, 3)]).corners
    ((Fraction(1, 1), Fraction(3, 1)), (Fraction(2, 1), Fraction(1, 2)))
    """

    corners: tuple[Point, ...] = ()

    def __init__(self, corners: Iterable[Iterable[Number]] = ()) -> None:
        object.__setattr__(self, "corners", tuple(sorted(exact_points(corners, "fake box"))))


@problem_kinds.register
@checked
@dataclass(frozen=True)
class FakeBoxes(Problem[AddedBoxes]):
    """Fewest fake unit boxes such that every place lies in no box or in at least `k` boxes.

    Parameters
    ----------
    corners
        The lower corners of the data's boxes; equal ones are kept.
    k
        In how many boxes a place that is in one must lie.
    region
        One pair (a, b) an axis; None where there is none.
    regime
        A `Regime` or its word; `PRIMAL` if there is a region and `UNRESTRICTED` if not, unless given.

    Examples
    --------
    >>> boxes = FakeBoxes([(-0.5,), (-0.3,)], k=2, region=[(0, 0.2)])
    >>> boxes.violations(AddedBoxes())
    []
    >>> boxes.as_points() == FakePoints([(0.5,), (0.7,)], k=2, domain=[(0, 1.2)])
    True
    """

    corners: tuple[Point, ...]
    k: int
    region: tuple[tuple[Fraction, Fraction], ...] | None
    regime: Regime

    name = "fake-boxes"
    unit = "fake boxes"

    def __init__(
        self,
        corners: Iterable[Iterable[Number]],
        k: int,
        region: Iterable[tuple[Number, Number]] | None = None,
        regime: Regime | str | None = None,
    ) -> None:
        default = Regime.UNRESTRICTED if region is None else Regime.PRIMAL
        object.__setattr__(self, "corners", tuple(exact_points(corners, "box")))
        object.__setattr__(self, "regime", default if regime is None else Regime.of(regime))
        object.__setattr__(self, "region", None if region is None else tuple(self._sides(region)))
        object.__setattr__(self, "k", as_integer(k, "k"))
        if not self.corners:
            raise BadInput("there are no boxes; there must be at least one")
        for number, corner in enumerate(self.corners, start=1):
            wrong = self._why_outside(corner)
            if wrong:
                raise BadInput(f"box {number}, with corner {place_text(corner)}, {wrong}")
        self.as_points()

    def _sides(self, region: Iterable[tuple[Number, Number]]) -> Iterator[tuple[Fraction, Fraction]]:
        least = 1 if self.regime is Regime.DUAL else 0
        for axis, side in enumerate(region, start=1):
            try:
                low, high = side
            except (TypeError, ValueError):
                raise BadInput(f"side {axis} of the region is {side!r}; it must be a pair (a, b)") from None
            a = as_fraction(low, f"the lower end of side {axis} of the region")
            b = as_fraction(high, f"the upper end of side {axis} of the region")
            if b - a < least:
                raise BadInput(
                    f"side {axis} of the region goes from {decimal_text(a)} to {decimal_text(b)}; "
                    f"in the {self.regime.value} regime it must be at least {least} wide"
                )
            yield a, b

    def _why_outside(self, corner: Point) -> str:
        for axis, (q, (a, b)) in enumerate(zip(corner, self.region or (), strict=False), start=1):
            if self.regime is Regime.DUAL and not a <= q <= b - 1:
                return f"leaves the region along axis {axis}; the coordinate must lie in [{decimal_text(a)}, {decimal_text(b - 1)}]"
            if self.regime is Regime.PRIMAL and not a - 1 <= q < b:
                return f"misses the region along axis {axis}; the coordinate must lie in [{decimal_text(a - 1)}, {decimal_text(b)})"
        return ""

    @classmethod
    def of(cls, problem: FakePoints) -> Self:
        """Return the view of `problem` from corner space, in units of its widths; `as_points` is the way back.

        >>> FakeBoxes.of(FakePoints([(2,)], k=3, domain=[(0, 4)], regime="dual")).region
        ((Fraction(-1, 2), Fraction(7, 2)),)
        """
        problem = problem.as_points()
        before, after = (HALF, HALF) if problem.regime is Regime.DUAL else (Fraction(0), Fraction(1))
        region = None if problem.domain is None else [(low - before, high - after) for low, high in problem.domain]
        return cls(_shifted(problem.points, -1), problem.k, region, problem.regime)

    def as_points(self) -> FakePoints:
        """Return the same question in points; equal to what `of` was given."""
        return self._points

    @cached_property
    def _points(self) -> FakePoints:
        before, after = (HALF, HALF) if self.regime is Regime.DUAL else (Fraction(0), Fraction(1))
        domain = None if self.region is None else [(a + before, b + after) for a, b in self.region]
        return FakePoints(_shifted(self.corners, 1), self.k, domain, self.regime)

    def points_of(self, solution: AddedBoxes) -> AddedPoints:
        """Return the fake points that the fake boxes stand for."""
        return of_counts(Counter(_shifted(solution.corners, 1)))

    def from_points(self, solution: AddedPoints) -> AddedBoxes:
        """Return the fake boxes that stand for the fake points."""
        return _as_listed(tuple(_shifted(solution.points, -1)))

    def violations(self, solution: AddedBoxes) -> list[str]:
        """Name misplaced fakes, or else the places that lie in too few boxes."""
        misplaced = [
            f"the fake box with corner {place_text(corner)} {why}"
            for corner in solution.corners
            if (why := self._why_misplaced(corner))
        ]
        shallow = (
            f"the place {place_text(place)} lies in {counted(depth, 'boxes')}; it must lie in none or at least {self.k}"
            for place, depth in self.as_points().sparse(self.points_of(solution), finer=True)
        )
        return said(misplaced, "fakes are misplaced") or said(shallow, "places lie in too few boxes")

    def _why_misplaced(self, corner: Point) -> str:
        if len(corner) != len(self.corners[0]):
            return f"has {counted(len(corner), 'coordinates')}, and the data have {len(self.corners[0])}"
        return self._why_outside(corner)

    def cost(self, solution: AddedBoxes) -> Exact:
        """Count the fakes."""
        return len(solution.corners)

    def trivial(self) -> AddedBoxes:
        """Return the boxes of the trivial fake points."""
        return self.from_points(self.as_points().trivial())

    def lower_bound(self) -> Exact:
        """Pack places that no two fake boxes could both serve: see `FakePoints.lower_bound`."""
        return self.as_points().lower_bound()

    def why_infeasible(self) -> str | None:
        """Every instance has a solution."""
        return self.as_points().why_infeasible()

    def solutions(self) -> Iterator[AddedBoxes]:
        """Yield the solutions of the fake points, as boxes."""
        points = self.as_points()
        corners = [*_shifted(itertools.product(*points.aligned()), -1)]
        return map(_as_listed, multisets(corners, len(points.trivial().points)))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield the examples of fake points, as boxes."""
        return map(cls.of, FakePoints.examples())

    def size(self) -> Mapping[str, int]:
        """Return boxes, distinct boxes and dimensions."""
        size = self.as_points().size()
        return {"boxes": size["points"], "locations": size["locations"], "dimensions": size["dimensions"]}

    @property
    def cost_scale(self) -> int:
        """Costs are whole."""
        return 1


def _as_listed(corners: tuple[Point, ...]) -> AddedBoxes:
    """Return fake boxes that are exact and in order already."""
    boxes = AddedBoxes.__new__(AddedBoxes)
    object.__setattr__(boxes, "corners", corners)
    return boxes


def _shifted(places: Iterable[Point], by: int) -> Iterator[Point]:
    return (tuple(x + by for x in place) for place in places)
