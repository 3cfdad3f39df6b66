"""Cancelling: a Ctrl-C, or an event that another thread sets, ends work within a fifth of a second, wherever it is.

The work is done on a thread of its own, and the caller waits for it. What looks at the clock hears of a cancel there
(`deadline.check_time`, `Ledger.is_over`, a backend's run). Work that is not over `LAST` seconds after the cancel is left behind, and
nobody hears of it any more. It ends at its next look; if it does not look, as a loop of another package, it is interrupted, as it is at
a time limit.

Whoever listens to the work hears on the caller's thread, so nothing is shown, written or kept once the caller has gone on.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import Any, Generic, TypeVar

from anoptima.answer import Event, Listener, StillRunning, wants_log
from anoptima.deadline import Alarm, alarmed, within
from anoptima.errors import OutOfTime
from anoptima.packages import AWHILE
from anoptima.solvers.backends.interrupt import Interrupts
from anoptima.solvers.left_behind import leave

T = TypeVar("T")

TICK = 0.02
"""Seconds between two looks at whether a run is cancelled."""

LAST = 0.12
"""Seconds that work must end by itself once it is cancelled."""


class Cancelling:
    """What ends a run before its time: an event, or the first Ctrl-C where it can be heard.

    >>> stopped = threading.Event()
    >>> cancelling = Cancelling(stopped)
    >>> cancelling.run(stopped.set)
    >>> cancelling.is_asked()
    True
    """

    def __init__(self, cancel: threading.Event | None) -> None:
        self._cancel = cancel
        self._interrupts = Interrupts()
        self._apart: _Apart | None = None

    def is_asked(self) -> bool:
        """Tell whether the run is to end."""
        return self._interrupts.asked or (self._cancel is not None and self._cancel.is_set())

    def run(self, work: Callable[[], T]) -> T:
        """Return the result of the work; raise `OutOfTime` if it is cancelled and does not come to one soon."""
        with self._interrupts:
            if self._cancel is None and not self._interrupts.can_hear:
                return work()
            self._apart = _Apart(self.is_asked)
            return self._apart.run(work)

    def there(self, act: Callable[[], T]) -> T:
        """Do something on the caller's thread, while the work waits; raise `OutOfTime` if the caller has left."""
        return act() if self._apart is None else self._apart.there(act)

    def soon_there(self, act: Callable[[], object]) -> None:
        """Do something on the caller's thread soon, while the work goes on, unless it asks for something else meanwhile."""
        if self._apart is None:
            act()
        else:
            self._apart.soon = act


class Heard:
    """Has a listener hear on the caller's thread what the work tells.

    The work does not wait until the listener has heard that it goes on: it says so in the middle of anything, perhaps under a lock that
    the listener needs.
    """

    def __init__(self, cancelling: Cancelling, listener: Listener) -> None:
        self.wants_log = wants_log(listener)
        self._cancelling = cancelling
        self._listener = listener
        self._is_to_stop = False

    def __call__(self, event: Event) -> bool:
        """Pass an event on; tell whether the listener has asked to stop."""
        pass_on = self._cancelling.soon_there if isinstance(event, StillRunning) else self._cancelling.there
        pass_on(partial(self._hear, event))
        return self._is_to_stop

    def _hear(self, event: Event) -> None:
        if self._listener(event) is True:
            self._is_to_stop = True


class _Apart:
    """Work on a thread of its own, and its caller, who does its errands until it is over, or leaves it."""

    def __init__(self, is_asked: Callable[[], bool]) -> None:
        self.soon: Callable[[], object] | None = None
        self._is_asked = is_asked
        self._alarm = _OnceLeft()
        # A `SimpleQueue` may wait for ever: where a signal comes as its time is up, Python 3.11 takes what is left, below 0, for no limit.
        self._errands: queue.Queue[_Errand[Any] | None] = queue.Queue()
        self._leaving = threading.Lock()
        self._is_left = False

    def run(self, work: Callable[[], T]) -> T:
        """Have the work done, and return its result."""
        done = _Errand(partial(self._watched, work))
        thread = threading.Thread(target=copy_context().run, args=(self._do, done), name="solve", daemon=True)
        thread.start()
        try:
            self._attend()
        except BaseException:
            self._leave()
            leave(thread)
            raise
        thread.join()
        return done.result()

    def there(self, act: Callable[[], T]) -> T:
        """Have the caller do something, and return what comes of it."""
        errand = _Errand(act)
        with self._leaving:
            if self._is_left:
                raise OutOfTime
            self._errands.put(errand)
        return errand.result()

    def _is_over(self) -> bool:
        return self._is_left or self._is_asked()

    def _watched(self, work: Callable[[], T]) -> T:
        with alarmed(self._alarm), within(self._is_over):
            return work()

    def _do(self, done: _Errand[Any]) -> None:
        done.do()
        self._errands.put(None)

    def _attend(self) -> None:
        """Do errands until the work is over; raise `OutOfTime` if it has been cancelled and goes on."""
        until = math.inf
        while True:
            try:
                errand = self._errands.get(timeout=TICK)
            except queue.Empty:
                pass
            else:
                if errand is None:
                    return
                errand.do()
            act, self.soon = self.soon, None
            if act is not None:
                act()
            if time.monotonic() >= until:
                raise OutOfTime
            if until == math.inf and self._is_asked():
                until = time.monotonic() + LAST

    def _leave(self) -> None:
        with self._leaving:
            self._is_left = True
        self._alarm.begin()
        while not self._errands.empty():
            errand = self._errands.get()
            if errand is not None:
                errand.drop()


class _Errand(Generic[T]):
    """Something that one thread does for another one."""

    def __init__(self, act: Callable[[], T]) -> None:
        self._act = act
        self._done = threading.Event()
        self._results: list[T] = []
        self._errors: list[BaseException] = []

    def do(self) -> None:
        """Do it."""
        try:
            self._results.append(self._act())
        except BaseException as error:  # noqa: BLE001 - it is raised in the other thread
            self._errors.append(error)
        self._done.set()

    def drop(self) -> None:
        """Leave it undone."""
        self._errors.append(OutOfTime())
        self._done.set()

    def result(self) -> T:
        """Wait, and return what came of it, or raise its error. Once."""
        self._done.wait()
        if self._errors:
            raise self._errors.pop()
        return self._results.pop()


class _OnceLeft(Alarm):
    """An alarm that begins to wait when a thread is left behind."""

    def __init__(self) -> None:
        super().__init__(math.inf)
        self._thread = 0

    def set(self) -> None:
        """Take note of the thread that it is for."""
        self._thread = threading.get_ident()

    def begin(self) -> None:
        """Strike after a while: what an interruption frees, it frees while no other thread can run."""
        self._until = time.monotonic() + AWHILE
        super().set()
