"""Backends that behave badly, each in its own way, and one that behaves well and is written the shortest way there is."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from anoptima.answer import Budget, StartFate, Stop
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.base import Availability, BackendFamily, Capability
from anoptima.solvers.backends.isolation import Isolated, Limits, Report, Result


class Plugin(Isolated):
    requires: ClassVar[dict[str, str]] = {}
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset({Capability.INCUMBENTS, Capability.BOUND})

    def payload(self, model: BuiltModel[Any], budget: Budget) -> MatrixForm:
        return model.matrix


class Zeros(Plugin):
    """Claims that zero everywhere is optimal, which is true of the programs it is given."""

    name = "zeros"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        report.incumbent(payload.constant, np.zeros(payload.columns))
        return Result(Stop.PROVED, bound=payload.constant)


class Hanging(Plugin):
    """Sleeps, whatever is asked of it."""

    name = "hanging"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        while True:
            time.sleep(60)


class HangingWithSolution(Plugin):
    """Finds something first."""

    name = "hanging-with-solution"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        report.incumbent(7, np.ones(payload.columns))
        report.bound(2)
        while True:
            time.sleep(60)


class Deaf(Plugin):
    """Never lets Python run: a native loop that holds the interpreter's lock."""

    name = "deaf"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        report.log(f"pid {os.getpid()}")
        report.start(StartFate.UNUSED)  # sends the line, and is no result
        re.match("(a+)+b", "a" * 64)
        raise AssertionError


class Aborting(Plugin):
    name = "aborting"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        print("this is the end", file=sys.stderr, flush=True)
        os.abort()


class AbortingWithSolution(Plugin):
    name = "aborting-with-solution"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        report.incumbent(7, np.ones(payload.columns))
        os.abort()


class Segfaulting(Plugin):
    name = "segfaulting"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        ctypes.string_at(0)
        raise AssertionError


class Leaving(Plugin):
    name = "leaving"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        os._exit(3)


class Raising(Plugin):
    name = "raising"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        raise ValueError("the moon is not right")


class Quitting(Plugin):
    name = "quitting"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        sys.exit("enough")


class Suicidal(Plugin):
    """Is killed on its first run in every process, as by the machine; solves in the next."""

    name = "suicidal"

    def run(self, payload: str, limits: Limits, start: Values | None, report: Report) -> Result:
        mark = Path(payload)
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Result(Stop.PROVED, 0, np.zeros(1), 0)

    def payload(self, model: BuiltModel[Any], budget: Budget) -> str:  # type: ignore[override]
        return os.environ["ANOPTIMA_TEST_MARK"]


class Noisy(Plugin):
    """Prints to standard output as native libraries do, past Python."""

    name = "noisy"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        for _ in range(1000):
            os.write(1, b"\x00\x01 noise \xff" * 50)
        return Result(Stop.PROVED, payload.constant, np.zeros(payload.columns), payload.constant)


class Greedy(Plugin):
    """Takes memory until it is refused."""

    name = "greedy"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        report.incumbent(9, np.ones(payload.columns))
        blocks = []
        while True:
            blocks.append(np.ones(2**22))


class Pid(Plugin):
    """Gives its process id for an objective."""

    name = "pid"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        return Result(Stop.PROVED, os.getpid(), np.zeros(payload.columns), os.getpid())


class Leaking(Plugin):
    """Needs 300 MB, never gives back 100 of them, and gives its process id for an objective."""

    name = "leaking"
    leaked: ClassVar[list[Values]] = []

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        np.ones(200_000_000 // 8)
        self.leaked.append(np.ones(100_000_000 // 8))
        return Result(Stop.PROVED, os.getpid(), np.zeros(payload.columns), os.getpid())


class Loaded(Plugin):
    """Finds out whether what it needs was imported before it runs: the objective is 1 if so."""

    name = "loaded"
    requires: ClassVar[dict[str, str]] = {"colorsys": "python"}

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        told = int("colorsys" in sys.modules)
        return Result(Stop.PROVED, told, np.zeros(payload.columns), told)

    def versions(self) -> dict[str, str]:
        return {}


class Patient(Plugin):
    """Works until it is asked to stop, and then has something to say."""

    name = "patient"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        report.bound(1)
        while not report.should_stop() and limits.seconds() != 0.0:
            time.sleep(0.01)
        return Result(Stop.CANCELLED if report.should_stop() else Stop.TIME, 5, np.ones(payload.columns))


class Missing(Plugin):
    name = "missing"
    requires: ClassVar[dict[str, str]] = {"no_such_package_here": "no-such-distribution"}

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        raise AssertionError


class Importless(Plugin):
    """Its package is there and cannot be imported."""

    name = "importless"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        raise ImportError("libmoon.so: cannot open shared object file")


class Liar(Plugin):
    """Says what cannot be; how is told by the first cost."""

    name = "liar"
    lies: ClassVar[dict[int, Result]] = {
        1: Result(Stop.PROVED),
        2: Result(Stop.PROVED, 3, np.zeros(1), 4),
        3: Result(Stop.PROVED, 3, np.zeros(1), infeasible=True),
        5: Result(Stop.TIME, float("nan"), np.zeros(1)),
    }

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        return self.lies[int(payload.objective[0])]


class Speechless(Plugin):
    """Ends without a result, or says what is no number; how is told by the first cost."""

    name = "speechless"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        said: Any = None
        match int(payload.objective[0]):
            case 1:
                return said  # type: ignore[no-any-return]
            case 2:
                report.incumbent(said, np.zeros(1))
            case 3:
                report.bound("0")  # type: ignore[arg-type]
            case 4:
                return Result(said)
            case 5:
                return Result(Stop.PROVED, 0, np.zeros(1), 0, notes=said)
            case 6:
                return Result(Stop.PROVED, "0", np.zeros(1), 0)  # type: ignore[arg-type]
        return Result(Stop.PROVED, 10**400, np.zeros(1), 10**400)


class Tolerant(Plugin):
    """Calls optimal what is within one of its bound."""

    name = "tolerant"

    def run(self, payload: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        return Result(Stop.PROVED, 8.0000001, np.zeros(payload.columns), 6.5)


class Torn(Zeros):
    """Cannot say whether it is there."""

    name = "torn"

    def availability(self) -> Availability:
        raise ZeroDivisionError("torn")


class Family(BackendFamily):
    """Several backends behind one entry point."""

    name = "family"

    def members(self) -> list[str]:
        return ["one", "two"]

    def member(self, name: str) -> Zeros:
        found = Zeros()
        found.name = f"family:{name}"
        return found
