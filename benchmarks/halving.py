"""How Liang and Yuan's Theorem 8 grows with the rows, with memory and without: `python -m benchmarks.halving 10`.

Tables of different rows, under `-k`-anonymity or, with `-t`, closeness at equal distance. Prints seconds of CPU of `halving`,
`halving-without-memory` and `subset-dp`, how often the second calls itself, and the c for which c^n fits its seconds best, by least squares
of logarithms over the last rows. Exits with 1 if two optima differ.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

import anoptima as ao
from anoptima.instances.drawn import SENSITIVE, uniform
from anoptima.solvers.exact.halving import calls
from benchmarks.measure import print_table

SOLVERS = ("halving", "halving-without-memory", "subset-dp")
FITTED = 4
"""How many of the largest tables the growth is fitted to."""


def base(rows: list[int], seconds: list[float]) -> float:
    """Return the c for which c^n fits seconds best, by least squares of logarithms.

    >>> round(base([1, 2, 3], [3, 12, 48]), 6)
    4.0
    """
    return float(np.exp(np.polyfit(rows, np.log(seconds), 1)[0]))


def problem_of(rows: int, principle: ao.Principle, seed: int) -> ao.CellSuppression:
    """Return a table whose rows all differ, the first of them by a column of their own."""
    frame = uniform(rows, 4, 3, seed).frame.assign(own=range(rows))
    sensitive = [f"v{i % 3}" for i in range(rows)]
    quasi = list(frame.columns)
    return ao.CellSuppression(ao.Table.from_frame(frame.assign(**{SENSITIVE: sensitive}), quasi, SENSITIVE), principle)


def main() -> int:
    """Print the table and the growth; return 1 if two optima differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rows", type=int, nargs="?", default=10, help="rows at most")
    parser.add_argument("-k", type=int, default=3)
    parser.add_argument("-t", help="closeness in place of anonymity")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    principle = ao.KAnonymity(options.k) if options.t is None else ao.TCloseness(options.t)
    sizes = list(range(max(3, options.k), options.rows + 1))
    seconds: dict[str, list[float]] = {name: [] for name in SOLVERS}
    lines, wrong = [], 0
    for rows in sizes:
        problem = problem_of(rows, principle, options.seed)
        costs = set()
        for name in SOLVERS:
            began = time.process_time()
            costs.add(ao.solve(problem, name, start=None).cost)
            seconds[name].append(time.process_time() - began)
        wrong += len(costs) != 1
        lines.append(
            [
                f"{rows}",
                ", ".join(map(str, costs)),
                f"{calls(rows):,}",
                *(f"{seconds[name][-1]:.3f}" for name in SOLVERS),
            ]
        )
    print_table(["rows", "optimum", "calls without memory", *SOLVERS], lines)
    for name in SOLVERS[:2]:
        grown = base(sizes[-FITTED:], seconds[name][-FITTED:])
        print(f"seconds of {name} grow as {grown:.2f}^n over the last {FITTED} tables")
    print(f"calls grow as {base(sizes[-FITTED:], [calls(n) for n in sizes[-FITTED:]]):.2f}^n")
    print(f"{wrong} tables on which two optima differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
