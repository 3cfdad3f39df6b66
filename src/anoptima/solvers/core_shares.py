"""Divides the cores among the solves of this process that run at once, so that they do not crowd each other out.

A solve that is told its threads keeps them. One that is not takes its share: the threads that this process may use, divided by the
solves that run when it begins, itself among them. It keeps that share to its end, so the first of several has more than the last.
Processes know nothing of each other: `OMP_NUM_THREADS` limits what each may use (`machine.usable_threads`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from anoptima.answer import Budget
from anoptima.machine import usable_cores, usable_threads

_RUNNING: set[object] = set()
_LOCK = threading.Lock()


@contextmanager
def sharing_cores(budget: Budget) -> Iterator[Budget]:
    """Count a solve as running within the context, and yield its budget with the threads that are its share.

    Where nothing is to be shared the threads stay None, and a backend uses as many as it likes.

    >>> with sharing_cores(Budget(threads=3)) as budget:
    ...     budget.threads
    3
    """
    mark = object()
    with _LOCK:
        _RUNNING.add(mark)
        running = len(_RUNNING)
    try:
        yield budget if budget.threads is not None else replace(budget, threads=_share(running))
    finally:
        with _LOCK:
            _RUNNING.discard(mark)


def _share(running: int) -> int | None:
    threads = usable_threads()
    return None if running == 1 and threads == usable_cores() else max(1, threads // running)


def _begin_anew() -> None:
    """Forget the solves of a parent: its threads are not in a forked child."""
    global _LOCK
    _LOCK = threading.Lock()
    _RUNNING.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
