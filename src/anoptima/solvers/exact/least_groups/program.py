"""Programs over some groups: how much there is of each, such that all rows are in one, at the least cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import current_deadline
from anoptima.solvers.exact.least_groups.pricing import Pricing
from anoptima.solvers.stopping import stopped_by
from anoptima.table import Counts

Numbers = NDArray[np.float64]


class Groups:
    """Some groups of k rows and their costs, none twice; the rows of each rise."""

    def __init__(self, pricing: Pricing) -> None:
        self._pricing = pricing
        self.rows = np.zeros((0, pricing.k), dtype=np.int64)
        self.cost = np.zeros(0, dtype=np.int64)
        self._known: set[bytes] = set()

    def add(self, groups: Counts) -> int:
        """Add groups; return how many were not there."""
        keys = dict(zip([group.tobytes() for group in groups], range(len(groups)), strict=True))
        new = groups[[at for key, at in keys.items() if key not in self._known]]
        self._known.update(keys)
        self.rows = np.concatenate([self.rows, new])
        self.cost = np.concatenate([self.cost, self._pricing.costs(new)])
        return len(new)

    def among(self, rows: Counts) -> tuple[Counts, Counts]:
        """Return the numbers of the groups inside some rows, and their rows as places among those."""
        place = np.full(self._pricing.rows, -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        inside = np.flatnonzero((place[self.rows] >= 0).all(axis=1))
        return inside, place[self.rows[inside]]


@dataclass(frozen=True, eq=False)
class Optimum:
    """The least cost, how much there is of each group, and what each row is worth."""

    cost: float
    amount: Numbers
    worth: Numbers


class Program:
    """Groups of rows numbered from 0; a row may be left over at a cost that no group has."""

    def __init__(self, rows: int, left_over: int) -> None:
        self._rows, self._left_over = rows, left_over
        self._index, self._length, self._cost = (
            [np.arange(rows)],
            [np.ones(rows, dtype=np.int64)],
            [np.full(rows, left_over)],
        )

    def add(self, groups: Counts, cost: Counts) -> None:
        """Add groups of one size."""
        self._index.append(groups.ravel())
        self._length.append(np.full(len(groups), groups.shape[1]))
        self._cost.append(cost)

    def optimum(self, is_cover: bool = False) -> Optimum:
        """Return the optimum in fractions of groups; of a cover, in which rows may be in more than one.

        By an interior point, not a vertex: its worths lie amid all that are optimal, which takes far fewer rounds of new groups.
        """
        from anoptima.solvers.exact.sifting.native import new_solver, run_to_the_deadline

        solver = new_solver(presolve="off", solver="ipm", run_crossover="off")
        model = self._model()
        if is_cover:
            model.row_upper_ = np.full(self._rows, np.inf)
        solver.passModel(model)
        run_to_the_deadline(solver)
        found = solver.getSolution()
        value = float(solver.getInfo().objective_function_value)
        return Optimum(value, np.array(found.col_value)[self._rows :], np.array(found.row_dual))

    def partition(self, known: int, seconds: float) -> Counts:
        """Return the numbers of groups that hold each row once, the cheapest that are found in so many seconds: the first ones do."""
        import highspy

        from anoptima.solvers.exact.sifting.native import new_solver, run

        solver, model = new_solver(time_limit=seconds), self._model()
        model.integrality_ = [highspy.HighsVarType.kInteger] * model.num_col_
        solver.passModel(model)
        first = highspy.HighsSolution()
        first.col_value = [float(0 <= number - self._rows < known) for number in range(model.num_col_)]
        solver.setSolution(first)
        with stopped_by(solver, current_deadline()):
            run(solver)
        taken = np.array(solver.getSolution().col_value) > 0.5
        is_whole = len(taken) > 0 and not taken[: self._rows].any()
        return np.flatnonzero(taken[self._rows :]) if is_whole else np.arange(known)

    def _model(self) -> Any:
        import highspy

        index, length = np.concatenate(self._index), np.concatenate(self._length)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(length), self._rows
        model.col_cost_ = np.concatenate(self._cost).astype(float)
        model.col_lower_, model.col_upper_ = np.zeros(len(length)), np.full(len(length), highspy.kHighsInf)
        model.row_lower_ = model.row_upper_ = np.ones(self._rows)
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.concatenate([[0], np.cumsum(length)]).astype(np.int32)
        model.a_matrix_.index_ = index.astype(np.int32)
        model.a_matrix_.value_ = np.ones(len(index))
        return model
