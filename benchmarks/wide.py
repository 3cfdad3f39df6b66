"""Tables of many columns, whose patterns cannot be listed: `python -m benchmarks.wide 5 10 --seconds 600`.

Made tables of latent classes with skewed values, 30,000 rows of 24 columns and 70,000 rows of 16. Prints, for each and each k, cost, bound,
gap, seconds and memory of every approximation that is for it, `near-patterns` among them, and whether its answer verifies; of one that
refuses tables of this size, what it says. Exits with 1 if an answer does not verify, or if `near-patterns` has no proof, is late, or
has a release that a baseline reaches or beats.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.experiments.comparison import approximations_for
from benchmarks.measure import Measured, peak_text, print_table, setup_text
from benchmarks.synthetic import classed

SHAPES = ((30_000, 24), (70_000, 16))
OURS = "near-patterns"
LATE = 1.1
"""A time limit is kept if no more than so many times as much has passed."""


def wide_table(rows: int, columns: int, seed: int = 1) -> ao.Table:
    """Return a table of latent classes; the columns have 2 to 60 values."""
    frame = classed(rows, np.rint(np.geomspace(2, 60, columns)).astype(int).tolist(), seed)
    return ao.Table.from_frame(frame, list(frame.columns))


def main() -> int:
    """Print a table for each shape and k; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("k", type=int, nargs="*", default=[5])
    parser.add_argument("--seconds", type=float, default=600, help="for near-patterns")
    parser.add_argument("--baseline-seconds", type=float, default=240, help="for each baseline")
    parser.add_argument("--shapes", default=",".join(f"{rows}x{columns}" for rows, columns in SHAPES))
    parser.add_argument("--solvers", default="", help="separated by commas (default: every approximation)")
    options = parser.parse_args()
    wrong: list[str] = []
    for shape in options.shapes.split(","):
        rows, columns = map(int, shape.split("x"))
        table = wide_table(rows, columns)
        for k in options.k:
            problem = ao.CellSuppression(table, ao.KAnonymity(k))
            names = options.solvers.split(",") if options.solvers else approximations_for([problem])
            print(f"{rows:,} rows x {columns} columns, {len(table.types):,} row types, k = {k}", flush=True)
            wrong += compared(problem, names, options.baseline_seconds, options.seconds)
            print(flush=True)
    print("\n".join(wrong) or "all verified")
    return int(bool(wrong))


def compared(problem: ao.CellSuppression, names: list[str], baseline: float, ours: float) -> list[str]:
    """Print a line a solver; return what is wrong."""
    lines, wrong, costs = [], [], {}
    for name in names:
        limit = ours if name == OURS else baseline
        began = time.process_time()
        try:
            with Measured() as measured:
                answer = ao.solve(problem, name, time_limit=limit, start=None)
        except ao.ModelTooLarge as refusal:
            print(f"{name}: {refusal}", flush=True)
            continue
        solved = time.process_time()
        checked = answer.verify()
        assert answer.cost is not None
        assert answer.bound is not None
        costs[name] = answer.cost
        if not checked:
            wrong.append(f"{name}: {checked}")
        if name == OURS and answer.proof is None:
            wrong.append(f"{name} has no proof")
        if name == OURS and answer.run.seconds > LATE * limit:
            wrong.append(f"{name} took {answer.run.seconds:.0f} s of {limit:.0f}")
        line = [
            name,
            exact_text(answer.cost),
            str(answer.bound),
            "none" if answer.gap is None else f"{float(answer.gap):.1%}",
            f"{answer.run.solving_seconds:.0f}",
            setup_text(answer.run),
            f"{solved - began:.0f}",
            peak_text(measured),
            "yes" if checked else "NO",
            f"{time.process_time() - solved:.1f}",
        ]
        print(" | ".join(line), flush=True)
        lines.append(line)
    print()
    print_table(["solver", "cost", "bound", "gap", "seconds", "setup", "CPU s", "peak", "verified", "in CPU s"], lines)
    if OURS in costs:
        wrong += [f"{name} reaches {cost}" for name, cost in costs.items() if name != OURS and cost <= costs[OURS]]
    return wrong


if __name__ == "__main__":
    sys.exit(main())
