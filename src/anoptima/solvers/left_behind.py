"""Threads that nobody waits for any more, in native code, in an import or at cancelled work: Python waits a little for them before it ends.

A thread that is in HiGHS while the process ends is pulled down with it, and aborts the process: "terminate called without an active
exception", exit code 134, after all has been said and written.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from anoptima.deadline import check_time

TICK = 0.02
"""Seconds between two looks at the clock."""

LAST_S = 2.0
"""Seconds that all of them have once the command ends. Told to stop, HiGHS takes up to 0.6 s on the census; others may take for ever."""
PATIENT_S = 20.0
"""The same where Python ends that somebody else began: HiGHS would abort it, and on a busy machine took more than two seconds."""

_left: list[threading.Thread] = []
_leaving = threading.Lock()


def leave(thread: threading.Thread) -> None:
    """Go on without a thread that has been told to stop, but do not let Python end before it, if it takes no longer than `PATIENT_S`.

    >>> thread = threading.Thread(target=time.sleep, args=(0.01,), daemon=True)
    >>> thread.start()
    >>> leave(thread)
    >>> wait()
    True
    """
    with _leaving:
        _left[:] = [*(one for one in _left if one.is_alive()), thread]


def apart(work: Callable[[], object]) -> None:
    """Do work that must not be interrupted, such as importing packages, on a thread of its own: once a deadline has passed, leave it there.

    >>> apart(lambda: print("imported"))
    imported
    """
    errors: list[BaseException] = []

    def do() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)

    thread = threading.Thread(target=do, name="apart", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(TICK)
            check_time()
    except BaseException:
        leave(thread)
        raise
    if errors:
        raise errors[0]


def wait(seconds: float = LAST_S) -> bool:
    """Wait for the threads that were left; tell whether all of them have come back."""
    until = time.monotonic() + seconds
    for thread in _left:
        thread.join(max(0.0, until - time.monotonic()))
    return not any(thread.is_alive() for thread in _left)


def end(code: int) -> None:
    """End the process at once with its exit code if a thread does not come back, which would abort Python's own end; else do nothing."""
    if wait():
        return
    atexit.unregister(wait_long)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def wait_long() -> None:
    """Wait, as Python ends."""
    wait(PATIENT_S)


atexit.register(wait_long)
