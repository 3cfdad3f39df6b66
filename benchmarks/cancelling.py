"""How soon a run ends once it is cancelled: `python -m benchmarks.cancelling [--times 5] [--only TEXT] [--rows 150]`.

A random table is given to every solver of cell suppression, and an event is set some time into the run, another time each run: while it
loads, builds or searches. Prints the milliseconds from there until `solve` has returned, the median and the worst. A run that ends before
it is cancelled, or that a model is too large for, counts for nothing. Exits 1 if a run took more than 200 ms.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from typing import Any

import numpy as np
import pandas as pd

import anoptima as ao
from benchmarks.measure import print_table

MOST_MS = 200.0
FIRST, STEP = 0.1, 0.35
"""Seconds into the first run at which it is cancelled, and by how much later in each that follows."""


def question(rows: int) -> ao.CellSuppression:
    """Return a question that nobody settles within seconds."""
    values = np.random.default_rng(5).integers(0, 3, (rows, 8)).astype(str)
    columns = list("abcdefgh")
    return ao.CellSuppression(
        ao.Table.from_frame(pd.DataFrame(values, columns=columns), quasi=columns), ao.KAnonymity(4)
    )


def latency(problem: ao.CellSuppression, solver: str, after: float) -> float | None:
    """Return the milliseconds that a run takes to end; None if it ends before it is cancelled."""
    cancel, struck = threading.Event(), list[float]()

    def strike() -> None:
        struck.append(time.perf_counter())
        cancel.set()

    timer = threading.Timer(after, strike)
    timer.start()
    try:
        answer: ao.Answer[Any] = ao.solve(problem, solver, cancel=cancel, start=None)
    except (ao.ModelTooLarge, ao.NotApplicable):
        return None
    finally:
        ended = time.perf_counter()
        timer.cancel()
    return 1e3 * (ended - struck[0]) if answer.stop is ao.Stop.CANCELLED else None


def main() -> int:
    """Cancel, and print the table; return 1 if a run was late."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--only", default="", help="text in the name of the solver")
    parser.add_argument("--rows", type=int, default=150)
    options = parser.parse_args()
    problem, rows, late = question(options.rows), [], False
    for solver in ("auto", *(one.name for one in ao.solvers_for(problem))):
        if options.only in solver:
            taken = [latency(problem, solver, FIRST + STEP * number) for number in range(options.times)]
            measured = [ms for ms in taken if ms is not None]
            late = late or any(ms > MOST_MS for ms in measured)
            figures = [f"{statistics.median(measured):.0f}", f"{max(measured):.0f}"] if measured else ["", ""]
            rows.append([solver, str(len(measured)), *figures])
            print(*rows[-1], sep="  ", flush=True)
    print_table(["solver", "cancelled", "median ms", "worst ms"], rows)
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
