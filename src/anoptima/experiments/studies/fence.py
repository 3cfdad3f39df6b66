"""Limits from outside: one process, ended when it takes more time or memory than it may.

The strongest means that there is does it. Memory: a control group of its own (version 2, or version 1's memory controller), where the
kernel itself refuses what is too much; elsewhere a watchdog, which adds up what the processes have in memory every `LOOK` seconds. Time: a
watchdog on the wall clock less the time spent waiting for a core, and the kernel's limit on CPU seconds behind it. `Ended.means` says
which was used.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol

LOOK = 0.05
"""Seconds between two looks at a process."""

GRACE = 2.0
"""Seconds that a process has to end once it is asked to, before it is killed."""

NANO = 1_000_000_000
"""Nanoseconds in a second."""

MOST_SAID = 2_000
"""Characters of what a process writes that are kept: the last."""


class Cause(Enum):
    """What ended a process."""

    ITSELF = "itself"
    TIME = "time"
    MEMORY = "memory"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Limits:
    """What a process and those that it starts may take: seconds by the wall clock, bytes of memory together, cores.

    Seconds in which its first thread waits for a core do not count, where the system tells them: on a busy machine, a run is not ended for
    what others did.
    """

    seconds: float
    memory: int
    threads: int
    cores: frozenset[int] | None = None


@dataclass(frozen=True)
class Ended:
    """How a process ended, and what it took. `peak` is in bytes, None where nothing tells it."""

    cause: Cause
    code: int
    wall: float
    cpu: float
    peak: int | None
    said: str
    means: str

    @property
    def how(self) -> str:
        """Say how it ended."""
        if self.code < 0:
            return f"was killed by {signal.Signals(-self.code).name}"
        return f"ended with exit code {self.code}"


class Stopping(Protocol):
    """What tells that a run shall be ended: a `threading.Event`, say."""

    def wait(self, timeout: float) -> bool:
        """Wait for this long at most, and tell whether to stop."""


class Process(Protocol):
    """A process that was started in a session of its own: `subprocess.Popen`, or a fork."""

    pid: int
    returncode: Any
    stdin: IO[str] | None

    def send_signal(self, signal: int, /) -> None:
        """Send it a signal."""


def command(words: Sequence[str], environment: Mapping[str, str] | None = None) -> Callable[[BinaryIO], Process]:
    """Return how to start a command: its words go to no shell, and what it writes goes to a file."""

    def start(said: BinaryIO) -> Process:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
            text=True,
        )

    return start


def fenced(start: Callable[[BinaryIO], Process], told: str, limits: Limits, stop: Stopping) -> Ended:
    """Start a process, and let it run to its end or to one of its limits. `stop` ends it at once.

    `told` is the first line of its standard input, which then stays open: a process that sees it close knows that this one is gone.
    """
    with tempfile.TemporaryFile() as said, _group(limits.memory) as group:
        began = time.monotonic()
        process = start(said)
        inlet = process.stdin
        assert inlet is not None
        try:
            _confine(process.pid, limits, group)
            with contextlib.suppress(BrokenPipeError):
                print(told, file=inlet, flush=True)
            cause, peak = _watched(process, limits, group, began, stop)
        finally:
            cpu = _end(process, group)
            with contextlib.suppress(BrokenPipeError):
                inlet.close()
        code = process.returncode
        wall = time.monotonic() - began
        if group is not None:
            peak = group.peak() or peak
            if cause is Cause.ITSELF and code == -signal.SIGKILL and group.was_full():
                cause = Cause.MEMORY
        if cause is Cause.ITSELF and code == -signal.SIGXCPU:
            cause = Cause.TIME
        said.seek(0)
        words = said.read().decode(errors="replace")[-MOST_SAID:]
        means = "watchdog" if group is None else group.kind
        return Ended(cause, code, wall, cpu, peak, words, means)


def _watched(
    process: Process, limits: Limits, group: _Group | None, began: float, stop: Stopping
) -> tuple[Cause, int | None]:
    most: int | None = None
    while _is_running(process):
        if stop.wait(LOOK):
            return Cause.STOPPED, most
        if time.monotonic() - began - _waited(process.pid) > limits.seconds:
            return Cause.TIME, most
        if group is None:
            taken = sum(_resident(one) for one in _family(process.pid))
            most = max(most or 0, taken)
            if taken > limits.memory:
                return Cause.MEMORY, most
        elif group.was_full():
            return Cause.MEMORY, most
    return Cause.ITSELF, most


def _confine(process: int, limits: Limits, group: _Group | None) -> None:
    if group is not None:
        group.add(process)
    if limits.cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, limits.cores)
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import resource

        # Twice what the wall clock allows on all its threads: it strikes only where the watchdog itself has died.
        most = int(2 * limits.seconds * limits.threads) + 1
        resource.prlimit(process, resource.RLIMIT_CPU, (most, most + 1))


def _is_running(process: Process) -> bool:
    """Tell whether a process runs, and leave what it took to be read when it is waited for."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def _end(process: Process, group: _Group | None) -> float:
    """End a process, first politely, and everything that it has started; return the CPU seconds that it took."""
    family = _family(process.pid)
    if _is_running(process):
        process.send_signal(signal.SIGTERM)
        asked = time.monotonic()
        while _is_running(process) and time.monotonic() - asked < GRACE:
            time.sleep(LOOK)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for one in {*family, *(group.members() if group is not None else ())} - {process.pid}:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)
    _, status, taken = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return taken.ru_utime + taken.ru_stime


class _Group:
    """A control group with a memory limit."""

    def __init__(self, folder: Path, kind: str, limit: str, peak: str) -> None:
        self.folder, self.kind, self._limit, self._peak = folder, kind, limit, peak

    def open(self, memory: int) -> bool:
        """Make the group; tell whether it can be had."""
        try:
            self.folder.mkdir()
            (self.folder / self._limit).write_text(str(memory))
            (self.folder / "cgroup.procs").read_text()
        except OSError:
            self.close()
            return False
        with contextlib.suppress(OSError):
            (self.folder / "memory.swap.max").write_text("0")
        return True

    def add(self, process: int) -> None:
        """Put a process into the group."""
        with contextlib.suppress(ProcessLookupError):
            (self.folder / "cgroup.procs").write_text(str(process))

    def members(self) -> list[int]:
        """Return the processes of the group."""
        return [int(word) for word in _text(self.folder / "cgroup.procs").split()]

    def peak(self) -> int | None:
        """Return the most bytes that the group had."""
        word = _text(self.folder / self._peak).strip()
        return int(word) if word.isdigit() else None

    def was_full(self) -> bool:
        """Tell whether the kernel has killed for memory here."""
        told = _text(self.folder / "memory.events") + _text(self.folder / "memory.oom_control")
        return any(line.split()[0] == "oom_kill" and int(line.split()[1]) > 0 for line in told.splitlines())

    def close(self) -> None:
        """Remove the group, once the last of its processes is gone."""
        for _ in range(20):
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(LOOK)
            else:
                return


@contextlib.contextmanager
def _group(memory: int) -> Iterator[_Group | None]:
    """Make a control group for one process, where this process may; None elsewhere."""
    name = f"anoptima-{os.getpid()}-{secrets.token_hex(3)}"
    for line in _text(Path("/proc/self/cgroup")).splitlines():
        _, controllers, place = line.split(":", 2)
        if controllers == "memory":
            above = Path("/sys/fs/cgroup/memory") / place.lstrip("/")
            group = _Group(
                above / name, "control group, version 1", "memory.limit_in_bytes", "memory.max_usage_in_bytes"
            )
        elif controllers == "":
            above = Path("/sys/fs/cgroup") / place.lstrip("/")
            group = _Group(above / name, "control group, version 2", "memory.max", "memory.peak")
        else:
            continue
        if above.is_dir() and group.open(memory):
            try:
                yield group
            finally:
                group.close()
            return
    yield None


def _family(process: int) -> list[int]:
    """Return a process and all below it."""
    found = [process]
    for task in Path(f"/proc/{process}/task").glob("*"):
        for child in map(int, _text(task / "children").split()):
            found += _family(child)
    return found


def _waited(process: int) -> float:
    """Return the seconds in which a process was ready to run and had no core; 0 where the system does not tell."""
    fields = _text(Path(f"/proc/{process}/schedstat")).split()
    return int(fields[1]) / NANO if len(fields) > 1 else 0.0


def _resident(process: int) -> int:
    fields = _text(Path(f"/proc/{process}/statm")).split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
