"""Runs forked from a process that has its packages loaded: a fresh process for each, and none waits for its imports.

To start Python and load what solves takes about a second, a hundred times as long as many a run. A keeper does it once: `python -m
anoptima.experiments.studies.keeper` loads the packages, reads tasks, forks a process for each, keeps it within its limits, and writes what
became of it. It starts no thread, so that forking is safe, and ends, with its run, when its standard input closes.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, BinaryIO

from anoptima.experiments.studies.fence import GRACE, LOOK, Process
from anoptima.experiments.studies.running import Done, do_task, environment_of
from anoptima.experiments.studies.task import Task

CAN_FORK = sys.platform == "linux"
"""Whether runs are forked: elsewhere, packages that a process has loaded may not survive it."""


class Keeper:
    """A keeper's other end: the process that hands tasks to it. Started with the first task, and again if it died."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._process: subprocess.Popen[bytes] | None = None

    def do(self, task: Task, folder: str, cores: Sequence[int] | None, stop: threading.Event) -> Done | None:
        """Do one run; None if `stop` has ended it."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            pickle.dump((task, folder, cores), process.stdin)
            process.stdin.flush()
        while not select.select([process.stdout], [], [], LOOK)[0]:
            if stop.is_set():
                self.close()
                return None
        try:
            done: Done | None = pickle.load(process.stdout)
        except EOFError:
            self.close()
            raise ChildProcessError("the process that starts runs has died") from None
        return done

    def close(self) -> None:
        """End the keeper, and with it the run under way."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(2 * GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                (sys.executable, "-m", "anoptima.experiments.studies.keeper"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment_of(self._threads),
                start_new_session=True,
            )
        return self._process


class _Fork:
    """A process that was forked to call a function, as `fence` sees it."""

    def __init__(self, said: BinaryIO, body: Callable[[], None]) -> None:
        read, write = os.pipe()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            os.close(write)
            _become(read, said.fileno(), body)
        os.close(read)
        self.stdin: IO[str] | None = os.fdopen(write, "w")

    def send_signal(self, signal: int, /) -> None:
        """Send it a signal."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal)


def _become(inlet: int, said: int, body: Callable[[], None]) -> None:
    """Be the forked process: its own session and its own streams; call the function, and end."""
    code = 1
    try:
        os.setsid()
        os.dup2(inlet, 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115  It lives as long as the process.
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        body()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001  As at the end of any program.
        sys.excepthook(*sys.exc_info())
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


class _Inlet:
    """The keeper's standard input as what stops a run: no task comes while one is under way, so that it can only have closed."""

    def wait(self, timeout: float) -> bool:
        """Wait for this long at most, and tell whether it has closed."""
        return bool(select.select([0], [], [], timeout)[0])


def keep() -> None:
    """Do the tasks that come, until none can come."""
    from anoptima.experiments.studies.child import begin, load_packages

    tasks, results = open(0, "rb", buffering=0, closefd=False), sys.stdout.buffer  # noqa: SIM115
    load_packages()
    while True:
        try:
            task, folder, cores = pickle.load(tasks)
        except EOFError:
            return

        def start(said: BinaryIO, outbox: Path, folder: Path = Path(folder)) -> Process:
            return _Fork(said, lambda: begin(folder, outbox))

        with contextlib.suppress(BrokenPipeError):
            pickle.dump(do_task(task, folder, cores, _Inlet(), start), results)
            results.flush()


if __name__ == "__main__":
    keep()
