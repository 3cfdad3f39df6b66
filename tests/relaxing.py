"""What the relaxation of a program is worth, by HiGHS itself, with nothing of ours between but the arrays."""

from __future__ import annotations

from typing import Any

import highspy

from anoptima.models.base import BuiltModel


def relaxed(built: BuiltModel[Any]) -> float:
    """Return the optimum of a Pyomo program without the whole numbers."""
    form = built.matrix
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = form.columns, form.rows
    program.col_cost_, program.offset_ = form.objective, form.constant
    program.col_lower_, program.col_upper_ = form.lower, form.upper
    program.row_lower_, program.row_upper_ = form.row_lower, form.row_upper
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_, program.a_matrix_.index_ = form.row_start, form.column
    program.a_matrix_.value_ = form.coefficient
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(program)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    value: float = solver.getInfo().objective_function_value
    return value
