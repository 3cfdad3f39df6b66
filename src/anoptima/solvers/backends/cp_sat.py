"""CP-SAT of OR-Tools: constraint programs in whole numbers, by clause learning with an LP beside it.

It takes models written for it, and linear programs whose columns and numbers are all whole (`whole`). What it is told, and why:

- `relative_gap_limit` is the budget's gap, `absolute_gap_limit` 0. CP-SAT calls a solution optimal once a gap limit is met, so
  optimality is concluded from bound and objective alone, which are whole and exact here.
- `max_memory_in_mb` is set even without a limit, since its default is 10 GB.
- a start is checked first, by CP-SAT itself with every variable fixed to it: an infeasible hint is otherwise repaired in silence.

A program travels to the solver's process as text: in this version its message has no other way in. 10 million characters a second.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from anoptima.answer import Budget, StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.solvers.backends.base import Capability
from anoptima.solvers.backends.isolation import Isolated, Limits, Report, Result
from anoptima.solvers.backends.whole import WholeProgram, whole_program

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

ALL_MEMORY_MB = 2**40 // 2**20


class CpSat(Isolated):
    """The constraint and integer programming solver CP-SAT of Google's OR-Tools."""

    name = "cp-sat"
    requires: ClassVar[dict[str, str]] = {"ortools": "ortools"}
    languages = frozenset({Language.CP_SAT, Language.PYOMO})
    capabilities = frozenset(Capability)

    def payload(self, model: BuiltModel[Any], budget: Budget) -> str | WholeProgram:
        """Return a constraint program as text, a linear one as arrays of whole numbers."""
        if model.language is Language.PYOMO:
            return whole_program(model.matrix)
        return str(model.program.proto)

    def run(self, payload: str | WholeProgram, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve the program `payload`."""
        if isinstance(payload, WholeProgram) and payload.has_empty_range():
            # To CP-SAT this is an invalid model, to everybody else an infeasible one.
            return Result(Stop.PROVED, infeasible=True, start=StartFate.NONE if start is None else StartFate.REJECTED)
        return _Search(_program(payload), limits, report).result(start)


def _program(payload: str | WholeProgram) -> cp_model.CpModel:
    from ortools.sat.python import cp_model

    program = cp_model.CpModel()
    if isinstance(payload, str):
        if not program.proto.parse_text_format(payload):
            raise NotApplicable("the constraint program cannot be read back from its text")
        return program
    proto = program.proto
    for low, high in zip(payload.lower.tolist(), payload.upper.tolist(), strict=True):
        proto.variables.add().domain.extend([low, high])
    starts, columns, coefficients = payload.row_start.tolist(), payload.column.tolist(), payload.coefficient.tolist()
    for row, (low, high) in enumerate(zip(payload.row_lower.tolist(), payload.row_upper.tolist(), strict=True)):
        linear = proto.constraints.add().linear
        linear.vars.extend(columns[starts[row] : starts[row + 1]])
        linear.coeffs.extend(coefficients[starts[row] : starts[row + 1]])
        linear.domain.extend([low, high])
    used = np.flatnonzero(payload.objective)
    proto.objective.vars.extend(used.tolist())
    proto.objective.coeffs.extend(payload.objective[used].tolist())
    proto.objective.offset = payload.constant
    proto.objective.scaling_factor = 1
    return program


class _Search:
    """One program on its way through CP-SAT."""

    def __init__(self, program: cp_model.CpModel, limits: Limits, report: Report) -> None:
        self.program: Any = program
        self.limits = limits
        self.report = report
        proto = program.proto
        if proto.has_floating_point_objective():
            raise NotApplicable("the objective has coefficients that are not whole")
        if proto.has_objective() and proto.objective.scaling_factor < 0:
            raise NotApplicable("a model has to have one objective, minimised")
        reason = program.validate()
        if reason:
            raise NotApplicable(f"the model is not one that CP-SAT takes: {reason}")
        self.vars = list(proto.objective.vars)
        self.coeffs = list(proto.objective.coeffs)
        self.offset = Fraction(proto.objective.offset)

    def result(self, start: Values | None) -> Result:
        self.report.bound(self._least_objective())
        fate, notes = self._take(start)
        solver = self._solver()
        solver.best_bound_callback = self.report.bound
        status = solver.solve(self.program, _listening(self))
        return self._read(solver, status.name, fate, notes)

    def _least_objective(self) -> Fraction:
        variables = self.program.proto.variables
        total = self.offset
        for j, cost in zip(self.vars, self.coeffs, strict=True):
            domain = variables[j].domain
            total += cost * (domain[0] if cost > 0 else domain[len(domain) - 1])
        return total

    def objective(self, values: list[int]) -> Fraction:
        """Return the objective at `values`, exactly."""
        return sum((cost * values[j] for j, cost in zip(self.vars, self.coeffs, strict=True)), self.offset)

    def _take(self, start: Values | None) -> tuple[StartFate, tuple[str, ...]]:
        """Check the start; report it and hint at it if it is a solution."""
        self.program.clear_hints()
        hint = self.program.proto
        if start is None:
            return StartFate.NONE, ()
        if len(start) != len(hint.variables) or not np.array_equal(start, np.rint(start)):
            return StartFate.REJECTED, ("the start was rejected: it is not one whole value a variable",)
        values = [int(value) for value in start.tolist()]
        hint.solution_hint.vars.extend(range(len(values)))
        hint.solution_hint.values.extend(values)
        solver = self._solver()
        solver.parameters.fix_variables_to_their_hinted_value = True
        solver.parameters.cp_model_presolve = False
        solver.parameters.num_workers = 1
        status = solver.solve(self.program).name
        if status in ("OPTIMAL", "FEASIBLE"):
            self.report.incumbent(self.objective(values), values)
            return StartFate.ACCEPTED, ()
        self.program.clear_hints()
        if status == "INFEASIBLE":
            return StartFate.REJECTED, ("the start was rejected: it is not a solution of the model",)
        return StartFate.UNUSED, ()

    def _solver(self) -> cp_model.CpSolver:
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.random_seed = self.limits.seed
        parameters.num_workers = self.limits.threads or 0
        parameters.relative_gap_limit = float(self.limits.gap)
        parameters.absolute_gap_limit = 0.0
        parameters.max_memory_in_mb = (
            ALL_MEMORY_MB if self.limits.memory is None else max(1, self.limits.memory // 2**20)
        )
        parameters.log_to_stdout = False
        left = self.limits.seconds()
        if left is not None:
            parameters.max_time_in_seconds = left
        if self.limits.log:
            parameters.log_search_progress = True
            solver.log_callback = self.report.log
        self.report.when_stopped(solver.stop_search)
        return solver

    def _read(self, solver: cp_model.CpSolver, status: str, fate: StartFate, notes: tuple[str, ...]) -> Result:
        if status == "INFEASIBLE":
            return Result(Stop.PROVED, infeasible=True, start=fate, notes=notes)
        if status == "MODEL_INVALID":
            raise NotApplicable(f"the model is not one that CP-SAT takes: {solver.solution_info()}")
        unfinished = Stop.CANCELLED if self.report.should_stop() else Stop.TIME
        if status == "UNKNOWN":
            # The response's bound is 0 then, whatever the model: only what came through the callback counts.
            return Result(unfinished, start=fate, notes=notes)
        values = list(solver.response_proto.solution)
        return Result(
            Stop.PROVED if status == "OPTIMAL" else unfinished,
            self.objective(values),
            np.array(values, dtype=np.float64),
            solver.best_objective_bound if self.vars else self.offset,
            start=fate,
            notes=notes,
        )


def _listening(search: _Search) -> cp_model.CpSolverSolutionCallback:
    from ortools.sat.python import cp_model

    class Listening(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            values = list(self.response_proto.solution)
            search.report.incumbent(search.objective(values), values)

    return Listening()
