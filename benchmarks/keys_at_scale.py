"""Choosing columns of a table of a million rows: `python -m benchmarks.keys_at_scale [--rows 1000000] [--columns 30]`.

Two tables: one of random columns of four values among which a key is planted as digits, and one of latent classes with skewed values.
Prints, for each question, what is claimed, cost and bound, seconds by the clock and of CPU, memory above what the table takes, how many
barriers the proof has and how long it takes to be checked again. Exits 1 if an optimum is not proved in time, or a proof does not
hold.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.problems.column_choice import ColumnChoice
from anoptima.proofs.hitting import HittingProof
from benchmarks.keys import planted_key
from benchmarks.measure import Measured, peak_text, print_table
from benchmarks.synthetic import classed


def main() -> int:
    """Print the table; return 1 if an optimum or a proof is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=600, help="for each question")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a word that the questions asked have in them")
    options = parser.parse_args()
    lines, failed = [], False
    for title, problem in questions(options.rows, options.columns, options.seed):
        if options.only not in title:
            continue
        used = time.process_time()
        with Measured() as measured:
            answer = ao.solve(problem, "hitting-set", time_limit=options.seconds)
        solved = time.process_time()
        checked = answer.verify()
        verified = time.process_time()
        proof = answer.proof
        failed = failed or not checked or answer.claim is not ao.Claim.OPTIMAL
        lines.append(
            [
                title,
                answer.claim.value,
                "none" if answer.cost is None else exact_text(answer.cost),
                "none" if answer.bound is None else str(answer.bound),
                f"{answer.run.solving_seconds:.1f}",
                f"{solved - used:.1f}",
                peak_text(measured),
                str(len(proof.barriers)) if isinstance(proof, HittingProof) else "-",
                "yes" if checked else "NO",
                f"{verified - solved:.1f}",
            ]
        )
        print(" | ".join(lines[-1]), flush=True)
    print()
    print_table(
        ["question", "claim", "cost", "bound", "seconds", "CPU s", "peak", "barriers", "verified", "in CPU s"], lines
    )
    return int(failed)


def questions(rows: int, columns: int, seed: int) -> Iterator[tuple[str, ColumnChoice[Any]]]:
    """Yield every question with a title; of the planted table the first alone, since all its other columns are alike."""
    for name, table in tables(rows, columns, seed):
        yield f"{name}: identifying columns", ao.IdentifyingColumns(table)
        if name == "planted":
            continue
        for k in (2, 5):
            yield f"{name}: witness columns, k = {k}", ao.WitnessColumns(table, k)
        for k in (5, 10):
            yield f"{name}: attribute suppression, k = {k}", ao.AttributeSuppression(table, ao.KAnonymity(k))


def tables(rows: int, columns: int, seed: int) -> Iterator[tuple[str, ao.Table]]:
    """Yield the tables, and print how long they take to make."""
    sizes = np.rint(np.geomspace(2, 200, columns)).astype(int).tolist()
    yield "planted", planted_key(rows, columns, 5, seed)
    frame = classed(rows, sizes, seed, loyalty=0.5)
    began = time.monotonic()
    table = ao.Table.from_frame(frame, list(frame.columns))
    coded = time.monotonic()
    types = len(table.types)
    print(
        f"{rows:,} x {columns} texts: {coded - began:.1f} s to code, {time.monotonic() - coded:.1f} s for {types:,} row types",
        flush=True,
    )
    yield "classes", table


if __name__ == "__main__":
    sys.exit(main())
