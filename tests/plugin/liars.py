"""Backends that do wrong, each in one way: HiGHS in all other respects. For tests of what users are told, and of the conformance suite."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import sys
import time
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from anoptima.answer import Budget, StartFate, Stop
from anoptima.models.base import BuiltModel, Values
from anoptima.models.matrix import MatrixForm
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.backends.isolation import Limits, Report, Result
from anoptima.solvers.backends.messages import FoundBound, FoundIncumbent, Judged, Message


class Rewriting(Report):
    """Passes on what `change` makes of a message."""

    def __init__(self, below: Report, change: Callable[[Message], Message]) -> None:
        super().__init__(lambda message: below.send(change(message)))
        self._below = below

    def should_stop(self) -> bool:
        return self._below.should_stop()

    def when_stopped(self, stopper: Callable[[], object]) -> None:
        self._below.when_stopped(stopper)


class Liar(Highs):
    """Changes what HiGHS says."""

    def change(self, message: Message) -> Message:
        return message

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        told = super().run(form, limits, start, Rewriting(report, self.change))
        changed = self.change(told)
        assert isinstance(changed, Result)
        return changed


class WrongOptimum(Liar):
    """Says that its solutions cost one less than they do."""

    name = "wrong-optimum"

    def change(self, message: Message) -> Message:
        if isinstance(message, FoundIncumbent) or (isinstance(message, Result) and message.objective is not None):
            return dataclasses.replace(message, objective=message.objective - 1)  # type: ignore[operator]
        return message


class WrongBound(Liar):
    """Claims bounds that are higher by two."""

    name = "wrong-bound"

    def change(self, message: Message) -> Message:
        if isinstance(message, FoundBound):
            return FoundBound(message.value + 2)
        if isinstance(message, Result) and message.bound is not None:
            return dataclasses.replace(message, bound=message.bound + 2)
        return message


class WrongValues(Liar):
    """Gives back zeros for values."""

    name = "wrong-values"

    def change(self, message: Message) -> Message:
        if isinstance(message, FoundIncumbent) or (isinstance(message, Result) and message.values is not None):
            return dataclasses.replace(message, values=np.zeros_like(message.values))
        return message


class FalselyInfeasible(Liar):
    """Calls everything infeasible."""

    name = "falsely-infeasible"

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        return Result(Stop.PROVED, infeasible=True)


class StartLiar(Liar):
    """Says that it accepted its start, whatever that was."""

    name = "start-liar"

    def change(self, message: Message) -> Message:
        return Judged(StartFate.ACCEPTED) if isinstance(message, Judged) else message


class NotANumber(Liar):
    """Gives objectives that are no numbers."""

    name = "not-a-number"

    def change(self, message: Message) -> Message:
        if isinstance(message, FoundIncumbent):
            return dataclasses.replace(message, objective=float("nan"))
        return message


class Late(Liar):
    """Looks at no limit, and goes on for ever."""

    name = "late"

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        report.bound(-np.inf)
        while True:
            time.sleep(0.01)


class Unstoppable(Liar):
    """Does not stop when asked."""

    name = "unstoppable"

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        class Unasked(Rewriting):
            def should_stop(self) -> bool:
                return False

            def when_stopped(self, stopper: Callable[[], object]) -> None:
                """Forget the stopper."""

        if form.columns < 30:
            return Highs.run(self, form, limits, start, report)
        return Highs.run(self, form, limits, start, Unasked(report, self.change))


class Leaking(Liar):
    """Never gives back 100 MB a run."""

    name = "leaking"
    leaked: ClassVar[list[Values]] = []

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        self.leaked.append(np.ones(100_000_000 // 8))
        return super().run(form, limits, start, report)


class Crashing(Liar):
    """Ends by a segmentation fault."""

    name = "crashing"

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        ctypes.string_at(0)
        raise AssertionError


class Forking(Liar):
    """Leaves a copy of its process that says what it found a second time, and stays."""

    name = "forking"

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        found = super().run(form, limits, start, report)
        if os.fork() == 0:
            if start is not None:
                report.bound(form.constant + 10**6)
            time.sleep(3600)
        return found


class Printing(Liar):
    """Prints, from Python and past it."""

    name = "printing"

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        print("{ this is no JSON")
        sys.stdout.flush()
        os.write(1, b"\x00 nor is this\n" * 100)
        return super().run(form, limits, start, report)


class PrintingAtHome(Highs):
    """Prints in the caller's process."""

    name = "printing-at-home"

    def payload(self, model: BuiltModel[Any], budget: Budget) -> Any:
        os.write(1, b"{ this is no JSON\n")
        return super().payload(model, budget)


class Consistent(Liar):
    """Returns its start as the optimum, or any solution, with a bound that matches: nothing that it says contradicts anything else."""

    name = "consistent"

    def run(self, form: MatrixForm, limits: Limits, start: Values | None, report: Report) -> Result:
        if start is None:
            indifferent = dataclasses.replace(form, objective=np.zeros(form.columns))
            found = super().run(indifferent, limits, None, Rewriting(report, lambda message: FoundBound(-np.inf)))
            if found.values is None:
                return found
            start = found.values
        else:
            report.start(StartFate.ACCEPTED)
        cost = float(form.objective @ start + form.constant)
        return Result(Stop.PROVED, cost, start, cost)


class Quiet(Liar):
    """No liar: it says only at the end what it has found."""

    name = "quiet"

    def change(self, message: Message) -> Message:
        return FoundBound(-np.inf) if isinstance(message, FoundIncumbent | FoundBound) else message


class SlowToLoad(Highs):
    """No liar: what it needs takes a while to load, a licence for example."""

    name = "slow-to-load"

    def load(self) -> None:
        time.sleep(1)
        super().load()
