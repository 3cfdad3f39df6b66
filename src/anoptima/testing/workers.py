"""The worker processes of isolated backends, for checks that do something to them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy

from anoptima.answer import Clock
from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.isolation import Isolated
from anoptima.solvers.backends.process import POOL, Key, WorkerProcess
from anoptima.testing.checks import Broken

PATIENCE = 120.0
"""Seconds that a worker may take to come up, with whatever it imports and takes licences for (`Isolated.load`)."""

TO_OBEY = 20.0
"""Seconds after which a run that was cancelled and goes on is taken for one that never ends. One that obeys takes a fraction of one."""

AT_WORK = 0.3
"""Seconds for which a worker has been at work when it is struck."""

TICK = 0.01
"""Seconds between two looks at whether a worker is at work."""


def make_ready(backend: Backend) -> int | None:
    """Have a worker of `backend` idle, so that a short limit is spent on what it is about.

    Returns the process id of the worker that the next `solve` takes; None if the backend runs in the caller's process.
    """
    key = key_of(backend)
    if key is None:
        return None
    worker, waiting = POOL.take(key), Clock(PATIENCE)
    while not worker.ready:
        worker.receive(1.0)
        if waiting.is_over():
            POOL.kill(worker)
            raise Broken(f"its process did not come up within {PATIENCE:.0f} s")
    POOL.give_back(worker)
    return worker.pid


def patient(backend: Backend) -> Backend:
    """Return `backend` with time to end by itself when a run is cancelled: what ends then has obeyed, on however slow a machine.

    >>> from anoptima.solvers.backends.highs import Highs
    >>> patient(Highs()).grace == TO_OBEY
    True
    """
    if not isinstance(backend, Isolated):
        return backend
    found = copy(backend)
    found.grace = TO_OBEY
    return found


def key_of(backend: Backend) -> Key | None:
    """Return how the pool of workers knows `backend`; None if it runs in the caller's process."""
    return (type(backend).__module__, type(backend).__qualname__) if isinstance(backend, Isolated) else None


def idle_worker(backend: Backend) -> WorkerProcess | None:
    """Return the worker that the next `solve` of `backend` takes; None if there is none, or if it runs in the caller's process."""
    key = key_of(backend)
    return None if key is None else POOL.idle(key)


class Strike:
    """A signal to the worker of `key`, once that has been at work for a while, whatever the solver does or says by then."""

    def __init__(self, key: Key, number: signal.Signals) -> None:
        self.struck = False
        self._key = key
        self._number = number
        self._over = threading.Event()

    @contextmanager
    def during(self) -> Iterator[None]:
        """Strike within the context, unless that is over before."""
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _watch(self) -> None:
        seen: WorkerProcess | None = None
        working = Clock()
        while not self._over.wait(TICK):
            worker = POOL.at_work(self._key)
            if worker is not seen:
                seen, working = worker, Clock()
            elif worker is not None and working.seconds() >= AT_WORK:
                os.kill(worker.pid, self._number)
                self.struck = True
                return
