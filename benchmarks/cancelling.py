"""How soon a run ends once it is cancelled: `python -m benchmarks.cancelling [--times 3] [--question TEXT] [--only TEXT]`.

Questions that nobody settles within seconds are given to every solver that takes them, and an event is set some time into the run, another
time each run: while it loads, builds or searches. Prints the milliseconds from there until `solve` has returned, the median and the worst,
and the CPU milliseconds of this process in the worst: far fewer of them say that it waited for others. A run that ends before it is
cancelled, or that a model is too large for, counts for nothing. Exits 1 if a run took more than 200 ms.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
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


def latency(problem: Problem[Any], solver: str, after: float) -> tuple[float, float] | None:
    """Return the milliseconds that a run takes to end, and those of the processor; None if it ends before it is cancelled."""
    cancel, struck = threading.Event(), list[tuple[float, float]]()

    def strike() -> None:
        struck.append((time.perf_counter(), time.process_time()))
        cancel.set()

    timer = threading.Timer(after, strike)
    timer.start()
    try:
        answer: ao.Answer[Any] = ao.solve(problem, solver, cancel=cancel, start=None)
    except (ao.ModelTooLarge, ao.NotApplicable):
        return None
    finally:
        ended, used = time.perf_counter(), time.process_time()
        timer.cancel()
    if answer.stop is not ao.Stop.CANCELLED:
        return None
    return 1e3 * (ended - struck[0][0]), 1e3 * (used - struck[0][1])


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
            late = late or any(ms > MOST_MS for ms, _ in measured)
            figures = ["", "", ""]
            if measured:
                worst, used = max(measured)
                figures = [f"{statistics.median(ms for ms, _ in measured):.0f}", f"{worst:.0f}", f"{used:.0f}"]
            rows.append([question.name, solver, str(len(measured)), *figures])
            print(*rows[-1], sep="  ", flush=True)
    print_table(["question", "solver", "cancelled", "median ms", "worst ms", "CPU ms"], rows)
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
