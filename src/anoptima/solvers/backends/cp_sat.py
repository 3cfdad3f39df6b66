"""CP-SAT of OR-Tools: constraint programs in whole numbers, by clause learning with an LP beside it.

It takes models written for it, and linear programs whose columns and numbers are all whole (`whole`). What it is told, and why:

- `relative_gap_limit` is the budget's gap, `absolute_gap_limit` 0. CP-SAT calls a solution optimal once a gap limit is met, so
  optimality is concluded from bound and objective alone, which are whole and exact here.
- `max_memory_in_mb` is set even without a limit, since its default is 10 GB.
- a start is checked first: of a linear program in exact arithmetic, of any other by CP-SAT itself with every variable fixed to it.
  An infeasible hint would be repaired in silence, and a start reported as accepted that was not.

A constraint program travels to the solver's process as text: in OR-Tools 9.15 its message has no other way in.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from anoptima.answer import Budget, OptionValue, StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.models.cp_sat_reading import is_of_kind
from anoptima.solvers.backends.base import Capability
from anoptima.solvers.backends.isolation import Isolated, Limits, Report, Result
from anoptima.solvers.backends.options import members_of, why_not_option, why_not_set
from anoptima.solvers.backends.registry import register
from anoptima.solvers.backends.rounding import Reported, float_at_most
from anoptima.solvers.backends.searching import Search
from anoptima.solvers.backends.whole import WholeProgram, whole_program

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

ALL_MEMORY_MB = 2**20
CHUNK = 4096
"""Rows or variables that are written between two looks at the clock."""

NOT_A_SOLUTION = "the start was rejected: it is not a solution of the model"


@register
class CpSat(Isolated):
    """The constraint and integer programming solver CP-SAT of Google's OR-Tools."""

    name = "cp-sat"
    requires: ClassVar[dict[str, str]] = {"ortools": "ortools"}
    loads: ClassVar[tuple[str, ...]] = ("ortools.sat.python.cp_model",)
    languages = frozenset({Language.CP_SAT, Language.PYOMO})
    capabilities = frozenset(Capability)
    set_by_solve: ClassVar[dict[str, str]] = {
        "max_time_in_seconds": "time_limit=",
        "relative_gap_limit": "gap=",
        "num_workers": "threads=",
        "num_search_workers": "threads=",
        "max_memory_in_mb": "memory=",
        "random_seed": "seed=",
        "log_search_progress": "log=",
        "log_to_stdout": "log=",
        "log_to_response": "log=",
    }

    def why_not_options(self, options: Mapping[str, OptionValue]) -> str | None:
        """Set them on a CP-SAT, and have it solve an empty program under each."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        known = {
            name: value
            for name in dir(solver.parameters)
            if name.islower()
            for value in [getattr(solver.parameters, name)]
            if isinstance(value, bool | int | float | str) or hasattr(type(value), "__members__")
        }
        for name, value in options.items():
            wrong = why_not_option(name, value, known)
            if wrong is not None:
                return wrong
            _set(solver.parameters, name, value)
            if solver.solve(cp_model.CpModel()) == cp_model.MODEL_INVALID:
                return why_not_set(name, value)
        return None

    def payload(self, model: BuiltModel[Any], budget: Budget) -> str | WholeProgram:
        """Return a constraint program as text, a linear one as arrays of whole numbers."""
        if model.language is Language.PYOMO:
            return whole_program(model.matrix)
        proto = model.program.proto
        if is_of_kind(proto, "floating_point_objective"):
            raise NotApplicable(f"the backend {self.name} takes objectives with whole coefficients only")
        return str(proto)

    def run(self, payload: str | WholeProgram, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve the program `payload`."""
        search = _Search(limits, report)
        return search.constraints(payload, start) if isinstance(payload, str) else search.linear(payload, start)


class _Search(Search):
    """One program on its way through CP-SAT."""

    def __init__(self, limits: Limits, report: Report) -> None:
        from ortools.sat.python import cp_model

        super().__init__(limits, report)
        self.native = cp_model
        self.program: Any = cp_model.CpModel()
        self.start_objective: Reported | None = None

    def linear(self, program: WholeProgram, start: Values | None) -> Result:
        """Solve a linear program."""
        if program.has_empty_range():
            # To CP-SAT this is an invalid model, to everybody else an infeasible one.
            return Result(Stop.PROVED, infeasible=True)
        self.report.bound(program.least_objective())
        hint = _as_integers(start)
        if start is not None and (hint is None or not program.admits(hint)):
            self._reject()
            hint = None
        elif hint is not None:
            self._hold(program.objective_at(hint), hint)
        if not _write(self.program.proto, program, self.is_over):
            return self.unfinished()
        self._check()
        return self._solve(hint)

    def constraints(self, text: str, start: Values | None) -> Result:
        """Solve a constraint program."""
        if not _parse(self.program, text):
            raise NotApplicable("the constraint program cannot be read back from its text")
        self._check()
        self.report.bound(self._least_objective())
        hint = _as_integers(start)
        if start is not None and (hint is None or len(hint) != len(self.program.proto.variables)):
            self._reject()
            hint = None
        elif hint is not None:
            hint = self._checked(hint)
        return self._solve(hint)

    def _reject(self) -> None:
        self.report.start(StartFate.REJECTED)
        self.notes = (NOT_A_SOLUTION,)

    def _hold(self, objective: Reported, hint: list[int]) -> None:
        """Report the start as the first incumbent: then it holds whatever CP-SAT makes of the hint."""
        self.start_objective = objective
        self.report.incumbent(objective, hint)

    def _check(self) -> None:
        if self.program.has_objective() and self.program.proto.objective.scaling_factor not in (0, 1):
            raise NotApplicable("a model must have one objective, minimised")
        reason = self.program.validate()
        if reason:
            raise NotApplicable(f"the model is not one that CP-SAT takes: {reason.splitlines()[0]}")

    def _least_objective(self) -> Fraction:
        proto = self.program.proto
        total = Fraction(proto.objective.offset)
        for j, cost in zip(proto.objective.vars, proto.objective.coeffs, strict=True):
            domain = proto.variables[j].domain
            total += cost * (domain[0] if cost > 0 else domain[len(domain) - 1])
        return total

    def _checked(self, hint: list[int]) -> list[int] | None:
        """Let CP-SAT check the start, every variable fixed; return it if it is a solution."""
        solver = self._solver(hint)
        solver.parameters.fix_variables_to_their_hinted_value = True
        solver.parameters.cp_model_presolve = False
        solver.parameters.num_workers = 1
        status = solver.status_name(solver.solve(self.program))
        if status in ("OPTIMAL", "FEASIBLE"):
            self._hold(self._exact(solver.objective_value), hint)
            return hint
        if status == "INFEASIBLE":
            self._reject()
        return None

    def _solve(self, hint: list[int] | None) -> Result:
        solver = self._solver(hint)
        solver.best_bound_callback = lambda bound: self.report.bound(self._exact(bound))
        if self.limits.log:
            solver.parameters.log_search_progress = True
            solver.parameters.log_to_stdout = False
            solver.log_callback = self.report.log
        status = solver.status_name(solver.solve(self.program, self._listener()))
        return self._read(solver, status)

    def _solver(self, hint: list[int] | None) -> cp_model.CpSolver:
        self.program.clear_hints()
        if hint is not None:
            self.program.proto.solution_hint.vars.extend(range(len(hint)))
            self.program.proto.solution_hint.values.extend(hint)
        solver = self.native.CpSolver()
        parameters = solver.parameters
        parameters.random_seed = self.limits.seed
        parameters.num_workers = self.limits.threads or 0
        parameters.relative_gap_limit = float_at_most(self.limits.gap)
        parameters.absolute_gap_limit = 0.0
        parameters.catch_sigint_signal = False  # it is for the caller to hear
        memory = self.limits.memory
        parameters.max_memory_in_mb = ALL_MEMORY_MB if memory is None else max(1, memory // 2**20)
        left = self.limits.seconds()
        if left is not None:
            parameters.max_time_in_seconds = left
        for name, value in self.limits.options.items():
            _set(parameters, name, value)
        self.report.when_stopped(solver.stop_search)
        return solver

    def _listener(self) -> cp_model.CpSolverSolutionCallback:
        improve, exact = self._improve, self._exact

        class Listener(self.native.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]
            def on_solution_callback(self) -> None:
                improve(exact(self.objective_value), self.response_proto.solution)

        return Listener()

    def _exact(self, value: float) -> Reported:
        return _exact(value, Fraction(self.program.proto.objective.offset))

    def _improve(self, objective: Reported, values: Iterable[int]) -> None:
        if self.start_objective is not None:
            # A hint that is a solution becomes the first incumbent, unless presolve has lost it.
            self.report.start(StartFate.ACCEPTED if objective <= self.start_objective else StartFate.REJECTED)
            self.start_objective = None
        self.report.incumbent(objective, list(values))

    def _read(self, solver: cp_model.CpSolver, status: str) -> Result:
        """Map every status that CP-SAT has."""
        if status == "INFEASIBLE":
            return self.infeasible()
        if status == "MODEL_INVALID":
            raise NotApplicable(f"the model is not one that CP-SAT takes: {solver.solution_info()}")
        if status == "UNKNOWN":
            # The response's bound is 0 then, whatever the model: only what came through the callback counts.
            return self.unfinished()
        return Result(
            Stop.PROVED if status == "OPTIMAL" else self.unfinished().stop,
            self._exact(solver.objective_value),
            np.array(list(solver.response_proto.solution), dtype=np.float64),
            self._exact(solver.best_objective_bound),
            notes=self.notes,
        )


def _set(parameters: Any, name: str, value: OptionValue) -> None:
    """Set a parameter; one that is a choice, by the name of what is chosen."""
    choice = getattr(parameters, name)
    setattr(parameters, name, members_of(choice)[str(value)] if hasattr(type(choice), "__members__") else value)


def _write(proto: Any, program: WholeProgram, is_over: Callable[[], bool]) -> bool:
    """Write `program` into the message `proto`; give up and return False once `is_over`."""
    for low, high, done in zip(program.lower.tolist(), program.upper.tolist(), range(len(program.lower)), strict=True):
        if done % CHUNK == 0 and is_over():
            return False
        proto.variables.add().domain.extend([low, high])
    starts, columns, coefficients = program.row_start.tolist(), program.column.tolist(), program.coefficient.tolist()
    for row, (low, high) in enumerate(zip(program.row_lower.tolist(), program.row_upper.tolist(), strict=True)):
        if row % CHUNK == 0 and is_over():
            return False
        linear = proto.constraints.add().linear
        linear.vars.extend(columns[starts[row] : starts[row + 1]])
        linear.coeffs.extend(coefficients[starts[row] : starts[row + 1]])
        linear.domain.extend([low, high])
    used = np.flatnonzero(program.objective)
    proto.objective.vars.extend(used.tolist())
    proto.objective.coeffs.extend(program.objective[used].tolist())
    proto.objective.offset = program.constant
    proto.objective.scaling_factor = 1
    return True


def _parse(program: Any, text: str) -> bool:
    if hasattr(program.proto, "parse_text_format"):
        return bool(program.proto.parse_text_format(text))
    # Before OR-Tools 9.15 the message is one of Python's protobuf.
    text_format = importlib.import_module("google.protobuf.text_format")
    text_format.Parse(text, program.proto)
    return True


def _as_integers(start: Values | None) -> list[int] | None:
    if start is None or not np.array_equal(start, np.rint(start)):
        return None
    return [int(value) for value in start.tolist()]


def _exact(value: float, offset: Fraction) -> Reported:
    """Return the number that CP-SAT computed in whole ones and gives as a double.

    It is the offset plus an integer. The double may be off by a few units in its last place, since CP-SAT divides an objective by
    common factors and multiplies again: -3 x + 1 has been seen to be 0.9999999999999998 at x = 0.
    """
    inner = value - float(offset)
    return round(inner) + offset if abs(inner) < 2**45 and abs(inner - round(inner)) < 0.1 else value
