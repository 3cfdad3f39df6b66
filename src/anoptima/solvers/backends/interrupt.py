"""Ctrl-C as a question that a loop may ask, in place of an exception that may strike between any two of its steps."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Self


class Interrupts:
    """Within the context, the first Ctrl-C makes `asked` true; from the second on, `KeyboardInterrupt` is raised as ever.

    Only in the main thread, and only in place of Python's own handler: whoever has set another one wants to hear of it.
    """

    def __init__(self) -> None:
        self.asked = False
        self._installed = False

    def __enter__(self) -> Self:
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            signal.signal(signal.SIGINT, self._hear)
            self._installed = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
