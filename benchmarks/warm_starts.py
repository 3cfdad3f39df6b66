"""What a start does for an exact search: `python -m benchmarks.warm_starts TABLE.csv.gz`.

Mid-size samples of a table, each solved twice by each solver: from nothing, and from what the quick approximations find (its seconds
count). Prints pairs: seconds to the proof, seconds to the first incumbent that is within 5 % of the best cost known, and the gap where
there was no proof in time; then the geometric mean of the ratios with / without. Exits 1 if the two runs contradict each other.

`python -m benchmarks.warm_starts --few` asks instead what improving a start does for few census rows: seconds to the proof, the least of
three runs each, with a start that local search improves and with one that nothing does.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any
from unittest import mock

import pandas as pd

import anoptima as ao
from anoptima.solvers import starts
from benchmarks.auto_questions import census
from benchmarks.baselines_at_scale import A8
from benchmarks.measure import print_table

SOLVERS = ("pattern/highs", "pattern/cp-sat")
SIZES = ((60, 2), (60, 3), (100, 2), (100, 3), (200, 2))
"""Rows and k of the instances."""
NEAR = 1.05


@dataclass(frozen=True)
class Pair:
    """One solver on one instance, without a start and with one."""

    instance: str
    solver: str
    without: ao.Answer[Any]
    given: ao.Answer[Any]

    def seconds(self, answer: ao.Answer[Any]) -> float | None:
        """Seconds to the proof, None if there was none in time."""
        return answer.run.solving_seconds if answer.claim is ao.Claim.OPTIMAL else None

    def first_near(self, answer: ao.Answer[Any]) -> float | None:
        """Seconds to the first incumbent near the best cost that either run knows."""
        best = min(answer.cost for answer in (self.without, self.given) if answer.cost is not None)
        return next((step.seconds for step in answer.trace if step.cost is not None and step.cost <= NEAR * best), None)

    def wrong(self) -> list[str]:
        """Say where the two runs contradict each other or themselves."""
        found = [*self.without.verify().wrong, *self.given.verify().wrong]
        for one, other in ((self.without, self.given), (self.given, self.without)):
            if one.bound is not None and other.cost is not None and one.bound.value > other.cost:
                found.append(
                    f"{self.solver} on {self.instance}: a bound of {one.bound.value} and a cost of {other.cost}"
                )
        return found


def main() -> int:
    """Print the pairs; return 1 if any is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("table", nargs="?")
    parser.add_argument("--few", action="store_true", help="ask about improved starts of few census rows instead")
    parser.add_argument("--quasi", default=",".join(A8))
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    parser.add_argument("--time-limit", type=float, default=20.0, help="seconds for each run, the start's included")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.few:
        print_table(["rows", "principle", "solver", "improved, s", "not improved, s"], list(_few(options.time_limit)))
        return 0
    if options.table is None:
        parser.error("TABLE is missing; it is the CSV file to take samples of")

    quasi = options.quasi.split(",")
    whole = pd.read_csv(options.table, dtype=str, keep_default_na=False)
    pairs, refused = [], []
    for rows, k in SIZES:
        frame = whole.sample(rows, random_state=options.seed).reset_index(drop=True)
        problem = ao.CellSuppression(ao.Table.from_frame(frame, quasi), ao.KAnonymity(k))
        for solver in options.solvers.split(","):
            try:
                without, given = (
                    ao.solve(problem, solver, time_limit=options.time_limit, threads=1, seed=options.seed, start=start)
                    for start in (None, "auto")
                )
            except (ao.NotApplicable, ao.ModelTooLarge) as refusal:
                refused.append(f"{solver} on {rows} rows, k = {k}: {refusal}")
                continue
            pairs.append(Pair(f"{rows} rows, k = {k}", solver, without, given))
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print_table(
        ["instance", "solver", "proof without", "with", "near without", "with", "gap without", "with", "start"],
        [
            [pair.instance, pair.solver, *_times(pair.seconds, pair), *_times(pair.first_near, pair), *_gaps(pair)]
            for pair in pairs
        ],
    )
    for solver in options.solvers.split(","):
        own = [pair for pair in pairs if pair.solver == solver]
        print(f"{solver}: " + "; ".join(_ratios(own)))
    wrong = [words for pair in pairs for words in pair.wrong()]
    print("\n".join([*refused, *wrong]) or "no contradictions")
    return 1 if wrong else 0


def _few(seconds: float) -> Iterator[list[str]]:
    """Yield lines about census rows: how long a proof takes, with a start that is improved and with one that is not."""
    for rows, principle in itertools.product((10, 15), (ao.KAnonymity(3), ao.LDiversity(2), ao.TCloseness("0.3"))):
        problem = ao.CellSuppression(census(rows, "seven", "occupation"), principle)
        for solver in SOLVERS:
            times = [min(_seconds(problem, solver, seconds, few) for _ in range(3)) for few in (0, problem.table.rows)]
            yield [str(rows), str(principle), solver, *(f"{time:.2f}" for time in times)]


def _seconds(problem: ao.CellSuppression, solver: str, seconds: float, few: int) -> float:
    """Return the seconds of a run where starts of tables of so few rows are not improved."""
    with mock.patch.object(starts, "_FEW_ROWS", few):
        began = time.perf_counter()
        ao.solve(problem, solver, time_limit=seconds, threads=1)
        return time.perf_counter() - began


def _times(of: Any, pair: Pair) -> list[str]:
    return ["-" if (seconds := of(answer)) is None else f"{seconds:.2f}" for answer in (pair.without, pair.given)]


def _gaps(pair: Pair) -> list[str]:
    gaps = [pair.without.gap, pair.given.gap]
    return [*("-" if gap is None else f"{float(gap):.1%}" for gap in gaps), pair.given.run.start.value]


def _ratios(pairs: list[Pair]) -> list[str]:
    said = []
    for what in ("seconds", "first_near"):
        times = [(getattr(pair, what)(pair.given), getattr(pair, what)(pair.without)) for pair in pairs]
        both = [given / max(without, 1e-3) for given, without in times if given is not None and without is not None]
        name = {"seconds": "to the proof", "first_near": "to a good incumbent"}[what]
        mean = f"{geometric_mean(both):.2f} times as long {name}" if both else f"none comparable {name}"
        said.append(f"{mean} ({len(both)} pairs)")
    proved = [
        sum(pair.seconds(answer) is not None for pair in pairs for answer in (getattr(pair, side),))
        for side in ("without", "given")
    ]
    return [*said, f"proofs {proved[0]} without, {proved[1]} with, of {len(pairs)}"]


if __name__ == "__main__":
    sys.exit(main())
