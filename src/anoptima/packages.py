"""Packages that take long to import, each imported when a name of it is first used.

A module that needs pandas or networkx takes `pd` or `nx` from here. Then importing our modules, listing what there is and refusing bad
input cost nothing of the packages' time, and a solver's process loads only what its solver needs.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["Later", "loading", "nx", "pd"]


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Within the context Python collects no garbage.

    Packages make many objects while they load, and so does reading a long proof. All of them stay: looking through them again and again
    takes more than a third of the time.

    >>> with loading():
    ...     gc.isenabled()
    False
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


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
