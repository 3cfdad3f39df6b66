"""Points as the hunter changes them: whole numbers of quarters along each axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb
from random import Random
from typing import Any

from anoptima.errors import BadInput
from anoptima.experiments.hunting.grids import below
from anoptima.experiments.hunting.sizes import HuntSizes
from anoptima.instances.drawn import shuffled
from anoptima.instances.numbered import PARTS, quarter_points

Place = tuple[int, ...]


@dataclass(frozen=True)
class Places:
    """Points in quarters. `key` forgets the order of points and axes, and whole shifts: grids have whole lines.

    >>> Places(((1, 5), (3, 2))).key == Places(((6, 7), (9, 5))).key
    True
    >>> Places(((1,), (5,))).data()
    [(Fraction(1, 4),), (Fraction(5, 4),)]
    """

    places: tuple[Place, ...]

    @property
    def key(self) -> tuple[Place, ...]:
        """The points up to the order of points and axes and shifts by whole numbers."""
        low = [min(axis) // PARTS * PARTS for axis in zip(*self.places, strict=True)]
        at_home = [tuple(x - base for x, base in zip(place, low, strict=True)) for place in self.places]
        axes = permutations(range(len(low)))
        return min(tuple(sorted(tuple(place[a] for a in order) for place in at_home)) for order in axes)

    def features(self) -> dict[str, int]:
        """Return what tells one sort from another."""
        return {
            "points": len(self.places),
            "dimensions": len(self.places[0]),
            "locations": len(set(self.places)),
        }

    def data(self) -> list[tuple[Fraction, ...]]:
        """Return the points as they are asked about."""
        return quarter_points(self.places)

    def smaller(self) -> Iterator[Places]:
        """Yield the sets with a point less, and without one of the axes."""
        for i in range(len(self.places)):
            if len(self.places) > 1:
                yield Places((*self.places[:i], *self.places[i + 1 :]))
        for a in range(len(self.places[0])):
            if len(self.places[0]) > 1:
                yield Places(tuple((*place[:a], *place[a + 1 :]) for place in self.places))

    def reordered(self, chance: Random) -> Places:
        """Return the same points in another order."""
        return Places(tuple(shuffled(self.places, chance)))

    def as_json(self) -> dict[str, Any]:
        """Return the points as plain data."""
        return {"quarters": [list(place) for place in self.places]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Places:
        """Return the points that `as_json` wrote; `BadInput` for anything else."""
        try:
            places = tuple(tuple(int(x) for x in place) for place in data["quarters"])
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"these are no points of a hunt: {error}") from None
        if not places or not places[0] or len({len(place) for place in places}) > 1:
            raise BadInput("a set of points needs a point, and all of one dimension")
        return cls(places)


@dataclass
class EveryPointSet:
    """All sets of points up to the order of points and axes and shifts by whole numbers, the sizes with the fewest first.

    Each is yielded as its `Places.key`, which lies within the sizes if the points do. Sizes of more than `most` multisets of places are
    left out; `done` says which (points, dimensions) are complete.

    >>> every = EveryPointSet(HuntSizes(rows=2, columns=1, values=4), most=100)
    >>> [points.places for points in every.sets()][:3], every.done
    ([((0,), (0,)), ((0,), (1,)), ((0,), (2,))], [(2, 1)])
    """

    sizes: HuntSizes
    most: int

    def __post_init__(self) -> None:
        self.done: list[tuple[int, int]] = []

    def sets(self) -> Iterator[Places]:
        """Yield them."""
        along = self.sizes.values + 1
        points, dimensions = range(self.sizes.least_rows, self.sizes.rows + 1), range(1, self.sizes.columns + 1)
        counts = {(n, d): comb(along**d + n - 1, n) for n in points for d in dimensions}
        for size in sorted(counts, key=lambda size: (counts[size], size)):
            if counts[size] > self.most:
                return
            n, d = size
            for places in combinations_with_replacement(product(range(along), repeat=d), n):
                if Places(places).key == places:
                    yield Places(places)
            self.done.append(size)


def drawn(sizes: HuntSizes, chance: Random) -> Places:
    """Draw points within the sizes."""
    number = sizes.least_rows + below(sizes.rows - sizes.least_rows + 1, chance)
    dimensions = 1 + below(sizes.columns, chance)
    return Places(tuple(_place(sizes, dimensions, chance) for _ in range(number)))


def changed(places: Places, sizes: HuntSizes, chance: Random) -> Places:
    """Move a point along an axis, put it elsewhere, double it, add one or drop one."""
    points, dimensions = list(places.places), len(places.places[0])
    i, what = below(len(points), chance), below(6, chance)
    if what < 2:
        a = below(dimensions, chance)
        step = (-1, 1, -PARTS, PARTS)[below(4, chance)]
        points[i] = (*points[i][:a], min(sizes.values, max(0, points[i][a] + step)), *points[i][a + 1 :])
    elif what == 2:
        points[i] = _place(sizes, dimensions, chance)
    elif what == 3:
        points[i] = points[below(len(points), chance)]
    elif what == 4 and len(points) < sizes.rows:
        points.append(_place(sizes, dimensions, chance))
    elif len(points) > sizes.least_rows:
        del points[i]
    return Places(tuple(points))


def _place(sizes: HuntSizes, dimensions: int, chance: Random) -> Place:
    return tuple(below(sizes.values + 1, chance) for _ in range(dimensions))
