"""HiGHS: mixed-integer linear programs by branch and cut, linear programs by simplex or interior point.

What it is told, and why:

- `mip_rel_gap` is the budget's gap and no default: the default of 1e-4 ends a search before it is a proof.
- `mip_abs_gap` is 0.99, below 1, for the reason given at `Limits.absolute_gap`.
- `presolve` is off for programs with integer columns. With it, every version from 1.10 to 1.15.1 called wrong solutions optimal, or
  solvable programs infeasible: some 8 of 9,000 tiny programs from random tables, none without it
  (`tests/regressions/test_highs_presolve.py`). The search itself is not much slower: its cuts and heuristics stay.
- columns marked `implied` are integer in a program that has integer columns anyway: no solution of use is lost. Left continuous, and
  without presolve, HiGHS 1.13 called 59 the optimum of 56 of the ten-row table under 1/5-closeness by flows.
- feasibility tolerances stay as they are (1e-6). Proofs of HiGHS are as good as its floating-point arithmetic.

Bounds are read at the interrupt callback, which HiGHS makes all the time. Its logging callback is made only while it logs to the
console or to a file, so it logs to a file that keeps nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Budget, OptionValue, StartFate, Stop
from anoptima.errors import NotApplicable
from anoptima.models.base import BuiltModel, Values
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.base import Availability
from anoptima.solvers.backends.isolation import Limits, Report, Result
from anoptima.solvers.backends.options import why_not_option, why_not_set
from anoptima.solvers.backends.registry import register
from anoptima.solvers.backends.rounding import float_at_most
from anoptima.solvers.backends.searching import MatrixBackend, MatrixSearch

if TYPE_CHECKING:
    import highspy

WRONG = ("1.10.", "1.14.")
"""Versions that call wrong solutions optimal: x + z >= 4.5 with z whole and costs 2 x + 3 z gives 15 in place of 9 in 1.14, by its
presolve of programs with continuous columns beside integer ones (HiGHS issues 2957, 3043, 3094). 1.11 to 1.13 get it right."""

LARGEST = 1e15
"""HiGHS takes no coefficient of this size in a row (its option `large_matrix_value`)."""

LIMITS = {
    "kTimeLimit": Stop.TIME,
    "kInterrupt": Stop.CANCELLED,
    "kHighsInterrupt": Stop.CANCELLED,
    "kMemoryLimit": Stop.MEMORY,
    "kSolutionLimit": Stop.NODES,
    "kIterationLimit": Stop.NODES,
}
"""The statuses by which HiGHS says that it met a limit."""


def pass_model(
    solver: highspy.Highs, form: MatrixForm, objective: Values, integer: NDArray[np.bool_]
) -> highspy.HighsStatus:
    """Give a program to HiGHS, with the `objective` and the `integer` columns that are to be taken for it."""
    import highspy

    return solver.passModel(
        form.columns,
        form.rows,
        len(form.column),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMinimize),
        form.constant,
        objective,
        form.lower,
        form.upper,
        form.row_lower,
        form.row_upper,
        form.row_start,
        form.column,
        form.coefficient,
        integer.astype(np.int32),
    )


@register
class Highs(MatrixBackend):
    """The open-source MIP and LP solver HiGHS."""

    name = "highs"
    requires: ClassVar[dict[str, str]] = {"highspy": "highspy"}
    set_by_solve: ClassVar[dict[str, str]] = {
        "time_limit": "time_limit=",
        "mip_rel_gap": "gap=",
        "threads": "threads=",
        "random_seed": "seed=",
        "output_flag": "log=",
        "log_to_console": "log=",
        "log_file": "log=",
    }

    def availability(self) -> Availability:
        """Look for the package, and refuse the versions that are `WRONG`."""
        found = super().availability()
        if found and self.versions()["highspy"].startswith(WRONG):
            why = f"highspy {self.versions()['highspy']} calls wrong solutions of mixed programs optimal"
            return Availability(False, f"{why} (pip install 'highspy>=1.11,<1.14')")
        return found

    def payload(self, model: BuiltModel[Any], budget: Budget) -> MatrixForm:
        """Return the program as arrays; refuse numbers that HiGHS does not take."""
        form = super().payload(model, budget)
        if (np.abs(form.coefficient) >= LARGEST).any():
            raise NotApplicable(f"the backend {self.name} takes coefficients below {LARGEST:g} only; scale the rows")
        return form

    def why_not_options(self, options: Mapping[str, OptionValue]) -> str | None:
        """Set them on a HiGHS without a program."""
        import highspy

        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        names = [name for name in dir(solver.getOptions()) if not name.startswith("_")]
        known = {name: solver.getOptionValue(name)[1] for name in names}
        for name, value in options.items():
            wrong = why_not_option(name, value, known)
            if wrong is not None:
                return wrong
            if solver.setOptionValue(name, value) == highspy.HighsStatus.kError:
                return why_not_set(name, value)
        return None

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve the program `payload`."""
        return _Search(payload, limits, start, report).result()


class _Search(MatrixSearch):
    """One program on its way through HiGHS.

    HiGHS begins a mixed-integer program from a start, and a linear one from a basis, which nobody gives.
    """

    def __init__(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> None:
        import highspy

        super().__init__(form, limits, start, report)
        self.native = highspy
        self.is_mip = bool(form.integer.any())
        self.any_will_do = False

    def result(self) -> Result:
        if self.start is not None and not self.is_mip:
            self.report.start(StartFate.UNSUPPORTED)
        if self.form.columns == 0:
            return self._without_columns()
        solver = self._solver(self.form.objective)
        if self.start is not None and self.is_mip:
            everywhere = np.arange(self.form.columns, dtype=np.int32)
            self._require(solver.setSolution(self.form.columns, everywhere, self.start), "setSolution")
        return self._read(solver, self._solve(solver))

    def _without_columns(self) -> Result:
        feasible = bool(((self.form.row_lower <= 0) & (self.form.row_upper >= 0)).all())
        if not feasible:
            return self.infeasible()
        return Result(
            Stop.PROVED,
            self.form.constant,
            np.zeros(0),
            Fraction(self.form.constant),
            notes=self.notes,
        )

    def _solver(self, objective: Values) -> highspy.Highs:
        highspy, form = self.native, self.form
        # The scheduler of HiGHS belongs to the process and refuses another number of threads until it is reset.
        if not self.limits.here:
            highspy.Highs.resetGlobalScheduler(True)
        solver = highspy.Highs()
        options: dict[str, Any] = {
            "output_flag": self.limits.log,
            "log_to_console": False,
            "mip_rel_gap": float_at_most(self.limits.gap),
            "mip_abs_gap": self.limits.absolute_gap,
            "presolve": "off" if self.is_mip else "choose",
            "random_seed": self.limits.seed,
        }
        if self.limits.log:
            options["log_file"] = os.devnull
        if self.limits.here:
            options["threads"] = 1  # as everywhere in this package where HiGHS runs in the caller's process
        elif self.limits.threads is not None:
            options["threads"] = self.limits.threads
        for name, value in (options | dict(self.limits.options)).items():
            self._require(solver.setOptionValue(name, value), name)
        self._require(pass_model(solver, form, objective, form.whole), "passModel")
        return solver

    def _solve(self, solver: highspy.Highs) -> highspy.HighsModelStatus:
        left = self.limits.seconds()
        if left is not None:
            self._require(solver.setOptionValue("time_limit", left), "time_limit")
        kinds = self.native.cb.HighsCallbackType
        wanted = [kinds.kCallbackMipImprovingSolution, kinds.kCallbackMipInterrupt]
        wanted += [kinds.kCallbackSimplexInterrupt, kinds.kCallbackIpmInterrupt]
        if self.limits.log:
            wanted.append(kinds.kCallbackLogging)
        solver.setCallback(self._hear, None)
        for kind in wanted:
            self._require(solver.startCallback(kind), "startCallback")
        try:
            solver.run()
        finally:
            solver.setCallback(None, None)
        return solver.getModelStatus()

    def _hear(self, kind: int, message: str, out: Any, into: Any, _: object) -> None:
        kinds = self.native.cb.HighsCallbackType
        if kind == int(kinds.kCallbackLogging):
            self.report.log(message)
        elif kind == int(kinds.kCallbackMipImprovingSolution):
            if not self.any_will_do:
                self.improve(out.objective_function_value, lambda: out.mip_solution)
        else:
            if kind == int(kinds.kCallbackMipInterrupt) and not self.any_will_do:
                self.raise_bound(out.mip_dual_bound)
            into.user_interrupt = self.report.should_stop()

    def _read(self, solver: highspy.Highs, status: highspy.HighsModelStatus) -> Result:
        """Map every status that HiGHS has. Those that do not occur for such a model are its failures."""
        of = self.native.HighsModelStatus
        if status == of.kOptimal:
            return self._with_solution(solver, Stop.PROVED)
        if status == of.kInfeasible:
            return self.infeasible()
        if status in (of.kUnbounded, of.kUnboundedOrInfeasible):
            return self._unbounded_or_infeasible()
        if status.name in LIMITS:
            return self._with_solution(solver, LIMITS[status.name])
        raise self._unexpected(status)

    def _unexpected(self, status: highspy.HighsModelStatus) -> RuntimeError:
        return RuntimeError(f"HiGHS ended with the status {status.name}")

    def _with_solution(self, solver: highspy.Highs, stop: Stop) -> Result:
        info = solver.getInfo()
        feasible = info.primal_solution_status == self.native.SolutionStatus.kSolutionStatusFeasible
        if self.is_mip:
            bound: float | None = info.mip_dual_bound
        else:
            bound = info.objective_function_value if stop is Stop.PROVED else None
        return Result(
            stop,
            info.objective_function_value if feasible else None,
            self.with_whole(solver.getSolution().col_value) if feasible else None,
            bound,
            notes=self.notes,
        )

    def _unbounded_or_infeasible(self) -> Result:
        """Tell the two apart by asking for any solution at all.

        A mixed-integer program with rational data and an unbounded relaxation is unbounded as soon as it has a solution. Without an
        objective nothing is unbounded, so the second answer is plain.
        """
        of = self.native.HighsModelStatus
        self.any_will_do = True
        status = self._solve(self._solver(np.zeros(self.form.columns)))
        if status == of.kOptimal:
            raise NotApplicable("the model is unbounded: its objective has no least value")
        if status in (of.kInfeasible, of.kUnboundedOrInfeasible):
            return self.infeasible()
        if status.name in LIMITS:
            return Result(LIMITS[status.name], notes=self.notes)
        raise self._unexpected(status)

    def _require(self, status: highspy.HighsStatus, what: str) -> None:
        if status == self.native.HighsStatus.kError:
            raise RuntimeError(f"HiGHS refused {what}")
