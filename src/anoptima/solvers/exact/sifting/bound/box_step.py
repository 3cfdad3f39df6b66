"""Raising the bound of a large table once averaged rounds gain no more: linear programs whose duals stay within a box.

Passes end some tenths of a unit below the linear program of the cuts in force. That program over the arcs of small reduced cost is solved
by an interior point method, but its duals know nothing of all other arcs. So each must stay within a box around the best multipliers (the
boxstep method): in the primal program copies may then be missing or in excess, and cuts violated, at prices that are the ends of the box.
A pass over all arcs finds what the duals prove. Arcs that turn out to be missing enter the next program, with the cuts that its solution
violates. The interior point ends in the middle of the optimal face, without a crossover to a vertex. There the duals violate few other
arcs, and cuts can be sought at the solutions as well as at averaged ones.

References
----------
R. E. Marsten, W. W. Hogan and J. W. Blankenship: The boxstep method for large-scale optimization. Operations Research 23 (1975).
"""

from __future__ import annotations

from collections.abc import Callable

import highspy
import numpy as np

from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.averaged_rounds import Round, Separate, exchanged
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers
from anoptima.solvers.exact.sifting.native import run
from anoptima.solvers.exact.sifting.releases.region_program import Programs, Region, RegionProgram, stopped_by

REACH, BOX = 0.1, 0.1
"""Up to which reduced cost arcs are in the program, and how far a dual may be from the multipliers; in units."""
MOST_ARCS = 100_000
"""Programs of more arcs take minutes."""
COURSE = Course(passes=300, first_step=0.002)
"""The passes from the duals on."""
FREE = 1e-5
"""A cut of a lower price, in units, is let go."""
SAME = 0.01
"""A look that is better by this many units becomes the new centre of the box."""


class BoxStep:
    """Rounds by linear programs: arcs that were missing, and new cuts, stay even where the bound has not become better.

    Once a program was too large, or not solved in its time, there are no more: the next ones are no smaller.
    """

    def __init__(self, programs: Programs, unit: int) -> None:
        self._programs, self._unit = programs, unit
        self._chosen = np.zeros(len(programs.catalogue.arcs.member), dtype=np.bool_)
        self._centre: tuple[DualPoint, Terms] | None = None
        self._is_too_much = False

    def go_round(
        self, near: DualPoint, terms: Terms, separate: Separate, is_over: Callable[[], bool], seconds: float
    ) -> Round | None:
        """Solve, look, separate: one round from the best multipliers `near`, for the rows of `terms`; None if that is too much."""
        if self._is_too_much:
            return None
        arcs, unit = self._programs.catalogue.arcs, self._unit
        if self._centre is None or near.value > self._centre[0].value + SAME * unit:
            self._centre = near, terms
        near, terms = self._centre
        self._chosen |= near.reduced <= REACH * unit
        solved = None
        if int(self._chosen.sum()) <= MOST_ARCS:
            solved = self._solved(near.at, terms, is_over, seconds)
        if solved is None:
            self._is_too_much = True
            return None
        at, x, y = solved
        self._chosen |= terms.look(arcs, at).reduced <= REACH * unit / 2
        raised = ascend(arcs, terms, at, is_over, COURSE, unit=unit)
        best = max(near, raised, key=lambda one: one.value)
        found = separate(x, y)
        more, start = exchanged(terms, best.at, found, FREE * unit)
        best = more.look(arcs, start)
        self._centre = best, more
        return Round(best, more, x, len(found))

    def _solved(
        self, at: Multipliers, terms: Terms, is_over: Callable[[], bool], seconds: float
    ) -> tuple[Multipliers, Numbers, Numbers] | None:
        """Return the duals of the program around `at`, and its solution, by arc and by pattern; None if it was not solved in time."""
        arcs, chosen = self._programs.catalogue.arcs, np.flatnonzero(self._chosen)
        program = RegionProgram(self._programs, Region(chosen, arcs.copies, rows=terms.rows))
        solver, cuts, box = program.solver, len(terms.rows), BOX * self._unit
        for option, instance in (
            ("solve_relaxation", True),
            ("solver", "ipm"),
            ("run_crossover", "off"),
            ("presolve", "off"),
            ("time_limit", float(seconds)),
        ):
            solver.setOptionValue(option, instance)
        # Copies that are missing, those that are too many, and what exceeds a cut.
        records = np.arange(len(program.records))
        rows = np.concatenate([records, records, solver.getNumRow() - cuts + np.arange(cuts)])
        sign = np.repeat([1.0, -1.0, -1.0], [len(records), len(records), cuts])
        worth = at.worth[program.records]
        price = np.concatenate([worth + box, box - worth, at.prices + box])
        count = len(price)
        most = np.full(count, highspy.kHighsInf)
        first = np.arange(count, dtype=np.int32)
        solver.addCols(count, price, np.zeros(count), most, count, first, rows.astype(np.int32), sign)
        with stopped_by(solver, is_over, highspy.cb.HighsCallbackType.kCallbackIpmInterrupt):
            run(solver, is_over)
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solution = solver.getSolution()
        value, dual = np.array(solution.col_value), np.array(solution.row_dual)
        worths = at.worth.copy()
        worths[program.records] = dual[: len(records)]
        x, y = np.zeros(len(arcs.member)), np.zeros(len(arcs.cost))
        x[chosen] = np.clip(value[: len(chosen)], 0, None)
        y[program.patterns] = np.clip(value[len(chosen) :][: len(program.patterns)], 0, 1)
        return Multipliers(worths, np.maximum(0, -dual[len(dual) - cuts :])), x, y
