"""Deadlines for work that is not a search: listing patterns, building programs.

A solver says `with within(is_over):`, and long loops below it call `check_time()`, which raises `OutOfTime` once it is over. So
functions deep down need no budget among their arguments, and a time limit holds for them, too.

>>> with within(lambda: True):
...     check_time()
Traceback (most recent call last):
anoptima.errors.OutOfTime: the time is up
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from anoptima.errors import OutOfTime

_is_over: ContextVar[Callable[[], bool]] = ContextVar("is_over", default=lambda: False)


@contextmanager
def within(is_over: Callable[[], bool]) -> Iterator[None]:
    """Let `check_time` raise as soon as `is_over` says so, or a deadline around this one does."""
    outer = _is_over.get()
    token = _is_over.set(lambda: is_over() or outer())
    try:
        yield
    finally:
        _is_over.reset(token)


def current_deadline() -> Callable[[], bool]:
    """Return what tells whether a deadline around the caller has passed; it may be asked from any thread."""
    return _is_over.get()


def check_time() -> None:
    """Raise `OutOfTime` if a deadline has passed."""
    if _is_over.get()():
        raise OutOfTime("the time is up")
