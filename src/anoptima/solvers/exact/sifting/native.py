"""Running HiGHS inside this process, where it may fail to look at the clock: while it factorises, presolves or starts.

It asks its callbacks and its own time limit between iterations only, and some steps of a large program take seconds. So a large
program runs on a thread of its own, and is abandoned there if it does not come back soon after the deadline around the caller has
passed. Where only a turn of the caller is over, it is waited for. A small program runs in the calling thread.
"""

from __future__ import annotations

import threading
import time

import highspy

from anoptima.deadline import check_time, current_deadline, unbroken
from anoptima.errors import OutOfTime
from anoptima.solvers.left_behind import leave
from anoptima.solvers.stopping import stopped_by

LARGE = 3_000
"""Rows and columns from which on a program runs on a thread of its own, which costs a tenth of a millisecond."""

PATIENCE = 0.1
"""Seconds that HiGHS must come back once it is over. Somebody who has cancelled waits for them (`benchmarks.cancelling`)."""

TICK = 0.02
"""Seconds between two looks at the clock: each costs some hundredths of a millisecond, and comes off what is left of that wait."""


def new_solver(**options: bool | float | str) -> highspy.Highs:
    """Return HiGHS on one thread, which says nothing, with these options."""
    solver = highspy.Highs()
    for option, value in {"output_flag": False, "threads": 1, **options}.items():
        solver.setOptionValue(option, value)
    return solver


def run(solver: highspy.Highs) -> None:
    """Run HiGHS. Raises `OutOfTime` if it does not come back soon after the deadline; then nobody may touch `solver` any more."""
    if solver.getNumRow() + solver.getNumCol() < LARGE:
        # An exception in the middle of a callback would have to find its way through HiGHS.
        with unbroken():
            solver.run()
        return
    is_past, ended = current_deadline(), threading.Event()
    until: float | None = None
    errors: list[BaseException] = []

    def work() -> None:
        try:
            solver.run()
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=work, name="HiGHS", daemon=True)
    thread.start()
    with unbroken():
        while not ended.wait(TICK):
            if until is None and is_past():
                until = time.monotonic() + PATIENCE
            if until is not None and time.monotonic() >= until:
                leave(thread)
                raise OutOfTime
    if errors:
        raise errors[0]


def run_to_the_deadline(solver: highspy.Highs) -> None:
    """Run HiGHS and interrupt it at the deadline around the caller; raises `OutOfTime` then, since what it has is no solution."""
    with stopped_by(solver, current_deadline()):
        run(solver)
    check_time()
