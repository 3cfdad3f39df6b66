"""`anoptima doctor`: what is installed and works here, what would work if it were, and what the machine has."""

from __future__ import annotations

import contextlib
import platform
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import anoptima
from anoptima.answer import Budget, Claim, Clock
from anoptima.cli import arguments as shared
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.cli.status_line import StatusLine
from anoptima.errors import AnoptimaError
from anoptima.instances.papers import ten_rows
from anoptima.machine import available_memory, total_memory, usable_threads
from anoptima.models import models
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.pyomo_named import PyomoSolvers
from anoptima.solvers.backends.registry import backend_names, get_backend
from anoptima.solvers.compiling.preparing import state
from anoptima.solvers.modelled import Modelled

EXAMPLES = ("anoptima doctor", "anoptima doctor --json")

NEEDED = ("highspy", "networkx", "numba", "numpy", "ortools", "pandas", "pyomo")
"""The packages that are always there."""

EXTRAS = {
    "pyscipopt": ("scip", "the backend scip"),
    "pyarrow": ("parquet", "Parquet files"),
    "matplotlib": ("plots", "pictures"),
}
"""Packages that an extra brings, and what they are for."""

SECONDS = 20.0
"""What a backend is given for the question that it is tried on."""

MODELS = ("pattern", "assignment")
"""The models that backends are tried on: the first that a backend takes."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Look, try, report."""
    packages = {name: _version(name) for name in (*NEEDED, *EXTRAS)}
    backends = list(_tried(_backends(), quiet=arguments.quiet))
    absent = PyomoSolvers().absent({trial.name for trial in backends if trial.works})
    document = {
        "anoptima": anoptima.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": packages,
        "install": {name: f"anoptima[{extra}]" for name, (extra, _) in EXTRAS.items() if packages[name] is None},
        "backends": [trial.as_dict() for trial in backends],
        "absent": absent,
        "threads": usable_threads(),
        "loops": state().as_dict(),
        "memory": {"available": available_memory(), "total": total_memory()},
    }
    works = all(packages[name] for name in NEEDED) and any(trial.works for trial in backends)
    return Reply(_text(packages, backends, absent), document, ANSWERED if works else NEGATIVE)


@dataclass(frozen=True)
class Trial:
    """What became of a backend that was tried: `why` says what keeps it from working, and is empty where it does."""

    name: str
    versions: dict[str, str]
    why: str
    seconds: float = 0.0

    @property
    def works(self) -> bool:
        """Whether it solved the question that it was tried on."""
        return not self.why

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "name": self.name,
            "works": self.works,
            "why not": self.why or None,
            "versions": self.versions,
            "seconds": round(self.seconds, 2),
        }


def _backends() -> list[Backend]:
    """Return the backends that are listed, and the members of Pyomo's that it finds besides."""
    names = backend_names()
    more: list[str] = []
    with contextlib.suppress(ImportError):
        # Where Pyomo cannot be loaded, the backends that need it say why.
        more = [f"{PyomoSolvers.name}:{member}" for member in PyomoSolvers().working()]
    return [get_backend(name) for name in dict.fromkeys([*names, *more])]


def _tried(backends: Iterable[Backend], *, quiet: bool) -> Iterator[Trial]:
    line = StatusLine(quiet)
    for backend in backends:
        if line.on_terminal:
            line.show(f"trying {backend.name} ...")
        yield try_backend(backend)
    line.clear()


def try_backend(backend: Backend) -> Trial:
    """Solve a question of ten rows, whose optimum is known, on a backend."""
    available = backend.availability()
    if not available:
        return Trial(backend.name, {}, available.why)
    clock = Clock()
    try:
        versions = dict(backend.versions())
        model = next((models.get(name) for name in MODELS if models.get(name).language in backend.languages), None)
        if model is None:
            return Trial(backend.name, versions, f"it takes none of the models {', '.join(MODELS)}")
        answer = Modelled(model, backend).solve(CellSuppression(ten_rows(), KAnonymity(3)), Budget(SECONDS))
    except (AnoptimaError, ImportError) as error:
        return Trial(backend.name, {}, " ".join(str(error).split()), clock.seconds())
    why = "" if answer.claim is Claim.OPTIMAL else f"it did not solve ten rows in {SECONDS:.0f} s ({answer.stop.value})"
    return Trial(backend.name, versions, why, clock.seconds())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _text(packages: dict[str, str | None], backends: list[Trial], absent: dict[str, str]) -> str:
    lines = [f"anoptima {anoptima.__version__}, Python {platform.python_version()}, {platform.platform()}", ""]
    lines += ["packages:"]
    for name, found in packages.items():
        extra, purpose = EXTRAS.get(name, ("", ""))
        told = found or (f"not installed: pip install 'anoptima[{extra}]'" if extra else "NOT INSTALLED, and needed")
        lines.append(f"  {name:12}  {told}" + (f"  ({purpose})" if purpose else ""))
    lines += ["", "backends, each tried on ten rows:"]
    width = max((len(trial.name) for trial in backends), default=0)
    for trial in backends:
        versions = ", ".join(f"{name} {number}" for name, number in trial.versions.items())
        told = f"works  {trial.seconds:5.1f} s  {versions}" if trial.works else f"does not work: {trial.why}"
        lines.append(f"  {trial.name:{width}}  {told}")
    lines += ["", "not here, and usable once installed:"]
    width = max(map(len, absent), default=0)
    lines += [f"  {name:{width}}  {install}" for name, install in absent.items()]
    available, total = available_memory(), total_memory()
    lines += [
        "",
        "machine:",
        f"  threads       {usable_threads()}",
        f"  memory        {_gib(available)} available, of {_gib(total)}",
        f"  loops         {state()}",
    ]
    return "\n".join(lines)


def _gib(size: int) -> str:
    return f"{size / 2**30:.1f} GiB"
