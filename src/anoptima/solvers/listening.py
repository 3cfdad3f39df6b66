"""Listeners of `solve`: progress for the caller, lines for a log, and the best solution so far if the run is cut short."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from anoptima.answer import (
    Bound,
    BoundRaised,
    Event,
    Incumbent,
    Log,
    Origin,
    Phase,
    Progress,
    Proof,
    Started,
    StillRunning,
)
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text

OnProgress = Callable[[Progress], "bool | None"]


@runtime_checkable
class Writable(Protocol):
    """A destination for lines of a log: a file that is open for text, `sys.stderr`, an `io.StringIO`."""

    def write(self, text: str, /) -> object:
        """Write `text`."""


@contextmanager
def written_to(log: str | os.PathLike[str] | Writable | None) -> Iterator[Writable | None]:
    """Give the stream that a log goes to: the one that was given, or a file that is opened here and holds every line at once."""
    if log is None or not isinstance(log, str | os.PathLike):
        yield log
        return
    try:
        stream = Path(log).open("w", encoding="utf-8", buffering=1)  # noqa: SIM115 - closed below
    except OSError as error:
        raise BadInput(f"the log cannot be written to {os.fspath(log)}: {error.strerror}") from None
    with stream:
        yield stream


class Hearing:
    """The listener of a run. It keeps the best that it hears of, and writes the log."""

    def __init__(self, on_progress: OnProgress | None, log: Writable | None, solver: str) -> None:
        self.solver = solver
        self.solution: Any = None
        self.cost: Exact | None = None
        self.bound: Bound | None = None
        self.proof: Proof | None = None
        self.trace: list[Progress] = []
        self.reason: str | None = None
        """Why this solver; None until it has begun."""
        self.notes: tuple[str, ...] = ()
        self._call = on_progress
        self._log = log
        self._began = 0.0
        self._phase = ""

    def begin(self, solver: str, began: float, start: Any, reason: str = "") -> None:
        """Take note that a solver begins: how many seconds after `solve` was called, from where, and why this one."""
        self.solver, self._began, self.solution = solver, began, start
        self.reason = reason
        self.write(reason or f"the solver is {solver}")

    def write(self, line: str) -> None:
        """Write a line to the log, if there is one."""
        if self._log is not None:
            try:
                self._log.write(f"{line}\n")
            except (OSError, ValueError) as error:
                # The answer is worth more than its log, and the stream may be full or closed.
                self.notes = (f"the log could not be written to its end: {error}",)
                self._log = None

    @property
    def wants_log(self) -> bool:
        """Whether lines of a log are written anywhere."""
        return self._log is not None

    def __call__(self, event: Event) -> bool:
        """Hear an event; tell whether whoever asked for progress wants the run to end."""
        if isinstance(event, Log):
            self.write(event.line)
            return False
        if self.reason is not None:
            self._tell(event)
        if isinstance(event, Incumbent):
            self.cost, self.solution = event.cost, event.solution
        elif isinstance(event, BoundRaised):
            self.bound = Bound(event.bound, event.origin or Origin.BACKEND, self.solver)
            self.proof = event.proof or self.proof
        elif isinstance(event, Started):
            self._phase = event.by
        elif isinstance(event, Phase):
            self._phase = event.words
        elif not isinstance(event, StillRunning):
            return False
        if isinstance(event, Incumbent | BoundRaised):
            self.trace.append(self._now(self._began + event.seconds))
        return not self.goes_on(self._phase, self._began + event.seconds)

    def _tell(self, event: Event) -> None:
        """Write to the log what a solver without a log of its own does: its phases, and what it finds."""
        if isinstance(event, Phase):
            said = event.words
        elif isinstance(event, Incumbent):
            said = f"cost {exact_text(event.cost)}"
        elif isinstance(event, BoundRaised):
            said = f"bound {exact_text(event.bound)}"
        else:
            return
        self.write(f"{self._began + event.seconds:.2f} s: {said}")

    def goes_on(self, phase: str, seconds: float) -> bool:
        """Report progress after this many seconds to whoever asked for it; return whether the run may go on."""
        if self._call is None:
            return True
        return not self._call(self._now(seconds, phase, self.solution))

    def _now(self, seconds: float, phase: str = "", solution: Any = None) -> Progress:
        """Return where cost and bound stand after this many seconds."""
        return Progress(seconds, self.cost, None if self.bound is None else self.bound.value, phase, solution)
