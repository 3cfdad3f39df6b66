"""Ctrl-C as a question that a loop may ask, in place of an exception that may strike between any two of its steps.

What asks a process to end (SIGTERM), or tells it that its terminal is gone (SIGHUP), is taken for Ctrl-C where the command line runs.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

INTERRUPTING = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that may be taken for Ctrl-C."""


class Interrupts:
    """Within the context, the first Ctrl-C makes `asked` true; from the second on, `KeyboardInterrupt` is raised as ever.

    Only in the main thread, and only in place of Python's own handler: whoever has set another one wants to hear of it.
    """

    def __init__(self) -> None:
        self.event = threading.Event()
        """Set by the first Ctrl-C, for whoever takes an event that cancels."""
        self._replaced: list[signal.Signals] = []

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._replaced = [one for one in INTERRUPTING if signal.getsignal(one) is signal.default_int_handler]
            for one in self._replaced:
                signal.signal(one, self._hear)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for one in self._replaced:
            signal.signal(one, signal.default_int_handler)

    @property
    def asked(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self.event.is_set()

    @property
    def can_hear(self) -> bool:
        """Whether a Ctrl-C would be heard here."""
        return bool(self._replaced)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.event.set()


class _Ended(BaseException):
    """What passes through all that would answer a `KeyboardInterrupt` with the best so far."""


@contextmanager
def ended_at_once() -> Iterator[Callable[[], None]]:
    """Within the context, Ctrl-C ends the work instead of one solve: what comes out is `KeyboardInterrupt`, whatever runs by then.

    Yields what raises it as well, for places where an exception of a signal was swallowed, such as a callback of C.

    >>> with ended_at_once() as unless_ended:
    ...     unless_ended()
    """
    asked = threading.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        asked.set()
        raise _Ended

    def unless_ended() -> None:
        if asked.is_set():
            raise _Ended

    replaced: list[signal.Signals] = []
    try:
        if threading.current_thread() is threading.main_thread():
            replaced = [one for one in INTERRUPTING if signal.getsignal(one) is signal.default_int_handler]
            for one in replaced:
                signal.signal(one, hear)
        yield unless_ended
    except _Ended:
        raise KeyboardInterrupt from None
    finally:
        for one in replaced:
            signal.signal(one, signal.default_int_handler)
