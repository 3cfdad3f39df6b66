"""What `sifting` proves on tables of independent, uniform values: `python -m benchmarks.uniform 3 5 --seconds 600`.

The table has 300 rows and six columns of four values unless other sizes are given. Prints what `benchmarks.census` does, and exits with 1
if a check fails.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

import anoptima as ao
from benchmarks.sifted import parser_of, report


def uniform(rows: int, columns: int, values: int, seed: int = 0) -> ao.Table:
    """Return a table of independent values, each as frequent as any other; the same one for the same seed."""
    codes = np.random.default_rng(seed).integers(0, values, (rows, columns))
    frame = pd.DataFrame(codes, columns=[f"q{j}" for j in range(columns)]).astype(str)
    return ao.Table.from_frame(frame, list(frame.columns))


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = parser_of(__doc__)
    parser.add_argument("k", type=int, nargs="+")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--values", type=int, default=4)
    options = parser.parse_args()
    table = uniform(options.rows, options.columns, options.values, options.seed)
    return report(["k"], (([str(k)], ao.CellSuppression(table, ao.KAnonymity(k))) for k in options.k), options)


if __name__ == "__main__":
    sys.exit(main())
