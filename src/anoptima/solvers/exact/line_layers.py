r"""Fake points on a line: the fewest, in time that grows little faster than the number of points. In the plane this is NP-hard.

Let s_1 <= s_2 <= ... be points and fakes together. The corners of test boxes that hold s_i are those in (s_i - 1, s_i], so a
stretch of corners is served by k points or more everywhere if and only if they can be dealt out to k *layers* that each cover it:
a layer is a chain of points, each at most 1 after the one before. For if s_{i+k} <= s_i + 1, then every k-th point makes a layer; and
if s_{i+k} > s_i + 1, then just above s_i fewer than k points are held.

A *run* is data in which no point is 1 or more after the one before; all corners whose test boxes hold some of it must be served by all k
layers. From left to right, a layer that ends at s goes on with a fake at the latest place, s + 1 (covering a line by unit intervals is
solved by this greedy rule, also when asked k times over); if a datum comes earlier, it goes to the layer that ends first. Behind a run all
layers end, with fakes at its last point where they do not reach it, and begin anew at the next run, with k points at its first one; or they
go on across the gap. Going on is never better if it costs as much as beginning anew, since no layer can reach further than to the first
point itself. So both ways are kept only while going on is cheaper: a few ways at a time.

With a domain only the corners from lo to hi - 1 are tested. So a layer begins before lo instead of 1 before the first point, and its last
point need not lie beyond hi - 1. Its first fake lies just below lo + 1; twice as many units as coordinates need make room for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from anoptima.answer import Origin
from anoptima.deadline import check_time
from anoptima.problems.added_points import AddedPoints, of_counts
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger

_Fakes = tuple["_Fakes | None", list[int]]
"""Fakes, and those before."""


class _Way(NamedTuple):
    """What a way to serve everything so far costs, where its k layers end, ascending, and its fakes."""

    cost: int
    ends: tuple[int, ...]
    fakes: _Fakes | None

    def to(self, place: int, held: int, unit: int, below: int | None) -> _Way | None:
        """Return how it goes on to the next place with data; None if that costs `below` or more."""
        ends, first, added = list(self.ends), 0, list[int]()
        while ends[first] + unit < place:
            if below is not None and self.cost + len(added) >= below:
                return None
            added.append(ends[first] + unit)
            ends.append(ends[first] + unit)
            first += 1
        taken = min(held, len(self.ends))
        first += taken
        ends += [place] * taken
        while ends[first] + unit <= place:
            first += 1
            ends.append(place)
            added.append(place)
        cost = self.cost + len(added)
        return _Way(cost, tuple(ends[first:]), (self.fakes, added)) if below is None or cost < below else None

    def closed(self, place: int, last: int) -> _Way:
        """Return how it ends at the last place of a run, or at the last corner that is tested if that is before."""
        added = [place for end in self.ends if end < min(place, last)]
        return _Way(self.cost + len(added), self.ends, (self.fakes, added))


def fewest_on_a_line(problem: FakePoints) -> AddedPoints:
    """Return the fewest fakes for points on a line, with unit boxes.

    O(n log n + n w k) for n points and w ways at a time; w is rarely above 4.

    >>> [str(x) for x, in fewest_on_a_line(FakePoints([(0,), ("1/2",), (9,)], 3)).points]
    ['0', '0', '1/2', '1/2', '9', '9']
    >>> fewest_on_a_line(FakePoints([("1/2",), ("7/10",)], 2, [(0, "6/5")])).points
    ()
    """
    (axis,), k = problem.in_whole_numbers, problem.k
    unit = 2 * axis.unit
    held = sorted(Counter(2 * int(value) for value in axis.values).items())
    before = held[0][0] - unit if axis.reach is None else 2 * axis.reach[0] - 1
    last = held[-1][0] if axis.reach is None else 2 * axis.reach[1]
    best, ways = _Way(0, (), None), list[_Way]()
    for number, (place, count) in enumerate(held):
        check_time()
        if number == 0 or place - held[number - 1][0] >= unit:
            anew = _Way(best.cost, (max(place - unit, before),) * k, best.fakes).to(place, count, unit, None)
            assert anew is not None
            ways = [anew, *(on for way in ways if (on := way.to(place, count, unit, anew.cost)) is not None)]
        else:
            ways = [on for way in ways if (on := way.to(place, count, unit, None)) is not None]
        if number + 1 == len(held) or held[number + 1][0] - place >= unit:
            best = min((way.closed(place, last) for way in ways), key=lambda way: way.cost)
    counts = Counter(_listed(best.fakes))
    return of_counts({(Fraction(fake, unit),): count for fake, count in counts.items()})


def _listed(fakes: _Fakes | None) -> Iterator[int]:
    while fakes is not None:
        fakes, added = fakes
        yield from added


@algorithms.register
class LineLayers(Algorithm[Any]):
    """Fake points and fake boxes on a line: the fewest, dealt out to k layers that each cover the line. O(n log n) but for rare tables.

    For tens of thousands of points. A theorem says that no fewer are enough; for some dozens of points `box-cases` writes a proof.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.FakePoints([(2,), ("2.4",), ("3.6",), (9,)], 2), "line-layers")
    >>> answer.claim.name, answer.cost, [str(x) for x, in answer.solution.points]
    ('OPTIMAL', 4, ['2', '12/5', '18/5', '9'])
    """

    name = "line-layers"
    problems = (FakePoints, FakeBoxes)
    family = "shifted-grids"
    uses_seed = False
    uses_limit = False
    kind = Kind.EXACT

    def why_not(self, problem: Problem[Any]) -> str | None:
        """Only on a line: with two axes or more the problem is NP-hard."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, FakePoints | FakeBoxes):
            return other
        axes = problem.as_points().dimensions
        return None if axes == 1 else f"line-layers is for points on a line, and these have {axes} coordinates"

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Offer the fewest, which nothing is below."""
        fewest = fewest_on_a_line(problem.as_points())
        ledger.offer(problem.from_points(fewest))
        ledger.raise_bound(len(fewest.points), Origin.THEOREM, self.name)
