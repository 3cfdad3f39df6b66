"""How soon a run ends once it is cancelled: `python -m benchmarks.cancelling [--times 3] [--question TEXT] [--only TEXT]`.

Questions that nobody settles within seconds are given to every solver that takes them, and an event is set some time into the run, another
time each run: while it loads, builds or searches. Prints the milliseconds from there until `solve` has returned, less those that the
calling thread stood in the queue for a processor, which Linux counts: the median and the worst. Of the worst run also the milliseconds on
the wall, those in that queue, and those of the processor that the calling thread (`ours`) and this whole process took after the cancel. A
run that ends before it is cancelled, or that a model is too large for, counts for nothing. Exits 1 if a run took more than 200 ms beside
the queue.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import anoptima as ao
from anoptima.problems.base import Problem
from benchmarks.auto_questions import questions
from benchmarks.measure import print_table

MOST_MS = 200.0
FIRST, STEP = 0.1, 0.6
"""Seconds into the first run at which it is cancelled, and by how much later in each that follows."""

ASKED = (
    "cells uniform-150x8 k=3",
    "cells wide-1000x60 k=3",
    "cells census-occupation-300 l=2",
    "cells census-occupation-3000 t=0.3",
    "cells census-30162 k=5",
    "columns wide-1000x60",
    "keys wide-1000x60",
    "diameters census-100 k=3",
    "points 200x2 k=2",
    "points 1000x3 k=3",
)
"""The questions of `benchmarks.auto` that are asked."""


@dataclass(frozen=True, order=True)
class Latency:
    """Milliseconds from the cancel to the answer; sorted by those that are not the machine's."""

    beside_queue: float
    wall: float
    queue: float
    ours: float
    process: float


@dataclass(frozen=True)
class Moment:
    """A moment, in milliseconds of each clock."""

    wall: float
    queue: float
    ours: float
    process: float

    @classmethod
    def now(cls) -> Moment:
        """Return the current one; the clocks of a thread are those of the main thread, which calls `solve`."""
        schedule = Path(f"/proc/self/task/{threading.main_thread().native_id}/schedstat")
        ours, queue = (float(ns) for ns in schedule.read_text().split()[:2]) if schedule.exists() else (0.0, 0.0)
        return cls(1e3 * time.perf_counter(), 1e-6 * queue, 1e-6 * ours, 1e3 * time.process_time())

    def until(self, later: Moment) -> Latency:
        """Return what has passed. A thread's time in the queue is counted once it leaves it: some may be from before."""
        ours, wall = later.ours - self.ours, later.wall - self.wall
        queue = min(later.queue - self.queue, max(0.0, wall - ours))
        return Latency(wall - queue, wall, queue, ours, later.process - self.process)


def latency(problem: Problem[Any], solver: str, after: float) -> Latency | None:
    """Return how long a run takes to end once it is cancelled; None if it ends before."""
    cancel, struck = threading.Event(), list[Moment]()

    def strike() -> None:
        struck.append(Moment.now())
        cancel.set()

    timer = threading.Timer(after, strike)
    timer.start()
    try:
        answer: ao.Answer[Any] = ao.solve(problem, solver, cancel=cancel, start=None)
    except (ao.ModelTooLarge, ao.NotApplicable):
        return None
    finally:
        ended = Moment.now()
        timer.cancel()
    if answer.stop is not ao.Stop.CANCELLED:
        return None
    return struck[0].until(ended)


def main() -> int:
    """Cancel, and print the table; return 1 if a run was late."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--question", default="", help="text in the name of the question")
    parser.add_argument("--only", default="", help="text in the name of the solver")
    options = parser.parse_args()
    rows, late = [], False
    for question in questions():
        if question.name not in ASKED or options.question not in question.name:
            continue
        problem = question.make()
        for solver in ("auto", *(one.name for one in ao.solvers_for(problem))):
            if options.only not in solver:
                continue
            taken = [latency(problem, solver, FIRST + STEP * number) for number in range(options.times)]
            measured = [found for found in taken if found is not None]
            late = late or any(one.beside_queue > MOST_MS for one in measured)
            figures = [""] * 6
            if measured:
                worst, median = max(measured), statistics.median(one.beside_queue for one in measured)
                figures = [f"{ms:.0f}" for ms in (median, *astuple(worst))]
            rows.append([question.name, solver, str(len(measured)), *figures])
            print(*rows[-1], sep="  ", flush=True)
    words = ["question", "solver", "cancelled", "median ms", "worst ms", "on the wall", "in the queue", "CPU ms, ours"]
    print_table([*words, "of the process"], rows)
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
