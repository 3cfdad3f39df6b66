"""`sifting` against the plain pattern program: `python -m benchmarks.engine_or_program --tables 20 --seconds 60`.

Solves random skewed tables of 20 to 400 rows with both and prints, by size, how often each proves its optimum, the median seconds, and
the largest ratio of the engine's to the program's where that one takes less than ten seconds. Exits with 1 if two proven optima
differ, or if the engine takes more than `--most` times as long, and a second more.
"""

from __future__ import annotations

import argparse
import statistics
import sys

import anoptima as ao
from benchmarks.measure import print_table
from benchmarks.synthetic import skewed

FAST = 10.0


def main() -> int:
    """Print the table; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, nargs="+", default=[20, 50, 100, 200, 400])
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--most", type=float, default=4)
    options = parser.parse_args()
    lines, failed = [], False
    for rows in options.rows:
        for k in options.k:
            spent: dict[str, list[float]] = {"sifting": [], "pattern/highs": []}
            proven = dict.fromkeys(spent, 0)
            for seed in range(options.tables):
                frame = skewed(rows, (2, 5, 4, 7, 3), seed)
                problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame)), ao.KAnonymity(k))
                optima = set()
                for name, seconds in spent.items():
                    answer = ao.solve(problem, name, time_limit=options.seconds)
                    seconds.append(answer.run.solving_seconds)
                    if answer.claim is ao.Claim.OPTIMAL:
                        proven[name] += 1
                        optima.add(answer.cost)
                if len(optima) > 1:
                    failed = True
                    print(f"{rows} rows, k = {k}, seed {seed}: proven optima differ: {sorted(map(str, optima))}")
            pairs = [(ours, other) for ours, other in zip(*spent.values(), strict=True) if other < FAST]
            worst = max((ours / other for ours, other in pairs), default=0.0)
            failed = failed or any(ours > options.most * other + 1 for ours, other in pairs)
            lines.append(
                [
                    str(rows),
                    str(k),
                    *(f"{proven[name]}/{options.tables}" for name in spent),
                    *(f"{statistics.median(seconds):.2f}" for seconds in spent.values()),
                    f"{worst:.1f}",
                ]
            )
    print_table(
        ["rows", "k", "sifting proves", "program proves", "sifting s", "program s", "largest ratio"],
        lines,
    )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
