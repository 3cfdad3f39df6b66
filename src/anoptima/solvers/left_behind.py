"""Threads in native code that nobody waits for any more: Python waits for them, a little, before it ends.

A thread that is in HiGHS while the process ends is pulled down with it, and aborts the process: "terminate called without an active
exception", exit code 134, after all has been said and written.
"""

from __future__ import annotations

import atexit
import threading
import time

LAST_S = 2.0
"""Seconds that all of them have once Python ends. Told to stop, HiGHS takes up to 0.6 s on the census; others may take for ever."""

_left: list[threading.Thread] = []
_leaving = threading.Lock()


def leave(thread: threading.Thread) -> None:
    """Go on without a thread that has been told to stop, but do not let Python end before it, if it takes no longer than `LAST_S`.

    >>> thread = threading.Thread(target=time.sleep, args=(0.01,), daemon=True)
    >>> thread.start()
    >>> leave(thread)
    >>> wait()
    >>> thread.is_alive()
    False
    """
    with _leaving:
        _left[:] = [*(one for one in _left if one.is_alive()), thread]


def wait() -> None:
    """Wait for the threads that were left."""
    until = time.monotonic() + LAST_S
    for thread in _left:
        thread.join(max(0.0, until - time.monotonic()))


atexit.register(wait)
