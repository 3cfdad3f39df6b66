"""How long it takes to make a table, and how much memory: `python -m benchmarks.table_speed`.

From a DataFrame that is there already: columns coded, then the row types with their multiplicities, then the records.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from typing import Any

import anoptima as ao
from benchmarks.measure import MIB, Measured, print_table
from benchmarks.synthetic import skewed

SIZES = [1000, 50, 12, 8, 6, 5, 4, 2]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    frame = skewed(options.rows, [*SIZES, 20], options.seed)
    *quasi, sensitive = frame.columns
    holds = int(frame.memory_usage(deep=False).sum()) / MIB
    print(
        f"{len(frame):,} rows, {len(quasi)} + 1 columns, {holds:,.0f} MiB in the DataFrame, median of {options.runs} runs"
    )

    seconds: dict[str, list[float]] = {}
    peaks: dict[str, list[int]] = {}

    def timed(name: str, step: Callable[[], Any]) -> Any:
        with Measured() as measured:
            result = step()
        seconds.setdefault(name, []).append(measured.seconds)
        peaks.setdefault(name, []).append(measured.peak or 0)
        return result

    def steps() -> ao.Table:
        table: ao.Table = timed("from_frame", lambda: ao.Table.from_frame(frame, quasi, sensitive))
        timed("row types", lambda: table.types)
        timed("records", lambda: table.records)
        return table

    for _ in range(options.runs - 1):
        steps()
    table = steps()
    print_table(
        ["step", "seconds", "peak above before"],
        [
            [name, f"{statistics.median(seconds[name]):.2f}", f"{max(peaks[name]) / MIB:,.0f} MiB"]
            for name in ("from_frame", "row types", "records")
        ],
    )
    total = sum(statistics.median(seconds[name]) for name in ("from_frame", "row types", "records"))
    print(f"in all {total:.2f} s: {len(table.types):,} row types, {len(table.records):,} records")


if __name__ == "__main__":
    main()
