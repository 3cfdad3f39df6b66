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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, counted, exact_plain, exact_text
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.base import Problem
from anoptima.problems.depths import Point
from anoptima.problems.fake_boxes import AddedBoxes, FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.problems.places import place_text
from anoptima.proofs.box_counts import Scaled, count_of, overfull, require_places, weighed
from anoptima.proofs.box_trees import (
    BoxEnd,
    BoxFork,
    BoxTree,
    Decision,
    changed,
    smaller,
    tree_as_json,
    tree_from_json,
)
from anoptima.proofs.kinds import register
from anoptima.proofs.reading import MOST_LOOKS, Fields, TooManyLooks
from anoptima.proofs.simplifying import MOST_CHECKS, Checks, in_smaller_parts, with_less
from anoptima.proofs.trees import ends

MOST_NAMED = 12
"""Of how many test boxes is said, one by one, what they ask for."""


@register
@dataclass(frozen=True)
class BoxShares:
    """No solution of `FakePoints` or `FakeBoxes` has fewer than `value` fakes: by weights of sparse test boxes, and cases.

    Fake boxes are proved by their points.

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
        return {"value": exact_plain(self.value), "denominator": self.denominator, "tree": tree_as_json(self.tree)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BoxShares:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        proof = cls(fields.exact("value"), fields.whole("denominator"), tree_from_json(fields.take("tree"), "the tree"))
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. A sweep for each end, O((2 N)^d) for N boxes.

        >>> from anoptima.proofs.box_trees import Share
        >>> problem = FakePoints([(2.0,), (2.4,), (2.8,)], 2)
        >>> shares = [Share((Fraction(corner),), (), 1) for corner in ("1.2", "2.8")]
        >>> BoxShares(2, 2, BoxEnd(tuple(shares), ())).proved(problem)
        2
        >>> BoxShares(2, 1, BoxEnd(tuple(shares), ())).proved(problem)
        Traceback (most recent call last):
        anoptima.errors.BadInput: at an end with 0 decisions, the place (1.2) counts 2 of 1
        """
        points = _points(problem)
        if self.denominator < 1:
            raise BadInput(f"the denominator is {self.denominator}; it must be at least 1")
        ground = Scaled(points, self.tree)
        for node, forks in ends(self.tree, "few", "many"):
            for fork, _ in forks:
                require_places(points, fork)
            path = tuple(Decision(fork.lower, fork.upper, fork.most, is_few) for fork, is_few in forks)
            where = f"at an end with {len(path)} decisions"
            lots, proved = weighed(ground, node, path)
            if (2 * len(lots)) ** points.dimensions > MOST_LOOKS:
                raise TooManyLooks(f"{where}, {len(lots):,} boxes are more than can be looked at")
            for found, count in overfull(lots, self.denominator):
                place = tuple(Fraction(x, ground.unit) for x in found)
                raise BadInput(f"{where}, the place {place_text(place)} counts {count} of {self.denominator}")
            if -(-proved // self.denominator) < self.value:
                least = exact_text(Fraction(proved, self.denominator))
                raise BadInput(f"{where}, the shares prove {least}, not {exact_text(self.value)}")
        return self.value

    def explain(self, fakes: Iterable[Iterable[Number]], problem: FakePoints | FakeBoxes) -> str:
        """Say in words why fakes, points or lower corners of boxes, are `value` or more, or no solution.

        >>> from anoptima.proofs.box_trees import Share
        >>> problem = FakePoints([(2.0,), (2.4,), (2.8,)], 2)
        >>> shares = [Share((Fraction(corner),), (), 1) for corner in ("1.2", "2.8")]
        >>> proof = BoxShares(2, 2, BoxEnd(tuple(shares), ()))
        >>> print(proof.explain([(2.0,), (2.8,)], problem))
        2 fakes; the proof says that each solution has 2 or more.
        The test box at (1.2) holds 1 of 2 points: fakes there count 1, of 1 or more in a solution.
        The test box at (2.8) holds 1 of 2 points: fakes there count 1, of 1 or more in a solution.
        In all, a solution counts 2 or more, and no fake counts more than 1.
        >>> print(proof.explain([], problem).splitlines()[-1])
        The test box at (1.2) holds 1 of 2 points: fakes there count 0, of 1 or more in a solution. So this is no solution.
        """
        points = _points(problem)
        added = AddedPoints(fakes) if isinstance(problem, FakePoints) else problem.points_of(AddedBoxes(fakes))
        if any(len(point) != points.dimensions for point in added.points):
            raise BadInput(f"fakes must have {counted(points.dimensions, 'coordinates')}, as the points have")
        end, path = self._end_of(added.points)
        said = [
            f"{counted(len(added.points), 'fakes')}; the proof says that each solution has {exact_text(self.value)} or more."
        ]
        said += [f"They are in the case of {_case(one)}." for one in path]
        ground = Scaled(points, self.tree, added.points)
        lots, proved = weighed(ground, end, path)
        for number, its in enumerate(end.shares):
            own = [lot for lot in lots if lot.share == number]
            amount = sum(count_of([lot for lot in own if lot.holds(ground.whole(point))]) for point in added.points)
            held = ground.held(ground.whole(its.corner))
            asked = ground.k * (ground.k - held) * its.share
            bare = f", or in {len(its.bare)} bare ones," if its.bare else ""
            line = (
                f"The test box at {place_text(its.corner)} holds {held} of {ground.k} points: fakes there{bare} count "
                f"{self._parts(amount)}, of {self._parts(asked)} or more in a solution."
            )
            if amount < asked:
                return "\n".join([*said[: 1 + len(path)], f"{line} So this is no solution."])
            said += [line] if number < MOST_NAMED else []
        said += [f"Another {len(end.shares) - MOST_NAMED} are like this."] if len(end.shares) > MOST_NAMED else []
        priced = " with what its case adds," if any(end.prices) else ""
        said.append(f"In all,{priced} a solution counts {self._parts(proved)} or more, and no fake counts more than 1.")
        return "\n".join(said)

    def _end_of(self, fakes: Iterable[Point]) -> tuple[BoxEnd, tuple[Decision, ...]]:
        """Return the end that fakes fall under, with the decisions that lead to it."""
        node, fakes = self.tree, list(fakes)
        path: tuple[Decision, ...] = ()
        while isinstance(node, BoxFork):
            inside = sum(
                all(low <= x < high for low, x, high in zip(node.lower, fake, node.upper, strict=True))
                for fake in fakes
            )
            is_few = inside <= node.most
            path = (*path, Decision(node.lower, node.upper, node.most, is_few))
            node = node.few if is_few else node.many
        return node, path

    def _parts(self, number: int) -> str:
        return exact_text(Fraction(number, self.denominator))

    def simplified(self, problem: FakePoints | FakeBoxes, checks: int = MOST_CHECKS) -> BoxShares:
        """Return a proof of the same value with a smaller denominator and fewer cases and shares, as far as `checks` tries find one.

        >>> from anoptima.proofs.box_trees import Share
        >>> problem = FakePoints([(2.0,), (2.4,), (2.8,)], 2)
        >>> end = BoxEnd(tuple(Share((Fraction(corner),), (), 3) for corner in ("1.2", "2.8")), (0,))
        >>> BoxShares(2, 6, BoxFork((Fraction(9),), (Fraction(10),), 0, end, end)).simplified(problem).denominator
        2
        """
        left = Checks(problem, checks)
        shorter = with_less(self, lambda proof: (replace(proof, tree=tree) for tree in smaller(proof.tree)), left)

        def rounded(parts: int) -> Iterator[BoxShares]:
            for extra in (shorter.denominator // 2, 0, shorter.denominator - 1):
                tree = changed(shorter.tree, lambda end: _rounded(end, shorter.denominator, parts, extra))  # noqa: B023
                yield replace(shorter, denominator=parts, tree=tree)

        return in_smaller_parts(shorter, shorter.denominator, rounded, left)


def _points(problem: Problem[Any]) -> FakePoints:
    """Return a problem about points, or about boxes by their points; refuse others."""
    if isinstance(problem, FakeBoxes):
        return problem.as_points()
    if not isinstance(problem, FakePoints):
        raise BadInput(f"the proof is about fake-points or fake-boxes, and this is {problem.name}")
    return problem


def _case(one: Decision) -> str:
    many = "at most" if one.is_few else "more than"
    return f"{many} {one.most} from {place_text(one.lower)} to {place_text(one.upper)}"


def _rounded(end: BoxEnd, denominator: int, parts: int, extra: int) -> BoxEnd:
    """Return an end in parts of 1 / `parts`, without the shares of which nothing is left."""

    def of(number: int) -> int:
        return (number * parts + extra) // denominator

    shares = (replace(its, share=of(its.share)) for its in end.shares)
    return BoxEnd(tuple(its for its in shares if its.share), tuple(map(of, end.prices)))
