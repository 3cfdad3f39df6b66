"""Every grouping formulation x backend against trying everything, on random tiny instances.

    python -m benchmarks.agreement_groups [INSTANCES] [SEED]

Prints a table of instances, those without a solution, and disagreements, which are told in full; exits 1 if there are any.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.grouping import KINDS, judge, seeded


def main(instances: int = 500, seed: int = 0) -> int:
    """Run `instances` of each kind, with seeds from `seed` on."""
    print(f"{'problem':24}{'solver':34}{'instances':>10}{'infeasible':>12}{'disagree':>10}")
    wrong = 0
    for kind, (make, formulations) in KINDS.items():
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
    sys.exit(main(*map(int, sys.argv[1:])))
