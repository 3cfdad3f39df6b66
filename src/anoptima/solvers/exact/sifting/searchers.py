"""Searchers of one's own: ways to a better release that the engine gives a share of its time.

A searcher knows the problem and a release of it, as a partition, and nothing of the engine. What it hands over is checked by the problem.
Other distributions bring theirs in through the entry-point group `anoptima.searchers`.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.registry import Registry

GRACE_S = 1.0
"""Seconds past its turn that a searcher may take to come back."""
SOON_S = 0.1
"""Seconds that a searcher is waited for once the run is over."""
_LOOK_S = 0.02
"""Seconds between two looks at the run's clock during a turn: a run ends late by these at most, and looks cost next to nothing."""


@dataclass(frozen=True)
class Turn:
    """The time that a searcher has for one turn, and its random numbers."""

    seconds: float
    """The length of the turn."""
    is_over: Callable[[], bool]
    """Tells whether the turn is over: its seconds have passed, or the run ends. Loops ask it often."""
    chance: np.random.Generator
    """Random numbers that follow from the run's seed."""


class Searcher(ABC):
    """One way to a better release. Stateless: several threads may use it at once. Registered by name."""

    name: str

    def why_not(self, problem: CellSuppression) -> str | None:
        """Return why this searcher does not apply to `problem`; None if it does, which is what it says of every problem by default."""
        return None

    @abstractmethod
    def search(self, problem: CellSuppression, partition: Partition, turn: Turn) -> Partition | None:
        """Return a feasible partition that costs less than `partition`, the best one known.

        Return what there is once `turn.is_over()` is true, `partition` itself if nothing better was found this time, and None to be left
        in peace until others have found a better one.
        """

    def __repr__(self) -> str:
        return f"<searcher {self.name}>"


searchers: Registry[Searcher] = Registry("searcher", Searcher, "anoptima.searchers")
"""Searchers by name. The engine's own are stages and `releases`, which know what it knows and need no entry."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a turn: the partition that was handed over and has been checked, or the reason why there is none."""

    partition: Partition | None = None
    wrong: str = ""
    """What the searcher did wrong; '' if nothing."""
    is_false: bool = False
    """Whether that is a partition that is no release, and not only a nuisance."""
    running: threading.Event | None = None
    """Set once the searcher has come back, where it had not by the end of its turn."""


def one_turn(
    searcher: Searcher,
    problem: CellSuppression,
    partition: Partition,
    seconds: float,
    is_over: Callable[[], bool],
    chance: np.random.Generator,
) -> Outcome:
    """Let a searcher take one turn, and check what it hands over.

    It runs on a thread of its own, so one that does not come back holds nobody up: it is waited for no longer than `GRACE_S` past its
    turn, or `SOON_S` once the run is over.
    """
    ends, stopped = time.monotonic() + seconds, threading.Event()
    turn = Turn(seconds, lambda: stopped.is_set() or time.monotonic() > ends, chance)
    lent, done = Partition(partition.labels.copy()), threading.Event()
    handed_over: list[object] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            with within(turn.is_over), suppress(OutOfTime):
                handed_over.append(searcher.search(problem, lent, turn))
        except BaseException as error:  # noqa: BLE001  (whatever a plug-in does wrong, the run goes on)
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=work, name=f"searcher {searcher.name}", daemon=True).start()
    until = ends + GRACE_S
    try:
        while not done.wait(_LOOK_S) and time.monotonic() < until:
            if not stopped.is_set() and is_over():
                stopped.set()
                until = min(until, time.monotonic() + SOON_S)
    finally:
        was_over = stopped.is_set()
        stopped.set()
    if not done.is_set():
        late = f"it had {seconds:.1f} s and had not come back after {seconds + GRACE_S:.1f} s"
        return Outcome(wrong="" if was_over else late, running=done)
    if errors:
        return Outcome(wrong=f"it raises {type(errors[0]).__name__}: {errors[0]}")
    found = next(iter(handed_over), None)
    wrong = "" if found is None else why_no_release(problem, found)
    if wrong or found is None:
        return Outcome(wrong=wrong, is_false=bool(wrong))
    assert isinstance(found, Partition)
    return Outcome(found)


def why_no_release(problem: CellSuppression, found: object) -> str:
    """Say why what was found is no release of `problem`; '' if it is one.

    >>> from anoptima import KAnonymity, ten_rows
    >>> why_no_release(CellSuppression(ten_rows(), KAnonymity(2)), [0, 1])
    'it hands over a list, not a Partition'
    """
    if not isinstance(found, Partition):
        return f"it hands over a {type(found).__name__}, not a Partition"
    if not isinstance(found.labels, np.ndarray):
        return f"it hands over labels that are a {type(found.labels).__name__}, not an array"
    wrong = problem.violations(found)
    return f"it hands over a partition that is no release: {wrong[0]}" if wrong else ""
