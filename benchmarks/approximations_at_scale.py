"""Seconds, memory and stars of the approximations that reach large tables: `python -m benchmarks.approximations_at_scale FILE K...`.

FILE is a CSV file of the census (UCI Adult, complete rows), or any with the columns that --quasi names. Each solver runs by itself,
without a start. Prints cost, bound, the ratio that those prove, the ratio that the theorem promises, seconds, and the memory at its
peak above what the table takes. Exits 1 if an answer does not verify.
"""

from __future__ import annotations

import argparse
import sys

import anoptima as ao
from anoptima.exact import exact_text
from benchmarks.keys import CENSUS
from benchmarks.measure import Measured, peak_text, print_table

SOLVERS = ["classes", "forest", "greedy-patterns", "truncated-balls"]


def main() -> int:
    """Print the table; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file")
    parser.add_argument("k", type=int, nargs="*", default=[3, 5, 10])
    parser.add_argument("--quasi", type=lambda text: text.split(","), default=CENSUS, help="names with commas between")
    parser.add_argument(
        "--solvers", type=lambda text: text.split(","), default=SOLVERS, help="names with commas between"
    )
    options = parser.parse_args()

    table = ao.Table.read_csv(options.file, options.quasi)
    print(f"{table}\n")
    wrong = []
    for k in options.k:
        rows = []
        problem = ao.CellSuppression(table, ao.KAnonymity(k))
        for name in options.solvers:
            with Measured() as measured:
                answer = ao.solve(problem, name, start=None)
            assert answer.cost is not None
            assert answer.bound is not None
            if not answer.verify():
                wrong.append(f"{name}, k = {k}: {answer.verify()}")
            promised = ao.get_solver(name).ratio(problem)
            proven = answer.cost / answer.bound.value if answer.bound.value else 1
            rows.append(
                [
                    name,
                    exact_text(answer.cost),
                    f"{exact_text(answer.bound.value)} {answer.bound.origin.value}",
                    f"{float(proven):.3f}",
                    f"{float(promised):.2f}" if promised is not None else "-",
                    f"{measured.seconds:.1f}",
                    peak_text(measured),
                ]
            )
        print_table([f"k = {k}", "cost", "bound", "proven ratio", "promised ratio", "seconds", "peak"], rows)
        print(flush=True)
    for words in wrong:
        print(words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
