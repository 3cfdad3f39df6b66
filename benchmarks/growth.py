"""How the time to a gap grows with the table: `python -m benchmarks.growth census.csv.gz --k 3 --gap 0.02`.

Solves random samples of A8 whose rows double from 1,000 to 32,000 (above 30,162 drawn with repetition) with `sifting` until the gap is
reached, or for `--seconds`, and prints seconds, memory, row types and arcs, and the exponents of rows that fit them by least squares.
Exits with 1 if an answer fails its check.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.patterns import closed_patterns
from benchmarks.census import read
from benchmarks.measure import MIB, Measured, print_table


def exponent(rows: list[int], amounts: list[float]) -> float:
    """Return the e for which rows^e fits best, by least squares of logarithms.

    >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    return float(np.polyfit(np.log(rows), np.log(amounts), 1)[0])


def main() -> int:
    """Print the table and the exponents; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file")
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--gap", default="0.02")
    parser.add_argument("--rows", type=int, nargs="+", default=[1000 << i for i in range(6)])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lines, rows, seconds, memory, failed = [], [], [], [], False
    for count in options.rows:
        problem = ao.CellSuppression(read(options.file, "A8", count, options.seed), ao.KAnonymity(options.k))
        with Measured() as measured:
            answer = ao.solve(problem, "sifting", time_limit=options.seconds, gap=options.gap)
        checked = bool(answer.verify())
        failed = failed or not checked
        reached = answer.gap is not None and answer.gap <= answer.run.budget.gap
        if reached:
            rows.append(count)
            seconds.append(answer.run.seconds)
            memory.append(float(measured.peak or 0) + 1)
        patterns = closed_patterns(problem)
        lines.append(
            [
                f"{count:,}",
                f"{len(problem.table.types):,}",
                f"{patterns.arcs:,}",
                exact_text(answer.cost or 0),
                "none" if answer.bound is None else exact_text(answer.bound.value),
                "none" if answer.gap is None else f"{float(answer.gap):.2%}",
                f"{answer.run.seconds:.1f}" if reached else "not reached",
                "unknown" if measured.peak is None else f"{measured.peak / MIB:,.0f}",
                "yes" if checked else "NO",
            ]
        )
    print_table(["rows", "row types", "arcs", "cost", "bound", "gap", "seconds", "MiB", "verified"], lines)
    if len(rows) > 1:
        print(f"seconds grow as rows^{exponent(rows, seconds):.2f}, memory as rows^{exponent(rows, memory):.2f}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
