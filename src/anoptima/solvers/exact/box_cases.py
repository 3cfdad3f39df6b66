"""Fewest fake points, with a proof: weights of test boxes, and cases that say how many fakes lie where.

At each node of a tree HiGHS solves the linear program of `anoptima.proofs.box_shares` over some places and some shares. Places that count
too much are added, then shares of test boxes that the fractional fakes (the program's dual) serve too little. What is left is a case: a
bare test box that holds some fakes and fewer than k, or places that hold a fractional number of them. Whole fakes that serve everything
are a solution. The program's floats decide nothing: weights are rounded to whole shares, and a sweep finds how much any place counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Clock, Origin
from anoptima.deadline import check_time, within
from anoptima.errors import OutOfTime
from anoptima.exact import common_denominator
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.base import Problem
from anoptima.problems.depths import Point, sparse_corners
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.proofs.box_counts import Lot, overfull
from anoptima.proofs.box_shares import BoxShares
from anoptima.proofs.box_trees import BoxEnd, BoxFork, BoxTree, Share
from anoptima.proofs.reading import TooManyLooks
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.stacks import quick_covers, stacked
from anoptima.solvers.approximate.weighed_boxes import InWholeNumbers, Place, bounds, rows_of
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.line_layers import fewest_on_a_line
from anoptima.solvers.ledger import Ledger

_NEAR = 1e-6
"""What counts as zero or whole in the program; no bound depends on it."""
_SMALL_PARTS = (60, 5_000)
"""The denominators that weights are tried to be rounded to, before they are rounded down to the finest parts."""
_FINEST, _MOST_PARTS = 1 << 32, 1 << 200
"""What weights are multiplied by before they are rounded down, and what a proof's denominator is at most."""
_ADDED = 60
"""How many places or shares are added at once."""
_CELLS = 1 << 20
"""How many pairs of a test box and a place are looked at before the clock is."""
_SHARE_OF_FAKES, _MOST_S = 0.5, 20.0
"""Stacks are looked for in this share of the time, and in these seconds at most: of 2,000 points in the plane it takes five."""
_DEEPEST = 200
"""How many cases follow from each other at most."""


class Candidate(NamedTuple):
    """A share that may be given: a corner, bare corners beside it, and what the corner's box lacks."""

    corner: Place
    bare: tuple[Place, ...]
    lacks: int


class Case(NamedTuple):
    """A side of a fork, in whole numbers."""

    lower: Place
    upper: Place
    most: int
    is_few: bool


@dataclass(frozen=True)
class Proved:
    """What shares and prices prove at an end: a number of fakes, and the weight of 1 in them."""

    end: BoxEnd
    least: int
    parts: int

    @property
    def bound(self) -> int:
        """The fakes that it takes."""
        return -(-self.least // self.parts)


class Ground(InWholeNumbers):
    """The points in whole numbers; what test boxes hold; and the shares and places found so far."""

    def __init__(self, problem: FakePoints) -> None:
        super().__init__(problem)
        self.problem, self.k = problem, problem.k
        self.points = np.array([self.whole(point) for point in problem.points], dtype=self.kind)
        self.candidates = [Candidate(row.corner, row.bare, row.lacks) for row in rows_of(problem, self.unit)]
        self.places.sort()

    def end(self, corner: Place) -> Place:
        """Return the upper end of a test box."""
        return tuple(x + self.unit for x in corner)

    def corners(self, places: Iterable[Place]) -> list[Place]:
        """Return a tested corner for each cell whose test boxes hold data or some of these places."""
        everything = (*self.problem.points, *map(self.exact, places))
        found = sparse_corners(everything, len(everything) + 1, self.problem.tested)
        return [self.whole(corner) for corner, _ in found]

    def held(self, corners: Sequence[Place], places: Any, amounts: NDArray[Any]) -> NDArray[Any]:
        """Return for each corner the sum of the amounts at those places that its test box holds."""
        low, found = np.array(corners, dtype=self.kind)[:, None, :], np.zeros(len(corners), dtype=amounts.dtype)
        at = np.array(places, dtype=self.kind).reshape(1, len(places), low.shape[2])
        step = max(1, _CELLS // max(1, len(places)))
        for first in range(0, len(corners), step):
            check_time()
            some = low[first : first + step]
            found[first : first + step] = ((some <= at) & (at < some + self.unit)).all(axis=2) @ amounts
        return found


class Node:
    """The linear program in one case."""

    def __init__(self, ground: Ground, path: Sequence[Case]) -> None:
        self.ground, self.path = ground, path
        self._many = [case for case in path if not case.is_few]

    def is_bare(self, corner: Place) -> bool:
        """Tell whether nothing says that the test box of a corner without data holds a fake."""
        end = self.ground.end(corner)
        return not any(
            all(c <= low and high <= e for c, low, high, e in zip(corner, case.lower, case.upper, end, strict=True))
            for case in self._many
        )

    def candidates(self) -> list[Candidate]:
        """Return the shares that may be given here."""
        return [one for one in self.ground.candidates if one.lacks < self.ground.k or not self.is_bare(one.corner)]

    def solved(self, shares: Sequence[Candidate], most: float) -> tuple[list[float], list[float]]:
        """Return the weights of shares and decisions, and how many fakes lie at each known place, as the program has them."""
        import highspy

        from anoptima.solvers.exact.sifting.native import new_solver, run_to_the_deadline

        k, unit, places = self.ground.k, self.ground.unit, self._whole(self.ground.places)
        table = np.zeros((len(places), len(shares) + len(self.path)))
        for j, one in enumerate(shares):
            corner = self._whole(one.corner)
            table[:, j] = ((corner <= places) & (places < corner + unit)).all(axis=1) / one.lacks
            for bare in map(self._whole, one.bare):
                table[((bare <= places) & (places < bare + unit)).all(axis=1), j] = 1 / k
        for j, case in enumerate(self.path, len(shares)):
            inside = ((self._whole(case.lower) <= places) & (places < self._whole(case.upper))).all(axis=1)
            table[:, j] = -1.0 * inside if case.is_few else 1.0 * inside
        gains = [*(1.0 for _ in shares), *(-case.most if case.is_few else case.most + 1.0 for case in self.path)]
        solver = new_solver(presolve="off", solver="simplex")
        for j, gain in enumerate(gains):
            solver.addVar(0.0, most * k * k)
            solver.changeColCost(j, gain)
        solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
        for row in table:
            chosen = row.nonzero()[0].astype(np.int32)
            solver.addRow(-highspy.kHighsInf, 1.0, len(chosen), chosen, row[chosen])
        run_to_the_deadline(solver)
        found = solver.getSolution()
        return [max(0.0, float(x)) for x in found.col_value], [abs(float(x)) for x in found.row_dual]

    def _whole(self, numbers: Any) -> np.ndarray:
        """Return places as an array of what holds the largest coordinate here: Python's own numbers where 64 bits do not."""
        return np.array(numbers, dtype=self.ground.kind)

    def proved(self, shares: Sequence[Candidate], weights: Sequence[float]) -> tuple[Proved, list[Place]]:
        """Return what whole shares near the weights prove, and places that count more than 1 in the weights."""
        given, parts = _whole_shares(shares, weights, self.ground.k)
        k, lots, least = self.ground.k, list[Lot](), 0
        kept: list[Share] = []
        for one, share in zip(shares, given, strict=False):
            if share:
                for corner, amount, is_bare in ((one.corner, k, False), *((c, one.lacks, True) for c in one.bare)):
                    lots.append(Lot(corner, self.ground.end(corner), amount * share, len(kept), is_bare))
                kept.append(Share(self.ground.exact(one.corner), tuple(map(self.ground.exact, one.bare)), share))
                least += k * one.lacks * share
        prices = given[len(shares) :]
        for case, price in zip(self.path, prices, strict=True):
            lots.append(Lot(case.lower, case.upper, -price if case.is_few else price))
            least += -price * case.most if case.is_few else price * (case.most + 1)
        full = sorted(overfull(lots, parts), key=lambda found: -found[1])
        largest = max(parts, full[0][1] if full else 0)
        # Of places next to each other the one that counts most will do for now.
        worst: dict[Any, Any] = {}
        for place, count in full:
            if count > (1 + _NEAR) * parts:
                worst.setdefault(tuple(int(x) // self.ground.unit for x in place), place)
        return Proved(BoxEnd(tuple(kept), tuple(prices)), max(0, least), largest), list(worst.values())


def _whole_shares(shares: Sequence[Candidate], weights: Sequence[float], k: int) -> tuple[list[int], int]:
    """Return weights as whole numbers of a part, and how many parts are 1. A share counts k times for a fake, of which m must be there."""
    scales = [*(k * one.lacks for one in shares), *(1 for _ in range(len(weights) - len(shares)))]
    for most in _SMALL_PARTS:
        near = [Fraction(w).limit_denominator(most) / scale for w, scale in zip(weights, scales, strict=True)]
        parts = common_denominator(near)
        if parts <= _FINEST:
            return [int(x * parts) for x in near], parts
    return [int(w * _FINEST / scale) for w, scale in zip(weights, scales, strict=True)], _FINEST


class Search:
    """The tree of cases; `best` is what the cheapest known solution costs."""

    def __init__(self, problem: Any, ledger: Ledger[Any]) -> None:
        self._problem, self._ledger = problem, ledger
        self._ground = Ground(problem.as_points())

    def run(self, closing: int = 0) -> None:
        """Prove the cost of the best solution, better ones on the way. Without a proof a theorem may close the run in the end.

        The places that matter without cases are found by a program that keeps what it has: many more of them in the same time.
        """
        known = set(self._ground.places)
        try:
            for least in bounds(self._ground.problem, known):
                if least < self._best():
                    self._ledger.raise_bound(least, Origin.THEOREM)
                else:
                    # The run would be over, and there is a proof of it to be had.
                    closing = least
                check_time()
            self._ground.places = sorted(known)
            if (tree := self._tree(())) is not None:
                self._raise(tree)
        finally:
            if closing:
                self._ledger.raise_bound(closing, Origin.THEOREM)

    def _best(self) -> int:
        assert self._ledger.cost is not None
        return int(self._ledger.cost)

    def _tree(self, path: tuple[Case, ...]) -> list[Any] | None:
        """Return the proof's tree below some cases, as nested lists of forks and what their ends prove; None if it is too deep."""
        node = Node(self._ground, path)
        while True:
            check_time()
            shares = node.candidates()
            weights, fakes = node.solved(shares, float(self._best()))
            proved, new = node.proved(shares, weights)
            if not path:
                self._raise([proved])
            if proved.bound >= self._best():
                return [proved]
            known = set(self._ground.places)
            if new := [place for place in new if place not in known]:
                self._ground.places += new
                continue
            at = [(place, x) for place, x in zip(self._ground.places, fakes, strict=True) if x > _NEAR]
            corners = self._ground.corners(place for place, _ in at)
            lacking, fork = self._next(node, corners, at)
            given = set(self._ground.candidates)
            if lacking := [one for one in lacking if one not in given]:
                self._ground.candidates += lacking[:_ADDED]
                continue
            if fork is None:
                self._offer(at)
                return [proved] if proved.bound >= self._best() else None
            if len(path) >= _DEEPEST:
                return None
            few = self._tree((*path, Case(*fork, True)))
            many = None if few is None else self._tree((*path, Case(*fork, False)))
            return None if many is None or few is None else [fork, few, many]

    def _next(
        self, node: Node, corners: list[Place], at: list[tuple[Place, float]]
    ) -> tuple[list[Candidate], tuple[Place, Place, int] | None]:
        """Return shares whose test boxes the fakes serve too little, and the case to be told apart next; None if there is none."""
        k, amounts = self._ground.k, np.array([x for _, x in at], dtype=np.float64)
        if not corners:
            return [], None
        fakes = self._ground.held(corners, [place for place, _ in at], amounts)
        points = self._ground.points
        data = self._ground.held(corners, points, np.ones(len(points), dtype=np.int64))
        lacking: list[tuple[float, Candidate]] = []
        forks: list[tuple[float, tuple[Place, Place, int]]] = []
        for corner, own, served in zip(corners, data.tolist(), fakes.tolist(), strict=True):
            end, lacks = self._ground.end(corner), k - own
            if not own and node.is_bare(corner):
                if _NEAR < served < k - _NEAR:
                    forks.append((-1 - min(served, k - served), (corner, end, 0)))
            elif served < lacks - _NEAR:
                lacking.append((served - lacks, Candidate(corner, (), lacks)))
            if _NEAR < served % 1 < 1 - _NEAR:
                forks.append((-min(served % 1, 1 - served % 1), (corner, end, math.floor(served))))
        if not forks:
            forks = [(0.0, self._cell(place, corners, x)) for place, x in at if _NEAR < x % 1 < 1 - _NEAR]
        chosen = min(forks, default=None)
        return [one for _, one in sorted(lacking)], None if chosen is None else chosen[1]

    def _cell(self, place: Place, corners: list[Place], fakes: float) -> tuple[Place, Place, int]:
        """Return the places from one up to where a test box begins or ends, along each axis."""
        unit = self._ground.unit
        upper = tuple(
            min((e for corner in corners for e in (corner[i], corner[i] + unit) if e > x), default=x + unit)
            for i, x in enumerate(place)
        )
        return place, upper, math.floor(fakes)

    def _offer(self, at: list[tuple[Place, float]]) -> None:
        fakes = AddedPoints(self._ground.exact(place) for place, x in at for _ in range(round(x)))
        solution = self._problem.from_points(fakes)
        if not self._problem.violations(solution):
            self._ledger.offer(solution)

    def _raise(self, tree: list[Any]) -> None:
        """Tell the ledger what a tree proves, in the problem's own coordinates; with the proof, unless that would take days to check."""
        ends = list(_ends(tree))
        parts = math.lcm(*(end.parts for end in ends))
        parts = min(parts, _MOST_PARTS)
        value = min(-(-end.least * (parts // end.parts) // parts) for end in ends)
        known = self._ledger.bound
        if known is not None and (value > known.value or (value == known.value and self._ledger.proof is None)):
            ones = [Fraction(1)] * len(self._ground.points[0])
            widths = self._problem.widths if isinstance(self._problem, FakePoints) else ones
            proof = BoxShares(value, parts, _written(tree, parts, widths, self._ground))
            try:
                proof.proved(self._problem)
            except TooManyLooks:
                self._ledger.raise_bound(value, Origin.THEOREM)
            else:
                self._ledger.raise_bound(value, Origin.PROOF, proof=proof)


def _ends(tree: list[Any]) -> Iterator[Proved]:
    if len(tree) == 1:
        yield tree[0]
    else:
        yield from _ends(tree[1])
        yield from _ends(tree[2])


def _written(tree: list[Any], parts: int, widths: Sequence[Fraction], ground: Ground) -> BoxTree:
    """Return a tree with all numbers in parts of one denominator, and places in the problem's own coordinates."""

    def wide(point: Point) -> Point:
        return tuple(x * width for x, width in zip(point, widths, strict=True))

    if len(tree) == 1:
        end, times = tree[0].end, parts // tree[0].parts
        shares = [
            Share(wide(its.corner), tuple(sorted(map(wide, its.bare))), its.share * times)
            for its in end.shares
            if times
        ]
        shares.sort(key=lambda its: (its.corner, its.bare))
        return BoxEnd(tuple(shares), tuple(price * times for price in end.prices))
    (lower, upper, most), few, many = tree
    sides = (_written(side, parts, widths, ground) for side in (few, many))
    return BoxFork(wide(ground.exact(lower)), wide(ground.exact(upper)), most, *sides)


@algorithms.register
class BoxCases(Algorithm[Any]):
    """Fewest fake points and fake boxes by weights of test boxes and cases, with a proof.

    For some dozens of points; exponential in the worst case.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.FakePoints([(2,), ("2.4",), ("2.8",)], 2), "box-cases")
    >>> answer.claim.name, answer.bound.origin.value, answer.proof.value
    ('OPTIMAL', 'proof', 2)
    """

    name = "box-cases"
    problems = (FakePoints, FakeBoxes)
    family = "shifted-grids"
    kind = Kind.EXACT
    gives_proofs = True

    def seeks_proof(self, problem: Problem[Any]) -> bool:
        """A proof can be written down; the problem's own bound cannot."""
        return True

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Look for good fakes for a share of the time, at least quickly, then prove; on a line the fewest are known."""
        points: FakePoints = problem.as_points()
        if points.dimensions == 1:
            fewest = fewest_on_a_line(points)
            ledger.offer(problem.from_points(fewest))
            Search(problem, ledger).run(len(fewest.points))
            return
        clock = Clock(ledger.clock.share_of_left(_SHARE_OF_FAKES, _MOST_S))
        for found in quick_covers(points):
            ledger.offer(problem.from_points(found))
        with suppress(OutOfTime), within(clock.is_over):
            for found in stacked(points, clock):
                ledger.offer(problem.from_points(found))
        Search(problem, ledger).run()
