"""What `sifting` proves on a real table under l-diversity and t-closeness: `python -m benchmarks.census_principles census.csv.gz`.

The sensitive column is the occupation, the quasi-identifying ones are the other seven of the UCI Adult table's eight. Prints, for each
principle, the cost, the bound and where it is from, the gap, seconds, memory, and how long the bound takes to be checked again from the
multipliers alone. Exits with 1 if a check fails. `--sample` takes so many rows, evenly spread.
"""

from __future__ import annotations

import argparse
import sys
import time

import pandas as pd

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.machine import Measured
from anoptima.principles import Principle
from benchmarks.census import COLUMNS
from benchmarks.measure import print_table

SENSITIVE = "occupation"
QUASI = [name for name in COLUMNS["A8"] if name != SENSITIVE]


def principles(values: list[str]) -> dict[str, Principle]:
    """Return the principles by a short name; the order of the values is that of their names."""
    order = ao.Ordered(sorted(values))
    return {
        "l2": ao.LDiversity(2),
        "l3": ao.LDiversity(3),
        "distinct2": ao.LDiversity(2, version="distinct"),
        "distinct3": ao.LDiversity(3, version="distinct"),
        "l2k5": ao.LDiversity(2) & ao.KAnonymity(5),
        "t1": ao.TCloseness("0.1"),
        "t2": ao.TCloseness("0.2"),
        "t3": ao.TCloseness("0.3"),
        "ordered1": ao.TCloseness("0.1", order),
        "ordered2": ao.TCloseness("0.2", order),
    }


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file")
    parser.add_argument("cases", nargs="*", help="short names of the principles; all unless given")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--sample", type=int)
    options = parser.parse_args()
    frame = pd.read_csv(options.file, usecols=[*QUASI, SENSITIVE], dtype=str, keep_default_na=False)
    if options.sample:
        frame = frame.iloc[[i * len(frame) // options.sample for i in range(options.sample)]].reset_index(drop=True)
    table = ao.Table.from_frame(frame, QUASI, SENSITIVE)
    known = principles(list(table.sensitive_column(SENSITIVE).values))
    lines, failed = [], False
    for name in options.cases or known:
        problem = ao.CellSuppression(table, known[name])
        with Measured() as measured:
            answer = ao.solve(problem, "sifting", time_limit=options.seconds)
        began = time.monotonic()
        checked = answer.verify()
        failed = failed or not checked
        lines.append(
            [
                name,
                answer.claim.value,
                exact_text(answer.cost or 0),
                "none" if answer.bound is None else f"{exact_text(answer.bound.value)} ({answer.bound.origin.value})",
                "none" if answer.gap is None else f"{float(answer.gap):.2%}",
                f"{answer.run.seconds:.0f}",
                "unknown" if measured.peak is None else f"{measured.peak / 2**20:,.0f}",
                "yes" if checked else "NO",
                f"{time.monotonic() - began:.1f}",
            ]
        )
        print(" ".join(lines[-1]), file=sys.stderr, flush=True)
    print_table(["principle", "claim", "cost", "bound", "gap", "seconds", "MiB", "verified", "in seconds"], lines)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
