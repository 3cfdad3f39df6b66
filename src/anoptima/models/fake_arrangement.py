"""The shared parts of the programs for fake points and fake boxes: candidates, and the cells that constrain them.

In points: candidates are the places on a grid that the data's coordinates span, cells are the kinds of test boxes. In boxes:
candidates are positions of boxes, cells are the cells of the arrangement of all boxes' sides. y_a is the number of fakes at candidate
a, a cell's *members* are the candidates that it holds, and b is the number of data points in it:

    b >= k          nothing is asked
    1 <= b < k      *need*: sum of the members' y >= k - b
    b = 0           *choice*: the members' y are all 0, or their sum is >= k

Exactness of what is left out, each step with its reason:

1. *Blocks.* Where the data's coordinates along an axis leave a gap (a, b) with b - a >= 2, moving the fakes below a + 1 to at most
   a, and the others to at least b, keeps a feasible solution feasible: what a test box then holds, an interval product with sides of
   at least 1 held before, and that is a union of test boxes. No test box reaches across, so both parts are problems of their own.
2. *Candidates* are the aligned places in a block's bounding box (`fake_points.aligned_coordinates`).
3. *Caps.* Beyond k points in one place, a fake is useless: y_a <= k - (data at a).
4. *Windows.* Along an axis a cell holds an interval of candidate coordinates; cells with the same intervals are one.
5. *Smaller cells.* A need follows from the need of a smaller cell that holds a data point. Of a choice, a member's link (if y_a > 0 then
   the cell has k) follows from that of a smaller cell that holds a.
6. *Better candidates.* If a and a' are in the same choices, and a' meets every need that a does, all fakes at a can move to a'.
7. Needs and choices that now have the same members are one.

Any feasible solution can be carried to the candidates at no higher cost: `Arrangement.counts` goes through the same steps.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.errors import ModelTooLarge
from anoptima.exact import in_whole_numbers
from anoptima.models.base import BuiltModel, ModelSize, Values
from anoptima.models.fake_dominance import better_candidates
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.base import Problem
from anoptima.problems.depths import Axis, Point
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.problems.places import aligned_coordinates, aligned_count

_MOST_ENTRIES = 20_000_000
"""How many members of cells are looked at one by one to leave out cells and candidates."""

_MOST_ALONG = 30_000
"""A grid with more places than this along an axis is refused before they are listed: that many take half a second."""

S = TypeVar("S")
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Need:
    """A cell with some data and too little: its members' counts must add up to `least`."""

    members: tuple[int, ...]
    least: int


@dataclass(frozen=True)
class Choice:
    """A cell without data: its members' counts are all 0, or add up to k. `linked` are the members for which that must be said."""

    members: tuple[int, ...]
    linked: tuple[int, ...]


class Windows:
    """Along one axis of a block: the candidates' coordinates, and the intervals [low, high) of them that test boxes hold.

    >>> windows = Windows([Fraction(0), Fraction(1, 2), Fraction(1)], None)
    >>> list(zip(windows.low.tolist(), windows.high.tolist()))
    [(0, 1), (0, 2), (1, 3), (2, 3)]
    """

    def __init__(self, coordinates: list[Fraction], tested: tuple[Fraction, Fraction] | None) -> None:
        self.coordinates = coordinates
        axis = Axis(coordinates, tested)
        corners = distinct(np.concatenate([axis.values, axis.values - axis.unit]))
        if axis.reach is not None:
            first, last = axis.reach
            inside = corners[(corners >= first) & (corners < last)]
            corners = np.concatenate([inside, np.array([last], dtype=corners.dtype)])
        low = np.searchsorted(axis.values, corners, side="left")
        high = np.searchsorted(axis.values, corners + axis.unit, side="left")
        held = np.unique(np.column_stack([low, high])[high > low], axis=0).astype(np.int64)
        self.low, self.high = held[:, 0], held[:, 1]

    def has_inner(self, holds: NDArray[np.bool_], axis: int) -> NDArray[np.bool_]:
        """Tell along an axis of `holds` for which windows a smaller one inside holds something, if a window holds what smaller ones do.

        From one window to the next neither end moves back. So a window inside another one begins where that begins, and comes before
        it, or ends where it ends, and comes after it; the largest of each kind is next to it.
        """
        held, found = np.moveaxis(holds, axis, -1), np.zeros_like(np.moveaxis(holds, axis, -1))
        found[..., 1:] |= held[..., :-1] & (self.low[1:] == self.low[:-1])
        found[..., :-1] |= held[..., 1:] & (self.high[:-1] == self.high[1:])
        return np.moveaxis(found, -1, axis)

    def smallest(self) -> list[Whole]:
        """Return, for each window, the candidates in it that no smaller window inside holds; see `has_inner`."""
        begin, end = self.low.copy(), self.high.copy()
        begin[1:] = np.where(self.low[1:] == self.low[:-1], self.high[:-1], begin[1:])
        end[:-1] = np.where(self.high[:-1] == self.high[1:], self.low[1:], end[:-1])
        return [np.arange(first, last) for first, last in zip(begin, end, strict=True)]


class Block:
    """Data whose boxes are within reach of each other, with its candidates (in C order) and windows."""

    def __init__(self, problem: FakePoints, held: Mapping[Point, int]) -> None:
        tested = problem.tested
        self.k = problem.k
        self.held = held
        self.windows = []
        reaches = [None] * problem.dimensions if tested is None else tested
        sides = [([point[i] for point in held], reach and reach[1]) for i, reach in enumerate(reaches)]
        along = max(aligned_count(*side) for side in sides)
        if along > _MOST_ALONG:
            raise ModelTooLarge(f"its grid has {along:,} places along an axis, and at most {_MOST_ALONG:,} are allowed")
        for side, reach in zip(sides, reaches, strict=True):
            self.windows.append(Windows(aligned_coordinates(*side), reach))
        self.shape = tuple(len(window.coordinates) for window in self.windows)
        self.candidates = math.prod(self.shape)
        self.cells = math.prod(len(window.low) for window in self.windows)
        self.entries = math.prod(int((window.high - window.low).sum()) for window in self.windows)

    def place(self, point: Sequence[Fraction]) -> int:
        """Return the candidate that a fake at `point` is carried to: clamped to the data, then shifted left until aligned."""
        index = 0
        for x, window in zip(point, self.windows, strict=True):
            along = bisect_right(window.coordinates, x) - 1
            index = index * len(window.coordinates) + max(0, along)
        return index

    def points(self) -> list[Point]:
        """Return the candidates."""
        return list(itertools.product(*(window.coordinates for window in self.windows)))

    def data(self) -> Whole:
        """Return how many data points are at each candidate. O(candidates)."""
        counts = np.zeros(self.candidates, dtype=np.int64)
        for point, number in self.held.items():
            counts[self.place(point)] = number
        return counts

    def needs_and_choices(self) -> tuple[list[tuple[Whole, int]], list[tuple[Whole, Whole]]]:
        """Return (members, least) of the needs and (members, linked) of the choices that step 5 leaves. O(entries + cells)."""
        depth = self._depths()
        with_data = depth > 0
        implied = np.zeros(depth.shape, dtype=bool)
        for i, window in enumerate(self.windows):
            implied |= window.has_inner(with_data, i)
        spans = [
            [np.arange(low, high) for low, high in zip(window.low, window.high, strict=True)] for window in self.windows
        ]
        needs = [
            (self._product(spans, cell), self.k - int(depth[tuple(cell)]))
            for cell in np.argwhere(with_data & (depth < self.k) & ~implied)
        ]
        smallest = [window.smallest() for window in self.windows]
        choices = []
        for cell in np.argwhere(~with_data):
            check_time()
            linked = self._product(smallest, cell)
            if len(linked):
                choices.append((self._product(spans, cell), linked))
        return needs, choices

    def _depths(self) -> Whole:
        depth = self.data().reshape(self.shape)
        for i, window in enumerate(self.windows):
            first = np.zeros_like(np.take(depth, [0], axis=i))
            summed = np.concatenate([first, np.cumsum(depth, axis=i)], axis=i)
            depth = np.take(summed, window.high, axis=i) - np.take(summed, window.low, axis=i)
        return depth

    def _product(self, spans: Sequence[Sequence[Whole]], cell: Whole) -> Whole:
        index = np.zeros(1, dtype=np.int64)
        for span, j, size in zip(spans, cell, self.shape, strict=True):
            index = (index[:, None] * size + span[j][None, :]).reshape(-1)
        return index


@dataclass(frozen=True)
class _Cut:
    """Step 1 along one axis: `parts[i]` takes what lies below `limits[i]`, the last part takes the rest."""

    axis: int
    limits: list[Fraction]
    parts: list[_Cut | int]


class Arrangement:
    """Candidates, needs and choices of a problem.

    Attributes
    ----------
    places
        Where each candidate is.
    caps
        How many fakes it may hold.
    needs, choices
        What the cells ask, members being numbers of candidates.

    Examples
    --------
    >>> found = Arrangement(FakePoints([(2.0,), (2.4,), (2.8,)], k=2))
    >>> [str(x) for x, in found.places], [need.least for need in found.needs], len(found.choices)
    (['2', '14/5'], [1, 1], 0)
    """

    def __init__(self, problem: FakePoints) -> None:
        self.blocks, self._cut = cut_into_blocks(problem)
        self.places: list[Point] = []
        self.caps: list[int] = []
        self.needs: list[Need] = []
        self.choices: list[Choice] = []
        self._candidate_of: list[Whole] = []
        for block in self.blocks:
            self._add(block)

    def _add(self, block: Block) -> None:
        needs, choices = block.needs_and_choices()
        better = better_candidates(block.candidates, needs, choices)
        used = np.flatnonzero(better == np.arange(block.candidates))
        number = np.full(block.candidates, -1, dtype=np.int64)
        number[used] = np.arange(len(used)) + len(self.places)
        points = block.points()
        self.places += [points[a] for a in used]
        self.caps += np.maximum(0, block.k - block.data()[used]).tolist()
        self._candidate_of.append(np.where(better >= 0, number[better], -1))

        least: dict[tuple[int, ...], int] = {}
        for members, need in needs:
            key = _kept(number, members)
            least[key] = max(need, least.get(key, 0))
        self.needs += [Need(members, need) for members, need in least.items()]
        linked: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
        for members, links in choices:
            check_time()
            kept = _kept(number, links)
            if kept:
                linked[_kept(number, members)].update(kept)
        self.choices += [Choice(members, tuple(sorted(links))) for members, links in linked.items()]

    def counts(self, solution: AddedPoints) -> Whole:
        """Carry a feasible solution to the candidates: the number of fakes at each; no more in all than there were."""
        found: Counter[int] = Counter()
        for point in solution.points:
            part: _Cut | int = self._cut
            while isinstance(part, _Cut):
                part = part.parts[bisect_right(part.limits, point[part.axis])]
            found[int(self._candidate_of[part][self.blocks[part].place(point)])] += 1
        counts = np.zeros(len(self.places), dtype=np.int64)
        for candidate, number in found.items():
            if candidate >= 0:
                counts[candidate] = min(number, self.caps[candidate])
        return counts

    def solution(self, counts: NDArray[Any]) -> AddedPoints:
        """Return the fakes that the counts stand for."""
        return AddedPoints(
            place for place, number in zip(self.places, np.rint(counts).astype(int), strict=True) for _ in range(number)
        )

    def is_chosen(self, counts: Whole) -> list[bool]:
        """Tell which choices hold a fake."""
        return [bool(counts[list(choice.members)].any()) for choice in self.choices]

    @property
    def entries(self) -> int:
        """The number of members of all cells together."""
        return sum(len(need.members) for need in self.needs) + sum(len(choice.members) for choice in self.choices)

    @property
    def links(self) -> int:
        """The number of links."""
        return sum(len(choice.linked) for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of what is to be written; an upper bound where an exact count would take too long."""

    candidates: int
    needs: int
    choices: int
    entries: int
    links: int


def extent_of(problem: FakePoints) -> Extent:
    """Return the size of a problem's arrangement: exactly up to twenty million members of cells, from above beyond."""
    blocks, _ = cut_into_blocks(problem)
    entries = sum(block.entries for block in blocks)
    if entries > _MOST_ENTRIES:
        candidates, cells = sum(block.candidates for block in blocks), sum(block.cells for block in blocks)
        return Extent(candidates, cells, cells, entries, entries)
    found = arrangement_of(problem)
    return Extent(len(found.places), len(found.needs), len(found.choices), found.entries, found.links)


@lru_cache(maxsize=4)
def arrangement_of(problem: FakePoints) -> Arrangement:
    """Return the arrangement; the last few are kept, since a model is measured and then built."""
    return Arrangement(problem)


def cut_into_blocks(problem: FakePoints) -> tuple[list[Block], _Cut | int]:
    """Cut at gaps of at least 2 until there are none: the blocks, and how to find a place's block. O(n d log n) a level of cuts."""
    blocks: list[Block] = []

    def cut(points: list[Point]) -> _Cut | int:
        for axis in range(problem.dimensions):
            check_time()
            # Fractions take long to compare.
            unit, whole = in_whole_numbers([point[axis] for point in points])
            order = sorted(range(len(points)), key=whole.__getitem__)
            ordered = [points[i] for i in order]
            ends = [i for i in range(1, len(order)) if whole[order[i]] - whole[order[i - 1]] >= 2 * unit]
            if ends:
                limits = [ordered[i - 1][axis] + 1 for i in ends]
                parts = [cut(ordered[i:j]) for i, j in itertools.pairwise([0, *ends, len(ordered)])]
                return _Cut(axis, limits, parts)
        blocks.append(Block(problem, {point: problem.locations[point] for point in points}))
        return len(blocks) - 1

    root = cut(list(problem.locations))
    return blocks, root


def _kept(number: Whole, members: Whole) -> tuple[int, ...]:
    kept = number[members]
    return tuple(sorted(kept[kept >= 0].tolist()))


class BuiltFakes(BuiltModel[S]):
    """A program whose first columns are the candidates' counts; the next ones say which choices hold a fake.

    `problem` is in points or in boxes; the program is the same.
    """

    def __init__(self, problem: Problem[S], program: Any, size: ModelSize) -> None:
        super().__init__(problem, program, size)
        assert isinstance(problem, FakePoints | FakeBoxes)
        self._view: Any = problem
        self.arrangement = arrangement_of(problem.as_points())

    def encode(self, solution: S) -> Values:
        """Carry the fakes to the candidates."""
        counts = self.arrangement.counts(self._view.points_of(solution))
        return np.concatenate([counts, self.arrangement.is_chosen(counts)]).astype(np.float64)

    def decode(self, values: Values) -> S:
        """Read the counts."""
        found: S = self._view.from_points(self.arrangement.solution(values[: len(self.arrangement.places)]))
        return found
