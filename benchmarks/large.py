"""What `sifting` reaches on made-up tables of hundreds of thousands of rows: `python -m benchmarks.large 200000 1000000`.

The tables have eight skewed columns that depend on each other, as a census does (`benchmarks.synthetic.census_like`). Prints, for each
number of rows, row types and what `benchmarks.census` prints. Exits with 1 if a check fails.
"""

from __future__ import annotations

import argparse
import sys

import anoptima as ao
from benchmarks.census import HEADINGS, solved
from benchmarks.measure import print_table
from benchmarks.synthetic import census_like


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    lines, failed = [], False
    for rows in options.rows:
        frame = census_like(rows, options.seed)
        problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(options.k))
        _, line, checked = solved(problem, options.seconds)
        lines.append([f"{rows:,}", f"{len(problem.table.types):,}", *line])
        failed = failed or not checked
        print(" ".join(lines[-1]), file=sys.stderr, flush=True)
    print_table(["rows", "types", *HEADINGS], lines)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
