"""The core program: the linear program of the arcs that matter, kept in HiGHS and extended as further arcs and cuts turn up.

    minimise    sum c_p x_pt
    subject to  sum_p x_pt = s_t           for each record t                (its dual: what a copy is worth)
                x_pt <= s_t y_p            for each arc of the core
                sum_t x_pt >= k y_p        for each pattern of the core
                the cuts                                                    (their duals: their prices)
                0 <= x,  0 <= y <= 1.

Its value is no bound, since arcs are missing, and nothing that it says is taken on trust: its duals are multipliers, whose bound is
computed over all arcs, and its solutions only say where to look.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct
from anoptima.solvers.exact.sifting.arcs import TINY, Numbers
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.native import new_solver, run

_INFINITY = highspy.kHighsInf
_MOST_ITERATIONS = 2**31 - 1
"""Steps of the simplex method that HiGHS calls no limit: what it begins with, and is set to again after a glance."""
_DEVEX = 1
"""HiGHS's number for weights of edges that are only estimated. Sixty programs of a tree of 200 rows took 3.6 s of CPU with them, 4.6 s with
what HiGHS chooses and 5.0 s with exact ones (2), which have to be computed anew after every change."""
_SLICE = 1.0
"""Seconds after which HiGHS is asked to let others have a word: callbacks would have to wait for other threads all the time."""

_NONE = np.zeros(0, dtype=np.int64)

Entries = tuple[NDArray[np.int64], NDArray[np.int64], Numbers]
"""Which of the columns that are added entries are of, in which rows, and how much they are."""


@dataclass(frozen=True, eq=False)
class Relaxed:
    """An optimum of the core program, over all arcs and patterns (0 where they are not in the core)."""

    value: float
    x: Numbers
    y: Numbers
    multipliers: Multipliers


class Core:
    """The core program. Arcs and rows are only ever added, except for rows that have been slack (`drop_slack`)."""

    def __init__(self, catalogue: Catalogue, is_over: Callable[[], bool]) -> None:
        self.arcs = catalogue.arcs
        self._catalogue = catalogue
        self._is_over = is_over
        self.rows: list[Row] = []
        self._place_of_row: list[int] = []
        self._pattern_column = np.full(len(self.arcs.cost), -1, dtype=np.int64)
        self._pattern_row = np.full(len(self.arcs.cost), -1, dtype=np.int64)
        self._arc_column = np.full(len(self.arcs.member), -1, dtype=np.int64)
        self._solver = new_solver(presolve="off")
        copies = self.arcs.copies.astype(float)
        self._add_rows(copies, copies)

    @property
    def size(self) -> int:
        """How many arcs there are in the core."""
        return int(self.chosen().sum())

    def chosen(self) -> NDArray[np.bool_]:
        """Return which arcs are in the core."""
        return self._arc_column >= 0

    def add_arcs(self, arcs: NDArray[np.int64]) -> int:
        """Add the arcs that are not there yet, and their patterns; return how many."""
        arcs = distinct(arcs)
        arcs = arcs[self._arc_column[arcs] < 0]
        if not len(arcs):
            return 0
        pattern = self._catalogue.arcs.pattern_of[arcs]
        self._add_patterns(distinct(pattern[self._pattern_column[pattern] < 0]))
        copies = self.arcs.copies[self.arcs.member[arcs]].astype(float)
        count, zeros = len(arcs), np.zeros(len(arcs))
        links = self._solver.getNumRow() + np.arange(count)
        self._add_rows(np.full(count, -_INFINITY), zeros, self._pattern_column[pattern], -copies)
        first = self._solver.getNumCol()
        self._arc_column[arcs] = first + np.arange(count)
        rows = self.arcs.member[arcs].astype(np.int64), self._pattern_row[pattern], links
        entries = [(np.arange(count), row, np.ones(count)) for row in rows]
        entries += self._in_cuts(arcs, self._arc_column, [(row.arcs, row.on_arc) for row in self.rows])
        self._add_columns(self.arcs.cost[pattern].astype(float), copies, entries)
        return count

    def _add_patterns(self, patterns: NDArray[np.int64]) -> None:
        count = len(patterns)
        if not count:
            return
        self._pattern_row[patterns] = self._solver.getNumRow() + np.arange(count)
        self._add_rows(np.zeros(count), np.full(count, _INFINITY))
        self._pattern_column[patterns] = self._solver.getNumCol() + np.arange(count)
        entries = [(np.arange(count), self._pattern_row[patterns], np.full(count, -float(self.arcs.k)))]
        entries += self._in_cuts(patterns, self._pattern_column, [(row.patterns, row.on_pattern) for row in self.rows])
        self._add_columns(np.zeros(count), np.ones(count), entries)

    def _in_cuts(
        self, added: NDArray[np.int64], all_columns: NDArray[np.int64], terms: Sequence[tuple[Numbers, Numbers]]
    ) -> Iterator[Entries]:
        """Yield the entries that columns which are added have in cuts, given what the terms of each cut are on, and how much."""
        position = np.full(len(all_columns), -1, dtype=np.int64)
        position[added] = np.arange(len(added))
        for (on, amount), place in zip(terms, self._place_of_row, strict=True):
            there = position[on]
            use = there >= 0
            yield there[use], np.full(int(use.sum()), place), amount[use].astype(float)

    def add_cuts(self, rows: Sequence[Row]) -> None:
        """Add cuts, over the arcs that are there."""
        for row in rows:
            columns = np.concatenate([self._pattern_column[row.patterns], self._arc_column[row.arcs]])
            values = np.concatenate([row.on_pattern, row.on_arc]).astype(float)
            use = columns >= 0
            self._place_of_row.append(self._solver.getNumRow())
            self._solver.addRow(-_INFINITY, float(row.most), int(use.sum()), columns[use].astype(np.int32), values[use])
            self.rows.append(row)

    def fix(self, fixed: Mapping[int, bool]) -> None:
        """Make these patterns open or shut, and leave all others free."""
        columns = np.flatnonzero(self._pattern_column >= 0)
        lower, upper = np.zeros(len(columns)), np.ones(len(columns))
        for pattern, is_open in fixed.items():
            place = np.searchsorted(columns, pattern)
            lower[place], upper[place] = float(is_open), float(is_open)
        self._solver.changeColsBounds(len(columns), self._pattern_column[columns].astype(np.int32), lower, upper)

    def add_shortfall(self, price: float, patterns: NDArray[np.int64] | None = None) -> None:
        """Let copies go unpublished, or these patterns' groups stay too small, at a price: then no fixing leaves nothing to solve."""
        if patterns is None:
            rows, most = np.arange(len(self.arcs.copies)), self.arcs.copies.astype(float)
        else:
            rows, most = self._pattern_row[patterns], np.full(len(patterns), float(self.arcs.k))
        entries = [(np.arange(len(rows)), rows, np.ones(len(rows)))]
        self._add_columns(np.full(len(rows), price), most, entries)

    def drop_slack(self, x: Numbers, y: Numbers) -> None:
        """Take out the cuts that are slack at (x, y)."""
        loose = [i for i, row in enumerate(self.rows) if row.slack(x, y) > TINY]
        if not loose:
            return
        places = np.array([self._place_of_row[i] for i in loose])
        self._solver.deleteRows(len(places), places.astype(np.int32))
        dropped = set(loose)
        self.rows = [row for i, row in enumerate(self.rows) if i not in dropped]
        kept = [place for i, place in enumerate(self._place_of_row) if i not in dropped]
        self._place_of_row = [place - int(np.searchsorted(places, place)) for place in kept]
        self._pattern_row -= np.searchsorted(places, self._pattern_row)

    def expect_changes(self) -> None:
        """Let rows and columns change before most runs: no weights of edges that would have to be computed anew each time."""
        self._solver.setOptionValue("simplex_dual_edge_weight_strategy", _DEVEX)

    def solve(self, seconds: float | None = None) -> Relaxed | None:
        """Return an optimum; None if there was not enough time."""
        solver = self._solver
        self._run(seconds)
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        found = solver.getSolution()
        value, dual = np.array(found.col_value), np.array(found.row_dual)
        x = np.where(self._arc_column >= 0, value[self._arc_column], 0.0)
        y = np.where(self._pattern_column >= 0, value[self._pattern_column], 0.0)
        prices = np.maximum(0.0, -dual[self._place_of_row]) if self.rows else np.zeros(0)
        at = Multipliers(dual[: len(self.arcs.copies)], prices)
        return Relaxed(solver.getInfo().objective_function_value, np.clip(x, 0, None), np.clip(y, 0, 1), at)

    def glance(self, iterations: int) -> float:
        """Return an estimate of the optimum after at most `iterations` of the dual simplex method."""
        self._solver.setOptionValue("simplex_iteration_limit", iterations)
        try:
            self._run()
        finally:
            self._solver.setOptionValue("simplex_iteration_limit", _MOST_ITERATIONS)
        return float(self._solver.getInfo().objective_function_value)

    def _run(self, seconds: float | None = None) -> None:
        """Run HiGHS for `seconds`, unless it is over before, slice by slice: each goes on where the last one ended."""
        solver, until = self._solver, math.inf if seconds is None else time.monotonic() + seconds
        while not self._is_over():
            most = min(_SLICE, max(0.0, until - time.monotonic()))
            solver.setOptionValue("time_limit", solver.getRunTime() + most)
            run(solver)
            if solver.getModelStatus() != highspy.HighsModelStatus.kTimeLimit or time.monotonic() >= until:
                return

    def _add_rows(
        self, lower: Numbers, upper: Numbers, columns: NDArray[np.int64] = _NONE, values: Numbers = _NONE
    ) -> None:
        """Add rows with no entry yet, or with one each."""
        count, entries = len(lower), len(columns)
        start = np.arange(count, dtype=np.int32) if entries else np.zeros(count, dtype=np.int32)
        self._solver.addRows(count, lower, upper, entries, start, columns.astype(np.int32), values.astype(float))

    def _add_columns(self, cost: Numbers, upper: Numbers, entries: Sequence[Entries]) -> None:
        owner, row, value = (np.concatenate(part) for part in zip(*entries, strict=True))
        order = np.argsort(owner, kind="stable")
        start = np.searchsorted(owner[order], np.arange(len(cost))).astype(np.int32)
        self._solver.addCols(
            len(cost),
            cost,
            np.zeros(len(cost)),
            upper,
            len(owner),
            start,
            row[order].astype(np.int32),
            value[order],
        )
