"""Fake points: every program on every backend, and on a line the layers, against a free search on a grid twice as fine, in 1, 2 and 3
dimensions and 3 regimes.

    python -m benchmarks.agreement_fake_points [INSTANCES A CELL OF THE TABLE]

Prints a table and exits with 1 if anything disagrees. Says also for how many sets the optimum is below the trivial solution, and
above the cheap bound.
"""

from __future__ import annotations

import random
import sys
import time

import anoptima as ao
from anoptima.solvers.backends.registry import get_backend
from tests.problems.free_search import least_fakes
from tests.problems.point_sets import draw

SOLVERS = [("fake-grid", "highs"), ("fake-grid", "cp-sat"), ("fake-depths", "cp-sat")]
LAYERS = "line-layers"
EACH = 60


def main(each: int = EACH) -> int:
    """Print the table; return the exit code."""
    print(f"{'d':>2} {'regime':<13} {'sets':>5} {'below trivial':>14} {'above bound':>12} {'agree':>6} {'seconds':>8}")
    wrong = total = 0
    for dimensions in (1, 2, 3):
        for regime in ao.Regime:
            began, agreeing, below, above = time.monotonic(), 0, 0, 0
            for number in range(each):
                problem = draw(random.Random(f"{dimensions} {regime.value} {number}"), dimensions, regime)
                least = least_fakes(problem.points, problem.k, problem.domain, regime.value)
                faults = faults_on(problem, least)
                agreeing += not faults
                below += least < problem.cost(problem.trivial())
                above += least > problem.lower_bound()
                for fault in faults:
                    print(f"   {problem}: {fault}")
            wrong, total = wrong + each - agreeing, total + each
            seconds = time.monotonic() - began
            print(
                f"{dimensions:>2} {regime.value:<13} {each:>5} {below:>14} {above:>12} {agreeing:>6} {seconds:>8.1f}",
                flush=True,
            )
    print(f"{total - wrong} of {total} point sets agree, each with {len(SOLVERS)} program/backend pairs in two views")
    return int(wrong > 0)


def faults_on(problem: ao.FakePoints, least: int) -> list[str]:
    """Say which program finds another optimum than `least`, or a solution that is none; the programs alone, without starts."""
    faults = []
    views: list[ao.FakePoints | ao.FakeBoxes] = [problem, ao.FakeBoxes.of(problem)]
    for model, backend in SOLVERS:
        for view in views:
            built = ao.get_model(model).build(view)
            outcome = get_backend(backend).solve(built, ao.Budget(threads=1))
            if outcome.values is None:
                faults.append(f"{model}/{backend} finds nothing for {view.name}")
                continue
            solution = built.decode(outcome.values)
            cost, wrong = view.cost(solution), view.violations(solution)
            if wrong or cost != least or outcome.bound != least:
                faults.append(f"{model}/{backend}, {view.name}: {cost}, bound {outcome.bound}, not {least} {wrong[:1]}")
    if problem.dimensions == 1:
        answer = ao.solve(problem, LAYERS, threads=1)
        if answer.claim is not ao.Claim.OPTIMAL or answer.cost != least:
            faults.append(f"{LAYERS}: {answer.cost}, {answer.claim.value}, not {least}")
    return faults


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
