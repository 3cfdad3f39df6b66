"""Processes in tests: how to wait for them, and what a test may leave running.

Tests wait for events (a line, a file, a process that ends), never for seconds. `PATIENCE` is the one exception: after it, a test
that waits for something that never comes fails and says what that was. No test comes near it, however busy the machine.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar, cast

from anoptima.solvers.backends.process import POOL
from tests.keepers import idle_keepers

PATIENCE = 1800.0
PAUSE = 0.01

T = TypeVar("T")


def wait_until(truth: Callable[[], T], what: str | Callable[[], str]) -> T:
    """Return the first true value of `truth`. What never becomes true fails the test with `what`."""
    for _ in range(int(PATIENCE / PAUSE)):
        if found := truth():
            return found
        time.sleep(PAUSE)
    raise AssertionError(f"this never happened: {what if isinstance(what, str) else what()}")


def is_running(process: int) -> bool:
    """Tell whether a process works: it is there, and no zombie unless some thread of it goes on."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        threads = len(list(Path(f"/proc/{process}/task").iterdir()))
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z" or threads > 1


def wait_until_gone(process: int) -> None:
    """Wait for the end of a process that need not be a child."""
    wait_until(lambda: not is_running(process), f"process {process} ended")


def children(process: int | None = None) -> set[int]:
    """Return the processes that `process` (by default this one) started and that are there, zombies among them."""
    found: set[int] = set()
    with contextlib.suppress(FileNotFoundError):
        for task in Path(f"/proc/{process or os.getpid()}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found.update(map(int, (task / "children").read_text().split()))
    return found


def command_of(process: int) -> str:
    """Return the command line of a process, or what it is instead of one."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace").split("\0")
        return " ".join(words).strip() or "a process that ended and was never waited for"
    return "a process that is gone"


@contextlib.contextmanager
def none_left_behind() -> Iterator[None]:
    """Fail if a process that was started within the context is there after it.

    Idle workers of backends and keepers of studies are kept for what comes next on purpose, and do not count. What is left is ended
    here: it must not fail a later test, which did not start it.
    """
    before = children()
    yield
    wait_for_killed()
    left = children() - before - {worker.pid for idle in POOL._idle.values() for worker in idle}
    left -= idle_keepers()
    said = [f"{process}: {command_of(process)}" for process in sorted(left)]
    for process in left:
        end(process)
    assert not said, "this test left processes behind:\n" + "\n".join(said)


def wait_for_killed() -> None:
    """Wait for the killed that threads wait for: where that takes long, `WorkerProcess.kill` leaves it to one."""
    for thread in threading.enumerate():
        if getattr(getattr(thread, "_target", None), "__func__", None) is subprocess.Popen.wait:
            thread.join(PATIENCE)


def end(process: int) -> None:
    """Kill a child, and take its exit code for whoever should have."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    # By `type`, since `isinstance` asks what a weak proxy stood for, which may be gone.
    known = (
        cast("subprocess.Popen[bytes]", one) for one in gc.get_objects() if issubclass(type(one), subprocess.Popen)
    )
    owners = [one for one in known if one.pid == process]
    for owner in owners:
        owner.wait()
        for stream in (owner.stdin, owner.stdout, owner.stderr):
            if stream is not None:
                stream.close()
    if not owners:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)


def drop_interrupts() -> None:
    """Let this process go on without Ctrl-C if it was started so, as in the background, but not its children.

    A signal that is ignored stays ignored in every process started from here; one that is caught is set back to its default.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda number, frame: None)
