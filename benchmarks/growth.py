"""How the time to a gap grows with the table: `python -m benchmarks.growth --k 3 --gap 0.02`.

Solves random samples of A8 whose rows double from 1,000 to 32,000 (above 30,162 drawn with repetition) with `sifting` until the gap is
reached, or for `--seconds`, and prints seconds, memory, row types and arcs, and the exponents of rows that fit them by least squares.
Exits with 1 if an answer fails its check.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.patterns import closed_patterns
from benchmarks.census import sampled
from benchmarks.measure import MIB, Measured, print_table


def exponent(rows: list[int], amounts: list[float]) -> float:
    """Return the e for which rows^e fits best, by least squares of logarithms.

    >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    return float(np.polyfit(np.log(rows), np.log(amounts), 1)[0])


@dataclass(frozen=True)
class Solved:
    """What a run came to."""

    types: int
    arcs: int
    cost: str
    bound: str
    gap: float
    seconds: float
    peak: int | None
    reached: bool
    checked: bool


def solved(rows: int, k: int, gap: str, seconds: float, seed: int) -> Solved:
    """Solve a sample until the gap is reached."""
    problem = ao.CellSuppression(sampled(ao.census(), rows, seed), ao.KAnonymity(k))
    with Measured() as measured:
        answer = ao.solve(problem, "sifting", time_limit=seconds, gap=gap)
    return Solved(
        len(problem.table.types),
        closed_patterns(problem).arcs,
        exact_text(answer.cost or 0),
        "none" if answer.bound is None else exact_text(answer.bound.value),
        1.0 if answer.gap is None else float(answer.gap),
        answer.run.solving_seconds,
        measured.peak,
        answer.gap is not None and answer.gap <= answer.run.budget.gap,
        bool(answer.verify()),
    )


def main() -> int:
    """Print the table and the exponents; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--gap", default="0.02")
    parser.add_argument("--rows", type=int, nargs="+", default=[1000 << i for i in range(6)])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found: dict[int, Solved] = {}
    for rows in options.rows:
        # A process of its own: what an earlier size has left in memory would hide what this one takes.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found[rows] = pool.submit(solved, rows, options.k, options.gap, options.seconds, options.seed).result()
    lines = [
        [
            f"{rows:,}",
            f"{one.types:,}",
            f"{one.arcs:,}",
            one.cost,
            one.bound,
            f"{one.gap:.2%}",
            f"{one.seconds:.1f}" if one.reached else "not reached",
            "unknown" if one.peak is None else f"{one.peak / MIB:,.0f}",
            "yes" if one.checked else "NO",
        ]
        for rows, one in found.items()
    ]
    print_table(["rows", "row types", "arcs", "cost", "bound", "gap", "seconds", "MiB", "verified"], lines)
    reached = {rows: one for rows, one in found.items() if one.reached}
    if len(reached) > 1:
        print(f"seconds grow as rows^{exponent(list(reached), [one.seconds for one in reached.values()]):.2f}")
    sized = {rows: float(one.peak) for rows, one in reached.items() if one.peak}
    if len(sized) > 1:
        print(f"memory grows as rows^{exponent(list(sized), list(sized.values())):.2f}")
    return int(not all(one.checked for one in found.values()))


if __name__ == "__main__":
    sys.exit(main())
