"""How long exact solvers take on targets of the reductions, as they grow: `python -m benchmarks.hard_instances [--seconds 20]`.

The instances are those of the family `hard` of the library: cubic graphs of up to ten vertices, `--graphs` of each order, and planted
sources. Their optimum is known by theorem, so that every solver is held to it: prints, for each instance, the seconds that each solver
took to prove it, or how far it was from it when its time was up. A solver that ran out of time is not asked about larger instances of
that reduction. `--records` puts optima of the sources, carried forward, into the library's records. Exits with 1 if an optimum, a cost
or a bound contradicts the theorem.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

import anoptima as ao
from anoptima.answer import Claim
from anoptima.errors import AnoptimaError, NotApplicable
from anoptima.exact import Exact, exact_text
from anoptima.instances.hard import Hard, hard_instances
from anoptima.instances.records import Submission, submit
from anoptima.problems.base import Problem
from benchmarks.measure import print_table

SOLVERS = (
    "auto",
    "sifting",
    "subset-dp",
    "halving",
    "hitting-set",
    "pattern/highs",
    "groups/highs",
    "attributes/highs",
)
"""Who is asked, where it is for the problem at all."""


class Trial:
    """What solvers make of one instance after the other, within seconds each; `wrong` is what contradicts the theorem."""

    def __init__(self, solvers: Iterable[str], seconds: float) -> None:
        self.wrong: list[str] = []
        self._solvers = list(solvers)
        self._seconds = seconds
        self._given_up: set[tuple[str, str]] = set()

    def cells(self, one: Hard) -> list[str]:
        """Return what each solver came to."""
        reduced, optimum = one.applied()
        found = [self._cell(one, reduced.target, optimum, solver) for solver in self._solvers]
        return [one.ending.replace(f"{one.reduction}-", ""), _size(reduced.target), exact_text(optimum), *found]

    def _cell(self, one: Hard, problem: Problem, optimum: Exact, solver: str) -> str:  # type: ignore[type-arg]
        if (one.reduction, solver) in self._given_up:
            return "-"
        try:
            answer = ao.solve(problem, solver, time_limit=self._seconds, threads=1)
        except NotApplicable:
            return ""
        except AnoptimaError as refusal:
            self._given_up.add((one.reduction, solver))
            return type(refusal).__name__
        bound = None if answer.bound is None else answer.bound.value
        if (answer.cost is not None and answer.cost < optimum) or (bound is not None and bound > optimum):
            self.wrong.append(f"{one.ending}, {solver}: cost {answer.cost}, bound {bound}; the theorem says {optimum}")
        if answer.claim is Claim.OPTIMAL:
            return f"{answer.run.seconds:.2f}"
        self._given_up.add((one.reduction, solver))
        costs = "none" if answer.cost is None else exact_text(answer.cost)
        return f"{'none' if bound is None else exact_text(bound)}..{costs}"


def _size(problem: Problem) -> str:  # type: ignore[type-arg]
    size = problem.size()
    return f"{size['rows']} x {size['columns']}"


def chosen(reduction_names: Iterable[str] | None, graphs: int, largest: int) -> dict[str, list[Hard]]:
    """Return the instances by reduction, by size: `graphs` of each order, and planted ones up to a size."""
    found: dict[str, list[Hard]] = {}
    of_order: dict[tuple[str, int], int] = {}
    for one in hard_instances():
        if reduction_names is not None and one.reduction not in reduction_names:
            continue
        number = of_order.setdefault((one.reduction, one.size), 0)
        if number < graphs and one.size <= largest:
            of_order[one.reduction, one.size] += 1
            found.setdefault(one.reduction, []).append(one)
    return found


def put_into_records() -> None:
    """Carry an optimum of each source forward, and put it into the record of the instance where it is better than what is there."""
    for one in hard_instances():
        reduced, optimum = one.applied()
        pushed = reduced.push(ao.solve(reduced.source, threads=1).require_solution())
        assert reduced.target.cost(pushed) == optimum, one.ending
        for words in submit(
            reduced.target, f"hard-{one.ending}", Submission(pushed, by="the source's optimum, pushed")
        ):
            print(words)


def main() -> int:
    """Print a table for each reduction; return 1 if a theorem was contradicted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--reduction", action="append", help="only this one (repeatable)")
    parser.add_argument("--solvers", default=",".join(SOLVERS), help="separated by commas")
    parser.add_argument("--seconds", type=float, default=20, help="for each solver and instance (default: 20)")
    parser.add_argument("--graphs", type=int, default=2, help="cubic graphs of each order (default: 2; 21 are all)")
    parser.add_argument("--largest", type=int, default=12, help="the largest size (default: 12)")
    parser.add_argument("--records", action="store_true", help="instead, put optima of the sources into the records")
    options = parser.parse_args()
    if options.records:
        put_into_records()
        return 0
    solvers = options.solvers.split(",")
    trial, tried = Trial(solvers, options.seconds), 0
    for reduction, instances in chosen(options.reduction, options.graphs, options.largest).items():
        rows = [trial.cells(one) for one in instances]
        tried += len(rows)
        kept = [3 + j for j in range(len(solvers)) if any(row[3 + j] for row in rows)]
        print_table(
            [reduction, "rows x columns", "optimum", *(solvers[j - 3] for j in kept)],
            [[*row[:3], *(row[j] for j in kept)] for row in rows],
        )
        print(flush=True)
    for words in trial.wrong:
        print(words)
    print(
        f"{tried} instances, {len(trial.wrong)} contradictions; seconds to the proof, or bound..cost after {options.seconds:g} s"
    )
    return int(bool(trial.wrong))


if __name__ == "__main__":
    sys.exit(main())
