r"""The pieces that a grid cuts corner space into, and the fewest fakes inside each: the shifted-grid scheme solves these exactly.

A test box with corner c holds point p exactly when c lies in the unit box (p - 1, p] of p. Lines cut the corners that are tested into
pieces (a, b] along each axis; a *cell* is a product of pieces. Its question: the fewest fakes whose boxes lie inside the cell, so that
every corner of the cell has none or at least k data and fakes, *all* data whose boxes meet the cell counted. A piece that ends at the
border rather than at a line keeps no fake from sticking out there. Fakes of one cell touch no other, so any choice of answers, one for
each cell, is an answer to the whole.

What is left out changes no optimum (an argument by moving fakes monotonely along an axis, so that a corner then holds what an interval of
corners held before):

1. Where data along an axis leave a gap of at least 2, both sides are questions of their own.
2. Fakes lie within the data's bounding box, as far as they may: each end of it is moved to the nearest place that is allowed.
3. They are a whole distance from a datum's coordinate, from a line or from the last corner.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, prod
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.depths import Point
from anoptima.problems.fake_points import HALF, FakePoints, Regime
from anoptima.table import Counts

Held = Mapping[Point, int]


@dataclass(frozen=True)
class Piece:
    """Corners (before, last] along an axis; the fakes that belong to it have coordinates in [least, most], None where nothing binds.

    `closed` tells that the corner `before` is tested, too.
    """

    before: Fraction
    last: Fraction
    least: Fraction | None
    most: Fraction | None
    closed: bool = False

    def meets(self, x: Fraction) -> bool:
        """Tell whether the box of a point at x has a tested corner in common with this piece."""
        return x - 1 < self.last and (x >= self.before if self.closed else x > self.before)

    def nearest(self, x: Fraction) -> Fraction:
        """Return the coordinate nearest to x that a fake may have."""
        at_least = x if self.least is None else max(x, self.least)
        return at_least if self.most is None else min(at_least, self.most)

    def moved(self, by: Fraction) -> Piece:
        """Return the piece, moved."""
        ends = [None if end is None else end + by for end in (self.least, self.most)]
        return Piece(self.before + by, self.last + by, ends[0], ends[1], self.closed)


def pieces(problem: FakePoints, axis: int, width: int, offset: int) -> list[Piece]:
    """Return the pieces that lines at `offset`, `offset` + `width`, ... cut the tested corners into along an axis, if data meet them.

    In the dual regime a piece at the border that is narrower than 1 holds no box, so its line is left out.

    >>> line = FakePoints([(3.5,), (7.5,)], 2, domain=[(0, 9)])
    >>> [(str(piece.before), str(piece.last)) for piece in pieces(line, 0, 4, 3)]
    [('0', '3'), ('3', '7'), ('7', '8')]
    """
    values = sorted({point[axis] for point in problem.points})
    low, high = values[0] - 1, values[-1]
    if problem.domain is not None:
        margin = HALF if problem.regime is Regime.DUAL else Fraction(0)
        low = problem.domain[axis][0] - margin
        high = problem.domain[axis][1] - 1 + margin
    first = offset + width * ceil((low - offset) / width)
    lines = [Fraction(line) for line in range(first, floor(high) + 1, width) if low < line < high]
    ends: list[Piece] = []
    if problem.regime is Regime.PRIMAL:
        edges: list[Fraction | None] = [None, *lines, None]
        for a, b in itertools.pairwise(edges):
            before, last = low if a is None else a, high if b is None else b
            ends.append(Piece(before, last, None if a is None else a + 1, b, closed=a is None))
    elif problem.regime is Regime.DUAL:
        kept = [line for line in lines if line - low >= 1 and high - line >= 1]
        ends = [Piece(a, b, a + 1, b) for a, b in itertools.pairwise([low, *kept, high])]
    else:
        begin = offset + width * floor((low - offset) / width)
        around = [Fraction(line) for line in range(begin, ceil(high) + width, width) if line < high + width]
        ends = [Piece(a, b, a + 1, b) for a, b in itertools.pairwise(around)]
    return [piece for piece in ends if any(piece.meets(x) for x in values)]


def cells(problem: FakePoints, width: int, offsets: Sequence[int]) -> Iterator[CellQuestion]:
    """Yield the questions of a grid's cells that data meet, cut at gaps. O(n 2^d) of them."""
    along = [pieces(problem, i, width, offset) for i, offset in enumerate(offsets)]
    found: defaultdict[tuple[int, ...], dict[Point, int]] = defaultdict(dict)
    for point, number in problem.locations.items():
        meeting = [[j for j, piece in enumerate(axis) if piece.meets(x)] for axis, x in zip(along, point, strict=True)]
        for cell in itertools.product(*meeting):
            found[cell][point] = number
    for cell, held in sorted(found.items()):
        box = tuple(axis[j] for axis, j in zip(along, cell, strict=True))
        for part in _cut(list(held)):
            yield CellQuestion(problem.k, box, {point: held[point] for point in part}, _residues(problem))


def _residues(problem: FakePoints) -> tuple[frozenset[Fraction], ...]:
    """Return the residue of the last corner, axis by axis, where the domain has one."""
    if problem.tested is None:
        return tuple(frozenset[Fraction]() for _ in range(problem.dimensions))
    return tuple(frozenset({last % 1}) for _, last in problem.tested)


def _cut(points: list[Point]) -> Iterator[list[Point]]:
    for axis in range(len(points[0])):
        ordered = sorted(points, key=lambda point: point[axis])
        ends = [i for i in range(1, len(ordered)) if ordered[i][axis] - ordered[i - 1][axis] >= 2]
        if ends:
            for i, j in itertools.pairwise([0, *ends, len(ordered)]):
                yield from _cut(ordered[i:j])
            return
    yield points


@dataclass(frozen=True)
class CellQuestion:
    """The fewest fakes inside a cell, for data within reach of each other."""

    k: int
    box: tuple[Piece, ...]
    held: Held
    residues: tuple[frozenset[Fraction], ...]

    @cached_property
    def origin(self) -> Point:
        """A place that moves with the question."""
        return tuple(piece.before for piece in self.box)

    @cached_property
    def key(self) -> Any:
        """What two questions have in common exactly if one is the other, moved."""
        held = tuple(
            sorted((tuple(x - o for x, o in zip(point, self.origin, strict=True)), n) for point, n in self.held.items())
        )
        box = tuple(piece.moved(-piece.before) for piece in self.box)
        residues = tuple(
            frozenset((r - o) % 1 for r in known) for known, o in zip(self.residues, self.origin, strict=True)
        )
        return self.k, box, held, residues

    def moved_back(self, fakes: Sequence[Point]) -> list[Point]:
        """Move fakes that were found relative to the origin to where this question is."""
        return [tuple(x + o for x, o in zip(fake, self.origin, strict=True)) for fake in fakes]

    def at_origin(self) -> CellQuestion:
        """Return the question, moved so that its origin is 0."""
        k, box, held, residues = self.key
        return CellQuestion(k, box, dict(held), residues)

    def immediate(self) -> list[Point] | None:
        """Return an optimal answer where one is plain to see: nothing is wrong, or a single place is topped up."""
        if not self.asked[0] and not self.asked[1]:
            return []
        (first, number), *more = self.held.items()
        if not more and all(piece.nearest(x) == x for piece, x in zip(self.box, first, strict=True)):
            return [first] * (self.k - number)
        return None

    @cached_property
    def places(self) -> list[list[Fraction]]:
        """The coordinates, ascending, at which fakes are looked for; axis by axis."""
        found = []
        for i, piece in enumerate(self.box):
            values = [point[i] for point in self.held]
            low, high = piece.nearest(min(values)), piece.nearest(max(values))
            residues = {x % 1 for x in values} | self.residues[i]
            residues |= {end % 1 for end in (piece.least, piece.most) if end is not None}
            axis = {low + (r - low) % 1 + j for r in residues for j in range(floor(high - low) + 1)}
            found.append(sorted(x for x in axis if x <= high))
        return found

    @cached_property
    def asked(self) -> tuple[dict[tuple[int, ...], int], list[tuple[int, ...]]]:
        """What corners ask: least sums of fakes, and fakes that must be none or k; by numbers of places.

        One corner for each cell of the arrangement of all boxes, data's and possible fakes'.
        """
        corners = [self._corners(i) for i in range(len(self.box))]
        depth = np.zeros([len(axis) for axis in corners], dtype=np.int64)
        for point, number in self.held.items():
            holds = [np.array([c <= x < c + 1 for c in axis]) for axis, x in zip(corners, point, strict=True)]
            depth += number * _outer(holds)
        spans = [[self._span(i, corner) for corner in axis] for i, axis in enumerate(corners)]
        sizes = [len(axis) for axis in self.places]
        needs: dict[tuple[int, ...], int] = {}
        choices: dict[tuple[int, ...], None] = {}
        known: dict[tuple[tuple[int, int], ...], tuple[int, ...]] = {}
        for cell in np.argwhere(depth < self.k).tolist():
            span = tuple(spans[i][j] for i, j in enumerate(cell))
            if span not in known:
                check_time()
                known[span] = _members(span, sizes)
            members, held = known[span], int(depth[tuple(cell)])
            if held:
                needs[members] = max(self.k - held, needs.get(members, 0))
            elif members:
                choices[members] = None
        return needs, list(choices) if needs else []

    def _corners(self, i: int) -> list[Fraction]:
        """Return the right ends of the intervals of corners that are alike along an axis."""
        piece = self.box[i]
        ends = {x - j for x in [*(point[i] for point in self.held), *self.places[i]] for j in (0, 1)}
        inside = {c for c in ends if c < piece.last and (c >= piece.before if piece.closed else c > piece.before)}
        return sorted(inside | {piece.last})

    def _span(self, i: int, corner: Fraction) -> tuple[int, int]:
        """Return which of the places along an axis a test box with this corner holds, as an interval."""
        places = self.places[i]
        first = sum(x < corner for x in places)
        return first, first + sum(corner <= x < corner + 1 for x in places)


def _outer(vectors: Sequence[Any]) -> Counts:
    result: Counts = np.ones((), dtype=np.int64)
    for vector in vectors:
        result = np.multiply.outer(result, vector.astype(np.int64))
    return result


def _members(span: tuple[tuple[int, int], ...], sizes: Sequence[int]) -> tuple[int, ...]:
    members = [0]
    for (first, last), size in zip(span, sizes, strict=True):
        members = [number * size + j for number in members for j in range(first, last)]
    return tuple(members)


class BuiltCell(BuiltModel[AddedPoints]):
    """The program of a cell for CP-SAT; columns are the numbers of fakes at each place, then which choices hold some.

    minimise    sum y_a
    (need)      sum_{a in tau} y_a >= k - b_tau                 corners tau with 1 <= b_tau < k data
    (choice)    w_tau => sum_{a in tau} y_a >= k                corners without data
    (none)      not w_tau => sum_{a in tau} y_a = 0
    """

    language = Language.CP_SAT

    def __init__(self, problem: FakePoints, question: CellQuestion) -> None:
        program = cp_model.CpModel()
        program.name = f"{problem.name}, a cell"
        needs, choices = question.asked
        count = prod(len(axis) for axis in question.places)
        entries = sum(map(len, needs)) + sum(map(len, choices))
        super().__init__(problem, program, ModelSize(count + len(choices), len(needs) + 2 * len(choices), entries, 0))
        self._question = question
        fakes = [program.new_int_var(0, question.k, f"fakes[{a}]") for a in range(count)]
        for members, least in needs.items():
            program.add(sum(fakes[a] for a in members) >= least).with_name("need")
        for number, members in enumerate(choices):
            holds = program.new_bool_var(f"holds[{number}]")
            total = sum(fakes[a] for a in members)
            program.add(total >= question.k).only_enforce_if(holds).with_name("choice")
            program.add(total == 0).only_enforce_if(~holds).with_name("none")
        program.minimize(sum(fakes))

    def encode(self, solution: AddedPoints) -> Values:
        """Count fakes that lie at places of this cell."""
        places = list(itertools.product(*self._question.places))
        counts = [solution.points.count(place) for place in places]
        held = [any(counts[a] for a in members) for members in self._question.asked[1]]
        return np.array([*counts, *held], dtype=np.float64)

    def decode(self, values: Values) -> AddedPoints:
        """Read the counts."""
        places = itertools.product(*self._question.places)
        return AddedPoints(place for place, number in zip(places, values, strict=False) for _ in range(round(number)))
