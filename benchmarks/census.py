"""What `sifting` proves on a real table: `python -m benchmarks.census census.csv.gz A8 2 3 5 --seconds 600`.

`--sample ROWS --seed S` takes random rows of it instead, with repetition if there are not so many; `--trace FILE` writes how cost and
bound went on, as CSV.
Prints, for each k, what it claims, the cost, the bound and where it is from, the gap, seconds, memory, and how long the bound takes to
be checked again from the multipliers alone. Exits with 1 if a check fails. A8, A6 and A4 are columns of the UCI Adult table.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

import numpy as np

import anoptima as ao
from anoptima.answer import Trace
from anoptima.exact import exact_text
from anoptima.machine import Measured
from anoptima.table import Table
from benchmarks.measure import print_table

COLUMNS = {
    "A8": ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"],
    "A6": ["sex", "race", "marital-status", "education", "workclass", "native-country"],
    "A4": ["sex", "age", "race", "marital-status"],
}


def read(file: str, columns: str, sample: int | None = None, seed: int = 0) -> Table:
    """Return the columns `columns` of the table in `file`, all rows or a random sample of them, the same one for the same seed."""
    table = ao.Table.read_csv(file, COLUMNS[columns])
    if sample is None:
        return table
    chosen = np.random.default_rng(seed).choice(table.rows, sample, replace=sample > table.rows)
    return ao.Table.from_frame(table.frame.iloc[np.sort(chosen)].reset_index(drop=True), COLUMNS[columns])


def write_trace(file: str, traces: dict[int, Trace]) -> None:
    """Write the steps of every run as CSV."""
    with Path(file).open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["k", "seconds", "cost", "bound"])
        for k, trace in traces.items():
            for step in trace:
                cost, bound = ("" if value is None else exact_text(value) for value in (step.cost, step.bound))
                writer.writerow([k, f"{step.seconds:.3f}", cost, bound])


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file")
    parser.add_argument("columns", choices=COLUMNS)
    parser.add_argument("k", type=int, nargs="+")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--sample", type=int, metavar="ROWS")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trace", metavar="FILE")
    options = parser.parse_args()
    table = read(options.file, options.columns, options.sample, options.seed)
    lines, failed = [], False
    traces: dict[int, Trace] = {}
    for k in options.k:
        problem = ao.CellSuppression(table, ao.KAnonymity(k))
        with Measured() as measured:
            answer = ao.solve(problem, "sifting", time_limit=options.seconds)
        traces[k] = answer.trace
        began = time.monotonic()
        checked = answer.verify()
        failed = failed or not checked
        bound = "none" if answer.bound is None else f"{exact_text(answer.bound.value)} ({answer.bound.origin.value})"
        gap = "none" if answer.gap is None else f"{float(answer.gap):.3%}"
        memory = "unknown" if measured.peak is None else f"{measured.peak / 2**20:,.0f}"
        lines.append(
            [
                str(k),
                answer.claim.value,
                exact_text(answer.cost or 0),
                bound,
                gap,
                f"{answer.run.seconds:.0f}",
                memory,
                "yes" if checked else "NO",
                f"{time.monotonic() - began:.1f}",
            ]
        )
    print_table(["k", "claim", "cost", "bound", "gap", "seconds", "MiB", "verified", "in seconds"], lines)
    if options.trace:
        write_trace(options.trace, traces)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
