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
"""

from __future__ import annotations

import enum
import itertools
import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Self

from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_fraction, as_integer, exact_text
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.problems.depths import Point, Reach, sparse_corners
from anoptima.texts import read_texts

_MOST_NAMED = 100
_MOST_CORNERS = 20_000
"""How many sparse corners the cheap lower bound packs."""

HALF = Fraction(1, 2)


class Regime(enum.Enum):
    """What happens at the border: see the module."""

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
            raise BadInput(f"the regime is {value!r}; it has to be one of {words}") from None


@dataclass(frozen=True)
class AddedPoints:
    """The fake points, in order, each as often as it is added."""

    points: tuple[Point, ...] = ()

    def __init__(self, points: Iterable[Iterable[Number]] = ()) -> None:
        object.__setattr__(self, "points", tuple(sorted(exact_points(points, "fake point"))))


def exact_points(points: Iterable[Iterable[Number]], what: str) -> Iterator[Point]:
    """Yield points with exact coordinates; `BadInput` names the one that has none.

    >>> list(exact_points([(0.5, "1/3")], "point"))
    [(Fraction(1, 2), Fraction(1, 3))]
    """
    for number, point in enumerate(points, start=1):
        if isinstance(point, str) or not isinstance(point, Iterable):
            raise BadInput(f"{what} {number} is {point!r}; it has to be a sequence of coordinates")
        yield tuple(as_fraction(x, f"coordinate {i} of {what} {number}") for i, x in enumerate(point, start=1))


def place_text(point: Sequence[Fraction]) -> str:
    """Write a place the way a person would.

    >>> place_text((Fraction(1, 2), Fraction(3)))
    '(1/2, 3)'
    """
    return f"({', '.join(map(exact_text, point))})"


@dataclass(frozen=True)
class FakePoints(Problem[AddedPoints]):
    """Fewest fake points such that every unit box is empty or holds at least `k` points.

    Parameters
    ----------
    points
        The data; equal points are kept. Coordinates in units of the test boxes' sides: 0.2 means 1/5.
    k
        How many points a test box that is not empty has to hold.
    domain
        One pair (lo, hi) an axis, at least 1 apart; None where there is none.
    regime
        A `Regime` or its word; `PRIMAL` if there is a domain and `UNRESTRICTED` if not, unless given.

    Examples
    --------
    >>> problem = FakePoints([(2.0,), (2.4,), (2.8,)], k=2)
    >>> problem.lower_bound(), problem.violations(AddedPoints([(2.0,), (2.8,)]))
    (2, [])
    >>> problem.violations(AddedPoints())[0]
    'the test box with corner (7/5) holds 1 point; it has to hold none or at least 2'
    """

    points: tuple[Point, ...]
    k: int
    domain: tuple[tuple[Fraction, Fraction], ...] | None
    regime: Regime

    name = "fake-points"
    unit = "fake points"

    def __init__(
        self,
        points: Iterable[Iterable[Number]],
        k: int,
        domain: Iterable[tuple[Number, Number]] | None = None,
        regime: Regime | str | None = None,
    ) -> None:
        default = Regime.UNRESTRICTED if domain is None else Regime.PRIMAL
        object.__setattr__(self, "points", tuple(exact_points(points, "point")))
        object.__setattr__(self, "k", as_integer(k, "k"))
        object.__setattr__(self, "regime", default if regime is None else Regime.of(regime))
        object.__setattr__(self, "domain", None if domain is None else tuple(_sides(domain)))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it has to be at least 1")
        if not self.points:
            raise BadInput("there are no points; there has to be at least one")
        if not self.dimensions:
            raise BadInput("point 1 has no coordinates; it has to have at least one")
        for number, point in enumerate(self.points, start=1):
            if len(point) != self.dimensions:
                raise BadInput(f"point {number} has {len(point)} coordinates, and point 1 has {self.dimensions}")
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
            raise BadInput(
                f"the domain has {len(self.domain)} sides, and the points have {self.dimensions} coordinates"
            )
        for axis, (low, high) in enumerate(self.domain, start=1):
            if high - low < 1:
                raise BadInput(
                    f"side {axis} of the domain goes from {exact_text(low)} to {exact_text(high)}; "
                    "a test box is 1 wide, so it has to be at least 1 wide"
                )

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        columns: Sequence[str],
        k: int,
        domain: Iterable[tuple[Number, Number]] | None = None,
        regime: Regime | str | None = None,
    ) -> FakePoints:
        """Take one point from each row of a frame; `columns` are the axes.

        >>> FakePoints.from_frame(pd.DataFrame({"x": [1, 2], "y": [0.5, 0.7]}), ["x", "y"], 2).points[1]
        (Fraction(2, 1), Fraction(7, 10))
        """
        if not len(columns):
            raise BadInput("no columns are named; there has to be at least one, an axis each")
        for name in columns:
            if name not in frame.columns:
                raise BadInput(f"there is no column {name!r}; there are {', '.join(map(repr, frame.columns))}")
        axes = [
            [as_fraction(value, f"row {row}, column {name!r},") for row, value in enumerate(frame[name], start=1)]
            for name in columns
        ]
        return cls(zip(*axes, strict=True), k, domain, regime)

    @classmethod
    def read_csv(
        cls,
        path: str | os.PathLike[str],
        columns: Sequence[str],
        k: int,
        domain: Iterable[tuple[Number, Number]] | None = None,
        regime: Regime | str | None = None,
        separator: str = ",",
    ) -> FakePoints:
        """Take one point from each row of a CSV file with a header; coordinates such as 2, 0.2 and 1/5 are read exactly."""
        try:
            return cls.from_frame(read_texts(path, separator), columns, k, domain, regime)
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
    def tested(self) -> tuple[Reach, ...] | None:
        """The least and largest corner along each axis; None where all are tested."""
        if self.regime is not Regime.PRIMAL or self.domain is None:
            return None
        return tuple((low, high - 1) for low, high in self.domain)

    def _why_outside(self, point: Point) -> str:
        for axis, (x, (low, high)) in enumerate(zip(point, self.domain or (), strict=False), start=1):
            if self.regime is Regime.DUAL and not low + HALF <= x <= high - HALF:
                allowed = f"[{exact_text(low + HALF)}, {exact_text(high - HALF)}]"
                return f"has a unit box around it that leaves the domain along axis {axis}; the coordinate has to lie in {allowed}"
            if self.regime is Regime.PRIMAL and not low <= x < high:
                allowed = f"[{exact_text(low)}, {exact_text(high)})"
                return f"lies outside the domain along axis {axis}; the coordinate has to lie in {allowed}"
        return ""

    def misplaced(self, solution: AddedPoints) -> list[str]:
        """Say which fakes are where no fake may be."""
        wrong = [
            f"fake point {place_text(point)} has {len(point)} coordinates, and the data have {self.dimensions}"
            for point in solution.points
            if len(point) != self.dimensions
        ]
        return wrong or [
            f"fake point {place_text(point)} {why}" for point in solution.points if (why := self._why_outside(point))
        ]

    def sparse(self, solution: AddedPoints) -> Iterator[tuple[Point, int]]:
        """Yield a corner and the number of points for every kind of test box that holds some points and fewer than `k`."""
        return sparse_corners((*self.points, *solution.points), self.k, self.tested)

    def violations(self, solution: AddedPoints) -> list[str]:
        """Name misplaced fakes, or else the test boxes that hold too few points. Time: see `depths.sparse_corners`."""
        return named(
            self.misplaced(solution),
            (
                f"the test box with corner {place_text(corner)} holds {held} point{'' if held == 1 else 's'}; "
                f"it has to hold none or at least {self.k}"
                for corner, held in self.sparse(solution)
            ),
        )

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
        topped = [point for point, held in self.locations.items() for _ in range(self.k - held)]
        if self.regime is not Regime.PRIMAL or self.domain is None:
            return AddedPoints(topped)
        places = 1
        for low, high in self.domain:
            places *= floor(high - low)
        on_grid = {point: held for point, held in self.locations.items() if self._is_on_grid(point)}
        if places * self.k - sum(min(self.k, held) for held in on_grid.values()) >= len(topped):
            return AddedPoints(topped)
        axes = [[high - 1 - j for j in range(floor(high - low))] for low, high in self.domain]
        return AddedPoints(place for place in itertools.product(*axes) for _ in range(self.k - on_grid.get(place, 0)))

    def _is_on_grid(self, point: Point) -> bool:
        sides = self.domain or ()
        return all(
            (high - x).denominator == 1 and 1 <= high - x <= floor(high - low)
            for x, (low, high) in zip(point, sides, strict=True)
        )

    def lower_bound(self) -> Exact:
        """Pack disjoint test boxes that hold too few points, the neediest first: each needs fakes of its own. Looks at 20,000 at most."""
        corners = list(itertools.islice(self.sparse(AddedPoints()), _MOST_CORNERS))
        corners.sort(key=lambda found: (found[1], found[0]))
        taken: dict[tuple[int, ...], list[Point]] = {}
        bound = 0
        for corner, held in corners:
            tile = tuple(map(floor, corner))
            around = itertools.product(*((t - 1, t, t + 1) for t in tile))
            if all(is_disjoint(corner, other) for near in around for other in taken.get(near, ())):
                taken.setdefault(tile, []).append(corner)
                bound += self.k - held
        return bound

    def why_infeasible(self) -> str | None:
        """Every instance has a solution: topping up every point."""
        return None

    def aligned(self) -> list[list[Fraction]]:
        """Return the coordinates, axis by axis, that the fakes of some optimum keep to: see `aligned_coordinates`."""
        return [
            aligned_coordinates([point[i] for point in self.points], None if self.tested is None else self.tested[i][1])
            for i in range(self.dimensions)
        ]

    def solutions(self) -> Iterator[AddedPoints]:
        """Yield every multiset of aligned places that is no larger than the trivial solution, smallest first."""
        places = list(itertools.product(*self.aligned()))
        for size in range(len(self.trivial().points) + 1):
            for chosen in itertools.combinations_with_replacement(places, size):
                yield AddedPoints(chosen)

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield points on a line and in the plane, in every border regime."""
        yield cls([(2.0,), (2.4,), (2.8,)], 2)
        yield cls([(0,), (0.5,), (0.5,)], 3)
        yield cls([(0.5,), (1.5,)], 2, [(0, 2)])
        yield cls([(0.5,), (1.25,)], 2, [(0, 2)], Regime.DUAL)
        yield cls([(0, 0), (0.5, 0.5)], 2)
        yield cls([(0, 0), (0.5, 1)], 2, [(0, 1.5), (0, 1.5)])

    def size(self) -> Mapping[str, int]:
        """Return points, distinct points and dimensions."""
        return {"points": len(self.points), "locations": len(self.locations), "dimensions": self.dimensions}

    @property
    def cost_scale(self) -> int:
        """Costs are whole."""
        return 1

    def as_points(self) -> FakePoints:
        """Return this problem: `FakeBoxes` has another view of one."""
        return self

    def points_of(self, solution: AddedPoints) -> AddedPoints:
        """Return the solution, which is in points already."""
        return solution

    def from_points(self, solution: AddedPoints) -> AddedPoints:
        """Return the solution, which is to be in points."""
        return solution


def aligned_coordinates(values: Sequence[Fraction], last_corner: Fraction | None) -> list[Fraction]:
    """Return, ascending, the coordinates between the least and largest of `values` that are a whole distance from one of them.

    Some optimum has all its fakes there (the paper's Lemma 3, with a shorter list). Clamp the fakes, then shift all that are not
    aligned to the left together until the first is, and so on: meanwhile cells only vanish, none is new. Where corners are tested up
    to `last_corner` only, a fake that is shifted past that very corner would uncover it; so if some value is above it, its residue
    counts too. The lower end of the domain needs none: what is shifted past it covers more of its cell, and no fake leaves the domain,
    because the least value does not.

    >>> [str(x) for x in aligned_coordinates([Fraction(1, 2), Fraction(7, 4)], None)]
    ['1/2', '3/4', '3/2', '7/4']
    """
    least, most = min(values), max(values)
    residues = {value % 1 for value in values}
    if last_corner is not None and most > last_corner:
        residues.add(last_corner % 1)
    found: list[Fraction] = []
    for residue in residues:
        first = least + (residue - least) % 1
        found += [first + j for j in range(floor(most - first) + 1)]
    found.sort()
    return found[bisect_left(found, least) : bisect_right(found, most)]


def is_disjoint(corner: Point, other: Point) -> bool:
    """Tell whether two test boxes have no point in common."""
    return any(abs(x - y) >= 1 for x, y in zip(corner, other, strict=True))


def named(first: list[str], others: Iterator[str]) -> list[str]:
    """Return `first` or, if that is empty, `others`: a hundred of them, and how many more there are."""
    if first:
        return first[:_MOST_NAMED]
    found = list(itertools.islice(others, _MOST_NAMED))
    more = sum(1 for _ in others)
    return [*found, f"{more:,} more"] if more else found


def _sides(domain: Iterable[tuple[Number, Number]]) -> Iterator[tuple[Fraction, Fraction]]:
    for axis, side in enumerate(domain, start=1):
        try:
            low, high = side
        except (TypeError, ValueError):
            raise BadInput(f"side {axis} of the domain is {side!r}; it has to be a pair (lo, hi)") from None
        yield (
            as_fraction(low, f"the lower end of side {axis} of the domain"),
            as_fraction(high, f"the upper end of side {axis} of the domain"),
        )
