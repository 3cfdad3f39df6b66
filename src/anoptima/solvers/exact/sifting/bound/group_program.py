"""A linear program over whole groups: which groups, and fractions of groups, publish all rows at the least cost.

    minimise    sum_g c_g lam_g
    subject to  sum_g z_gr lam_g = s_r          for each record: what it is worth
                sum_{g of p} lam_g <= 1         for each pattern, = 1 where it must have a group
                sum_{g of p} z_g(v) lam_g       within limits, for patterns and values that are asked for

Pricing adds groups; when there are many, those of no use are removed. Its value is no bound; what pricing says at its duals is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.native import new_solver, run
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import Sizes

MOST, KEPT = 1_500, 600
"""Once there are as many groups as the first number, the second number stays."""
TINY = 1e-9
"""Parts of a group, and rows, that count as none. Of 535 positive parts in a tree of 60 rows one was below 1e-4, and that below 1e-12."""
_INFINITY = highspy.kHighsInf
_DUAL, _PRIMAL = 1, 4
"""HiGHS's numbers for the two simplex methods. New limits leave duals feasible, new groups a solution, and each method goes on from one of
them: twenty cases of 60 rows took 0.37 s of CPU, 0.66 s by the dual method alone and 0.60 s by the primal one alone."""
_NO_PATTERN = -1
"""In place of the number of a pattern: a column that makes up for what is missing."""

Cell = tuple[int, int]
"""A pattern and a value."""
Between = Mapping[Cell, tuple[int, int]]
"""At least and at most how many rows."""


@dataclass(frozen=True, eq=False)
class Mixed:
    """An optimum: its value, parts of groups as rows of each arc, how open patterns are, what is missing, and the duals.

    `spread` is the variance of the sizes of each pattern's groups.
    """

    value: float
    x: Numbers
    y: Numbers
    spread: Numbers
    missing: float
    worth: Numbers
    rent: Numbers
    prices: dict[Cell, float]


class GroupProgram:
    """The program of how groups are mixed, with a way out that is so dear that it is taken only where nothing else is left."""

    def __init__(self, instance: Instance) -> None:
        self._arcs, self._patterns = instance.arcs, len(instance.arcs)
        self._value_of_arc = instance.rules[0].value[instance.arcs.member]
        self._records = len(instance.arcs.copies)
        copies = instance.arcs.copies.astype(float)
        self._dear = dear = 10.0 * float(instance.arcs.cost.max(initial=1))
        self._solver = solver = new_solver(presolve="off")
        nothing = np.zeros(0, dtype=np.int32)
        for r in range(self._records):
            solver.addRow(copies[r], copies[r], 0, nothing, np.zeros(0))
        for sign, most in ((1.0, _INFINITY), (-1.0, 0.0)):
            for r in range(self._records):
                solver.addCol(dear, 0.0, most, 1, np.array([r], dtype=np.int32), np.array([sign]))
        for p in range(self._patterns):
            row = self._records + p
            solver.addRow(0.0, 1.0, 0, nothing, np.zeros(0))
            solver.addCol(dear * copies.sum(), 0.0, _INFINITY, 1, np.array([row], dtype=np.int32), np.ones(1))
        self._first = 2 * self._records + self._patterns
        self._cells: dict[Cell, int] = {}
        self._pattern: list[int] = []
        self._taken: list[tuple[Counts, Numbers]] = []
        self._known: set[bytes] = set()
        self._is_restricted = False

    def __len__(self) -> int:
        return len(self._pattern)

    def add(self, pattern: int, arcs: Counts, rows: Numbers) -> bool:
        """Add a group that takes a number of rows along each of some arcs; tell whether it was new."""
        if _key(arcs, rows) in self._known:
            return False
        self._known.add(_key(arcs, rows))
        index = [*self._arcs.member[arcs].tolist(), self._records + pattern]
        amount = [*rows.tolist(), 1.0]
        for cell, row in self._cells.items():
            of_value = self._rows_in(cell, pattern, arcs, rows)
            if of_value:
                index.append(row)
                amount.append(of_value)
        cost = float(self._arcs.cost[pattern] * rows.sum())
        self._solver.addCol(cost, 0.0, _INFINITY, len(index), np.array(index, dtype=np.int32), np.array(amount))
        self._pattern.append(pattern)
        self._taken.append((arcs, rows))
        return True

    def restrict(self, sizes: Sizes, between: Between) -> None:
        """Set the limits of a case; groups of other sizes are out."""
        self._is_restricted = True
        for cell in between:
            if cell not in self._cells:
                self._watch(cell)
        for cell, row in self._cells.items():
            low, high = between.get(cell, (-_INFINITY, _INFINITY))
            self._solver.changeRowBounds(row, float(low), float(high))
        for p in range(self._patterns):
            self._solver.changeRowBounds(self._records + p, float(sizes.opened[p]), 1.0)
        pattern = np.array(self._pattern, dtype=np.int64)
        size = np.array([rows.sum() for _, rows in self._taken])
        self._allow(
            (pattern == _NO_PATTERN) | (size >= sizes.least[pattern] - TINY) & (size <= sizes.most[pattern] + TINY)
        )

    def serve(self, copies: Counts) -> None:
        """Publish so many copies of each record; groups that take more are out."""
        self._is_restricted = True
        rows = np.arange(self._records, dtype=np.int32)
        self._solver.changeRowsBounds(len(rows), rows, copies.astype(float), copies.astype(float))
        member = self._arcs.member
        self._allow(np.array([(rows <= copies[member[arcs]]).all() for arcs, rows in self._taken], dtype=np.bool_))

    def _allow(self, fits: NDArray[np.bool_]) -> None:
        """Let those groups be taken that fit, and no others."""
        columns = (self._first + np.arange(len(fits))).astype(np.int32)
        self._solver.changeColsBounds(len(fits), columns, np.zeros(len(fits)), np.where(fits, _INFINITY, 0.0))

    def most_taken(self, whole: float) -> list[tuple[Counts, Counts]]:
        """Return the arcs and rows of the groups that the last optimum takes by `whole` or more, or of the one that it takes most of."""
        part = np.array(self._solver.getSolution().col_value)[self._first :]
        part[np.array(self._pattern, dtype=np.int64) == _NO_PATTERN] = 0
        if part.max(initial=0) <= TINY:
            return []
        chosen = np.flatnonzero(part >= min(whole, part.max()))
        return [(arcs, np.rint(rows).astype(np.int64)) for arcs, rows in (self._taken[g] for g in chosen.tolist())]

    def hold(self, worth: Numbers, width: float) -> None:
        """Keep what records are worth within a width of what they were: for the price at either end there is a way out."""
        ways = np.arange(2 * self._records, dtype=np.int32)
        costs = np.concatenate([np.minimum(worth + width, self._dear), width - worth])
        self._solver.changeColsBounds(len(ways), ways, np.zeros(len(ways)), np.full(len(ways), _INFINITY))
        self._solver.changeColsCost(len(ways), ways, costs)

    def solve_near(self, worth: Numbers, width: float) -> Mixed:
        """Return an optimum with worths that are held."""
        self.hold(worth, width)
        return self.solve()

    def _watch(self, cell: Cell) -> None:
        """Add a row that counts a pattern's rows of a value."""
        taken = zip(self._pattern, self._taken, strict=True)
        amount = np.array([self._rows_in(cell, pattern, *its) for pattern, its in taken])
        some = np.flatnonzero(amount)
        row = self._cells[cell] = self._solver.getNumRow()
        self._solver.addRow(-_INFINITY, _INFINITY, len(some), (self._first + some).astype(np.int32), amount[some])
        for sign in (1.0, -1.0):
            index = np.array([row], dtype=np.int32)
            self._solver.addCol(10 * self._dear, 0.0, _INFINITY, 1, index, np.array([sign]))
            self._pattern.append(_NO_PATTERN)
            self._taken.append((np.zeros(0, dtype=np.int64), np.zeros(0)))

    def _rows_in(self, cell: Cell, pattern: int, arcs: Counts, rows: Numbers) -> float:
        """Return how many rows a group of a pattern has in a cell."""
        p, v = cell
        return float(rows[self._value_of_arc[arcs] == v].sum()) if pattern == p else 0.0

    def solve(self) -> Mixed:
        """Return an optimum."""
        self._solver.setOptionValue("simplex_strategy", _DUAL if self._is_restricted else _PRIMAL)
        self._is_restricted = False
        run(self._solver)
        found = self._solver.getSolution()
        dual, part = np.array(found.row_dual), np.array(found.col_value)
        used = np.flatnonzero(part[self._first :] > TINY)
        x, y = np.zeros(len(self._arcs.member)), np.zeros(self._patterns)
        size, square = np.zeros(self._patterns), np.zeros(self._patterns)
        missing = float(part[: self._first].sum())
        for g in used.tolist():
            weight, (arcs, rows) = part[self._first + g], self._taken[g]
            p, its = self._pattern[g], rows.sum()
            if p == _NO_PATTERN:
                missing += weight
                continue
            x[arcs] += weight * rows
            y[p] += weight
            size[p] += weight * its
            square[p] += weight * its**2
        spread = np.where(y > TINY, square / np.maximum(y, TINY) - (size / np.maximum(y, TINY)) ** 2, 0)
        return Mixed(
            self._solver.getInfo().objective_function_value,
            x,
            y,
            spread,
            missing,
            dual[: self._records],
            -dual[self._records : self._records + self._patterns],
            {cell: float(dual[row]) for cell, row in self._cells.items()},
        )

    def forget(self) -> None:
        """Drop the groups that cost most at the present duals, if there are many."""
        if len(self) <= MOST:
            return
        reduced = np.array(self._solver.getSolution().col_dual)[self._first :]
        reduced[np.array(self._pattern) == _NO_PATTERN] = -_INFINITY
        gone = np.sort(np.argsort(reduced, kind="stable")[KEPT:])
        self._solver.deleteCols(len(gone), (self._first + gone).astype(np.int32))
        stays = np.delete(np.arange(len(self)), gone)
        self._pattern = [self._pattern[g] for g in stays.tolist()]
        self._taken = [self._taken[g] for g in stays.tolist()]
        self._known = {_key(arcs, rows) for arcs, rows in self._taken}


def _key(arcs: Counts, rows: Numbers) -> bytes:
    """Return what tells a group."""
    return arcs.tobytes() + np.round(rows, 7).tobytes()
