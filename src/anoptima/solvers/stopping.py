"""HiGHS inside a search of ours, stopped as soon as the search is over: cancelled, or out of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import highspy


@contextmanager
def stopped_by(solver: highspy.Highs, is_over: Callable[[], bool]) -> Iterator[None]:
    """Let HiGHS ask all the time whether it is over. One that did not come back in time is left alone.

    What it has is then no solution: the caller looks at the clock, or at its status.
    """
    import highspy

    def hear(kind: int, message: str, out: Any, into: Any, _: object) -> None:
        into.user_interrupt = is_over()

    moments = highspy.cb.HighsCallbackType
    solver.setCallback(hear, None)
    for moment in (moments.kCallbackMipInterrupt, moments.kCallbackSimplexInterrupt):
        solver.startCallback(moment)
    yield
    solver.setCallback(None, None)
