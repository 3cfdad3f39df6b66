"""What `sifting` proves on a real table: `python -m benchmarks.census eight 2 3 5 --seconds 600`.

`--sample ROWS --seed S` takes random rows of it instead, with repetition if there are not so many; `--trace FILE` writes how cost and
bound went on, as CSV, and `--plot FILE` draws it.
Prints, for each k, what it claims, the cost, the bound and where it is from, the gap, seconds (of the clock and of all cores), memory,
and how long the bound takes to be checked again from the multipliers alone. Exits with 1 if a check fails. The table is `ao.census`, with
as many of its columns.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import anoptima as ao
from anoptima.answer import Answer, Trace, bound_text
from anoptima.exact import exact_text
from anoptima.experiments.plots import write_plot
from anoptima.experiments.plots_trace import plot_progress
from anoptima.instances.census import COLUMNS
from anoptima.machine import Measured
from anoptima.table import Table
from benchmarks.measure import MIB, print_table

HEADINGS = ["claim", "cost", "bound", "gap", "seconds", "CPU s", "MiB", "verified", "in seconds"]


def sampled(table: Table, rows: int | None, seed: int = 0) -> Table:
    """Return all rows of a table, or a random sample of them, the same one for the same seed."""
    if rows is None:
        return table
    chosen = np.random.default_rng(seed).choice(table.rows, rows, replace=rows > table.rows)
    return ao.Table.from_frame(table.frame.iloc[np.sort(chosen)].reset_index(drop=True), table.quasi, table.sensitive)


def solved(problem: ao.CellSuppression, seconds: float) -> tuple[Answer[Any], list[str], bool]:
    """Solve by sifting; return the answer, what to print under `HEADINGS`, and whether the answer is verified."""
    began = time.process_time()
    with Measured() as measured:
        answer = ao.solve(problem, "sifting", time_limit=seconds)
    spent = time.process_time() - began
    began = time.monotonic()
    checked = bool(answer.verify())
    line = [
        answer.claim.value,
        exact_text(answer.cost or 0),
        "none" if answer.bound is None else bound_text(answer.bound, answer.certified),
        "none" if answer.gap is None else f"{float(answer.gap):.3%}",
        f"{answer.run.seconds:.0f}",
        f"{spent:.0f}",
        "unknown" if measured.peak is None else f"{measured.peak / MIB:,.0f}",
        "yes" if checked else "NO",
        f"{time.monotonic() - began:.1f}",
    ]
    return answer, line, checked


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
    parser.add_argument("columns", choices=COLUMNS)
    parser.add_argument("k", type=int, nargs="+")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--sample", type=int, metavar="ROWS")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trace", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE")
    options = parser.parse_args()
    table = sampled(ao.census(options.columns), options.sample, options.seed)
    lines, failed, answers = [], False, {}
    for k in options.k:
        answers[k], line, checked = solved(ao.CellSuppression(table, ao.KAnonymity(k)), options.seconds)
        lines.append([str(k), *line])
        failed = failed or not checked
        print(" ".join(lines[-1]), file=sys.stderr, flush=True)
    print_table(["k", *HEADINGS], lines)
    if options.trace:
        write_trace(options.trace, {k: answer.trace for k, answer in answers.items()})
    if options.plot:
        with Path(options.plot).open("wb") as out:
            write_plot(plot_progress(list(answers.values())), out, Path(options.plot).suffix)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
