"""Fakes that are added to points: what solves `fake-points`."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anoptima.arguments import checked
from anoptima.exact import Number, in_whole_numbers
from anoptima.problems.depths import Point
from anoptima.problems.places import exact_points


@checked
@dataclass(frozen=True)
class AddedPoints:
    """The fake points, in order, each as often as it is added.

    >>> AddedPoints([(2, "0.5"), (1, 3)]).points
    ((Fraction(1, 1), Fraction(3, 1)), (Fraction(2, 1), Fraction(1, 2)))
    """

    points: tuple[Point, ...] = ()

    def __init__(self, points: Iterable[Iterable[Number]] = ()) -> None:
        object.__setattr__(self, "points", _in_order(Counter(exact_points(points, "fake point"))))

    def moved(self, move: Callable[[Point], Point]) -> AddedPoints:
        """Return the fakes where `move` takes their places to.

        >>> AddedPoints([(1,)]).moved(lambda place: (place[0] + 2,)).points
        ((Fraction(3, 1),),)
        """
        return AddedPoints(place for point, count in Counter(self.points).items() for place in [move(point)] * count)


def of_counts(counts: Mapping[Point, int]) -> AddedPoints:
    """Return the given number of fakes at each place; coordinates must be fractions. Checks nothing: hundreds of thousands take a second.

    >>> from fractions import Fraction
    >>> of_counts({(Fraction(1),): 2, (Fraction(1, 2),): 1}) == AddedPoints([(1,), (1,), (0.5,)])
    True
    """
    return as_listed(_in_order(counts))


def as_listed(points: tuple[Point, ...]) -> AddedPoints:
    """Return fakes whose coordinates are fractions and which are in order already. Checks nothing."""
    added = AddedPoints.__new__(AddedPoints)
    object.__setattr__(added, "points", points)
    return added


def multisets(places: Sequence[Point], most: int) -> Iterator[tuple[Point, ...]]:
    """Yield every multiset of `most` places or fewer, smallest first, each in the order of the places."""
    sizes = range(most + 1)
    return itertools.chain.from_iterable(itertools.combinations_with_replacement(places, size) for size in sizes)


def _in_order(counts: Mapping[Point, int]) -> tuple[Point, ...]:
    """Return places in order, each as often as it counts. In whole numbers: fractions take long to compare."""
    places, often = list(counts), list(counts.values())
    whole = iter(in_whole_numbers([x for place in places for x in place])[1])
    keys = [list(itertools.islice(whole, len(place))) for place in places]
    ordered = sorted(range(len(places)), key=keys.__getitem__)
    return tuple(itertools.chain.from_iterable(itertools.repeat(places[i], often[i]) for i in ordered))
