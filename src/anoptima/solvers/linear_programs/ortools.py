"""Linear programs by GLOP and PDLP, the simplex and the first-order method of OR-Tools, in this process.

PDLP comes close to an optimum without a vertex: its bound, proved from rounded prices, may be a little lower.
"""

from __future__ import annotations

import datetime
from typing import ClassVar

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import NotApplicable, OutOfTime, SolverFailure
from anoptima.models.matrix import MatrixForm
from anoptima.models.relaxation import LinearSolver, Optimum, linear_solvers
from anoptima.solvers.backends.linear import has_impossible_row
from anoptima.solvers.backends.ortools_named import written


class _MathOpt(LinearSolver):
    """A linear solver that MathOpt calls."""

    engine: str
    requires: ClassVar[dict[str, str]] = {"ortools": "ortools"}

    def optimum(self, form: MatrixForm, seconds: float | None) -> Optimum | None:
        """Return an optimum of `form` without its integrality, None if nothing satisfies its rows."""
        from ortools.math_opt.python import mathopt

        if has_impossible_row(form):
            return None
        found = written(form, form.objective, np.zeros(form.columns, dtype=bool), _goes_on)
        assert found is not None
        program, columns, rows = found
        limit = None if seconds is None else datetime.timedelta(seconds=seconds)
        parameters = mathopt.SolveParameters(time_limit=limit)
        solved = mathopt.solve(program, mathopt.SolverType[self.engine], params=parameters)
        reason = solved.termination.reason.name
        if reason == "INFEASIBLE":
            return None
        if reason in ("UNBOUNDED", "INFEASIBLE_OR_UNBOUNDED"):
            raise NotApplicable(
                "the relaxation is unbounded: its objective has no least value, or nothing satisfies it"
            )
        if reason in ("FEASIBLE", "NO_SOLUTION_FOUND") and seconds is not None:
            raise OutOfTime(f"the relaxation was not solved in {seconds:g} s")
        if reason != "OPTIMAL":
            raise SolverFailure(self.name, f"ended with {reason}: {solved.termination.detail}")
        values, prices = solved.variable_values(), solved.dual_values()
        return Optimum(
            solved.objective_value(),
            np.array([values[column] for column in columns]),
            np.array([prices[row] for row in rows]),
        )


def _goes_on() -> bool:
    check_time()
    return False


@linear_solvers.register
class Glop(_MathOpt):
    """The simplex method of OR-Tools."""

    name = "glop"
    engine = "GLOP"


@linear_solvers.register
class Pdlp(_MathOpt):
    """The primal-dual hybrid gradient method of OR-Tools, for large programs."""

    name = "pdlp"
    gives_vertices = False
    engine = "PDLP"
