"""The covering program of `stacks`: single fakes beside data, stacks of k, and the sparse test boxes that they must serve.

Loaded when a program is built, since it needs HiGHS.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time, current_deadline
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers.approximate.weighed_boxes import Counts, InWholeNumbers, Nearby, Place, Row
from anoptima.solvers.exact.sifting.native import new_solver, run
from anoptima.solvers.stopping import stopped_by

_FINEST = 1 << 24
"""What prices are multiplied by before they are rounded to whole numbers, in which the worth of places is summed."""
_WORTH_IT = 1.0 + 1e-6
"""How many times its cost a stack must be worth to be added."""
_NEAR = 1e-6
"""What counts as whole in the program; whoever asks checks what it finds."""


class Ground(InWholeNumbers):
    """The points in whole numbers, and what test boxes hold."""

    def __init__(self, problem: FakePoints) -> None:
        super().__init__(problem)
        self.problem = problem
        data = [self.whole(point) for point in problem.points]
        self._near = Nearby(data, self.unit)

    def held(self, corner: Place) -> list[Place]:
        """Return the data in a test box, each as often as it is there."""
        return self._near.held(corner)

    def left_sparse(self, fakes: Counter[Place]) -> list[Place]:
        """Return the corners of test boxes that hold something, and with the fakes fewer than k points."""
        added = self.added(fakes)
        return [self.whole(corner) for corner, _ in self.problem.sparse(added)]

    def topped_up(self, fakes: Counter[Place], sparse: Sequence[Place]) -> AddedPoints:
        """Return the fakes, and with the data of test boxes that they leave `sparse` as many more as these lack."""
        near, counts = Nearby(fakes, self.unit), np.array([*fakes.values(), 0])
        added: Counter[Place] = Counter()
        for corner in sparse:
            check_time()
            data = self.held(corner)
            inside = len(data) + int(counts[near.numbers(corner)].sum()) + sum(added[place] for place in set(data))
            added[data[0]] += max(0, self.problem.k - inside)
        return self.added(fakes + added)


class Covering:
    """The program for some sparse test boxes, over the places of data and those of stacks found so far."""

    def __init__(self, ground: Ground, rows: Sequence[Row]) -> None:
        self._k, self._clamped, self._rows = ground.problem.k, ground.clamped, rows
        self._counts = Counts([Row(row.corner, 1) for row in rows], 1, ground.unit)
        self._solver = new_solver(mip_rel_gap=0.0, mip_abs_gap=1.0 - 1e-6)
        self._columns: list[tuple[Place, int]] = []
        for row in rows:
            nothing = np.zeros(0)
            self._solver.addRow(float(row.lacks), highspy.kHighsInf, 0, nothing.astype(np.int32), nothing)
        served: defaultdict[Place, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            for place in set(ground.held(row.corner)):
                served[place].append(number)
        for place in sorted(served):
            self._add(place, 1, served[place], np.ones(len(served[place])))

    def _add(self, place: Place, fakes: int, numbers: Sequence[int], serves: NDArray[np.float64]) -> None:
        """Add a column for so many fakes at a place, which serve these rows so much."""
        self._solver.addCol(float(fakes), 0.0, float(self._k), len(numbers), np.array(numbers, np.int32), serves)
        self._columns.append((place, fakes))

    def _add_stack(self, place: Place) -> None:
        numbers, _ = self._counts.of(place)
        self._add(place, self._k, numbers, np.array([float(self._rows[number].lacks) for number in numbers]))

    def add_stacks(self, places: set[Place]) -> None:
        """Add stacks at these places, and at all places that are worth one, which are entered, too."""
        for place in sorted(places):
            self._add_stack(place)
        while True:
            check_time()
            run(self._solver)
            prices = np.maximum(0.0, self._solver.getSolution().row_dual)
            weights = [int(_FINEST * price * row.lacks) for price, row in zip(prices, self._rows, strict=True)]
            least = _WORTH_IT * _FINEST * self._k
            new = {self._clamped(place) for worth, place in self._counts.largest(weights) if worth > least} - places
            if not new:
                return
            places |= new
            for place in sorted(new):
                self._add_stack(place)

    def whole(self, seconds: float) -> Counter[Place]:
        """Return the fakes of the best whole solution that is found in time, or else those of the last prices' program, rounded up."""
        rounded = np.ceil(np.array(self._solver.getSolution().col_value) - _NEAR)
        count = len(self._columns)
        whole = [highspy.HighsVarType.kInteger] * count
        self._solver.changeColsIntegrality(count, np.arange(count, dtype=np.int32), whole)
        self._solver.setOptionValue("time_limit", seconds)
        with stopped_by(self._solver, current_deadline()):
            run(self._solver)
        if self._solver.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
            rounded = np.rint(self._solver.getSolution().col_value)
        found: Counter[Place] = Counter()
        for (place, fakes), value in zip(self._columns, rounded, strict=True):
            found[place] += fakes * int(value)
        return +found
