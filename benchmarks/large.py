"""What `sifting` reaches on made-up tables of hundreds of thousands of rows: `python -m benchmarks.large 200000 1000000`.

The tables have eight skewed columns that depend on each other, as a census does (`benchmarks.synthetic.census_like`). Prints, for each
number of rows, row types and what `benchmarks.census` prints. Exits with 1 if a check fails.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import anoptima as ao
from benchmarks.sifted import parser_of, report
from benchmarks.synthetic import census_like


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = parser_of(__doc__)
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("-k", type=int, default=5)
    options = parser.parse_args()
    return report(["rows", "types"], cases(options.rows, options.k, options.seed), options)


def cases(sizes: list[int], k: int, seed: int) -> Iterator[tuple[list[str], ao.CellSuppression]]:
    """Yield a problem on a table of each size, with its rows and row types."""
    for rows in sizes:
        frame = census_like(rows, seed)
        problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(k))
        yield [f"{rows:,}", f"{len(problem.table.types):,}"], problem


if __name__ == "__main__":
    sys.exit(main())
