"""The child's half of `isolation`: a process that runs one native solver, one model at a time, until its parent is gone.

The parent writes requests and stop signs on one end of a socket, this process writes what it finds on the other; standard output and
error lead to a file that the parent reads when something goes wrong, so whatever a native library prints cannot disturb the talk.

    parent -> child     AskOptions | Request | STOP
    child  -> parent    Ready | Broken, then for each request: FoundIncumbent | FoundBound | Judged | FoundLines ..., Spent,
                        Result | Raised | SaidOptions

Once it has answered and hears nothing for a while, the process ends by itself, with the exit code `RETIRED`.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import queue
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from anoptima.answer import OptionValue, StartFate
from anoptima.errors import NotApplicable
from anoptima.origins import raised
from anoptima.solvers.backends.interrupt import INTERRUPTING
from anoptima.solvers.backends.messages import (
    AskOptions,
    Broken,
    FoundBound,
    FoundIncumbent,
    FoundLines,
    Judged,
    Limits,
    Message,
    Raised,
    Ready,
    Request,
    Result,
    SaidOptions,
    Spent,
    Values,
)
from anoptima.solvers.backends.rounding import Reported

COLLECTED = 16 << 20
"""Bytes that a worker may hold after a run, beside what it needs anyway, before it looks for garbage."""

LOG_EVERY = 0.2
"""Seconds that lines of a log may wait for others."""

RETIRED = 75
"""The exit code of a worker that has ended for lack of work."""

COPIED = 76
"""The exit code of a copy of a worker that would have spoken for it."""

STOP = "stop"
"""The stop sign: end the run at hand and give the best there is."""


@dataclass(slots=True)
class Report:
    """What a run tells its parent, from any thread, and how it learns that it should stop."""

    _send: Callable[[Message], None]
    _lines: list[str] = field(default_factory=list)
    _sent: float = field(default_factory=time.monotonic)
    _sending: threading.RLock = field(default_factory=threading.RLock)
    _stop: threading.Event = field(default_factory=threading.Event)
    _over: threading.Event = field(default_factory=threading.Event)
    _stoppers: list[Callable[[], object]] = field(default_factory=list)

    def incumbent(self, objective: Reported, values: ArrayLike) -> None:
        """Report a solution and its objective, offset included. Reporting a worse one than before does no harm."""
        self.send(FoundIncumbent(objective, np.array(values, dtype=np.float64)))

    def bound(self, value: Reported) -> None:
        """Report a bound that no solution's objective is below. A whole number is derived from it.

        Minus infinity says no more than that the solver is at work.
        """
        self.send(FoundBound(value))

    def start(self, fate: StartFate) -> None:
        """Report what became of the start. A start that is never mentioned counts as unused."""
        self.send(Judged(fate))

    def log(self, line: str) -> None:
        """Pass on a line of the solver's log. Lines travel together, a few times a second: some solvers print hundreds at once."""
        with self._sending:
            self._lines.extend(part for part in line.splitlines() if part.strip())
            if time.monotonic() - self._sent > LOG_EVERY:
                self._send_lines()

    def send(self, message: Message) -> None:
        """Send `message`, after the lines that came before it. For the worker."""
        with self._sending:
            self._send_lines()
            self._send(message)

    def _send_lines(self) -> None:
        if self._lines:
            self._send(FoundLines(tuple(self._lines)))
            self._lines.clear()
        self._sent = time.monotonic()

    def should_stop(self) -> bool:
        """Tell whether the run has been asked to stop; made to be called often."""
        return self._stop.is_set()

    def when_stopped(self, stopper: Callable[[], object]) -> None:
        """Have `stopper` called, from another thread, once the run has been asked to stop.

        It is called at once, and again every tenth of a second until the run is over, since most native libraries forget a request
        that comes before their search has begun.
        """
        self._stoppers.append(stopper)

    def request_stop(self) -> None:
        """Ask the run to stop. For the worker."""
        if not self._stop.is_set():
            self._stop.set()
            threading.Thread(target=self._insist, daemon=True).start()

    def flush(self) -> None:
        """Send the lines that wait for others. For the worker."""
        with self._sending:
            self._send_lines()

    def finish(self) -> None:
        """Declare the run over. For the worker."""
        self._over.set()

    def is_over(self) -> bool:
        """Tell whether the run is over. For the worker."""
        return self._over.is_set()

    def _insist(self) -> None:
        while True:
            for stopper in tuple(self._stoppers):
                stopper()
            if self._over.wait(0.1):
                return


class Runner(Protocol):
    """What the worker needs of a backend."""

    def load(self) -> None:
        """Import what `run` needs; see `isolation.Isolated.load`."""

    def why_not_options(self, options: Mapping[str, OptionValue]) -> str | None:
        """Say what is wrong with options; see `isolation.Isolated.why_not_options`."""

    def run(self, payload: Any, limits: Limits, start: Values | None, report: Report) -> Result:
        """Solve; see `isolation.Isolated.run`."""


class Worker:
    """Serves requests from `connection` until it closes, or until none has come for `patience` seconds after an answer."""

    def __init__(self, connection: Connection, backend: Runner, patience: float) -> None:
        self._connection = connection
        self._backend = backend
        self._patience = patience
        # Each is counted by one thread: how many requests have come, and to how many the answer is out.
        self._asked = self._answered = 0
        self._sending = threading.Lock()
        self._process = os.getpid()
        self._pending: queue.SimpleQueue[tuple[Request | AskOptions, Report]] = queue.SimpleQueue()

    def send(self, message: Message) -> None:
        """Write `message`, whole, whichever thread it comes from. A copy of this process that a solver has made may not: it ends."""
        if os.getpid() != self._process:
            os._exit(COPIED)
        with self._sending:
            self._connection.send(message)

    def serve(self) -> None:
        """Solve what is asked, for ever."""
        # Whatever is wrong with a package, `run` will meet it, and say it then.
        with suppress(Exception):
            self._backend.load()
        # What is loaded stays: looking through it for garbage after a run would take longer than a small run itself.
        gc.freeze()
        fresh = _held()
        threading.Thread(target=self._listen, daemon=True).start()
        self.send(Ready())
        while True:
            request, report = self._pending.get()
            began = time.monotonic()
            answer = answer_to(self._backend, request, report)
            seconds = time.monotonic() - began
            del request
            report.finish()
            report.send(Spent(seconds, _grown(fresh)))
            report.send(answer)
            self._answered += 1

    def _listen(self) -> None:
        report = Report(self.send)
        report.finish()
        try:
            while True:
                is_idle = self._asked == self._answered
                if not self._connection.poll(self._for_how_long() if is_idle else LOG_EVERY):
                    if is_idle:
                        os._exit(RETIRED)
                    report.flush()
                    continue
                message = self._connection.recv()
                if isinstance(message, Request | AskOptions):
                    self._asked += 1
                    report = Report(self.send)
                    self._pending.put((message, report))
                else:
                    report.request_stop()
        except (EOFError, OSError):
            # With whatever it has started: on the way out, the signal of `die_with` may come too late for that.
            os.killpg(os.getpgrp(), signal.SIGKILL)

    def _for_how_long(self) -> float | None:
        """Return for how many seconds to be idle. A worker that was started ahead waits for its model for as long as that takes."""
        return self._patience if self._answered else None


def answer_to(backend: Runner, request: Request | AskOptions, report: Report) -> Result | Raised | SaidOptions:
    """Have a backend do what is asked, and return how that ended, whatever it raises."""
    try:
        if isinstance(request, AskOptions):
            return SaidOptions(backend.why_not_options(request.options))
        with memory_limit(request.limits.memory):
            found: object = backend.run(request.payload, request.limits, request.start, report)
            if isinstance(found, Result):
                return found
            return Raised("error", f"its run returns {found!r:.100}; it must return a Result")
    except NotApplicable as error:
        return Raised("not-applicable", str(error))
    except ImportError as error:
        # The package is there, as `availability` has seen. Under a memory limit its libraries may have found no room.
        is_limited = isinstance(request, Request) and request.limits.memory is not None
        return Raised("memory" if is_limited else "import", str(error))
    except MemoryError:
        return Raised("memory", "out of memory")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is news for the parent and not for this process
        return Raised("error", raised(error))


@contextmanager
def memory_limit(size: int | None) -> Iterator[None]:
    """Refuse this process more than `size` bytes of data for as long as the context lasts.

    The limit is on private writable memory (`RLIMIT_DATA`), not on the address space: that one also counts code, and what
    allocators and threads reserve and never touch, several times what is used. The soft limit is lowered and raised again. A process
    that holds more already is out of memory at once: how long what it has freed would last is chance.
    """
    if size is None:
        yield
        return
    if _held() > size:
        raise MemoryError
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = 2**62 if hard == resource.RLIM_INFINITY else hard
    resource.setrlimit(resource.RLIMIT_DATA, (min(size, most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _held() -> int:
    """Return the bytes of private writable memory of this process; 0 where the system does not tell."""
    with suppress(OSError), Path("/proc/self/status").open(encoding="ascii") as status:
        for line in status:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0


def _grown(fresh: int) -> int:
    """Return by how many bytes this process holds more than `fresh`."""
    if _held() - fresh > COLLECTED:
        gc.collect()
    return max(0, _held() - fresh)


def die_with(lifeline: int) -> None:
    """Have the kernel end this process, and what it starts, when the other end of the pipe `lifeline` closes.

    The listening thread sees the parent go, too, but only when native code lets Python run; SIGIO ends the process regardless. It goes
    to the whole process group, which is the worker's own: a solver may be a program that the worker has started.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    # Not every system signals pipes. There, the thread must do.
    with suppress(OSError):
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def main(connection_fd: int, lifeline: int, module: str, name: str, patience: float) -> None:
    """Run as the worker of the backend class `name` in `module`."""
    for one in INTERRUPTING:
        # The parent hears of it, and asks for the best; if it ends, so does this process.
        signal.signal(one, signal.SIG_IGN)
    die_with(lifeline)
    connection = Connection(connection_fd)
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        backend = found()
    except Exception as error:  # noqa: BLE001 - a module may fail to import in any way
        connection.send(Broken(raised(error)))
        return
    Worker(connection, backend, patience).serve()
