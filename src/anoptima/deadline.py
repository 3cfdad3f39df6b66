"""Deadlines for work that is not a search: listing patterns, building programs, loops of approximations.

A solver says `with within(is_over):`, and long loops below it call `check_time()`, which raises `OutOfTime` once it is over. So
functions deep down need no budget among their arguments, and a time limit holds for them, too.

>>> with within(lambda: True):
...     check_time()
Traceback (most recent call last):
anoptima.errors.OutOfTime: the time is up

Work that does not look at the clock, such as a loop of another package, is interrupted: where `within` is told how many seconds are left,
`OutOfTime` is raised in its thread `GRACE` seconds after those, wherever it is, as Ctrl-C would be. Only native code cannot be
interrupted, and what says `unbroken()` is not.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from types import FrameType

from anoptima.errors import OutOfTime

GRACE = 0.25
"""Seconds past its limit that work must look at the clock before it is interrupted."""

AGAIN = 0.5
"""Seconds between two interruptions: the first may have ended only a solver inside another one."""

SOON = 0.02
"""Seconds after which an interruption is tried again that would have come at a bad moment."""

_LONGEST = 3600.0
"""Seconds that may be waited for at once."""

_FRAGILE = ("<frozen importlib", f"{os.sep}importlib{os.sep}", f"{os.sep}numba{os.sep}", f"{os.sep}llvmlite{os.sep}")
"""Parts of the names of files whose code must not be left halfway: packages being loaded, loops being compiled."""

_STARTING = threading.Thread.start.__code__

_is_over: ContextVar[Callable[[], bool]] = ContextVar("is_over", default=lambda: False)
_alarm: ContextVar[Alarm | None] = ContextVar("alarm", default=None)


@contextmanager
def within(is_over: Callable[[], bool], seconds: float | None = None) -> Iterator[None]:
    """Let `check_time` raise as soon as `is_over` says so, or a deadline around this one does.

    Where `seconds` is given, work that is not over `GRACE` seconds after those is interrupted.
    """
    outer = _is_over.get()
    token = _is_over.set(lambda: is_over() or outer())
    try:
        with nullcontext() if seconds is None else alarmed(Alarm(seconds + GRACE)):
            yield
    finally:
        _is_over.reset(token)


def current_deadline() -> Callable[[], bool]:
    """Return what tells whether a deadline around the caller has passed; it may be asked from any thread."""
    return _is_over.get()


@contextmanager
def under(is_over: Callable[[], bool]) -> Iterator[None]:
    """Let `check_time` ask `is_over` alone: for listeners to a run, whose work continues when the run is over."""
    token = _is_over.set(is_over)
    try:
        yield
    finally:
        _is_over.reset(token)


@contextmanager
def extended(seconds: float) -> Iterator[None]:
    """Let `check_time` raise no sooner than in `seconds`: for a last step without which all before it were for nothing.

    >>> with within(lambda: True), extended(60):
    ...     check_time()
    """
    outer, until = _is_over.get(), time.monotonic() + seconds
    with under(lambda: time.monotonic() >= until and outer()):
        yield


def check_time() -> None:
    """Raise `OutOfTime` if a deadline has passed."""
    if _is_over.get()():
        raise OutOfTime


@contextmanager
def unbroken() -> Iterator[None]:
    """Put interruptions off until the body has ended: entering a solution, or native code that calls back."""
    alarm = _alarm.get()
    held = [] if alarm is None else alarm.held
    held.append(None)
    try:
        yield
    finally:
        held.pop()


class Alarm:
    """Raises `OutOfTime` in the thread that made it, `seconds` after it was set, and again until it is left."""

    def __init__(self, seconds: float) -> None:
        outer = _alarm.get()
        self.held: list[None] = [] if outer is None else outer.held
        """An entry for each `unbroken` that the thread is in; alarms inside one another have it in common."""
        self._until = time.monotonic() + seconds
        self._thread = threading.get_ident()
        self._left = threading.Event()
        self._has_struck = False
        self._striking = threading.Lock()

    def set(self) -> None:
        """Begin to wait."""
        threading.Thread(target=self._run, name="time limit", daemon=True).start()

    def leave(self) -> None:
        """Strike no more, and let an exception that is under way arrive now."""
        with self._striking:
            self._left.set()
        if self._has_struck:
            _swallow()

    def _run(self) -> None:
        while not self._left.wait(min(_LONGEST, max(0.0, self._until - time.monotonic()))):
            if time.monotonic() >= self._until:
                self._until += AGAIN if self.strike() else SOON

    def strike(self) -> bool:
        """Raise `OutOfTime` in the thread, unless that would do harm now; tell whether it was done."""
        with self._striking:
            if self._left.is_set() or self.held or _is_fragile(sys._current_frames().get(self._thread)):
                return False
            self._has_struck = True
            _raise_in(self._thread)
            return True


@contextmanager
def alarmed(alarm: Alarm) -> Iterator[None]:
    """Have an alarm set while the body runs.

    The exception strikes between any two steps of Python code, those here among them, and can come just when the body is done.
    """
    token = _alarm.set(alarm)
    try:
        _QUIET.enter(alarm)
        alarm.set()
        yield
    except SystemError as error:
        # Native code that the exception passed on its way.
        if isinstance(error.__cause__, OutOfTime):
            raise OutOfTime from error
        raise
    finally:
        while True:
            try:
                alarm.leave()
                break
            except OutOfTime:
                continue
        _QUIET.leave(alarm)
        _alarm.reset(token)


class _Quiet:
    """Keeps quiet about interruptions that were lost, while any thread has an alarm set: the next one comes soon.

    Callbacks of the garbage collector raise to nobody but `sys.unraisablehook`, which all threads have in common. So the hook that was
    there comes back with the last alarm, whichever thread that is in.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alarms: set[Alarm] = set()
        self._before = sys.unraisablehook

    def enter(self, alarm: Alarm) -> None:
        """Keep quiet from now on."""
        with self._lock:
            self._alarms.add(alarm)
            if sys.unraisablehook != self.hear:
                self._before = sys.unraisablehook
                sys.unraisablehook = self.hear

    def leave(self, alarm: Alarm) -> None:
        """Keep quiet no longer, unless others are to be kept quiet about; a hook that somebody has set since stays."""
        with self._lock:
            self._alarms.discard(alarm)
            if not self._alarms and sys.unraisablehook == self.hear:
                sys.unraisablehook = self._before

    def forget(self) -> None:
        """Begin anew in a forked child, where the threads of the others are not."""
        self._lock = threading.Lock()
        self._alarms.clear()

    def hear(self, lost: sys.UnraisableHookArgs) -> None:
        """Hear of an exception that was raised to nobody."""
        if lost.exc_type is not OutOfTime:
            self._before(lost)


_QUIET = _Quiet()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_QUIET.forget)


def _is_fragile(frame: FrameType | None) -> bool:
    """Tell whether a thread must not be interrupted where it is.

    While it starts another one, Python takes that for itself: the exception would end the new thread before it says that it has begun.
    """
    while frame is not None:
        if frame.f_code is _STARTING or any(part in frame.f_code.co_filename for part in _FRAGILE):
            return True
        frame = frame.f_back
    return False


def _swallow() -> None:
    """Raise `OutOfTime` once more, in place of one that may not have come yet, and catch it.

    Python could take it back instead, but would then look for it at every step from now on, and without end under a profiler or debugger.
    """
    try:
        _raise_in(threading.get_ident())
        while True:
            pass
    except OutOfTime:
        pass


def _raise_in(thread: int) -> None:
    """Have a thread raise `OutOfTime` before its next step."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))
