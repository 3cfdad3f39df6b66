"""What shares of test boxes and prices of decisions count at each place, in whole numbers (`proofs.box_shares`)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import common_denominator
from anoptima.problems.depths import Point
from anoptima.problems.fake_points import FakePoints
from anoptima.problems.places import place_text
from anoptima.proofs.box_trees import BoxEnd, BoxFork, BoxTree, Decision, places

Whole = tuple[int, ...]
"""A place in whole numbers."""


@dataclass(frozen=True, slots=True)
class Lot:
    """Places in whole numbers, how much they count at most, and for what: a share's corner, a bare one, or a decision."""

    lower: Whole
    upper: Whole
    amount: int
    share: int | None = None
    is_bare: bool = False

    def holds(self, place: Whole) -> bool:
        """Tell whether a place is one of these."""
        return all(low <= x < high for low, x, high in zip(self.lower, place, self.upper, strict=True))


def weighed(ground: Scaled, end: BoxEnd, path: Sequence[Decision]) -> tuple[list[Lot], int]:
    """Return what counts where at an end, and D times the fakes that it proves; `BadInput` if a share is none."""
    if len(end.prices) != len(path) or any(price < 0 for price in end.prices):
        raise BadInput(f"an end with {len(path)} decisions must have a price of at least 0 for each")
    lots, proved, many = [], 0, [one for one in path if not one.is_few]
    for number, its in enumerate(end.shares):
        corner, bare = ground.whole(its.corner), [ground.whole(one) for one in its.bare]
        if its.share < 1 or not all(map(ground.is_tested, (corner, *bare))):
            raise BadInput(f"share {number} is below 1, or of a corner that is not tested")
        own = ground.held(corner)
        if own >= ground.k or (own == 0 and not any(ground.contains(corner, one) for one in many)):
            raise BadInput(f"the test box of share {number} lacks nothing, or nothing says that it is not empty")
        if any(map(ground.held, bare)):
            raise BadInput(f"share {number} has a bare corner whose test box holds data")
        lacks = ground.k - own
        lots.append(Lot(corner, ground.end(corner), ground.k * its.share, number))
        lots += [Lot(one, ground.end(one), lacks * its.share, number, True) for one in bare]
        proved += ground.k * lacks * its.share
    for one, price in zip(path, end.prices, strict=True):
        lots.append(Lot(ground.whole(one.lower), ground.whole(one.upper), -price if one.is_few else price))
        proved += -price * one.most if one.is_few else price * (one.most + 1)
    return lots, proved


def overfull(lots: Sequence[Lot], limit: int) -> Iterator[tuple[Whole, int]]:
    """Yield the places that count more than `limit`, one for each cell into which the lots cut space.

    >>> list(overfull([Lot((0,), (2,), 2), Lot((1,), (3,), 3)], 2))
    [((1,), 5), ((2,), 3)]
    """
    return _overfull(list(lots), limit, 0, ()) if lots else iter(())


def _overfull(lots: list[Lot], limit: int, axis: int, place: Whole) -> Iterator[tuple[Whole, int]]:
    check_time()
    lots = sorted(lots, key=lambda lot: lot.lower[axis])
    lower = [lot.lower[axis] for lot in lots]
    widest = max(lot.upper[axis] - lot.lower[axis] for lot in lots)
    for at in sorted({*lower, *(lot.upper[axis] for lot in lots)}):
        near = lots[bisect_left(lower, at - widest) : bisect_right(lower, at)]
        here = [lot for lot in near if at < lot.upper[axis]]
        if sum(lot.amount for lot in here if lot.amount > 0) <= limit:
            continue
        if axis + 1 < len(lots[0].lower):
            yield from _overfull(here, limit, axis + 1, (*place, at))
        elif (count := count_of(here)) > limit:
            yield (*place, at), count


def count_of(lots: Sequence[Lot]) -> int:
    """Return what a place counts that just these lots hold."""
    bare = {lot.share: lot.amount for lot in lots if lot.is_bare}
    rest = (lot.amount for lot in lots if not lot.is_bare and (lot.share is None or lot.share not in bare))
    return sum(bare.values()) + sum(rest)


class Scaled:
    """The points, test boxes and tested corners of a problem as whole numbers, which compare faster than fractions."""

    def __init__(self, problem: FakePoints, tree: BoxTree, others: Iterable[Point] = ()) -> None:
        sides = problem.tested or ()
        named = (*problem.locations, problem.widths, *sides, *places(tree), *others)
        self.unit = common_denominator({x for place in named for x in place})
        self.k, self.widths = problem.k, self.whole(problem.widths)
        self.tested = [self.whole(side) for side in sides]
        # By the first coordinate, so that a test box looks only at those near it.
        self.points = sorted((self.whole(point), copies) for point, copies in problem.locations.items())
        self._first = [point[0] for point, _ in self.points]
        self._held: dict[Whole, int] = {}

    def whole(self, place: Sequence[Fraction]) -> Whole:
        """Return a place in whole numbers."""
        return tuple(x.numerator * (self.unit // x.denominator) for x in place)

    def end(self, corner: Whole) -> Whole:
        """Return the upper end of a test box."""
        return tuple(map(add, corner, self.widths))

    def is_tested(self, corner: Whole) -> bool:
        """Tell whether a corner is one that the problem tests."""
        if len(corner) != len(self.widths):
            raise BadInput(f"a corner has {len(corner)} coordinates, and the points have {len(self.widths)}")
        return all(low <= c <= high for c, (low, high) in zip(corner, self.tested, strict=False))

    def held(self, corner: Whole) -> int:
        """Return how many data the test box with this corner holds."""
        if corner not in self._held:
            end = self.end(corner)
            near = self.points[bisect_left(self._first, corner[0]) : bisect_left(self._first, end[0])]
            inside = (
                copies for point, copies in near if all(c <= x < e for c, x, e in zip(corner, point, end, strict=True))
            )
            self._held[corner] = sum(inside)
        return self._held[corner]

    def contains(self, corner: Whole, one: Decision) -> bool:
        """Tell whether the test box with this corner contains the places of a decision."""
        sides = zip(corner, self.whole(one.lower), self.whole(one.upper), self.end(corner), strict=True)
        return all(c <= low and high <= end for c, low, high, end in sides)


def require_places(problem: FakePoints, fork: BoxFork) -> None:
    """Refuse a fork about no places, or about those of another space."""
    if len(fork.lower) != problem.dimensions or len(fork.upper) != problem.dimensions or fork.most < 0:
        raise BadInput("a fork must have places with as many coordinates as the points, and at least 0 fakes")
    if any(low >= high for low, high in zip(fork.lower, fork.upper, strict=True)):
        raise BadInput(f"the places of a fork from {place_text(fork.lower)} to {place_text(fork.upper)} are none")
