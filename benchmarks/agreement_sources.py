"""Every source problem, formulation and backend against brute force on random instances: `python -m benchmarks.agreement_sources`.

Prints a table of methods with the number of instances on which each agreed, and ends with exit code 1 if one disagreed anywhere; the
instance is printed then, as Python.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.cases import seeded
from tests.sources.instances import make
from tests.sources.trial import verdicts


def main() -> int:
    """Run the trial."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--instances", type=int, default=500, help="how many a problem (default: 500)")
    parser.add_argument("--seed", type=int, default=0, help="of the first one; they count up from it")
    parser.add_argument("--problem", choices=make, action="append", help="only this one (repeatable)")
    arguments = parser.parse_args()
    agreed: Counter[tuple[str, str]] = Counter()
    tried: Counter[tuple[str, str]] = Counter()
    began = time.monotonic()
    for name in arguments.problem or make:
        for seed in range(arguments.seed, arguments.seed + arguments.instances):
            case = make[name](seeded(seed))
            for verdict in verdicts(case, seed):
                tried[verdict.problem, verdict.method] += 1
                agreed[verdict.problem, verdict.method] += not verdict.wrong
                for words in verdict.wrong:
                    print(f"{name}, seed {seed}, {verdict.method}: {words}\n    {case.problem!r}", file=sys.stderr)
    width = max(len(problem) for problem, _ in tried), max(len(method) for _, method in tried)
    print(f"{'problem':{width[0]}}  {'method':{width[1]}}  agreed")
    for (problem, method), times in tried.items():
        print(f"{problem:{width[0]}}  {method:{width[1]}}  {agreed[problem, method]} of {times}")
    wrong = sum(tried.values()) - sum(agreed.values())
    print(f"{sum(tried.values()):,} verdicts, {wrong} disagreements, {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
