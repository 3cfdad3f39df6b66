"""What `sifting` proves on a real table: `python -m benchmarks.census eight 2 3 5 --seconds 600`.

`--sample ROWS --seed S` takes random rows of it instead, with repetition if there are not so many. The table is `ao.census`, with as many
of its columns. Prints a line for each k (`benchmarks.sifted`), and exits with 1 if a check fails.
"""

from __future__ import annotations

import sys

import numpy as np

import anoptima as ao
from anoptima.instances.census import COLUMNS
from anoptima.table import Table
from benchmarks.sifted import parser_of, report


def sampled(table: Table, rows: int | None, seed: int = 0) -> Table:
    """Return all rows of a table, or a random sample of them, the same one for the same seed."""
    if rows is None:
        return table
    chosen = np.random.default_rng(seed).choice(table.rows, rows, replace=rows > table.rows)
    return ao.Table.from_frame(table.frame.iloc[np.sort(chosen)].reset_index(drop=True), table.quasi, table.sensitive)


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = parser_of(__doc__)
    parser.add_argument("columns", choices=COLUMNS)
    parser.add_argument("k", type=int, nargs="+")
    parser.add_argument("--sample", type=int, metavar="ROWS")
    options = parser.parse_args()
    table = sampled(ao.census(options.columns), options.sample, options.seed)
    cases = (([str(k)], ao.CellSuppression(table, ao.KAnonymity(k))) for k in options.k)
    return report(["k"], cases, options)


if __name__ == "__main__":
    sys.exit(main())
