"""Runs whose loops are compiled once they are prepared: plain ones until then, and what was found so far is not lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from anoptima.answer import Compiled
from anoptima.errors import OutOfTime
from anoptima.solvers.compiling.loops import is_ready, loops, seconds_spent
from anoptima.solvers.compiling.preparing import UNPREPARED, start, state
from anoptima.solvers.ledger import Ledger

OFTEN = 0.2
"""Seconds between two looks for what another process has prepared."""


def in_turns(
    ledger: Ledger[Any], modules: Sequence[str], run: Callable[[bool], None], *, patience: float = 0.0
) -> None:
    """Run with the loops of some modules compiled if they are prepared; if not, plainly until another process has prepared them.

    `run` is told whether it goes on from what the ledger has. It looks at the ledger, which is over for a moment when the loops are there.
    Within the first seconds, up to `patience`, nothing is prepared or loaded: many runs are at their end by then.
    """
    functions = [loop.function for loop in loops(modules)]
    if patience and not is_ready(*functions, at_hand=True):
        try:
            if not _paused(ledger, lambda: run(False), lambda: ledger.clock.seconds() > patience):
                return
        finally:
            ledger.compiled = Compiled(None, "it was over before that could help")
        before = run
        run = lambda again: before(True)  # noqa: E731 - the second turn goes on from the first
    if is_ready(*functions):
        _run_compiled(ledger, run, goes_on=ledger.compiled is not None)
        return
    known = state(modules)
    if known.why:
        ledger.compiled = Compiled(None, known.why.partition(":")[0])
        ledger.notes.append(known.why)
        ledger.log(known.why)
        run(False)
        return
    ledger.compiled = Compiled(None, UNPREPARED)
    ledger.log(
        f"another process prepares loops for this machine, once: about {known.seconds:.0f} s of one core; "
        "until then they run as they are, many times slower"
    )
    start(modules)
    note = f"ran without compiled loops, which were {UNPREPARED}; anoptima prepare does that beforehand"
    ledger.notes.append(note)
    if _paused(ledger, lambda: run(False), lambda: is_ready(*functions)):
        ledger.notes.remove(note)
        ledger.log("the loops are prepared")
        _run_compiled(ledger, run, goes_on=True)


def _run_compiled(ledger: Ledger[Any], run: Callable[[bool], None], *, goes_on: bool) -> None:
    ledger.compiled = Compiled(ledger.clock.seconds() if goes_on else 0.0, UNPREPARED if goes_on else "")
    before = seconds_spent()
    try:
        run(goes_on)
    finally:
        ledger.prepare_seconds += seconds_spent() - before


def _paused(ledger: Ledger[Any], run: Callable[[], None], is_enough: Callable[[], bool]) -> bool:
    """Run until it is enough; tell whether that was so before the run came to its end."""
    asked, enough = time.monotonic(), False

    def pause() -> bool:
        nonlocal asked, enough
        now = time.monotonic()
        if not enough and now - asked > OFTEN:
            asked, enough = now, is_enough()
        return enough

    ledger.pause = pause
    try:
        run()
    except OutOfTime:
        if not enough:
            raise
    finally:
        ledger.pause = None
    return enough and not ledger.is_over()
