"""Mixed-integer programs over some of the arcs, for HiGHS: the core, or a region of a release that is let go.

    minimise    sum c_p x_pt
    subject to  sum_p x_pt = demand_t,   x_pt <= demand_t y_p,   sum_t x_pt >= k y_p,   cuts,   y_p in {0, 1},   x >= 0,

and, for regions, absorbers: groups outside that stay as they are and take any row they match. What comes back is checked by the
problem; nothing is proved by it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.models.matrix import MatrixForm
from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row
from anoptima.solvers.exact.sifting.native import run
from anoptima.solvers.exact.sifting.releases.release import Release

ABSOLUTE_GAP = 0.99
"""What a search may leave open: costs are whole (`solvers.backends.searching`)."""

_INFINITY = highspy.kHighsInf


@dataclass(frozen=True, eq=False)
class Region:
    """What is to be decided: the arcs that may be used, how many copies of each record, and the arcs of groups that stay open anyway."""

    arcs: NDArray[np.int64]
    demand: NDArray[np.int64]
    absorbers: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    rows: Sequence[Row] = ()


def improve(
    catalogue: Catalogue,
    region: Region,
    start: Release | None,
    seconds: float,
    is_over: Callable[[], bool],
    *,
    careful: bool = False,
) -> tuple[Release | None, bool, float]:
    """Return the best publication of a region that was found in time, whether the search came to its end, and the bound it reached.

    The bound is HiGHS's word, for the arcs of the region.

    A `careful` search is meant to prove something, so it goes without what HiGHS has gone wrong by: presolve, and continuous columns
    beside integer ones (`solvers.backends.highs`).
    """
    program = RegionProgram(catalogue, region, careful=careful)
    solver = program.solver
    solver.setOptionValue("time_limit", float(seconds))
    if start is not None:
        columns, values = program.encode(start)
        solver.setSolution(len(columns), columns, values)
    with stopped_by(solver, is_over, highspy.cb.HighsCallbackType.kCallbackMipInterrupt):
        run(solver, is_over)
        if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return None, False, -np.inf
        bound = solver.getInfo().mip_dual_bound
        done = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return program.decode(np.array(solver.getSolution().col_value)), done, bound


@contextmanager
def stopped_by(
    solver: highspy.Highs, is_over: Callable[[], bool], *moments: highspy.cb.HighsCallbackType
) -> Iterator[None]:
    """Let HiGHS ask at these moments whether it is over. One that did not come back in time is left alone."""

    def hear(kind: int, message: str, out: Any, into: Any, _: object) -> None:
        into.user_interrupt = is_over()

    solver.setCallback(hear, None)
    for moment in moments:
        solver.startCallback(moment)
    yield
    solver.setCallback(None, None)


class RegionProgram:
    """The program of a region, as arrays (`form`) and in HiGHS (`solver`).

    Columns: the arcs, the absorbers, the `patterns`. Rows: the `records`, the links, the least sizes, the cuts.
    """

    def __init__(self, catalogue: Catalogue, region: Region, *, careful: bool) -> None:
        arcs = catalogue.arcs
        self._region = region
        self._arcs = np.concatenate([region.arcs, region.absorbers])
        own = len(region.arcs)
        pattern = catalogue.pattern_of[region.arcs]
        self.patterns, of_arc = np.unique(pattern, return_inverse=True)
        record = arcs.member[self._arcs]
        self.records, place = np.unique(record, return_inverse=True)
        demand = region.demand[self.records].astype(float)
        self._y = len(self._arcs)
        count, patterns = self._y + len(self.patterns), len(self.patterns)
        r, links = len(self.records), own
        row, column, value = [place], [np.arange(self._y)], [np.ones(self._y)]
        row += [r + np.arange(links), r + np.arange(links)]
        column += [np.arange(own), self._y + of_arc]
        value += [np.ones(own), -demand[place[:own]]]
        row += [r + links + of_arc, r + links + np.arange(patterns)]
        column += [np.arange(own), self._y + np.arange(patterns)]
        value += [np.ones(own), np.full(patterns, -float(arcs.k))]
        lower = [demand, np.full(links, -_INFINITY), np.zeros(patterns)]
        upper = [demand, np.zeros(links), np.full(patterns, _INFINITY)]
        rows = r + links + patterns
        for number, cut in enumerate(region.rows):
            at_arc = np.searchsorted(region.arcs, cut.arcs)
            at_arc[at_arc == own] = 0
            there = region.arcs[at_arc] == cut.arcs
            at_pattern = np.minimum(np.searchsorted(self.patterns, cut.patterns), patterns - 1)
            here = self.patterns[at_pattern] == cut.patterns
            row.append(np.full(int(there.sum() + here.sum()), rows + number))
            column.append(np.concatenate([at_arc[there], self._y + at_pattern[here]]))
            value.append(np.concatenate([cut.on_arc[there], cut.on_pattern[here]]).astype(float))
        lower.append(np.full(len(region.rows), -_INFINITY))
        upper.append(np.array([float(cut.most) for cut in region.rows]))
        rows += len(region.rows)
        at, which, what = np.concatenate(row), np.concatenate(column), np.concatenate(value)
        order = np.lexsort((which, at))
        integer = np.zeros(count, dtype=np.bool_)
        integer[0 if careful else self._y :] = True
        self._demand = demand[place]
        self.form = MatrixForm(
            objective=np.concatenate([arcs.cost[catalogue.pattern_of[self._arcs]], np.zeros(patterns)]).astype(float),
            constant=0.0,
            lower=np.zeros(count),
            upper=np.concatenate([self._demand, np.ones(patterns)]),
            integer=integer,
            implied=np.zeros(count, dtype=np.bool_),
            row_start=np.searchsorted(at[order], np.arange(rows + 1)).astype(np.int32),
            column=which[order].astype(np.int32),
            coefficient=what[order],
            row_lower=np.concatenate(lower),
            row_upper=np.concatenate(upper),
        )
        self.solver = _solver(self.form, careful=careful)
        self._of_arc = of_arc

    def encode(self, start: Release) -> tuple[NDArray[np.int32], Numbers]:
        """Return a publication of the region as values of all columns."""
        values = np.zeros(self._y + len(self.patterns))
        order = np.argsort(self._arcs, kind="stable")
        place = order[np.searchsorted(self._arcs[order], start.arc)]
        values[place] = start.count
        own = place[place < len(self._of_arc)]
        values[self._y + self._of_arc[own]] = 1
        return np.arange(len(values), dtype=np.int32), values

    def decode(self, values: Numbers) -> Release | None:
        """Return the publication that values stand for; with the patterns chosen it is a transport, whose vertices are whole."""
        x = values[: self._y]
        if np.abs(x - np.rint(x)).max(initial=0) > 1e-6:
            vertex = self._vertex(values[self._y :])
            if vertex is None:
                return None
            x = vertex
        count = np.rint(x).astype(np.int64)
        used = np.flatnonzero(count)
        arc, inverse = np.unique(self._arcs[used], return_inverse=True)
        return Release(arc, np.bincount(inverse, count[used], len(arc)).astype(np.int64))

    def _vertex(self, y: Numbers) -> Numbers | None:
        """Solve the transport that is left once the patterns are chosen, by simplex."""
        columns = np.arange(self._y, self._y + len(y), dtype=np.int32)
        fixed = np.rint(y)
        self.solver.changeColsBounds(len(columns), columns, fixed, fixed)
        self.solver.changeColsIntegrality(len(columns), columns, np.zeros(len(columns), dtype=np.uint8))
        self.solver.setOptionValue("time_limit", _INFINITY)
        self.solver.run()
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        x: Numbers = np.array(self.solver.getSolution().col_value)[: self._y]
        return x if np.abs(x - np.rint(x)).max(initial=0) <= 1e-6 else None


def _solver(form: MatrixForm, *, careful: bool) -> highspy.Highs:
    """Return HiGHS with a program, and with what it is told."""
    solver = highspy.Highs()
    for option, instance in (
        ("output_flag", False),
        ("threads", 1),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", ABSOLUTE_GAP),
        ("presolve", "off" if careful else "choose"),
    ):
        solver.setOptionValue(option, instance)
    solver.passModel(
        form.columns,
        form.rows,
        len(form.column),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMinimize),
        form.constant,
        form.objective,
        form.lower,
        form.upper,
        form.row_lower,
        form.row_upper,
        form.row_start[:-1],
        form.column,
        form.coefficient,
        form.integer.astype(np.int32),
    )
    return solver
