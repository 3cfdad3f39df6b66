"""Linear programs by HiGHS, in this process: their prices are wanted, and backends return none."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from anoptima.errors import NotApplicable, OutOfTime, SolverFailure
from anoptima.models.matrix import MatrixForm
from anoptima.models.relaxation import LinearSolver, Optimum, linear_solvers


@linear_solvers.register
class HighsSimplex(LinearSolver):
    """The simplex method of HiGHS, without presolve: then a program that has no solution is not taken for an unbounded one."""

    name = "highs"
    requires: ClassVar[dict[str, str]] = {"highspy": "highspy"}

    def optimum(self, form: MatrixForm, seconds: float | None) -> Optimum | None:
        """Return an optimum of `form` without its integrality, None if nothing satisfies its rows."""
        import highspy

        if form.columns == 0:
            feasible = bool(((form.row_lower <= 0) & (form.row_upper >= 0)).all())
            return Optimum(form.constant, np.zeros(0), np.zeros(form.rows)) if feasible else None
        solver = highspy.Highs()
        for option, setting in (("output_flag", False), ("presolve", "off"), ("solver", "simplex")):
            solver.setOptionValue(option, setting)
        if seconds is not None:
            solver.setOptionValue("time_limit", seconds)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = form.columns, form.rows
        program.offset_, program.col_cost_ = form.constant, form.objective
        program.col_lower_, program.col_upper_ = form.lower, form.upper
        program.row_lower_, program.row_upper_ = form.row_lower, form.row_upper
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_, program.a_matrix_.index_ = form.row_start, form.column
        program.a_matrix_.value_ = form.coefficient
        if solver.passModel(program) == highspy.HighsStatus.kError:
            raise SolverFailure(self.name, "refused the linear program")
        solver.run()
        status, kinds = solver.getModelStatus(), highspy.HighsModelStatus
        if status == kinds.kInfeasible:
            return None
        if status == kinds.kUnbounded:
            raise NotApplicable("the relaxation is unbounded: its objective has no least value")
        if status == kinds.kTimeLimit:
            raise OutOfTime(f"the relaxation was not solved in {seconds:g} s")
        if status != kinds.kOptimal:
            raise SolverFailure(self.name, f"ended with the status {status.name}")
        found = solver.getSolution()
        value = float(solver.getInfo().objective_function_value)
        return Optimum(value, np.array(found.col_value), np.array(found.row_dual))
