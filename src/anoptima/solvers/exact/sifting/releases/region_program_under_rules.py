"""Mixed-integer programs over some of the arcs, for HiGHS: the core of a table, or a region of a release that is let go.

    minimise    sum c_p x_pr
    subject to  sum_p x_pr = demand_r                                       for each record
                |x_p| >= least_p y_p,  x_pr <= demand_r y_p                 where sizes or numbers of values count
                x_p(v) <= C_p,  |x_p| >= l C_p                              for a share 1/l, C_p whole, and what fits
                w_pv <= x_p(v),  w_pv <= y_p,  sum_v w_pv >= l y_p          for l values, w binary
                z_pv = x_p(v),  u_pe >= |z_p(below e) - Q_e |x_p||,  sum_e d_e u_pe <= t |x_p|     for closeness on a tree, z whole

A condition of another sort is left out, and what comes back may fail it. Groups that stay may take rows, too: what they have is added to x
on the left, and they are open anyway. What comes back is checked by the problem; nothing is proved by it here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.principles import AtLeastRows, AtLeastValues, AtMostShare, CloseByFlow, CloseOnTree, Condition
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.native import run
from anoptima.solvers.exact.sifting.releases.region_program import stopped_by
from anoptima.solvers.exact.sifting.releases.release import Release
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.rules.shares import largest_cap

_INFINITY = highspy.kHighsInf


@dataclass(frozen=True, eq=False)
class Region:
    """What is to be decided: the arcs that may be used, how many copies of each record, and what patterns hold that stay as they are."""

    arcs: Counts
    demand: Counts
    staying: Release = field(default_factory=lambda: Release(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)))


@dataclass(frozen=True, eq=False)
class Found:
    """What a solver came back with."""

    release: Release | None
    done: bool
    value: float = np.nan


@dataclass(frozen=True, eq=False)
class Relaxed:
    """An optimum of the linear program: its value, x for each arc of the region, and what a copy of each of its records is worth."""

    value: float
    x: Numbers
    records: Counts
    worth: Numbers


class Program:
    """The program of a region. Columns come by kind: x, y, then those of each condition."""

    def __init__(self, instance: Instance, region: Region) -> None:
        self._instance, self._region = instance, region
        arcs, patterns = instance.arcs, instance.patterns
        self._arcs = region.arcs
        self._record = arcs.member[region.arcs]
        self._patterns, self._of_arc = np.unique(patterns.pattern_of_arc[region.arcs], return_inverse=True)
        self._records, place = np.unique(self._record, return_inverse=True)
        self._held = _Held(instance, region.staying, self._patterns)
        self._rows: list[tuple[Counts, Counts, Numbers]] = []
        self._lower: list[Numbers] = []
        self._upper: list[Numbers] = []
        self._columns: list[tuple[Numbers, Numbers, Numbers, bool]] = []
        self._count = 0
        self._row_count = 0
        self._fills: list[Callable[[Numbers, Numbers], None]] = []
        demand = region.demand[self._record].astype(float)
        conditions = instance.conditions
        self._x = self._add_columns(
            arcs.cost[self._patterns[self._of_arc]].astype(float), demand, _needs_whole(conditions)
        )
        need = region.demand[self._records].astype(float)
        self._add_rows(place, self._x, np.ones(len(self._x)), need, need)
        self._y: Counts | None = None
        if any(not isinstance(condition, AtMostShare) for condition in conditions):
            self._open(demand)
        for condition in conditions:
            if isinstance(condition, AtMostShare):
                self._share(condition, demand)
            elif isinstance(condition, AtLeastValues):
                self._values(condition)
            elif isinstance(condition, CloseOnTree):
                self._close(condition)
            elif isinstance(condition, CloseByFlow):
                self._flow(condition)
        self.solver = self._load()

    def _add_columns(self, cost: Numbers, upper: Numbers, whole: bool, lower: Numbers | None = None) -> Counts:
        lower = np.zeros(len(cost)) if lower is None else lower
        self._columns.append((cost, lower, upper, whole))
        added = self._count + np.arange(len(cost))
        self._count += len(cost)
        return added

    def _add_rows(self, row: Counts, column: Counts, value: Numbers, lower: Numbers, upper: Numbers) -> None:
        self._rows.append((row + self._row_count, column, value))
        self._lower.append(lower)
        self._upper.append(upper)
        self._row_count += len(lower)

    def _above(self, parts: list[tuple[Counts, Counts, Numbers]], lower: Numbers) -> None:
        """Add rows: sums of the parts (row, column, value) are at least `lower`."""
        row, column, value = (np.concatenate([part[i] for part in parts]) for i in range(3))
        self._add_rows(row, column, value, lower, np.full(len(lower), _INFINITY))

    def _open(self, demand: Numbers) -> None:
        count = len(self._patterns)
        stays = self._held.size > 0
        y = self._y = self._add_columns(np.zeros(count), np.ones(count), True, stays.astype(float))
        least = np.where(stays, 0, self._instance.arcs.least[self._patterns]).astype(float)
        ones = np.ones(len(self._x))
        self._above([(self._of_arc, self._x, ones), (np.arange(count), y, -least)], np.zeros(count))
        number = np.arange(len(self._x))
        self._above([(number, self._x, -ones), (number, y[self._of_arc], demand)], np.zeros(len(number)))

        def fill(x: Numbers, values: Numbers) -> None:
            values[y] = np.maximum(stays, np.bincount(self._of_arc, x, count) > 0)

        self._fills.append(fill)

    def _cells(self, column: str) -> tuple[Counts, Counts, Counts, Counts]:
        """Return the (pattern, value) pairs that arcs bring, as two arrays, the pair of each arc, and the codes of all records."""
        table = self._instance.problem.table
        codes = table.records.sensitive[:, table.sensitive.index(column)].astype(np.int64)
        width = len(table.sensitive_column(column).values)
        cell, of_arc = np.unique(self._of_arc * width + codes[self._record], return_inverse=True)
        return cell // width, cell % width, of_arc, codes

    def _share(self, condition: AtMostShare, demand: Numbers) -> None:
        pattern, value, of_arc, codes = self._cells(condition.column)
        count, width = len(self._patterns), int(codes.max()) + 1
        held = self._held.by_value(codes, width)
        reach = held.copy()
        np.add.at(reach, (pattern, value), np.bincount(of_arc, demand, len(pattern)).astype(np.int64))
        most = largest_cap(reach, condition.share.denominator, condition.share.numerator)
        cap = self._add_columns(np.zeros(count), most.astype(float), True, held.max(axis=1, initial=0).astype(float))
        ones = np.ones(len(self._x))
        cells = np.arange(len(pattern))
        self._above(
            [(of_arc, self._x, -ones), (cells, cap[pattern], np.ones(len(cells)))], held[pattern, value].astype(float)
        )
        a, b = float(condition.share.denominator), float(condition.share.numerator)
        self._above(
            [(self._of_arc, self._x, b * ones), (np.arange(count), cap, np.full(count, -a))],
            -b * self._held.size.astype(float),
        )

        def fill(x: Numbers, values: Numbers) -> None:
            have = held.astype(float)
            np.add.at(have, (pattern, value), np.bincount(of_arc, x, len(pattern)))
            values[cap] = have.max(axis=1, initial=0)

        self._fills.append(fill)

    def _values(self, condition: AtLeastValues) -> None:
        pattern, _, of_arc, _ = self._cells(condition.column)
        assert self._y is not None
        y, count = self._y, len(self._patterns)
        there = self._add_columns(np.zeros(len(pattern)), np.ones(len(pattern)), True)
        cells, ones = np.arange(len(pattern)), np.ones(len(pattern))
        self._above([(of_arc, self._x, np.ones(len(self._x))), (cells, there, -ones)], np.zeros(len(cells)))
        self._above([(cells, y[pattern], ones), (cells, there, -ones)], np.zeros(len(cells)))
        wanted = np.where(self._held.size > 0, 0, condition.values).astype(float)
        self._above([(pattern, there, ones), (np.arange(count), y, -wanted)], np.zeros(count))

        def fill(x: Numbers, values: Numbers) -> None:
            values[there] = np.bincount(of_arc, x, len(pattern)) > 0

        self._fills.append(fill)

    def _close(self, condition: CloseOnTree) -> None:
        table = self._instance.problem.table
        pattern, value, of_arc, codes = self._cells(condition.column)
        count, cells = len(self._patterns), len(pattern)
        width = len(condition.whole)
        held = self._held.by_value(codes, width)
        z = self._add_columns(np.zeros(cells), np.full(cells, float(table.rows)), True)
        self._add_rows(
            np.concatenate([of_arc, np.arange(cells)]),
            np.concatenate([self._x, z]),
            np.concatenate([np.ones(len(self._x)), -np.ones(cells)]),
            np.zeros(cells),
            np.zeros(cells),
        )
        sides, lengths = condition.sides.astype(float), np.array([float(length) for length in condition.lengths])
        edges = np.flatnonzero(lengths)
        share = sides @ np.array(condition.whole, dtype=float) / table.rows
        below = held @ sides.T - self._held.size[:, None] * share
        edge, owner = np.tile(edges, count), np.repeat(np.arange(count), len(edges))
        number = np.arange(len(edge))
        number_of = np.full((count, len(lengths)), -1, dtype=np.int64)
        number_of[owner, edge] = number
        surplus = self._add_columns(np.zeros(len(edge)), np.full(len(edge), _INFINITY), False)
        at_cell, at_edge = np.nonzero(condition.sides.T[value][:, edges])
        at_row = number_of[pattern[at_cell], edges[at_edge]]
        all_cell, all_edge = np.repeat(np.arange(cells), len(edges)), np.tile(edges, cells)
        all_row = number_of[pattern[all_cell], all_edge]
        for sign in (1.0, -1.0):
            self._above(
                [
                    (number, surplus, np.ones(len(edge))),
                    (at_row, z[at_cell], np.full(len(at_row), -sign)),
                    (all_row, z[all_cell], sign * share[all_edge]),
                ],
                sign * below[owner, edge],
            )
        limit = float(condition.limit * condition.scale)
        self._above(
            [(pattern, z, np.full(cells, limit)), (owner, surplus, -lengths[edge])],
            -limit * self._held.size.astype(float),
        )

        def fill(x: Numbers, values: Numbers) -> None:
            amounts = np.bincount(of_arc, x, cells)
            values[z] = amounts
            have = np.zeros((count, width))
            np.add.at(have, (pattern, value), amounts)
            found = have @ sides.T - have.sum(axis=1)[:, None] * share + below
            values[surplus] = np.abs(found[owner, edge])

        self._fills.append(fill)

    def _flow(self, condition: CloseByFlow) -> None:
        table = self._instance.problem.table
        pattern, value, of_arc, codes = self._cells(condition.column)
        count, width = len(self._patterns), len(condition.whole)
        held = self._held.by_value(codes, width).astype(float)
        share = np.array(condition.whole, dtype=float) / table.rows
        flow = self._add_columns(
            np.zeros(count * width * width), np.full(count * width * width, _INFINITY), False
        ).reshape(count, width, width)
        line = np.arange(count * width)
        cell_line = pattern * width + value
        from_, into = (
            np.repeat(line, width),
            np.repeat(np.arange(count), width * width) * width + np.tile(np.arange(width), count * width),
        )
        ones = np.ones(flow.size)
        self._add_rows(
            np.concatenate([from_, cell_line[of_arc]]),
            np.concatenate([flow.ravel(), self._x]),
            np.concatenate([ones, -np.ones(len(self._x))]),
            held.ravel(),
            held.ravel(),
        )
        spread = (self._of_arc[:, None] * width + np.arange(width)).ravel()
        size = (self._held.size[:, None] * share).ravel()
        self._add_rows(
            np.concatenate([into, spread]),
            np.concatenate([flow.ravel(), np.repeat(self._x, width)]),
            np.concatenate([ones, -np.tile(share, len(self._x))]),
            size,
            size,
        )
        limit = float(condition.limit * condition.scale)
        distances = np.tile(condition.distances.astype(float).ravel(), count)
        self._above(
            [
                (self._of_arc, self._x, np.full(len(self._x), limit)),
                (np.repeat(np.arange(count), width * width), flow.ravel(), -distances),
            ],
            -limit * self._held.size.astype(float),
        )

    def _load(self) -> Any:
        row, column, value = (np.concatenate([part[i] for part in self._rows]) for i in range(3))
        order = np.lexsort((column, row))
        row, column, value = row[order], column[order], value[order]
        # HiGHS takes every entry once only.
        once = np.ones(len(row), dtype=np.bool_)
        once[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
        value = np.add.reduceat(value, np.flatnonzero(once))
        row, column = row[once], column[once]
        cost, lower, upper = (np.concatenate([part[i] for part in self._columns]) for i in range(3))
        self._whole = np.concatenate([np.full(len(part[0]), part[3]) for part in self._columns])
        solver = highspy.Highs()
        for option, instance in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.99)):
            solver.setOptionValue(option, instance)
        start = np.searchsorted(row, np.arange(self._row_count)).astype(np.int32)
        solver.passModel(
            self._count,
            self._row_count,
            len(row),
            int(highspy.MatrixFormat.kRowwise),
            int(highspy.ObjSense.kMinimize),
            0.0,
            cost,
            lower,
            upper,
            np.concatenate(self._lower),
            np.concatenate(self._upper),
            start,
            column.astype(np.int32),
            value,
            self._whole.astype(np.int32),
        )
        return solver

    def encode(self, start: Release) -> Numbers:
        """Return a publication of the region as values of all columns but flows, which the solver finds."""
        order = np.argsort(self._arcs, kind="stable")
        x = np.zeros(len(self._arcs))
        x[order[np.searchsorted(self._arcs[order], start.arc)]] = start.count
        values = np.zeros(self._count)
        values[self._x] = x
        for fill in self._fills:
            fill(x, values)
        return values

    def solve(self, seconds: float, is_over: Callable[[], bool], start: Release | None = None) -> Found:
        """Return the best publication of the region that was found in time, and whether the search came to its end."""
        solver = self.solver
        solver.setOptionValue("time_limit", float(min(seconds, 1e9)))
        if start is not None:
            values = self.encode(start)
            solver.setSolution(len(values), np.arange(len(values), dtype=np.int32), values)

        self._run(is_over)
        done = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return Found(None, done)
        values = np.array(solver.getSolution().col_value)
        return Found(self._decode(values), done, solver.getInfo().objective_function_value)

    def relax(self, seconds: float, is_over: Callable[[], bool]) -> Relaxed | None:
        """Return an optimum of the linear program in which nothing must be whole; None if there was no time for it."""
        solver = self.solver
        solver.setOptionValue("time_limit", float(min(seconds, 1e9)))
        columns = np.arange(self._count, dtype=np.int32)
        solver.changeColsIntegrality(self._count, columns, np.zeros(self._count, dtype=np.int32))
        self._run(is_over)
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        found = solver.getSolution()
        return Relaxed(
            solver.getInfo().objective_function_value,
            np.array(found.col_value)[self._x],
            self._records.astype(np.int64),
            np.array(found.row_dual)[: len(self._records)],
        )

    def _run(self, is_over: Callable[[], bool]) -> None:
        moments = highspy.cb.HighsCallbackType
        with stopped_by(self.solver, is_over, moments.kCallbackMipInterrupt, moments.kCallbackSimplexInterrupt):
            run(self.solver, is_over)

    def _decode(self, values: Numbers) -> Release | None:
        x = values[self._x]
        if np.abs(x - np.rint(x)).max(initial=0) > 1e-6:
            return None
        count = np.rint(x).astype(np.int64)
        used = np.flatnonzero(count)
        order = np.argsort(self._arcs[used])
        return Release(self._arcs[used][order], count[used][order])


class _Held:
    """What the patterns of a program hold of groups that stay."""

    def __init__(self, instance: Instance, staying: Release, patterns: Counts) -> None:
        pattern = instance.patterns.pattern_of_arc[staying.arc]
        place = np.minimum(np.searchsorted(patterns, pattern), max(0, len(patterns) - 1))
        there = patterns[place] == pattern if len(patterns) else np.zeros(0, dtype=np.bool_)
        self._place = place[there]
        self._record = instance.arcs.member[staying.arc[there]]
        self._amount = staying.count[there]
        self._patterns = len(patterns)
        self.size = np.bincount(self._place, self._amount, self._patterns).astype(np.int64)

    def by_value(self, codes: Counts, width: int) -> NDArray[np.int64]:
        """Return patterns x values."""
        place = self._place * width + codes[self._record]
        return np.bincount(place, self._amount, self._patterns * width).astype(np.int64).reshape(self._patterns, width)


def _needs_whole(conditions: Sequence[Condition]) -> bool:
    """Tell whether x must be declared whole: beside a network of one column's values it comes out so once the rest is fixed."""
    kinds = [condition for condition in conditions if not isinstance(condition, AtLeastRows)]
    if len(kinds) > 1:
        return True
    return any(
        isinstance(condition, CloseByFlow) or (isinstance(condition, AtMostShare) and condition.share.numerator != 1)
        for condition in kinds
    )
