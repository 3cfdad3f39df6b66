"""A proof that a given number of fake points or fake boxes is needed: shares of test boxes, and cases of how many fakes lie where.

A *share* names a tested corner whose test box is not empty of points, so that it lacks m = k - b of them, b the data in it, and bare
corners, whose boxes hold no data. Count a fake m times if it lies in a box of the bare ones, else k times if it lies in the box of the
corner. All fakes together count k m at least: either some bare box holds a fake, hence k of them, or the box of the corner holds m that
are in no bare one.

A tree decides how many fakes lie in some places, the product of [lower_i, upper_i): at most `most` (*few*), or more (*many*). A test box
that contains places with many fakes is not empty. At each end shares s and prices p >= 0 of the decisions are such that no place counts
more than D: what shares count there, plus the prices of *many* places that hold it, less those of *few* ones. Then D times the fakes are at
least sum s k m + sum over many p (most + 1) - sum over few p most. (It is the dual of a linear program; D makes it whole.)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import Any, ClassVar

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer, common_denominator, exact_plain, exact_text
from anoptima.problems.base import Problem
from anoptima.problems.depths import Point
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.problems.places import place_text
from anoptima.proofs.kinds import register
from anoptima.proofs.reading import MOST_LOOKS, Fields

Whole = tuple[int, ...]
"""A place in whole numbers."""


@dataclass(frozen=True, slots=True)
class Share:
    """A corner, bare corners beside it, in order, and the share of the box."""

    corner: Point
    bare: tuple[Point, ...]
    share: int


@dataclass(frozen=True, slots=True)
class BoxEnd:
    """An end of the tree: shares, and the prices of the decisions that lead to it, from the root on."""

    shares: tuple[Share, ...]
    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BoxFork:
    """Places with at most `most` fakes on one side and more on the other."""

    lower: Point
    upper: Point
    most: int
    few: BoxTree
    many: BoxTree


BoxTree = BoxFork | BoxEnd


@dataclass(frozen=True, slots=True)
class Decision:
    """One side of a fork."""

    lower: Point
    upper: Point
    most: int
    is_few: bool


@dataclass(frozen=True, slots=True)
class Lot:
    """Places in whole numbers, how much they count at most, and for what: a share's corner, a bare one, or a decision."""

    lower: Whole
    upper: Whole
    amount: int
    share: int | None = None
    is_bare: bool = False


@register
@dataclass(frozen=True)
class BoxShares:
    """A proof that no solution of `FakePoints` or `FakeBoxes` has fewer than `value` fakes; the latter by their points.

    Attributes
    ----------
    value
        The bound.
    denominator
        D: what a share is counted in parts of.
    tree
        Cases, and shares for each.
    """

    value: Exact
    denominator: int
    tree: BoxTree

    kind: ClassVar[str] = "box-shares"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"value": exact_plain(self.value), "denominator": self.denominator, "tree": _tree_as_json(self.tree)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BoxShares:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        proof = cls(
            fields.exact("value"), fields.whole("denominator"), _tree_from_json(fields.take("tree"), "the tree")
        )
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. A sweep for each end, O((2 N)^d) for N boxes.

        >>> problem = FakePoints([(2.0,), (2.4,), (2.8,)], 2)
        >>> shares = [Share((Fraction(corner),), (), 1) for corner in ("1.2", "2.8")]
        >>> BoxShares(2, 2, BoxEnd(tuple(shares), ())).proved(problem)
        2
        >>> BoxShares(2, 1, BoxEnd(tuple(shares), ())).proved(problem)
        Traceback (most recent call last):
        anoptima.errors.BadInput: at an end with 0 decisions, the place (1.2) counts 2 of 1
        """
        if not isinstance(problem, FakePoints | FakeBoxes):
            raise BadInput(f"the proof is about fake-points or fake-boxes, and this is {problem.name}")
        points = problem if isinstance(problem, FakePoints) else problem.as_points()
        if self.denominator < 1:
            raise BadInput(f"the denominator is {self.denominator}; it must be at least 1")
        ground = Scaled(points, self.tree)
        waiting: list[tuple[BoxTree, tuple[Decision, ...]]] = [(self.tree, ())]
        while waiting:
            node, path = waiting.pop()
            if isinstance(node, BoxFork):
                _require_places(points, node)
                for is_few, side in ((True, node.few), (False, node.many)):
                    waiting.append((side, (*path, Decision(node.lower, node.upper, node.most, is_few))))
                continue
            where = f"at an end with {len(path)} decisions"
            lots, proved = weighed(ground, node, path)
            if (2 * len(lots)) ** points.dimensions > MOST_LOOKS:
                raise BadInput(f"{where}, {len(lots):,} boxes are more than can be looked at")
            for found, count in overfull(lots, self.denominator):
                place = tuple(Fraction(x, ground.unit) for x in found)
                raise BadInput(f"{where}, the place {place_text(place)} counts {count} of {self.denominator}")
            if -(-proved // self.denominator) < self.value:
                least = exact_text(Fraction(proved, self.denominator))
                raise BadInput(f"{where}, the shares prove {least}, not {exact_text(self.value)}")
        return self.value


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
        elif (count := _count(here)) > limit:
            yield (*place, at), count


def _count(lots: Sequence[Lot]) -> int:
    """Return what a place counts that just these lots hold."""
    bare = {lot.share: lot.amount for lot in lots if lot.is_bare}
    rest = (lot.amount for lot in lots if not lot.is_bare and (lot.share is None or lot.share not in bare))
    return sum(bare.values()) + sum(rest)


class Scaled:
    """The points, test boxes and tested corners of a problem as whole numbers, which compare faster than fractions."""

    def __init__(self, problem: FakePoints, tree: BoxTree) -> None:
        sides = problem.tested or ()
        places = (*problem.locations, problem.widths, *sides, *_places(tree))
        self.unit = common_denominator({x for place in places for x in place})
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


def _places(tree: BoxTree) -> Iterator[Point]:
    """Yield every place that a tree names."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, BoxFork):
            yield from (node.lower, node.upper)
            waiting += [node.few, node.many]
        else:
            for its in node.shares:
                yield from (its.corner, *its.bare)


def _require_places(problem: FakePoints, fork: BoxFork) -> None:
    if len(fork.lower) != problem.dimensions or len(fork.upper) != problem.dimensions or fork.most < 0:
        raise BadInput("a fork must have places with as many coordinates as the points, and at least 0 fakes")
    if any(low >= high for low, high in zip(fork.lower, fork.upper, strict=True)):
        raise BadInput(f"the places of a fork from {place_text(fork.lower)} to {place_text(fork.upper)} are none")


def _tree_as_json(tree: BoxTree) -> dict[str, Any]:
    if isinstance(tree, BoxEnd):
        shares = [[_pairs(its.corner), [_pairs(corner) for corner in its.bare], its.share] for its in tree.shares]
        return {"shares": shares, "prices": list(tree.prices)}
    sides = {"few": _tree_as_json(tree.few), "many": _tree_as_json(tree.many)}
    return {"lower": _pairs(tree.lower), "upper": _pairs(tree.upper), "most": tree.most, **sides}


def _pairs(point: Point) -> list[list[int]]:
    return [[x.numerator, x.denominator] for x in point]


def _tree_from_json(data: Any, where: str) -> BoxTree:
    fields = Fields(data, where)
    tree: BoxTree
    if fields.has("shares"):
        tree = BoxEnd(fields.each("shares", _share_from_json), fields.wholes("prices"))
    else:
        tree = BoxFork(
            _point_from_json(fields.take("lower"), f"'lower' in {where}"),
            _point_from_json(fields.take("upper"), f"'upper' in {where}"),
            fields.whole("most"),
            _tree_from_json(fields.take("few"), f"{where}, few"),
            _tree_from_json(fields.take("many"), f"{where}, many"),
        )
    fields.end()
    return tree


def _share_from_json(data: Any, what: str) -> Share:
    if not isinstance(data, list) or len(data) != 3 or not isinstance(data[1], list):
        raise BadInput(f"{what} must be a corner, a list of bare corners and a whole number")
    bare = tuple(_point_from_json(corner, f"a bare corner of {what}") for corner in data[1])
    return Share(_point_from_json(data[0], f"the corner of {what}"), bare, as_integer(data[2], what))


def _point_from_json(data: Any, what: str) -> Point:
    if not isinstance(data, list):
        raise BadInput(f"{what} must be a list of coordinates")
    found = []
    for pair in data:
        if not isinstance(pair, list) or len(pair) != 2 or any(type(part) is not int for part in pair) or pair[1] < 1:
            raise BadInput(f"{what} has the coordinate {pair!r}; it must be a numerator and a positive denominator")
        found.append(Fraction(*pair))
    return tuple(found)
