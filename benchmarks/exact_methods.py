"""Every exact method against every other, and against trying everything, on random tiny instances.

    python -m benchmarks.exact_methods [INSTANCES] [SEED]

Tables with all principles, groups and diameter sums, simplex matchings, choices of columns: `INSTANCES` of each sort. Prints on how many
each of our own exact algorithms and of the models on HiGHS and CP-SAT found the brute force's optimum; exits 1 if one did not.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import anoptima as ao
from anoptima.models import models
from anoptima.solvers import algorithms
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.modelled import Modelled
from benchmarks.measure import print_table
from tests.cases import make_case, seeded
from tests.grouping import KINDS
from tests.simplex_instances import KINDS as COSTS
from tests.simplex_instances import draw_costs, least_cost, problem_of
from tests.trial import choices, questions


def instances(number: int) -> Iterator[tuple[str, Any, Any]]:
    """Yield the sort of an instance, the problem, and its optimum, None if there is no solution."""
    for question in questions(make_case(choices(number), 8, 4)):
        yield question.problem.name, question.problem, question.optimum
    for kind in ("k-anonymity", "frequency l-diversity", "t-closeness on trees", "diameter sum"):
        instance = KINDS[kind][0](seeded(number))
        yield f"{instance.problem.name}, {kind}", instance.problem, instance.optimum
    n, costs = draw_costs(random.Random(number), COSTS[number % len(COSTS)])
    yield "simplex-matching", problem_of(n, costs), least_cost(n, costs)


def exact_solvers() -> list[Solver[Any]]:
    """Return our exact algorithms, and each model on the backend of ours that takes it."""
    backends = [get_backend(name) for name in ("highs", "cp-sat")]
    modelled = [Modelled(model, backend) for model in models.all() for backend in backends]
    return [solver for solver in (*algorithms.all(), *modelled) if solver.kind is not Kind.APPROXIMATE]


def main(number: int = 300, seed: int = 0) -> int:
    """Print the counts; return 1 if anything disagrees."""
    solvers = exact_solvers()
    tried: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    refused: Counter[tuple[str, str]] = Counter()
    for place in range(seed, seed + number):
        for sort, problem, optimum in instances(place):
            for solver in solvers:
                if solver.why_not(problem) is not None:
                    refused[sort, solver.name] += 1
                    continue
                try:
                    answer = ao.solve(problem, solver, start=None, threads=1)
                except ao.NotApplicable:  # a backend's doubles do not tell the largest costs here apart
                    refused[sort, solver.name] += 1
                    continue
                tried[sort, solver.name] += 1
                claim = ao.Claim.INFEASIBLE if optimum is None else ao.Claim.OPTIMAL
                if answer.claim is not claim or answer.cost != optimum or not answer.verify():
                    wrong[sort, solver.name] += 1
                    print(f"{solver.name} on {sort}, seed {place}: {answer}; the optimum is {optimum}", flush=True)
    rows = [
        [f"{sort}: {name}", f"{count:,}", f"{refused[sort, name]:,}", f"{wrong[sort, name]:,}"]
        for (sort, name), count in sorted(tried.items())
    ]
    print_table(["", "tried", "not for it", "wrong"], rows)
    print(f"{number:,} seeds from {seed}, {sum(tried.values()):,} answers, {sum(wrong.values())} wrong")
    return int(sum(wrong.values()) > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
