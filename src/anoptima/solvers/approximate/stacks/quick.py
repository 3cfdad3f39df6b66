"""Fakes beside data and stacks of k without a program: what `stacks` begins with, at any size.

First stacks are put on a unit grid round all data, which needs no cells: twenty thousand points take a moment. Then two covers of the
sparse cells are made, and improved in the same way.

1. *A grid.* Every test box holds one place of a unit grid, so a stack for each tile with sparse cells serves them all.
2. *Greedy* (Dobson 1982): of all single fakes at data and stacks at corners of sparse cells, the one with the largest ratio of what it
   serves to what it costs, until nothing is sparse.

Then each stack is replaced where fewer than k single fakes serve what it alone serves, and whatever is superfluous is taken away. Where
data are dense, a grid pays for each tile and greedy covering for each dent of the border; which is cheaper depends on k.

For p pairs of a candidate and a cell that it serves: O(p log p).
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.problems.added_points import AddedPoints, of_counts
from anoptima.problems.depths import Axis, sparse_cells
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers.approximate.weighed_boxes import InWholeNumbers, Place

_MOST_PAIRS = 4_000_000
"""Pairs of a stack and a cell that are looked at; with more cells, stacks are tried at fewer of their corners. Some two seconds."""
_LOOKS = 500
"""Candidates that are looked at between two looks at the clock."""

Whole = NDArray[np.int64]


class Sparse(InWholeNumbers):
    """All sparse cells of a problem of unit boxes: between which corners they lie, what they lack, and the data that they hold."""

    def __init__(self, problem: FakePoints) -> None:
        super().__init__(problem)
        check_time()
        self.k = problem.k
        axes = problem.in_whole_numbers
        times = np.array([self.unit // axis.unit for axis in axes], dtype=object).astype(self.kind)
        none = np.zeros(0, dtype=np.int64)
        parts = [(times[:0].reshape(0, len(axes)),) * 2 + (none,) * 3]
        before = 0
        for found in sparse_cells(axes, problem.k):
            cells, members = found.holders()
            lows, corners = (ends.astype(self.kind) * times for ends in (found.lows, found.corners))
            parts.append((lows, corners, problem.k - found.depths, cells + before, members))
            before += len(found.depths)
        self.lows, self.corners, self.lacks, cells, data = (np.concatenate(part) for part in zip(*parts, strict=True))
        self.cells, self.data = cells, data
        """Pairs of a cell and a datum that it holds, by cells."""
        self.first = np.searchsorted(cells, np.arange(before + 1))
        tiles: defaultdict[Place, list[int]] = defaultdict(list)
        for number, tile in enumerate((-(-self.corners // self.unit)).tolist()):
            tiles[tuple(tile)].append(number)
        self.tiles = {tile: np.array(members, dtype=np.int64) for tile, members in tiles.items()}

    def singles(self) -> Iterator[tuple[int, Whole]]:
        """Yield the numbers of data, and which cells a fake there serves."""
        order = np.argsort(self.data, kind="stable")
        ends = np.searchsorted(self.data[order], np.arange(len(self.places) + 1)).tolist()
        for number, (begin, end) in enumerate(itertools.pairwise(ends)):
            if begin < end:
                yield number, self.cells[order[begin:end]]

    def grid(self) -> Iterator[tuple[Place, Whole]]:
        """Yield the places of a unit grid that serve some cells, and those cells: no cell reaches over the border of a tile."""
        for tile, cells in self.tiles.items():
            yield self.clamped(tuple(t * self.unit for t in tile)), cells

    def stacks(self) -> Iterator[tuple[Place, Whole]]:
        """Yield places beside cells, and which cells a stack there serves."""
        near = {tile: self._around(tile) for tile in self.tiles}
        pairs = sum(len(cells) * len(near[tile]) for tile, cells in self.tiles.items())
        step = 1 + pairs // _MOST_PAIRS
        for tile, members in self.tiles.items():
            check_time()
            cells = near[tile]
            corners, lows = self.corners[cells], self.lows[cells]
            places = {self.clamped(tuple(corner)) for corner in self.corners[members[::step]].tolist()}
            for place in sorted(places):
                at = np.array(place, dtype=corners.dtype)
                yield place, cells[((corners <= at) & (at <= lows + self.unit)).all(axis=1)]

    def _around(self, tile: Place) -> Whole:
        around = itertools.product(*((t - 1, t, t + 1) for t in tile))
        return np.concatenate([self.tiles[other] for other in around if other in self.tiles])


class Cover:
    """Fakes that serve all sparse cells: `over` is how many more than it lacks each is given."""

    def __init__(self, sparse: Sparse) -> None:
        self._sparse, self._served = sparse, dict(sparse.singles())
        self.over = -sparse.lacks
        self.singles: list[int] = []
        self.stacks: list[tuple[Place, Whole]] = []

    def add(self, number: int) -> None:
        """Add a fake at the place of a datum."""
        self.over[self._served[number]] += 1
        self.singles.append(number)

    def add_stack(self, place: Place, served: Whole) -> None:
        """Add k fakes at a place."""
        self.over[served] += self._sparse.k
        self.stacks.append((place, served))

    def improve(self) -> None:
        """Replace stacks by fewer single fakes, those first that serve least; then take away what is superfluous."""
        self.stacks.sort(key=lambda stack: int(self._sparse.lacks[stack[1]].sum()))
        kept = []
        for place, served in self.stacks:
            check_time()
            self.over[served] -= self._sparse.k
            instead = self._singles_for(served[self.over[served] < 0])
            if instead is None:
                self.over[served] += self._sparse.k
                kept.append((place, served))
            else:
                for number in instead:
                    self.add(number)
        self.stacks = kept
        needed = []
        for looks, number in enumerate(reversed(self.singles)):
            if not looks % _LOOKS:
                check_time()
            served = self._served[number]
            if (self.over[served] > 0).all():
                self.over[served] -= 1
            else:
                needed.append(number)
        self.singles = needed

    def _singles_for(self, cells: Whole) -> list[int] | None:
        """Return fewer than k data such that a fake at each gives these cells what they lack, greedily; None if they do not suffice."""
        sparse, found = self._sparse, list[int]()
        if not len(cells):
            return found
        ends = list(zip(sparse.first[cells].tolist(), sparse.first[cells + 1].tolist(), strict=True))
        data = np.concatenate([sparse.data[a:b] for a, b in ends])
        at = np.repeat(np.arange(len(cells)), [b - a for a, b in ends])
        short = -self.over[cells]
        while (short > 0).any():
            if not len(found) % _LOOKS:
                check_time()
            if len(found) + int(short.max()) >= sparse.k:
                return None
            asking = data[short[at] > 0]
            numbers, counts = np.unique(asking, return_counts=True)
            best = int(numbers[np.argmax(counts)])
            short[at[data == best]] -= 1
            found.append(best)
        return found

    @property
    def count(self) -> int:
        """How many fakes there are."""
        return len(self.singles) + self._sparse.k * len(self.stacks)

    def fakes(self) -> AddedPoints:
        """Return the fakes."""
        counts = Counter(self._sparse.places[number] for number in self.singles)
        for place, _ in self.stacks:
            counts[place] += self._sparse.k
        return self._sparse.added(counts)


def grid_round_data(problem: FakePoints) -> AddedPoints:
    """Return k fakes at each place of a unit grid that some test box with data holds; every test box holds one place. O(2^d n log n).

    Places beyond the data's bounding box are moved to its border, as `InWholeNumbers.clamped` does.

    >>> [str(x) for x, in grid_round_data(FakePoints([(0,), ("1/2",), (9,)], 2)).points]
    ['0', '0', '1', '1', '9', '9']
    """
    axes = problem.in_whole_numbers
    both = [_grid_beside(axis) for axis in axes]
    places = np.concatenate([np.column_stack(sides) for sides in itertools.product(*both)])
    return of_counts({tuple(map(Axis.exact, axes, place)): problem.k for place in set(map(tuple, places.tolist()))})


def _grid_beside(axis: Axis) -> list[Whole]:
    """Return the coordinates of the grid before and behind each datum that test boxes with it can hold."""
    unit, values = axis.unit, axis.values
    low, high = values.min(), values.max()
    origin = 0
    if axis.reach is not None:
        origin = axis.reach[1]
        low, high = max(low, origin - (origin - axis.reach[0]) // unit * unit), min(high, origin)
    before = (values - origin) // unit * unit + origin
    return [np.clip(place, low, high) for place in (before, -((origin - values) // unit) * unit + origin)]


def quick_covers(problem: FakePoints) -> Iterator[AddedPoints]:
    """Yield feasible fakes for a problem of unit boxes: by grids, unless the trivial solution has fewer; then by greedy covering.

    >>> [len(found.points) for found in quick_covers(FakePoints([(0,), ("1/2",), ("9/10",)], 2))]
    [2, 2]
    """
    first = grid_round_data(problem)
    if len(first.points) < problem.most:
        yield first
    sparse = Sparse(problem)
    grid = Cover(sparse)
    for place, served in sparse.grid():
        grid.add_stack(place, served)
    grid.improve()
    yield grid.fakes() if grid.count <= problem.most else problem.trivial()
    greedy = Cover(sparse)
    _fill(greedy, list(sparse.singles()), list(sparse.stacks()), sparse)
    greedy.improve()
    yield greedy.fakes()


def _fill(
    cover: Cover, singles: Sequence[tuple[int, Whole]], stacks: Sequence[tuple[Place, Whole]], sparse: Sparse
) -> None:
    lacks = sparse.lacks.copy()
    served = [cells for _, cells in (*singles, *stacks)]
    fakes = [1] * len(singles) + [sparse.k] * len(stacks)

    def worth(number: int) -> float:
        """Return how much of what is lacking a candidate gives, for each fake of it."""
        return float(np.minimum(lacks[served[number]], fakes[number]).sum()) / fakes[number]

    heap = [(-worth(number), number) for number in range(len(served))]
    heapq.heapify(heap)
    for looks in itertools.count():
        if not looks % _LOOKS:
            check_time()
        if not heap or not heap[0][0]:
            return
        now, number = -worth(heap[0][1]), heap[0][1]
        heapq.heapreplace(heap, (now, number))
        if heap[0] == (now, number) and now:
            lacks[served[number]] -= np.minimum(lacks[served[number]], fakes[number])
            heapq.heapreplace(heap, (-worth(number), number))
            if number < len(singles):
                cover.add(singles[number][0])
            else:
                cover.add_stack(*stacks[number - len(singles)])
