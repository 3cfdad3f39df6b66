"""Shifted grids for fake points (Alvarez, Chambers, Kozma; repaired): cut at lines, solve each cell exactly, try all shifts.

Lines at r_i + c L along axis i cut corner space into cells; the fewest fakes *inside* each cell (`grid_cells`) are an answer to the whole,
for every offset vector r. The paper replaces a box of an optimum that lines cut by one copy on each side; but a copy covers ground that
may have been bare, so it takes k. With independent offsets, the mean over all L^d of them is then at most

    F = (1 - 1/L)^d + k ((1 + 1/L)^d - (1 - 1/L)^d)

times the optimum: a box is cut along an axis with probability 1/L. So the best offset vector is within F, and the optimum is at least the
mean over F. L is the least whole number from 2 up with F <= 1 + epsilon; max(d, ceil(3 d k / epsilon)) is always enough. (With
y = d / L <= 1, F - 1 <= k (e^y - 1) + (k - 1) y < 3 k y.)

References
----------
V. Alvarez, E. Chambers and L. Kozma: Privacy by fake data: a geometric approach. Their L = 2 d / epsilon and one offset for all axes do not
give 1 + epsilon; see `errata_points`.
"""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from anoptima.answer import Budget, Clock, Origin, Stop
from anoptima.arguments import checked
from anoptima.deadline import check_time
from anoptima.errors import BadInput, OutOfTime
from anoptima.exact import Exact, Number, as_fraction, exact_text
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.base import Problem
from anoptima.problems.depths import Point
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.grid_cells import BuiltCell, CellQuestion, cells
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")

MOST_QUESTIONS = 100_000
"""How many cells there may be in all grids together, about."""


def factor(width: int, k: int, dimensions: int) -> Fraction:
    """Return F: what the mean over all grids of this width is within, in units of the optimum.

    >>> factor(3, 2, 1), float(factor(7, 2, 2))
    (Fraction(2, 1), 1.87...)
    """
    less, more = 1 - Fraction(1, width), 1 + Fraction(1, width)
    return less**dimensions + k * (more**dimensions - less**dimensions)


def least_width(epsilon: Fraction, k: int, dimensions: int) -> int:
    """Return the least L >= 2 with F <= 1 + epsilon. F falls with L, so it is found by halving.

    >>> [[least_width(Fraction(1, e), k, d) for e in (1, 2, 4)] for d, k in ((1, 2), (2, 2), (2, 3), (3, 2))]
    [[3, 6, 12], [7, 13, 25], [11, 21, 41], [10, 19, 37]]
    """
    low, high = 1, max(2, dimensions, math.ceil(3 * dimensions * k / epsilon))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if factor(middle, k, dimensions) <= 1 + epsilon else (middle, high)
    return high


class Cells:
    """Answers cells, each sort of them once."""

    def __init__(self, problem: FakePoints, backend: Backend, budget: Budget, clock: Clock) -> None:
        self._problem, self._backend = problem, backend
        self._budget, self._clock = budget, clock
        self._known: dict[Any, list[Point]] = {}

    def union(self, width: int, offsets: Sequence[int]) -> AddedPoints:
        """Return the fakes of all cells of one grid: a feasible solution. Raises `OutOfTime`.

        >>> problem = FakePoints([(x,) for x in (3.5, 6.5, 9.5, 12.5)], 2)
        >>> grids = Cells(problem, get_backend("cp-sat"), Budget(), Clock())
        >>> [len(grids.union(2, [r]).points) for r in (0, 1)]
        [10, 10]
        """
        fakes: list[Point] = []
        for question in cells(self._problem, width, offsets):
            check_time()
            if question.key not in self._known:
                self._known[question.key] = self._answer(question.at_origin())
            fakes += question.moved_back(self._known[question.key])
        return AddedPoints(fakes)

    def _answer(self, question: CellQuestion) -> list[Point]:
        plain = question.immediate()
        if plain is not None:
            return plain
        left = self._clock.left()
        budget = Budget(
            seconds=left, threads=self._budget.threads or 1, memory=self._budget.memory, seed=self._budget.seed
        )
        built = BuiltCell(self._problem, question)
        outcome = self._backend.solve(built, budget)
        if outcome.stop is not Stop.PROVED or outcome.values is None:
            raise OutOfTime("the time is up")
        return list(built.decode(np.asarray(outcome.values, dtype=float)).points)


@checked
def grid_fakes(problem: FakePoints, width: int, offsets: Sequence[int]) -> AddedPoints:
    """Return the fakes that one grid adds: lines `width` apart, moved by `offsets`, one for each axis; each cell is solved exactly.

    What `shifted-grid` does with every vector of offsets, before it drops superfluous fakes: the quantity of Theorems 5 and 6.

    >>> problem = FakePoints([(x,) for x in (3.5, 6.5, 9.5, 12.5)], 2)
    >>> problem.cost(grid_fakes(problem, 2, [0]))
    10
    """
    if width < 1:
        raise BadInput(f"width is {width}; it must be 1 or more")
    if len(offsets) != problem.dimensions:
        raise BadInput(
            f"there are {len(offsets)} offsets for {problem.dimensions} axes; there must be one for each axis"
        )
    return Cells(problem, get_backend("cp-sat"), Budget(), Clock()).union(width, offsets)


def without_superfluous(problem: FakePoints, solution: AddedPoints) -> AddedPoints:
    """Take fakes away, a place at a time, all of them or one, as long as what is left is feasible.

    >>> problem = FakePoints([(0,), (0.5,)], 2)
    >>> without_superfluous(problem, AddedPoints([(0,), (0.5,), (0.5,), (7,), (7,)])).points
    ((Fraction(0, 1),), (Fraction(1, 2),))
    """
    fakes = Counter(solution.points)
    for place in sorted(fakes):
        for copies in (fakes[place], *itertools.repeat(1, fakes[place] - 1)):
            check_time()
            fewer = fakes - Counter({place: copies})
            if copies and problem.is_feasible(AddedPoints(fewer.elements())):
                fakes = fewer
    return AddedPoints(fakes.elements())


class GridAlgorithm(Algorithm[Any]):
    """The best of some grids of one width, each a union of exact solutions of its cells: what `epsilon` means, and which grids, differs."""

    kind = Kind.APPROXIMATE
    problems = (FakePoints, FakeBoxes)

    @checked
    def __init__(self, epsilon: Number = 1, backend: str = "cp-sat") -> None:
        self.epsilon = as_fraction(epsilon, "epsilon")
        self._backend = backend
        if self.epsilon <= 0:
            raise BadInput(f"epsilon is {epsilon}; it must be above 0")

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for fake points and fake boxes, if the cells of all grids are not too many."""
        if not isinstance(problem, FakePoints | FakeBoxes):
            return super().why_not(problem)
        points = problem.as_points()
        grids, words = self.grids(points)
        if grids * len(points.locations) > MOST_QUESTIONS:
            return (
                f"{self.name} with epsilon = {exact_text(self.epsilon)} tries {words} grids with up to {len(points.locations):,} "
                f"cells or more each; {MOST_QUESTIONS:,} in all are the most: take a larger epsilon"
            )
        return None

    @abstractmethod
    def width(self, points: FakePoints) -> int:
        """Return L, the distance between lines."""

    @abstractmethod
    def grids(self, points: FakePoints) -> tuple[int, str]:
        """Return how many grids there are, as a number and in words."""

    @abstractmethod
    def offsets(self, points: FakePoints) -> list[tuple[int, ...]]:
        """Return the offsets of each grid, along every axis."""

    @abstractmethod
    def mean_within(self, points: FakePoints) -> Fraction:
        """Return F: what the mean over the grids is within, in units of the optimum."""

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return F: the best of the grids is no worse than their mean."""
        assert isinstance(problem, FakePoints | FakeBoxes)
        return self.mean_within(problem.as_points())

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Try all grids; the bound is the problem's own, or the mean over F if that is better."""
        points: FakePoints = problem.as_points()
        answers = Cells(points, get_backend(self._backend), ledger.budget, ledger.clock)
        width, offset_vectors, total = self.width(points), self.offsets(points), 0
        best: AddedPoints | None = None
        for offsets in offset_vectors:
            found = answers.union(width, offsets)
            total += len(found.points)
            if best is None or len(found.points) < len(best.points):
                best = found
                ledger.offer(problem.from_points(found))
        mean = Fraction(total, len(offset_vectors))
        ledger.raise_bound(math.ceil(mean / self.mean_within(points)), Origin.THEOREM)
        assert best is not None
        ledger.offer(problem.from_points(without_superfluous(points, best)))


@algorithms.register
class ShiftedGrid(GridAlgorithm):
    """Fake points and fake boxes by shifted grids, within 1 + epsilon of the minimum: the best of all L^d offset vectors.

    Every cell is solved exactly, by an integer program on a backend, and each sort of cell once. Exponential in the data within a cell; for
    fixed d, k and epsilon, and data that are nowhere dense, linear in n. Refuses more than 100,000 cells.

    Parameters
    ----------
    epsilon
        How far from the optimum; 1 unless said.
    backend
        What solves the cells' programs, which are written for CP-SAT.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.FakePoints([(0, 0), (0.5, 0.5), (3, 0)], 2)
    >>> ao.solve(problem, ShiftedGrid(epsilon=2), start=None).cost
    3
    >>> ShiftedGrid("1/2").ratio(problem)
    Fraction(248, 169)
    """

    name = "shifted-grid"
    family = "shifted-grids"

    def width(self, points: FakePoints) -> int:
        """Return the least L of which F is at most 1 + epsilon."""
        return least_width(self.epsilon, points.k, points.dimensions)

    def grids(self, points: FakePoints) -> tuple[int, str]:
        """Count a grid for each vector of offsets."""
        width, axes = self.width(points), points.dimensions
        return width**axes, f"{width}^{axes} = {width**axes:,}"

    def offsets(self, points: FakePoints) -> list[tuple[int, ...]]:
        """Return all vectors of offsets."""
        return list(itertools.product(range(self.width(points)), repeat=points.dimensions))

    def mean_within(self, points: FakePoints) -> Fraction:
        """Return F, which is at most 1 + epsilon."""
        return factor(self.width(points), points.k, points.dimensions)
