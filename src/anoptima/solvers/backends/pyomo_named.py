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
import os
import re
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, ClassVar

from anoptima.answer import Budget, Listener
from anoptima.errors import BadInput, NotApplicable
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.models.languages import pyo
from anoptima.models.matrix import MatrixForm
from anoptima.naming import did_you_mean, near_names
from anoptima.solvers.backends.base import Availability, Backend, BackendFamily, Capability, Outcome
from anoptima.solvers.backends.executables import Program, program_of
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.backends.isolation import Isolated, Limits, Report, Result
from anoptima.solvers.backends.pyomo_dialects import DIALECTS, Dialect, plain_name
from anoptima.solvers.backends.pyomo_search import PyomoSearch
from anoptima.solvers.backends.registry import register
from anoptima.solvers.backends.worker import memory_limit

ROOM = 2**29
"""Bytes that the worker is granted for itself where the solver is a program."""


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
        here = {plain_name(name.partition(":")[2]) for name in working if name.startswith(f"{self.name}:")}
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
        return DIALECTS.get(plain_name(self.solver))

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

    def in_this_process(self) -> PyomoSolver:
        """Pyomo changes folders and the environment: it keeps a process of its own."""
        return self

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
            placed = copy(self)
            placed.folder = folder
            return Isolated.solve(placed, model, budget, start, listener)

    def payload(self, model: BuiltModel[Any], budget: Budget) -> Written:
        """Return the program as arrays: Pyomo's own objects are large, and slow to send."""
        return Written(self.solver, self.folder, model.matrix)

    def run(self, payload: Written, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve the program in `payload`."""
        backend = PyomoSolver(payload.solver)
        # A program's memory is limited by itself: without room for threads of its own, Pyomo waits for ever to hear from it.
        room = memory_limit(limits.memory + ROOM) if limits.memory is not None and backend.program else nullcontext()
        with room, _at_home_in(payload.folder):
            return PyomoSearch(backend, payload.form, limits, start, report).result()


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
