"""The parent's handle on a worker process, and the idle workers that are kept for the next model.

A worker is an interpreter of its own, started by a plain command and not by `multiprocessing`, which would run the user's script
again. Starting one takes a quarter of a second and more, using it again a fraction of a millisecond. So one is kept for a while after it
has answered, unless it has kept much of what it used: the next model must have its memory to itself.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from dataclasses import dataclass
from multiprocessing.connection import Pipe
from typing import IO

from anoptima.deadline import unbroken
from anoptima.errors import NotApplicable
from anoptima.solvers.backends.messages import AskOptions, Broken, Message, Ready, Request, Spent
from anoptima.solvers.backends.worker import RETIRED, STOP

TAIL_LINES, TAIL_BYTES = 8, 2000
"""How much of what a dead worker said last goes into the error."""

MOST_IDLE = 2
"""How many idle workers are kept of one backend. Each holds some 50 to 150 MB."""

PATIENCE = 60.0
"""Seconds after which an idle worker that has answered something ends by itself."""

MOST_GROWN = 256 << 20
"""Bytes that a worker may hold beside what it needs anyway, and still be kept."""

REAPING = 0.1
"""Seconds that are waited for a process that was killed: one of some GB takes longer to go."""

SHARE_GROWN = 16
"""Where a run's memory is limited, its worker may hold the limit divided by this number beforehand."""

Key = tuple[str, str]
"""Module and qualified name of a backend's class."""

_BOOT = """
import sys
sys.path[:] = {path!r}
from anoptima.solvers.backends.worker import main
main({fd}, {lifeline}, {module!r}, {name!r}, {patience!r})
"""


class WorkerDied(Exception):
    """The other end is gone; the message says how it went and what it said last. `retired` if it has ended for lack of work."""

    def __init__(self, how: str, *, retired: bool = False) -> None:
        super().__init__(how)
        self.retired = retired


class WorkerProcess:
    """One worker. Not for use by two threads at a time."""

    end = "was killed"
    """What becomes of a run that does not stop when asked."""

    def __init__(self, key: Key) -> None:
        module, name = key
        if module == "__main__" or "<locals>" in name:
            raise NotApplicable(
                f"the backend class {name} is defined in {'a function' if '<locals>' in name else 'a script or notebook'}; "
                "put it into a module, since the process that runs it must import it"
            )
        self.key = key
        self.ready = False
        self.grown = 0
        """The bytes that it holds after its last run, beside those that it came up with."""
        self._log = _unnamed_file()
        fcntl.fcntl(self._log, fcntl.F_SETFL, fcntl.fcntl(self._log, fcntl.F_GETFL) | os.O_APPEND)
        self._connection, child = Pipe()
        lifeline, self._lifeline = os.pipe()
        boot = _BOOT.format(
            path=sys.path, fd=child.fileno(), lifeline=lifeline, module=module, name=name, patience=PATIENCE
        )
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", boot],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                pass_fds=(child.fileno(), lifeline),
                # Ctrl-C on a terminal goes to the foreground group: the parent hears it, and asks its workers to stop.
                process_group=0,
            )
        finally:
            child.close()
            os.close(lifeline)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def receive(self, seconds: float) -> Message | None:
        """Return the next message, or None if none comes within `seconds`. Raises `WorkerDied` if none can come."""
        try:
            if not self._connection.poll(seconds):
                return None
            message: Message = self._connection.recv()
        except (EOFError, OSError):
            raise self._death() from None
        if isinstance(message, Broken):
            raise NotApplicable(message.why)
        self.ready = self.ready or isinstance(message, Ready)
        if isinstance(message, Spent):
            self.grown = message.grown
        return message

    def request(self, request: Request | AskOptions) -> None:
        """Send a model, or options. The worker must be ready, that is, reading."""
        os.ftruncate(self._log.fileno(), 0)
        try:
            self._connection.send(request)
        except OSError:
            raise self._death() from None

    def stop(self) -> None:
        """Ask the run at hand to end. A worker that is gone by now says so at the next `receive`, after its last messages."""
        with contextlib.suppress(OSError):
            self._connection.send(STOP)

    def is_alive(self) -> bool:
        """Tell whether the process is there."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process at once, and whatever it has started. Where the system takes long to clear it away, nobody waits for that."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        try:
            self._process.wait(REAPING)
        except subprocess.TimeoutExpired:
            # As Python ends, no thread can be started; then the system clears up.
            with contextlib.suppress(RuntimeError):
                threading.Thread(target=self._process.wait, daemon=True).start()
        self.forget()

    def forget(self) -> None:
        """Close this end of everything, and leave the process alone."""
        with contextlib.suppress(OSError):
            self._connection.close()
        with contextlib.suppress(OSError):
            os.close(self._lifeline)
        self._log.close()

    def last_words(self) -> str:
        """Return the last lines that the worker printed since its last request."""
        size = os.fstat(self._log.fileno()).st_size
        tail = os.pread(self._log.fileno(), TAIL_BYTES, max(0, size - TAIL_BYTES)).decode(errors="replace")
        return "\n".join([line for line in tail.splitlines() if line.strip()][-TAIL_LINES:])

    def _death(self) -> WorkerDied:
        try:
            code = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return WorkerDied("closed its connection")
        if code == RETIRED:
            return WorkerDied("ended for lack of work", retired=True)
        how = f"ended with exit code {code}" if code >= 0 else f"was killed by {_signal_name(-code)}"
        said = self.last_words()
        return WorkerDied(f"{how}; its last words: {said}" if said else how)


def _unnamed_file() -> IO[bytes]:
    """Return a file that is gone once it is closed: on a disk, or in memory where no folder takes temporary files."""
    try:
        return tempfile.TemporaryFile()
    except FileNotFoundError:
        if not hasattr(os, "memfd_create"):
            raise
        return os.fdopen(os.memfd_create("anoptima"), "w+b")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Pool:
    """Idle workers by backend. Safe to use from several threads; a forked child starts with an empty one.

    A thread that is interrupted (`deadline`) hears of it after what is done here: a process half started or half ended would be nobody's.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: defaultdict[Key, list[WorkerProcess]] = defaultdict(list)
        self._all: set[WorkerProcess] = set()

    def take(self, key: Key, memory: int | None = None) -> WorkerProcess:
        """Return an idle worker for `key`, or a new one where none is left that leaves a run its `memory`."""
        with self._lock:
            idle = self._idle[key]
            while idle:
                worker = idle.pop()
                if worker.is_alive() and (memory is None or SHARE_GROWN * worker.grown <= memory):
                    return worker
                self._drop(worker)
            worker = WorkerProcess(key)
            self._all.add(worker)
            return worker

    def prepare(self, key: Key) -> None:
        """See to it that a worker for `key` is idle, or about to be."""
        with unbroken():
            self.give_back(self.take(key))

    def give_back(self, worker: WorkerProcess) -> None:
        """Keep a worker that has nothing to do, unless there are plenty or it holds too much."""
        with unbroken(), self._lock:
            for idle in self._idle.values():
                for retired in [one for one in idle if not one.is_alive()]:
                    idle.remove(retired)
                    self._drop(retired)
            if len(self._idle[worker.key]) >= MOST_IDLE or worker.grown > MOST_GROWN:
                self._drop(worker)
            elif worker in self._all:
                self._idle[worker.key].append(worker)

    def idle(self, key: Key) -> WorkerProcess | None:
        """Return the worker for `key` that is taken next; None if none is idle."""
        with self._lock:
            return self._idle[key][-1] if self._idle[key] else None

    def at_work(self, key: Key) -> WorkerProcess | None:
        """Return a worker for `key` that has been taken and not given back; None if there is none."""
        with self._lock:
            busy = (worker for worker in self._all if worker.key == key and worker not in self._idle[key])
            return next(busy, None)

    def kill(self, worker: WorkerProcess) -> None:
        """End a worker that is of no more use."""
        with unbroken(), self._lock:
            self._drop(worker)

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            for worker in tuple(self._all):
                self._drop(worker)
            self._idle.clear()

    def forget(self) -> None:
        """Let go of all workers: they belong to the process that this one was forked from."""
        self._lock = threading.Lock()
        for worker in self._all:
            worker.forget()
        self._abandoned = self._all  # keeps their handles from complaining that the process still runs
        self._all = set()
        self._idle = defaultdict(list)

    def _drop(self, worker: WorkerProcess) -> None:
        self._all.discard(worker)
        worker.kill()


POOL = Pool()


@dataclass(frozen=True)
class Pooled:
    """The workers of one backend."""

    key: Key

    def take(self, memory: int | None = None) -> WorkerProcess:
        """Return an idle worker or a new one; see `Pool.take`."""
        return POOL.take(self.key, memory)

    def give_back(self, worker: WorkerProcess) -> None:
        """Keep a worker for the next model; see `Pool.give_back`."""
        POOL.give_back(worker)

    def kill(self, worker: WorkerProcess) -> None:
        """End a worker."""
        POOL.kill(worker)


atexit.register(POOL.close)
os.register_at_fork(after_in_child=POOL.forget)
