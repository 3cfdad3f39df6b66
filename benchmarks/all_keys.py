"""All minimal keys of a table of latent classes: `python -m benchmarks.all_keys [--rows 1000000] [--columns 20]`.

Prints, for identifying and for witness columns, how many minimal keys and maximal non-keys there are, which keys are listed, and the
seconds of the search and of the check. Exits 1 if a list is not complete in time, or its proof does not hold.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

import anoptima as ao
from benchmarks.measure import print_table
from benchmarks.synthetic import classed


def main() -> int:
    """Print the table; return 1 if keys may be missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=600, help="for each question")
    options = parser.parse_args()
    sizes = np.rint(np.geomspace(2, 200, options.columns)).astype(int).tolist()
    frame = classed(options.rows, sizes, 1, loyalty=0.5)
    table = ao.Table.from_frame(frame, list(frame.columns))
    lines, failed = [], False
    for title, problem in (
        ("identifying columns", ao.IdentifyingColumns(table)),
        ("witness columns, k = 2", ao.WitnessColumns(table, 2)),
        ("witness columns, k = 5", ao.WitnessColumns(table, 5)),
    ):
        found = ao.minimal_keys(problem, time_limit=options.seconds)
        began = time.monotonic()
        holds = found.verify()
        checking = time.monotonic() - began
        failed = failed or not found.complete or not holds
        counts = [f"{len(found):,}", f"{len(found.families.non_keys):,}"]
        lines.append(
            [title, *counts, found.extent(), f"{found.seconds:.1f}", "yes" if holds else "NO", f"{checking:.1f}"]
        )
    print_table(["question", "keys", "non-keys", "listed", "seconds", "verified", "in seconds"], lines)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
