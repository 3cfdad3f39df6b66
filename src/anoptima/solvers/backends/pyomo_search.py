"""One search of one of Pyomo's solvers, in a process of its own."""

from __future__ import annotations

import contextlib
import io
import math
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from anoptima.answer import StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import Values
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.isolation import Limits, Report, Result
from anoptima.solvers.backends.linear import (
    has_impossible_row,
    hold_start,
    least_objective,
    objective_at,
    why_infeasible,
)
from anoptima.solvers.backends.pyomo_dialects import LIMITS, OPTIMAL, UNSURE, why_absent
from anoptima.solvers.backends.rounding import float_at_most
from anoptima.solvers.backends.searching import CHUNK, Search, finite

if TYPE_CHECKING:
    from anoptima.solvers.backends.pyomo_named import PyomoSolver


LATE = 0.9
"""From which part of its time on a solver is taken to have stopped for lack of it, whatever it says."""

PATIENCE = 3
"""Tenths of a second that a program must write down its best when interrupted, before it is killed."""

PRINTED = 1e-5
"""By which part a bound in a log may be too high: CBC prints six digits."""


class PyomoSearch(Search):
    """One program on its way through a solver."""

    def __init__(
        self, backend: PyomoSolver, form: MatrixForm, limits: Limits, start: Values | None, report: Report
    ) -> None:
        super().__init__(limits, report)
        self.backend = backend
        self.dialect = backend.dialect
        self.form = form
        self.start = start
        self.granted = math.inf
        self.mentioned = np.zeros(form.columns, dtype=bool)

    def result(self) -> Result:
        """Search, and return what was found."""
        self.report.bound(least_objective(self.form))
        start, _, self.notes = hold_start(self.form, self.start, self.report)
        if start is not None:
            self.report.start(StartFate.UNSUPPORTED)
        if has_impossible_row(self.form) or self._has_empty_column():
            return self.infeasible()
        if self.form.columns == 0:
            constant = Fraction(self.form.constant)
            return Result(Stop.PROVED, constant, np.zeros(0), constant, notes=self.notes)
        return self._run(self.form.objective, self._read)

    def _has_empty_column(self) -> bool:
        """Files do not mention a column that no row and no cost does, so it is looked at here."""
        lower, upper = self._range()
        return bool((lower > upper).any())

    def _range(self) -> tuple[Values, Values]:
        integer = self.form.integer
        lower = np.where(integer, np.ceil(self.form.lower - 1e-9), self.form.lower)
        upper = np.where(integer, np.floor(self.form.upper + 1e-9), self.form.upper)
        return lower, upper

    def _run(self, objective: Values, read: Callable[[Any, Any, float], Result]) -> Result:
        self.mentioned = objective != 0
        self.mentioned[self.form.column[self.form.coefficient != 0]] = True
        program = _pyomo_program(self.form, objective, self.is_over)
        if program is None:
            return self.unfinished()
        solver = self._solver()
        with _programs(self.dialect is not None and self.dialect.interruptible, self.limits.memory) as running:
            self.report.when_stopped(running.stop)
            if self.is_over():
                return self.unfinished()
            begun = time.monotonic()
            try:
                with contextlib.redirect_stdout(_Lines(self.report.log if self.limits.log else lambda _: None)):
                    results = solver.solve(program, load_solutions=False, tee=self.limits.log, **self._options())
                return read(results, program, time.monotonic() - begun)
            except NotApplicable:
                raise
            except Exception as error:
                if self.report.should_stop():
                    return self.unfinished()
                if self.limits.memory is not None:
                    raise MemoryError(str(error)) from error
                raise RuntimeError(self._last_words(solver, error)) from error

    def _solver(self) -> Any:
        import pyomo.environ as pyo

        solver = pyo.SolverFactory(self.backend.solver)
        program = self.backend.program
        if program is not None and hasattr(solver, "set_executable"):
            solver.set_executable(str(program.path), validate=False)
            os.environ.update(program.environment())
        elif not solver.available(exception_flag=False):
            raise NotApplicable(why_absent(self.backend.solver))
        if self.form.integer.any() and hasattr(solver, "has_capability") and not solver.has_capability("integer"):
            raise NotApplicable(f"{self.backend.solver} takes no integer columns, and the model has some")
        return solver

    @property
    def _gap(self) -> Fraction:
        """The gap to ask for: none of a solver whose bound cannot be read, for what it proved would not be known."""
        return self.limits.gap if self.dialect is not None and self.dialect.bound else Fraction(0)

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {}
        dialect, limits = self.dialect, self.limits
        if dialect is not None:
            options = {dialect.gap: float_at_most(self._gap), **dialect.always}
            if dialect.threads is not None and limits.threads is not None:
                options[dialect.threads] = limits.threads
            if dialect.seed is not None:
                options[dialect.seed] = limits.seed
        left = limits.seconds()
        if left is None:
            return {"options": options}
        # Less than a second is granted as one where there is nothing less; then the worker is asked to stop when it is over.
        whole = dialect is not None and dialect.whole_seconds
        self.granted = max(1, math.floor(left)) if whole else left
        return {"options": options, "timelimit": self.granted}

    def _read(self, results: Any, program: Any, seconds: float) -> Result:
        """Map every termination condition that Pyomo has. Those that do not occur for such a model are the solver's failures."""
        said = str(results.solver.termination_condition)
        if str(results.solver.status) == "error" and not self.report.should_stop():
            raise RuntimeError(f"it ended with an error ({said})")
        values = self._values(results, program)
        reason = "it gave none" if values is None else why_infeasible(self.form, values)
        late = self._is_late(seconds)
        if said == "infeasible" and not late:
            return self.infeasible()
        if said in UNSURE and not late and reason is not None:
            return self._run(np.zeros(self.form.columns), self._read_any)
        optimal = said in OPTIMAL
        if not (optimal or late or said in LIMITS or said in UNSURE):
            raise RuntimeError(f"it ended with the termination condition {said}")
        if optimal and not late and reason is not None:
            raise RuntimeError(f"it claimed an optimum, and its solution is none: {reason}")
        stop = self._stop(late, optimal, LIMITS.get(said, Stop.NODES))
        if reason is not None or values is None:
            return Result(stop, bound=self._bound(results), notes=self.notes)
        objective = objective_at(self.form, values)
        if stop is Stop.PROVED and self.dialect is None:
            note = f"{self.backend.solver} calls this optimal; how to ask it for a gap of zero is not known, so it is not taken for proved"
            return Result(Stop.COMPLETE, objective, values, notes=(*self.notes, note))
        bound = self._bound(results)
        room = (1 - 1e-6 if self.limits.whole else 1e-6) + PRINTED * abs(objective)
        if stop is Stop.PROVED and (bound is None or objective - bound < room):
            bound = objective  # a claimed optimum is its own bound, unless the results say less
        return Result(stop, objective, values, bound, notes=self.notes)

    def _is_late(self, seconds: float) -> bool:
        return self.report.should_stop() or seconds >= LATE * self.granted

    def _stop(self, late: bool, optimal: bool, otherwise: Stop) -> Stop:
        if self.report.should_stop():
            return Stop.CANCELLED
        if late:
            return Stop.TIME
        if optimal and self._gap:
            return Stop.GAP
        return Stop.PROVED if optimal else otherwise

    def _bound(self, results: Any) -> float | None:
        if self.dialect is None or not self.dialect.bound:
            return None
        bound = results.problem.lower_bound
        if not isinstance(bound, int | float) or not math.isfinite(bound):
            return None
        return bound - PRINTED * abs(bound)

    def _read_any(self, results: Any, program: Any, seconds: float) -> Result:
        """Read the run without an objective: without one, nothing is unbounded."""
        said = str(results.solver.termination_condition)
        values = self._values(results, program)
        if values is not None and why_infeasible(self.form, values) is None:
            raise NotApplicable("the model is unbounded: its objective has no least value")
        if self._is_late(seconds):
            return self.unfinished()
        if said in ("infeasible", "infeasibleOrUnbounded", "unbounded"):
            return self.infeasible()
        raise RuntimeError(f"it ended with the termination condition {said} on the model without its objective")

    def _values(self, results: Any, program: Any) -> Values | None:
        """Return the solution with its integers whole, and what no row and no cost mentions next to zero."""
        if len(results.solution) == 0:
            return None
        results.solver.status = "ok"  # else it is not loaded; what it is worth is seen to here
        program.solutions.load_from(results, default_variable_value=None)
        lower, upper = self._range()
        found = [column.value for column in program.x.values()]
        given = np.array([math.nan if value is None else value for value in found], dtype=np.float64)
        if self.mentioned.any() and np.isnan(given[self.mentioned]).all():
            return None
        values = np.where(np.isnan(given), np.clip(0.0, lower, upper), given)
        near = np.abs(values - np.rint(values)) < 1e-5
        return np.where(self.form.integer & near, np.rint(values), values) + 0.0

    def _last_words(self, solver: Any, error: Exception) -> str:
        log = getattr(solver, "_log", None) or ""
        tail = " / ".join([line.strip() for line in log.splitlines() if line.strip()][-3:])
        return f"{error}; its last words: {tail}" if tail else str(error)


def _pyomo_program(form: MatrixForm, objective: Values, is_over: Callable[[], bool]) -> Any:
    """Return the program as Pyomo has it, with variables `x`; None once `is_over`."""
    import pyomo.environ as pyo
    from pyomo.core.expr.numeric_expr import LinearExpression

    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(form.columns), domain=pyo.Reals)
    columns = list(model.x.values())
    settings = zip(columns, form.integer.tolist(), finite(form.lower), finite(form.upper), strict=True)
    for j, (column, is_integer, lower, upper) in enumerate(settings):
        if j % CHUNK == 0 and is_over():
            return None
        if is_integer:
            column.domain = pyo.Integers
        column.setlb(lower)
        column.setub(upper)
    model.rows = pyo.ConstraintList()
    starts, members, factors = form.row_start.tolist(), form.column.tolist(), form.coefficient.tolist()
    for i, (low, high) in enumerate(zip(finite(form.row_lower), finite(form.row_upper), strict=True)):
        if i % CHUNK == 0 and is_over():
            return None
        entries = [e for e in range(starts[i], starts[i + 1]) if factors[e]]
        if entries and (low is not None or high is not None):
            body = LinearExpression(
                linear_coefs=[factors[e] for e in entries], linear_vars=[columns[members[e]] for e in entries]
            )
            model.rows.add((low, body, high))
    used = np.flatnonzero(objective).tolist()
    model.cost = pyo.Objective(
        expr=LinearExpression(
            constant=form.constant,
            linear_coefs=[float(objective[j]) for j in used],
            linear_vars=[columns[j] for j in used],
        )
    )
    return model


class _Lines(io.TextIOBase):
    """A text stream that passes on whole lines."""

    def __init__(self, pass_on: Callable[[str], None]) -> None:
        self._pass_on = pass_on
        self._rest = ""

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._pass_on(line)
        return len(text)


@dataclass
class _Running:
    """The programs that are running."""

    interruptible: bool
    children: list[subprocess.Popen[Any]] = field(default_factory=list)
    asked: int = 0

    def stop(self) -> None:
        """Interrupt what runs, and kill it if that is of no use."""
        self.asked += 1
        number = signal.SIGINT if self.interruptible and self.asked <= PATIENCE else signal.SIGKILL
        for child in tuple(self.children):
            if child.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    child.send_signal(number)


@contextmanager
def _programs(interruptible: bool, memory: int | None) -> Iterator[_Running]:
    """Keep hold of every program that Pyomo starts: it does so by `subprocess.run`, which hands out nothing to stop it by."""
    running = _Running(interruptible)
    usual = subprocess.Popen

    class Held(usual):  # type: ignore[misc,valid-type]
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            if memory is not None and hasattr(resource, "prlimit"):
                resource.prlimit(self.pid, resource.RLIMIT_DATA, (memory, memory))
            running.children.append(self)

    subprocess.Popen = Held  # type: ignore[misc]
    try:
        yield running
    finally:
        subprocess.Popen = usual  # type: ignore[misc]
