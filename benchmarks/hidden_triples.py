"""3-partitions as tables of one column (`3-partition-to-t-closeness`): `python -m benchmarks.hidden_triples 8`.

For every sorted list of six numbers with an even sum up to the one given, the least of them 0: the optimum of its table under
1/2-closeness by `--solver`. It must be the theorem's threshold exactly if trying all triples finds a 3-partition, and more otherwise.
Exits with 1 if not.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Sequence

import anoptima as ao
from anoptima.reductions import reductions
from anoptima.testing.families.matchings import all_numbers
from benchmarks.measure import print_table


def has_partition(numbers: Sequence[int]) -> bool:
    """Tell whether numbers go into triples of one sum, by trying all.

    >>> has_partition([0, 0, 1, 1, 2, 2]), has_partition([0, 0, 0, 2, 2, 2])
    (True, False)
    """
    aim = 3 * sum(numbers) // len(numbers)

    def goes(left: tuple[int, ...]) -> bool:
        if not left:
            return True
        first, rest = left[0], left[1:]
        return any(
            first + rest[i] + rest[j] == aim and goes(tuple(b for k, b in enumerate(rest) if k not in (i, j)))
            for i, j in itertools.combinations(range(len(rest)), 2)
        )

    return goes(tuple(numbers))


def main() -> int:
    """Print the counts; return 1 if the theorem fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("most", type=int, nargs="?", default=8, help="the largest sum")
    parser.add_argument("--solver", default="least-residue")
    options = parser.parse_args()
    rows, wrong = [], 0
    theorem = reductions.get("3-partition-to-t-closeness")
    for problem in all_numbers(2, options.most):
        reduced, yes = theorem.apply(problem), has_partition(problem.addends)
        began = time.monotonic()
        answer = ao.solve(reduced.target, options.solver, start=None)
        assert answer.cost is not None
        right = answer.cost == reduced.threshold() if yes else answer.cost > reduced.threshold()
        wrong += not right or answer.claim is not ao.Claim.OPTIMAL
        rows.append(
            [
                " ".join(map(str, problem.addends)),
                f"{reduced.target.size()['rows']:,}",
                "yes" if yes else "no",
                f"{reduced.threshold()}",
                f"{answer.cost}",
                f"{time.monotonic() - began:.1f}",
            ]
        )
    print_table(["numbers", "rows", "3-partition", "threshold", "optimum", "seconds"], rows)
    yes_count = sum(row[2] == "yes" for row in rows)
    print(f"{len(rows)} lists, {yes_count} with a 3-partition and {len(rows) - yes_count} without; {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
