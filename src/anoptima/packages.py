"""Packages that take long to import, each imported when a name of it is first used; and the garbage collector kept out of the way.

A module that needs pandas or networkx takes `pd` or `nx` from here. Then importing our modules, listing what there is and refusing bad
input cost nothing of the packages' time, and a solver's process loads only what its solver needs.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["Later", "behind", "loading", "nx", "pd", "set_aside"]


class _Loading:
    """Switches the garbage collector off for as long as any thread is within.

    Packages make many objects while they load, and so do reading a long proof and building a program. All of them stay: looking through
    them again and again takes more than a third of the time. Pyomo's own pause counts for the whole process and is no use to two threads.

    >>> with loading():
    ...     gc.isenabled()
    False
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._within = 0
        self._resume = False

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        """Collect no garbage within."""
        with self._lock:
            if self._within == 0:
                self._resume = gc.isenabled()
                gc.disable()
            self._within += 1
        try:
            yield
        finally:
            with self._lock:
                self._within -= 1
                if self._within == 0 and self._resume:
                    gc.enable()


loading = _Loading()
"""Within the context Python collects no garbage."""


@contextlib.contextmanager
def set_aside() -> Iterator[None]:
    """Have the collector pass over all objects that there are by now, unless somebody else does so already."""
    is_first = gc.get_freeze_count() == 0
    if is_first:
        gc.freeze()
    try:
        yield
    finally:
        if is_first:
            gc.unfreeze()


AWHILE = 0.3
"""Seconds after which whoever waits for an answer has it."""


def behind(work: Callable[[], object]) -> None:
    """Do work that nobody waits for on a thread of its own, after a while: no other thread can run while Python frees millions of objects.

    >>> done = threading.Event()
    >>> behind(done.set)
    >>> done.wait(5)
    True
    """
    timer = threading.Timer(AWHILE, work)
    timer.daemon = True
    timer.start()


class Later(ModuleType):
    """Stands for a module that is imported when one of its names is first asked for.

    >>> json = Later("json")
    >>> json.loads("[1]")
    [1]
    """

    def __getattr__(self, name: str) -> Any:
        """Import the module, and keep what `name` means in it for the next time."""
        try:
            with loading():
                found = getattr(importlib.import_module(self.__name__), name)
        except OSError as error:
            raise ImportError(f"{self.__name__}: {error}{_no_shared_memory()}") from error
        setattr(self, name, found)
        return found


_SHARED = Path("/dev/shm")
"""Where Linux keeps the semaphores that some packages make while they load."""


def _no_shared_memory() -> str:
    is_there = sys.platform != "linux" or os.access(_SHARED, os.W_OK)
    return "" if is_there else f"; {_SHARED} is not there, or cannot be written to"


if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
else:
    nx, pd = Later("networkx"), Later("pandas")
