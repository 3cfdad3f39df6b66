"""The worker processes of isolated backends, for checks that do something to them."""

from __future__ import annotations

from anoptima.solvers.backends.base import Backend
from anoptima.solvers.backends.isolation import Isolated
from anoptima.solvers.backends.process import POOL


def make_ready(backend: Backend) -> int | None:
    """Have a worker of `backend` idle, so that a short limit is spent on what it is about.

    Returns the process id of the worker that the next `solve` takes; None if the backend runs in the caller's process.
    """
    if not isinstance(backend, Isolated):
        return None
    worker = POOL.take((type(backend).__module__, type(backend).__qualname__))
    while not worker.ready:
        worker.receive(1.0)
    POOL.give_back(worker)
    return worker.pid
