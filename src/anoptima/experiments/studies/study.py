"""The questions of a study: instances and tables, solvers, limits, seeds; from a TOML file or from Python."""

from __future__ import annotations

import math
import platform
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from anoptima.answer import OptionValue
from anoptima.arguments import checked
from anoptima.documents.reading import read_utf8
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, exact_plain
from anoptima.experiments.questions import Question
from anoptima.experiments.studies.sources import load, named, sources_of_generator, sources_of_table, stated
from anoptima.experiments.studies.task import Task
from anoptima.instances.library import instances
from anoptima.machine import size_in_bytes
from anoptima.origins import origin_of
from anoptima.problems.base import Problem
from anoptima.solvers.base import Solver
from anoptima.solvers.lookup import get_solver

DECIDING = ("anoptima", "highspy", "ortools", "pyomo", "pyscipopt", "numpy", "numba")
"""Packages whose versions decide an outcome: they are part of a run's key."""

MEMORY = 4 << 30
"""Bytes for each run (default)."""

LIMITS = {"seconds": (0, math.inf), "seeds": (0, 2**31), "threads": (1, math.inf), "memory": (1, math.inf)}
"""The least that each may be, and what it must stay below: the numbers that every solver takes."""


@dataclass(frozen=True)
class Asked:
    """A solver of a study, with its options."""

    solver: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@checked
@dataclass(frozen=True)
class Study:
    """Every solver on every question, at every limit, with every seed.

    A solver that does not use the seed (`Solver.uses_seed`) is run with the first one only. Where a run proved the optimum, or ended by
    itself and its solver does not use the limit (`Solver.uses_limit`), its record also counts for the longer limits, and says so.

    Parameters
    ----------
    name
        The heading of the report.
    instances
        Names of the library's instances, with wildcards: `ten-rows-*`.
    tables
        Files with questions, as a study's TOML file has them under `[[tables]]`.
    largest_gap
        Of the library's instances, only those whose record has at most this (cost - bound) / cost; 0 leaves those with a proved optimum.
    drawn
        Generators of tables with parameters and questions, as the file has them under `[[drawn]]`.
    solvers
        Names, or dictionaries `{"name": "pattern/highs", "options": {...}}`; 'auto' is one.
    seconds, seeds
        Time limits that the solvers are told, and seeds. Each is a run of its own.
    threads, memory
        For each run: threads, and bytes that its processes may take together.
    stop_at_optimum
        Whether a run on an instance of the library ends once it has the proved optimum of its record. That saves the rest of the limit in a
        comparison of costs, and also counts for longer limits; leave it out in a comparison of proofs.
    folder
        Where the files of `tables` are.

    Examples
    --------
    >>> study = Study("small", instances=("ten-rows-k3",), solvers=("auto", "peel"), seconds=(5.0,))
    >>> [(task.name, task.solver) for task, _ in study.tasks()]
    [('ten-rows-k3', 'auto'), ('ten-rows-k3', 'peel')]
    """

    name: str
    instances: Sequence[str] = ()
    tables: Sequence[Mapping[str, Any]] = ()
    drawn: Sequence[Mapping[str, Any]] = ()
    solvers: Sequence[str | Mapping[str, Any]] = ("auto",)
    seconds: Sequence[float] = (10.0,)
    seeds: Sequence[int] = (0,)
    threads: int = 1
    memory: int = MEMORY
    largest_gap: Number | None = None
    stop_at_optimum: bool = False
    folder: Path = field(default_factory=Path)

    def __post_init__(self) -> None:
        if self.largest_gap is not None and not 0 <= as_fraction(self.largest_gap, "largest_gap") <= 1:
            raise BadInput(f"largest_gap is {self.largest_gap}; it must lie between 0 and 1")
        for name in ("solvers", "seconds", "seeds"):
            if not len(getattr(self, name)):
                raise BadInput(f"{name} of the study {self.name!r} is empty, so it has no runs; name at least one")
        for name, (least, beyond) in LIMITS.items():
            given = getattr(self, name)
            for value in given if isinstance(given, Iterable) else (given,):
                if not least <= value < beyond:
                    most = "finite" if math.isinf(beyond) else f"less than {beyond:,}"
                    raise BadInput(
                        f"{name} of the study {self.name!r} is {value}; it must be at least {least} and {most}"
                    )

    @classmethod
    def read(cls, path: str | Path) -> Study:
        """Read a study's TOML file; `BadInput` says in one sentence what is wrong with it."""
        file = Path(path)
        try:
            data = tomllib.loads(read_utf8(path))
        except tomllib.TOMLDecodeError as error:
            raise BadInput(f"{path} cannot be read as TOML: {error}") from None
        known = set(cls.__dataclass_fields__) - {"folder"}
        for key in data:
            if key not in known:
                raise BadInput(f"{path} says {key!r}; a study may say {', '.join(sorted(known))}")
        data.setdefault("name", file.stem)
        if isinstance(data.get("memory"), str):
            data["memory"] = size_in_bytes(data["memory"])
        lists = {
            key: tuple(value if isinstance(value, list) else [value])
            for key, value in data.items()
            if key in ("instances", "tables", "drawn", "solvers", "seconds", "seeds")
        }
        for key, members in lists.items():
            if not members:
                raise BadInput(f"{path} says {key} = []; name at least one, or leave {key!r} out")
        return cls(**{**data, **lists}, folder=file.resolve().parent)

    def questions(self) -> Iterator[tuple[str, dict[str, Any], Problem[Any]]]:
        """Yield each question once: its name, which no other has, where it comes from, and the problem. Loads every table."""
        asked: Counter[str] = Counter()
        for name, source, problem in self._questions():
            asked[name] += 1
            yield name if asked[name] == 1 else f"{name} ({asked[name]})", source, problem

    def _questions(self) -> Iterator[tuple[str, dict[str, Any], Problem[Any]]]:
        if not (self.instances or self.tables or self.drawn):
            raise BadInput(f"the study {self.name!r} has no instances, tables or drawn tables; name some")
        seen = set()
        for pattern in self.instances:
            for name in named(pattern):
                if name not in seen and self._is_known(name):
                    seen.add(name)
                    yield name, {"instance": name}, load({"instance": name}, self.folder)
        for number, entry in enumerate(self.tables, 1):
            for name, source in sources_of_table(entry, f"table {number} of the study {self.name!r}"):
                yield name, source, load(source, self.folder)
        for number, entry in enumerate(self.drawn, 1):
            for name, source in sources_of_generator(entry, f"generator {number} of the study {self.name!r}"):
                yield name, source, load(source, self.folder)

    def _is_known(self, name: str) -> bool:
        """Tell whether the record of an instance brackets its optimum as narrowly as the study wants."""
        if self.largest_gap is None:
            return True
        known = instances.get(name)
        if known.best is None or known.bound is None:
            return False
        return known.best - known.bound <= as_fraction(self.largest_gap, "largest_gap") * known.best

    def tasks(self) -> Iterator[tuple[Task, str]]:
        """Yield every run with the reason for skipping it; '' if it must run."""
        asked = [_asked(one) for one in self.solvers]
        solvers = [None if one.solver == "auto" else get_solver(one.solver) for one in asked]
        # Read from the installed packages: once for each solver, not for each question.
        made_with = [versions(solver) for solver in solvers]
        for name, source, problem in self.questions():
            question, rows = stated(problem, source), Question(0, name, problem).columns()["rows"] or 0
            until = _optimum(source) if self.stop_at_optimum else None
            for one, solver, packages in zip(asked, solvers, made_with, strict=True):
                refusal = None if solver is None else solver.why_not(problem)
                seeds = self.seeds if solver is None or solver.uses_seed else self.seeds[:1]
                for seconds in self.seconds:
                    for seed in seeds:
                        yield (
                            Task(
                                name,
                                source,
                                question,
                                one.solver,
                                one.options,
                                float(seconds),
                                seed,
                                self.threads,
                                self.memory,
                                packages,
                                rows,
                                until,
                            ),
                            refusal or "",
                        )

    def shorter(self, task: Task) -> list[str]:
        """Return the keys of the runs under shorter limits, whose record may count for that of a task, the longest first."""
        limits = sorted((float(limit) for limit in self.seconds if limit < task.seconds), reverse=True)
        return [task.within(limit).key for limit in limits]


def _optimum(source: Mapping[str, Any]) -> int | str | None:
    """Return the cost that the library's record of an instance proves to be least; None if it proves none."""
    known = instances.get(str(source["instance"])) if "instance" in source else None
    return exact_plain(known.best) if known is not None and known.best == known.bound else None


def uses_limit(solver: str) -> bool:
    """Tell whether a longer limit may change a solver's answer; `auto` uses all the time it has."""
    return solver == "auto" or get_solver(solver).uses_limit


def versions(solver: Solver[Any] | None = None) -> dict[str, str]:
    """Return the versions of what decides an outcome, as far as it is installed: with them, those of the plug-ins that may take part.

    A plug-in takes part if the solver, its model or its backend comes from it; a searcher may in any run.
    """
    # Who runs no study need not wait for the engine.
    from anoptima.solvers.exact.sifting.searchers import searchers

    found = {"python": ".".join(platform.python_version_tuple()[:2])}
    parts = (solver, getattr(solver, "model", None), getattr(solver, "backend", None), *searchers.all())
    for package in (*DECIDING, *(origin_of(part) for part in parts if part is not None)):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def _asked(solver: str | Mapping[str, Any]) -> Asked:
    if isinstance(solver, str):
        found = Asked(solver)
    elif set(solver) <= {"name", "options"} and "name" in solver and isinstance(solver.get("options", {}), Mapping):
        found = Asked(str(solver["name"]), dict(solver.get("options", {})))
    else:
        raise BadInput(f"a solver of the study is {dict(solver)!r}; it must be a name, or have name and options")
    if found.solver != "auto":
        get_solver(found.solver).check_options(found.options)
    return found
