"""Cancelling: a Ctrl-C, or an event that another thread sets, ends work within a fifth of a second, wherever it is.

What looks at the clock hears of it there (`deadline.check_time`, `Ledger.is_over`, a backend's run). What does not, such as a loop of
another package, is interrupted `PROMPT` seconds later, as it is at a time limit.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from anoptima.deadline import Alarm, alarmed, within
from anoptima.solvers.backends.interrupt import Interrupts

TICK = 0.03
"""Seconds between two looks at whether a run is cancelled."""

PROMPT = 0.12
"""Seconds that work must end by itself once it is cancelled."""


class Cancelling:
    """What ends a run before its time: an event, or the first Ctrl-C where it can be heard.

    >>> stopped = threading.Event()
    >>> cancelling = Cancelling(stopped)
    >>> with cancelling.watched():
    ...     stopped.set()
    ...     cancelling.is_asked()
    True
    """

    def __init__(self, cancel: threading.Event | None) -> None:
        self._cancel = cancel
        self._interrupts = Interrupts()

    def is_asked(self) -> bool:
        """Tell whether the run is to end."""
        return self._interrupts.asked or (self._cancel is not None and self._cancel.is_set())

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Have the work within end once that is asked."""
        with self._interrupts:
            if self._cancel is None and not self._interrupts.can_hear:
                yield
                return
            with alarmed(_OnCancel(self.is_asked)), within(self.is_asked):
                yield


class _OnCancel(Alarm):
    """An alarm that begins to wait when a run is cancelled."""

    def __init__(self, is_asked: Callable[[], bool]) -> None:
        super().__init__(math.inf)
        self._is_asked = is_asked

    def _run(self) -> None:
        while not self._left.wait(TICK):
            if self._is_asked():
                self._until = time.monotonic() + PROMPT
                super()._run()
                return
