"""What `sifting` proves on a real table: `python -m benchmarks.census census.csv.gz A8 2 3 5 --seconds 600`.

Prints, for each k, what it claims, the cost, the bound and where it is from, the gap, seconds, memory, and how long the bound takes to
be checked again from the multipliers alone. Exits with 1 if a check fails. A8 and A6 are columns of the UCI Adult table.
"""

from __future__ import annotations

import argparse
import sys
import time

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.machine import Measured
from benchmarks.measure import print_table

COLUMNS = {
    "A8": ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"],
    "A6": ["sex", "race", "marital-status", "education", "workclass", "native-country"],
    "A4": ["sex", "age", "race", "marital-status"],
}


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file")
    parser.add_argument("columns", choices=COLUMNS)
    parser.add_argument("k", type=int, nargs="+")
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    table = ao.Table.read_csv(options.file, COLUMNS[options.columns])
    lines, failed = [], False
    for k in options.k:
        problem = ao.CellSuppression(table, ao.KAnonymity(k))
        with Measured() as measured:
            answer = ao.solve(problem, "sifting", time_limit=options.seconds)
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
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
