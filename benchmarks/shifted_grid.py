"""Shifted grids against the true optimum on random point sets: `python -m benchmarks.shifted_grid [INSTANCES] [SEED]`.

For every instance all offset vectors of a small width: each union must be feasible, their mean within the factor, and so the best. Prints
how near the mean came to the factor; exits 1 on a violation.
"""

from __future__ import annotations

import itertools
import random
import sys
from fractions import Fraction

from anoptima import Regime
from anoptima.answer import Budget, Clock
from anoptima.solvers.approximate.shifted_grid import Cells, factor
from anoptima.solvers.backends.registry import get_backend
from benchmarks.measure import print_table
from tests.problems.free_search import least_fakes
from tests.problems.point_sets import draw


def main(instances: int = 1000, seed: int = 0) -> int:
    """Print a line for each dimension and regime; return 1 if the theorem was violated."""
    backend = get_backend("cp-sat")
    found: dict[tuple[int, str], list[tuple[Fraction, Fraction, Fraction]]] = {}
    wrong = unions = 0
    for number in range(seed, seed + instances):
        source = random.Random(number)
        dimensions, regime = source.choice((1, 1, 2, 2, 3)), source.choice(list(Regime))
        problem = draw(source, dimensions, regime)
        width = source.randint(2, {1: 6, 2: 3, 3: 2}[dimensions])
        grids = Cells(problem, backend, Budget(), Clock())
        sizes = []
        for offsets in itertools.product(range(width), repeat=dimensions):
            union = grids.union(width, offsets)
            sizes.append(len(union.points))
            if problem.violations(union):
                wrong += 1
                print(f"seed {number}, width {width}, offsets {offsets}: {problem.violations(union)[0]}", flush=True)
        unions += len(sizes)
        fewest = least_fakes(problem.points, problem.k, problem.domain, problem.regime.value)
        allowed, mean = factor(width, problem.k, dimensions), Fraction(sum(sizes), len(sizes))
        if mean > allowed * fewest:
            wrong += 1
            print(f"seed {number}, width {width}: mean {mean}, fewest {fewest}, factor {allowed}", flush=True)
        if fewest:
            entry = mean / fewest, Fraction(min(sizes), fewest), mean / fewest / allowed
            found.setdefault((dimensions, regime.value), []).append(entry)
    rows = []
    for (dimensions, regime_name), entries in sorted(found.items()):
        means, bests, shares = zip(*entries, strict=True)
        worst = [f"{float(max(values)):.3f}" for values in (means, bests, shares)]
        rows.append([f"d = {dimensions}, {regime_name}", str(len(entries)), *worst])
    print_table(["", "instances", "worst mean / fewest", "worst best / fewest", "worst mean / (F fewest)"], rows)
    print(f"{instances:,} instances, {unions:,} unions, {wrong} violations")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
