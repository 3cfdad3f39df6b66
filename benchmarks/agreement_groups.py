"""Every grouping formulation x backend against trying everything, on random tiny instances.

    python -m benchmarks.agreement_groups [INSTANCES] [SEED] [PROBLEM ...]

Prints a table of instances, those without a solution, and disagreements, which are told in full; exits 1 if there are any.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from tests.cases import seeded
from tests.grouping import KINDS, judge


def main(instances: int = 500, seed: int = 0, kinds: Sequence[str] = ()) -> int:
    """Run `instances` of each of `kinds`, all of them unless said, with seeds from `seed` on."""
    print(f"{'problem':24}{'solver':34}{'instances':>10}{'infeasible':>12}{'disagree':>10}")
    wrong = 0
    for kind in kinds or KINDS:
        make, formulations = KINDS[kind]
        tried, infeasible, disagree = Counter[str](), Counter[str](), Counter[str]()
        for number in range(seed, seed + instances):
            instance = make(seeded(number))
            for solver, words in judge(instance, formulations):
                tried[solver] += 1
                infeasible[solver] += instance.optimum is None
                if words:
                    disagree[solver] += 1
                    print(f"{kind}, seed {number}, {solver}: {words}\n    {instance.told}", flush=True)
        for solver in sorted(tried):
            print(f"{kind:24}{solver:34}{tried[solver]:>10}{infeasible[solver]:>12}{disagree[solver]:>10}", flush=True)
        wrong += sum(disagree.values())
    return int(wrong > 0)


if __name__ == "__main__":
    numbers, words = sys.argv[1:3], sys.argv[3:]
    sys.exit(main(*map(int, numbers), kinds=words))
