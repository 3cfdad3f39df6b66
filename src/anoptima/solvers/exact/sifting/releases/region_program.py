"""Mixed-integer programs over some of the arcs, for HiGHS: the core of a table, or a region of a release that is let go.

    minimise    sum c_p x_pr
    subject to  sum_p x_pr = demand_r,   what is asked of groups (`region_conditions`),   cuts,   x >= 0.

Under k-anonymity that is x_pr <= demand_r y_p and |x_p| >= k y_p for binary y. Groups that stay as they are take any row that they match
and that leaves them legal. What comes back is checked by the problem; nothing is proved by it here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.backends.highs import pass_model
from anoptima.solvers.exact.sifting.arcs import TINY
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row
from anoptima.solvers.exact.sifting.native import new_solver, run
from anoptima.solvers.exact.sifting.releases.region_conditions import (
    add_condition,
    add_openings,
    are_stated,
    needs_whole,
    only_grows,
    opens,
)
from anoptima.solvers.exact.sifting.releases.region_draft import Draft, Held
from anoptima.solvers.exact.sifting.releases.release import NOBODY, Release, legal_groups
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.stopping import stopped_by

ABSOLUTE_GAP = 0.99
"""What a search may leave open: costs are whole."""
_LONGEST = 1e9
"""Seconds that are no limit."""


@dataclass(frozen=True, eq=False)
class Region:
    """What is to be decided.

    Attributes
    ----------
    arcs
        The arcs that may be used, rising.
    demand
        How many copies of each record are to be published.
    staying
        What groups hold that stay; those that the arcs lead to take rows in.
    rows
        Cuts, less what the groups that stay take of them. They charge none of these anything.
    """

    arcs: Counts
    demand: Counts
    staying: Release = NOBODY
    rows: Sequence[Row] = ()


@dataclass(frozen=True, eq=False)
class Found:
    """The best publication of a region that was found in time, whether the search came to its end, and the bound it reached.

    The bound is HiGHS's word, for the arcs of the region.
    """

    release: Release | None
    done: bool
    bound: float = -np.inf


class Programs:
    """Programs over the arcs of one table: what they cost, what groups are asked for, and when they are legal."""

    def __init__(self, catalogue: Catalogue, problem: CellSuppression) -> None:
        self.catalogue, self.problem = catalogue, problem
        self.conditions = problem.principle.conditions(problem.table)
        self.only_grows = only_grows(self.conditions)

    def cost_of(self, release: Release) -> int:
        """Return the scaled cost of any release."""
        return int(self.catalogue.arcs.cost[self.catalogue.arcs.patterns_of(release.arc)] @ release.count)

    def is_legal(self, release: Release, demand: Counts | None = None, staying: Release = NOBODY) -> bool:
        """Tell whether each record's `demand` (all its copies) is published, in groups that are legal with what `staying` has in them."""
        arcs, pattern_of = self.catalogue.arcs, self.catalogue.arcs.pattern_of
        demand = arcs.copies if demand is None else demand
        if (np.bincount(arcs.member[release.arc], release.count, len(demand)) != demand).any():
            return False
        also = np.isin(pattern_of[staying.arc], pattern_of[release.arc])
        arc = np.concatenate([release.arc, staying.arc[also]])
        count = np.concatenate([release.count, staying.count[also]])
        groups, label = np.unique(pattern_of[arc], return_inverse=True)
        record = arcs.member[arc].astype(np.int64)
        return bool(legal_groups(self.problem, label, record, count, len(groups)).all())

    def improve(
        self,
        region: Region,
        start: Release | None,
        seconds: float,
        is_over: Callable[[], bool],
        *,
        careful: bool = False,
    ) -> Found:
        """Search a region, from `start` on if there is one.

        A `careful` search is meant to prove something, so it goes without what HiGHS has gone wrong by: presolve, and continuous columns
        beside integer ones (`solvers.backends.highs`). What cannot be stated is approached: if what was found fails it, the program
        asks for a little more, in the seconds that are left.
        """
        if are_stated(self.conditions):
            return RegionProgram(self, region, careful=careful).solve(seconds, is_over, start)
        began = time.monotonic()
        found = RegionProgram(self, region, start, careful=careful).solve(seconds, is_over, start)
        if found.release is None or self.is_legal(found.release, region.demand, region.staying):
            return found
        left = max(0.0, seconds - (time.monotonic() - began))
        return RegionProgram(self, region, start, careful=careful, is_close=True).solve(left, is_over, start)


class RegionProgram:
    """The program of a region, as arrays (`form`) and in HiGHS (`solver`).

    Columns: the arcs, the `patterns` that open (none where nothing speaks of that), those of each condition. Rows: the `records`, those
    of the conditions, the cuts.
    """

    def __init__(
        self,
        programs: Programs,
        region: Region,
        start: Release | None = None,
        *,
        careful: bool = False,
        is_close: bool = False,
    ) -> None:
        arcs, conditions = programs.catalogue.arcs, programs.conditions
        pattern = arcs.pattern_of[region.arcs]
        self._arcs = region.arcs
        is_first = np.diff(pattern, prepend=-1) != 0
        met, of_arc = pattern[is_first], np.cumsum(is_first) - 1
        record = arcs.member[region.arcs]
        self.records, place = np.unique(record, return_inverse=True)
        demand = region.demand[self.records].astype(float)
        staying = region.staying
        at, there = _places(met, arcs.pattern_of[staying.arc])
        held = Held(at, arcs.member[staying.arc[there]], staying.count[there], len(met))
        costs, whole = arcs.cost[pattern].astype(float), careful or needs_whole(conditions)
        draft = self._draft = Draft(of_arc, record, demand[place], costs, held, whole=whole)
        draft.add_rows(len(demand), [(place, draft.x, 1.0)], lower=demand, upper=demand)
        if region.rows or opens(conditions):
            add_openings(draft, arcs.least[met].astype(float))
        self.patterns = met[draft.y >= 0]
        begun = None if start is None else self._along(start)
        for condition in conditions:
            add_condition(draft, condition, programs.problem.table, begun, is_close=is_close)
        self._add_cuts(region.rows)
        self.form = draft.form()
        presolve = "off" if careful else "choose"
        self.solver = new_solver(mip_rel_gap=0.0, mip_abs_gap=ABSOLUTE_GAP, presolve=presolve)
        pass_model(self.solver, self.form, self.form.objective, self.form.integer)

    def _add_cuts(self, rows: Sequence[Row]) -> None:
        draft, y = self._draft, self._draft.y[self._draft.y >= 0]
        if not rows:
            return
        row, column, value = [], [], []
        for number, cut in enumerate(rows):
            at_arc, here = _places(self._arcs, cut.arcs)
            at_pattern, there = _places(self.patterns, cut.patterns)
            row.append(np.full(len(at_arc) + len(at_pattern), number))
            column += [at_arc, y[at_pattern]]
            value += [cut.on_arc[here], cut.on_pattern[there]]
        entries = np.concatenate(row), np.concatenate(column), np.concatenate(value).astype(float)
        draft.add_rows(len(rows), [entries], upper=np.array([float(cut.most) for cut in rows]))

    def _along(self, start: Release) -> Counts:
        """Return what a publication of the region takes along each of its arcs."""
        x = np.zeros(len(self._arcs), dtype=np.int64)
        x[np.searchsorted(self._arcs, start.arc)] = start.count
        return x

    def solve(self, seconds: float, is_over: Callable[[], bool], start: Release | None = None) -> Found:
        """Return what was found in time, from `start` on if there is one."""
        solver = self.solver
        solver.setOptionValue("time_limit", float(min(seconds, _LONGEST)))
        if start is not None:
            values = self._draft.values(self._along(start).astype(float))
            solver.setSolution(len(values), np.arange(len(values), dtype=np.int32), values)
        with stopped_by(solver, is_over):
            run(solver)
            if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
                return Found(None, False)
            bound = solver.getInfo().mip_dual_bound
            done = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
            return Found(self.decode(np.array(solver.getSolution().col_value)), done, bound)

    def decode(self, values: Numbers) -> Release | None:
        """Return the publication that values stand for; None if it is not whole.

        With what must be whole fixed, x is a transport, whose vertices are whole, and simplex stops at one.
        """
        x = values[: len(self._arcs)]
        count = np.rint(x).astype(np.int64)
        if np.abs(x - count).max(initial=0) > TINY:
            return None
        used = np.flatnonzero(count)
        return Release(self._arcs[used], count[used])


def _places(rising: Counts, wanted: Counts) -> tuple[Counts, NDArray[np.bool_]]:
    """Return where those of the numbers wanted that there are have their places, and which these are."""
    if not len(rising):
        return wanted[:0], np.zeros(len(wanted), dtype=np.bool_)
    place = np.searchsorted(rising, wanted)
    place[place == len(rising)] = 0
    there = rising[place] == wanted
    return place[there], there
