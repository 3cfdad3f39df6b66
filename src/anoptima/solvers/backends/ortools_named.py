"""The other solvers that come with OR-Tools: `ortools:scip`, through MathOpt.

The wheel of OR-Tools holds a SCIP of its own, so it is there wherever CP-SAT is. MathOpt tells of every solution as it is found, and
of the bound at the end; it stops on request at its next solution only, and is killed if that does not come in time.

Its other engines are left out: GLOP and PDLP know no integers (`linear_programs` has them for relaxations), its HiGHS is the one of
`highs` without the events, and its CBC neither tells what it finds nor can be stopped (`pyomo:cbc` can).
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Stop
from anoptima.errors import BadInput, NotApplicable
from anoptima.models.base import Values
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.base import Backend, BackendFamily
from anoptima.solvers.backends.isolation import Limits, Report, Result
from anoptima.solvers.backends.linear import has_impossible_row, objective_at
from anoptima.solvers.backends.registry import register
from anoptima.solvers.backends.rounding import float_at_most
from anoptima.solvers.backends.searching import CHUNK, MatrixBackend, MatrixSearch

LIMITS = {
    "TIME": Stop.TIME,
    "MEMORY": Stop.MEMORY,
    "INTERRUPTED": Stop.CANCELLED,
    "ITERATION": Stop.NODES,
    "NODE": Stop.NODES,
    "SOLUTION": Stop.NODES,
    "CUTOFF": Stop.NODES,
    "OBJECTIVE": Stop.NODES,
    "NORM": Stop.NODES,
    "SLOW_PROGRESS": Stop.NODES,
    "OTHER": Stop.NODES,
    "UNDETERMINED": Stop.NODES,
}
"""The limits that MathOpt names."""


def written(
    form: MatrixForm, objective: Values, integer: NDArray[np.bool_], is_over: Callable[[], bool]
) -> tuple[Any, list[Any], list[Any]] | None:
    """Return a program as MathOpt has it, its columns and its rows; None once `is_over`."""
    from ortools.math_opt.python import mathopt

    program = mathopt.Model()
    columns: list[Any] = []
    rows: list[Any] = []
    bounds = zip(form.lower.tolist(), form.upper.tolist(), integer.tolist(), strict=True)
    for j, (low, high, is_integer) in enumerate(bounds):
        if j % CHUNK == 0 and is_over():
            return None
        columns.append(program.add_variable(lb=low, ub=high, is_integer=is_integer))
    starts, member, factor = form.row_start.tolist(), form.column.tolist(), form.coefficient.tolist()
    for i, (low, high) in enumerate(zip(form.row_lower.tolist(), form.row_upper.tolist(), strict=True)):
        if i % CHUNK == 0 and is_over():
            return None
        row = program.add_linear_constraint(lb=low, ub=high)
        for entry in range(starts[i], starts[i + 1]):
            row.set_coefficient(columns[member[entry]], factor[entry])
        rows.append(row)
    program.objective.is_maximize = False
    program.objective.offset = form.constant
    for j in np.flatnonzero(objective).tolist():
        program.objective.set_linear_coefficient(columns[j], float(objective[j]))
    return program, columns, rows


@register
class OrToolsSolvers(BackendFamily):
    """The other solvers that come with OR-Tools."""

    name = "ortools"

    def members(self) -> Sequence[str]:
        """Return `scip`, if OR-Tools is here."""
        return ["scip"] if OrToolsScip().availability() else []

    def member(self, name: str) -> Backend:
        """Return a solver."""
        if name != "scip":
            raise BadInput(f"OR-Tools brings no other solver named {name!r} that keeps the contract; it brings: scip")
        return OrToolsScip()


class OrToolsScip(MatrixBackend):
    """The SCIP inside of OR-Tools."""

    name = "ortools:scip"
    requires: ClassVar[dict[str, str]] = {"ortools": "ortools"}
    loads: ClassVar[tuple[str, ...]] = ("ortools.math_opt.python.mathopt",)

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve the program `payload`."""
        return _Search(payload, limits, start, report).result()


class _Search(MatrixSearch):
    """One program on its way through MathOpt."""

    def __init__(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> None:
        from ortools.math_opt.python import mathopt

        super().__init__(form, limits, start, report)
        self.native = mathopt
        self.columns: list[Any] = []

    def result(self) -> Result:
        if has_impossible_row(self.form):
            return self.infeasible()
        program = self._write(self.form.objective)
        return self.unfinished() if program is None else self._read(self._solve(program))

    def _write(self, objective: Values) -> Any:
        """Return the program as MathOpt has it; None once there is no time left for that."""
        found = written(self.form, objective, self.form.whole, self.is_over)
        if found is None:
            return None
        program, self.columns, _ = found
        return program

    def _solve(self, program: Any) -> Any:
        native, limits = self.native, self.limits
        left = limits.seconds()
        parameters = native.SolveParameters(
            time_limit=None if left is None else datetime.timedelta(seconds=left),
            relative_gap_tolerance=float_at_most(limits.gap),
            absolute_gap_tolerance=self.limits.absolute_gap,
            random_seed=limits.seed,
            threads=limits.threads,
        )
        if limits.memory is not None:
            parameters.gscip.real_params["limits/memory"] = limits.memory / 2**20
        hints = []
        if self.start is not None:
            values = dict(zip(self.columns, self.start.tolist(), strict=True))
            hints = [native.SolutionHint(variable_values=values)]
        try:
            return native.solve(
                program,
                native.SolverType.GSCIP,
                params=parameters,
                model_params=native.ModelSolveParameters(solution_hints=hints),
                msg_cb=self._log if limits.log else None,
                callback_reg=native.CallbackRegistration(events={native.Event.MIP_SOLUTION}),
                cb=self._hear,
            )
        except Exception as error:
            # Out of memory comes in several shapes; in OR-Tools 9.15 as an AttributeError from MathOpt's own error handling.
            if limits.memory is not None:
                raise MemoryError(str(error)) from error
            raise

    def _log(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.report.log(line)

    def _hear(self, event: Any) -> Any:
        if event.solution is not None:
            self._found(event.solution)
        return self.native.CallbackResult(terminate=self.report.should_stop())

    def _found(self, solution: Any) -> tuple[float, Values]:
        """Tell of a solution, and return its objective and values."""
        values = self.with_whole([solution[column] for column in self.columns])
        objective = objective_at(self.form, values)
        self.improve(objective, lambda: values)
        return objective, values

    def _read(self, found: Any) -> Result:
        """Map every termination that MathOpt has. Those that do not occur for such a model are its failures."""
        reason = found.termination.reason.name
        if reason == "INFEASIBLE":
            return self.infeasible()
        if reason in ("UNBOUNDED", "INFEASIBLE_OR_UNBOUNDED"):
            return self._unbounded_or_infeasible()
        if reason not in ("OPTIMAL", "FEASIBLE", "NO_SOLUTION_FOUND"):
            raise RuntimeError(f"SCIP ended with {reason}: {found.termination.detail}")
        limit = found.termination.limit
        stop = Stop.PROVED if reason == "OPTIMAL" else LIMITS["OTHER" if limit is None else limit.name]
        bound = found.termination.objective_bounds.dual_bound
        if not found.has_primal_feasible_solution():
            return Result(stop, bound=bound, notes=self.notes)
        return Result(stop, *self._found(found.variable_values()), bound, notes=self.notes)

    def _unbounded_or_infeasible(self) -> Result:
        """Tell the two apart by asking for any solution at all: without an objective nothing is unbounded."""
        program = self._write(np.zeros(self.form.columns))
        if program is None:
            return self.unfinished()
        self.start = None
        self._hear = self._only_stop  # type: ignore[method-assign]
        found = self._solve(program)
        if found.has_primal_feasible_solution():
            raise NotApplicable("the model is unbounded: its objective has no least value")
        if found.termination.reason.name in ("INFEASIBLE", "INFEASIBLE_OR_UNBOUNDED"):
            return self.infeasible()
        return self.unfinished()

    def _only_stop(self, event: Any) -> Any:
        return self.native.CallbackResult(terminate=self.report.should_stop())
