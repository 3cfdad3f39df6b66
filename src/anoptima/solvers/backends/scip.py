"""SCIP: mixed-integer linear programs by branch, cut and price, through PySCIPOpt (the extra `scip`).

What it is told, and why:

- `limits/gap` is the budget's gap, which SCIP divides by the smaller of the two numbers, so it stops late rather than early.
- `limits/absgap` is 0.99, below 1, for the reason given in `searching`: a built model's objective is whole at the optimum.
- columns of implied integrality are integer in a program that has integer columns anyway (`MatrixForm.whole`). Left continuous, SCIP
  stopped within that gap at 3/2, above the optimum 1 (`tests/regressions/test_scip_early_stop.py`).
- tolerances stay as they are (1e-6 for rows, 1e-9 for comparing numbers).

A search runs on one thread, whatever is allowed. Its events are heard from inside; the request to stop comes from another thread,
which is why the search runs without the interpreter's lock.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from anoptima.answer import OptionValue, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import Values
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.isolation import Limits, Report, Result
from anoptima.solvers.backends.linear import has_impossible_row
from anoptima.solvers.backends.options import why_not_option, why_not_set
from anoptima.solvers.backends.registry import register
from anoptima.solvers.backends.rounding import float_at_most
from anoptima.solvers.backends.searching import CHUNK, MatrixBackend, MatrixSearch, finite

if TYPE_CHECKING:
    import pyscipopt

INFINITY = 1e20
"""What SCIP takes for infinite, and everything beyond it."""
LIMITS = {
    "timelimit": Stop.TIME,
    "memlimit": Stop.MEMORY,
    "gaplimit": Stop.GAP,
    "userinterrupt": Stop.CANCELLED,
    "terminate": Stop.CANCELLED,
    "nodelimit": Stop.NODES,
    "totalnodelimit": Stop.NODES,
    "stallnodelimit": Stop.NODES,
    "sollimit": Stop.NODES,
    "bestsollimit": Stop.NODES,
    "restartlimit": Stop.NODES,
    "primallimit": Stop.NODES,
    "duallimit": Stop.NODES,
}
"""The statuses by which SCIP says that it met a limit."""


@register
class Scip(MatrixBackend):
    """The constraint integer programming solver SCIP."""

    name = "scip"
    requires: ClassVar[dict[str, str]] = {"pyscipopt": "pyscipopt"}
    set_by_solve: ClassVar[dict[str, str]] = {
        "limits/time": "time_limit=",
        "limits/gap": "gap=",
        "limits/memory": "memory=",
        "randomization/randomseedshift": "seed=",
    }

    def why_not_options(self, options: Mapping[str, OptionValue]) -> str | None:
        """Set them on a SCIP without a program."""
        import pyscipopt

        solver = pyscipopt.Model()
        known = solver.getParams()
        for name, value in options.items():
            wrong = why_not_option(name, value, known)
            if wrong is not None:
                return wrong
            try:
                solver.setParam(name, value)
            except ValueError:
                return why_not_set(name, value)
        return None

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve the program `payload`."""
        return _Search(payload, limits, start, report).result()


class _Search(MatrixSearch):
    """One program on its way through SCIP."""

    def __init__(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> None:
        import pyscipopt
        from pyscipopt import scip

        super().__init__(form, limits, start, report)
        self.native = pyscipopt
        self.terms = scip
        self.columns: list[Any] = []

    def result(self) -> Result:
        if has_impossible_row(self.form):
            return self.infeasible()
        solver = self._write(self.form.objective)
        if solver is None:
            return self.unfinished()
        if self.start is not None:
            self._enter(solver, self.start)
        self._solve(solver, self._hear)
        return self._read(solver)

    def _write(self, objective: Values) -> pyscipopt.Model | None:
        """Return the program as SCIP takes it; None once there is no time left for that."""
        form, solver = self.form, self.native.Model()
        solver.setParams(self._parameters())
        solver.addObjoffset(form.constant)
        self.columns = []
        bounds = zip(finite(form.lower), finite(form.upper), objective.tolist(), form.whole.tolist(), strict=True)
        for j, (low, high, cost, is_integer) in enumerate(bounds):
            if j % CHUNK == 0 and self.is_over():
                return None
            self.columns.append(solver.addVar(f"x{j}", "I" if is_integer else "C", low, high, cost))
        term, expression, constraint = self.terms.Term, self.terms.Expr, self.terms.ExprCons
        members = [term(column) for column in self.columns]
        starts, column, factor = form.row_start.tolist(), form.column.tolist(), form.coefficient.tolist()
        for i, (low, high) in enumerate(zip(finite(form.row_lower), finite(form.row_upper), strict=True)):
            if i % CHUNK == 0 and self.is_over():
                return None
            body = {members[column[e]]: factor[e] for e in range(starts[i], starts[i + 1]) if factor[e]}
            if body and (low is not None or high is not None):
                solver.addCons(constraint(expression(body), low, high), f"r{i}")
        return solver

    def _parameters(self) -> dict[str, Any]:
        memory = self.limits.memory
        return {
            "limits/gap": float_at_most(self.limits.gap),
            "limits/absgap": self.limits.absolute_gap,
            "misc/catchctrlc": False,  # it is for the caller to hear
            "randomization/randomseedshift": self.limits.seed,
            **({} if memory is None else {"limits/memory": memory / 2**20}),
            **self.limits.options,
        }

    def _enter(self, solver: pyscipopt.Model, start: Values) -> None:
        solution = solver.createSol()
        for column, value in zip(self.columns, start.tolist(), strict=True):
            solver.setSolVal(solution, column, value)
        solver.addSol(solution)

    def _solve(self, solver: pyscipopt.Model, hear: Callable[[pyscipopt.Model], None]) -> None:
        kinds = self.terms.PY_SCIP_EVENTTYPE

        class Listener(self.native.Eventhdlr):  # type: ignore[name-defined,misc]
            def eventinit(self) -> None:
                for kind in (kinds.BESTSOLFOUND, kinds.LPSOLVED, kinds.NODESOLVED, kinds.PRESOLVEROUND):
                    self.model.catchEvent(kind, self)

            def eventexec(self, event: Any) -> None:
                hear(self.model)

        solver.includeEventhdlr(Listener(), "anoptima", "passes on what is found")
        self.report.when_stopped(lambda: self._interrupt(solver))
        left = self.limits.seconds()
        if left is not None:
            solver.setParam("limits/time", left)
        with self._log_of(solver):
            solver.optimizeNogil()

    def _interrupt(self, solver: pyscipopt.Model) -> None:
        # Refused between two stages of a search; then the next request, a tenth of a second later, will do.
        with contextlib.suppress(Exception):
            solver.interruptSolve()

    @contextmanager
    def _log_of(self, solver: pyscipopt.Model) -> Iterator[None]:
        """Pass on SCIP's log through a pipe: its own way into Python must not be used by a search without the interpreter's lock."""
        solver.hideOutput()
        if not self.limits.log:
            yield
            return
        reading, writing = os.pipe()
        reader = threading.Thread(target=self._read_log, args=(reading,))
        reader.start()
        solver.setLogfile(f"/dev/fd/{writing}")
        os.close(writing)
        try:
            yield
        finally:
            solver.setLogfile(None)
            reader.join()

    def _read_log(self, reading: int) -> None:
        with open(reading, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self.report.log(line)

    def _hear(self, solver: pyscipopt.Model) -> None:
        if self.report.should_stop():
            self._interrupt(solver)
        if solver.getNSols() > 0:
            found = solver.getBestSol()
            self.improve(solver.getSolObjVal(found), lambda: self._values(found))
        self.raise_bound(solver.getDualbound(), INFINITY)

    def _values(self, found: Any) -> Values:
        return np.array([found[column] for column in self.columns], dtype=np.float64)

    def _read(self, solver: pyscipopt.Model) -> Result:
        """Map every status that SCIP has. Those that do not occur for such a model are its failures."""
        status = solver.getStatus()
        if status == "infeasible":
            return self.infeasible()
        if status in ("unbounded", "inforunbd"):
            return self._unbounded_or_infeasible()
        if status != "optimal" and status not in LIMITS:
            raise RuntimeError(f"SCIP ended with the status {status}")
        stop = Stop.PROVED if status == "optimal" else LIMITS[status]
        self.raise_bound(solver.getDualbound(), INFINITY)
        if solver.getNSols() == 0:
            return Result(stop, notes=self.notes)
        found = solver.getBestSol()
        objective, values = solver.getSolObjVal(found), self._values(found)
        self.improve(objective, lambda: values)
        return Result(stop, objective, self.with_whole(values), solver.getDualbound(), notes=self.notes)

    def _unbounded_or_infeasible(self) -> Result:
        """Tell the two apart by asking for any solution at all: without an objective nothing is unbounded."""
        solver = self._write(np.zeros(self.form.columns))
        if solver is None:
            return self.unfinished()
        self._solve(solver, lambda _: None)
        status = solver.getStatus()
        if status == "infeasible":
            return self.infeasible()
        if status == "optimal" or solver.getNSols() > 0:
            raise NotApplicable("the model is unbounded: its objective has no least value")
        if status in LIMITS:
            return Result(LIMITS[status], notes=self.notes)
        raise RuntimeError(f"SCIP ended with the status {status}")
