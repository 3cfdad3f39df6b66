"""Keepers, which fork the runs of studies, stay for the next study of a test run: each takes seconds to load its packages."""

from __future__ import annotations

import atexit
import os
from collections import defaultdict
from collections.abc import Sequence
from threading import Event

from anoptima.experiments.studies import conducting
from anoptima.experiments.studies.keeper import Keeper
from anoptima.experiments.studies.running import Done
from anoptima.experiments.studies.task import Task

MATTERS = ("ANOPTIMA", "NUMBA", "PYTHON", "TMPDIR")
"""How names begin of variables that a keeper goes by: a test that sets one has keepers of its own."""

_Surroundings = tuple[int, frozenset[tuple[str, str]]]

_idle: defaultdict[_Surroundings, list[Keeper]] = defaultdict(list)


class Kept:
    """A keeper as a study has it: an idle one where there is any, and idle again after the study."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._around = threads, frozenset(item for item in os.environ.items() if item[0].startswith(MATTERS))
        self._keeper: Keeper | None = None

    def do(self, task: Task, folder: str, cores: Sequence[int] | None, stop: Event) -> Done | None:
        """Do one run; None if `stop` has ended it."""
        if self._keeper is None:
            self._keeper = _idle[self._around].pop() if _idle[self._around] else Keeper(self._threads)
        return self._keeper.do(task, folder, cores, stop)

    def close(self) -> None:
        """Leave the keeper to the next study."""
        if self._keeper is not None:
            _idle[self._around].append(self._keeper)
            self._keeper = None


def idle_keepers() -> set[int]:
    """Return the processes of idle keepers."""
    processes = (keeper._process for keepers in _idle.values() for keeper in keepers)
    return {process.pid for process in processes if process is not None}


def keep_keepers() -> None:
    """Let studies have keepers that stay, and end them with this process."""
    vars(conducting)["Keeper"] = Kept
    atexit.register(_end)


def _end() -> None:
    for keepers in _idle.values():
        for keeper in keepers:
            keeper.close()
