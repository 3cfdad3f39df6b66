"""3-partitions hidden in tables of one column: `python -m benchmarks.hidden_triples 3`.

For every list of six numbers from 0 to the one given, sorted, with an even sum: the optimum of its table under 1/2-closeness by `--solver`,
which has to be the theorem's cost exactly if trying all triples finds a 3-partition, and more otherwise. Exits with 1 if not.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Sequence

import anoptima as ao
from anoptima.instances.three_partition import hidden_triples
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


def lists(most: int) -> list[tuple[int, ...]]:
    """Return the lists of six numbers up to `most`, the least of them 0, with an even sum."""
    found = itertools.combinations_with_replacement(range(most + 1), 6)
    return [numbers for numbers in found if numbers[0] == 0 and sum(numbers) % 2 == 0]


def main() -> int:
    """Print the counts; return 1 if the theorem fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("most", type=int, nargs="?", default=3, help="the largest number")
    parser.add_argument("--solver", default="least-residue")
    options = parser.parse_args()
    rows, wrong = [], 0
    for numbers in lists(options.most):
        hidden, yes = hidden_triples(numbers), has_partition(numbers)
        began = time.monotonic()
        answer = ao.solve(hidden.problem, options.solver, start=None)
        assert answer.cost is not None
        right = answer.cost == hidden.threshold if yes else answer.cost > hidden.threshold
        wrong += not right or answer.claim is not ao.Claim.OPTIMAL
        rows.append(
            [
                " ".join(map(str, numbers)),
                f"{hidden.problem.table.rows:,}",
                "yes" if yes else "no",
                f"{hidden.threshold}",
                f"{answer.cost}",
                f"{time.monotonic() - began:.1f}",
            ]
        )
    print_table(["numbers", "rows", "3-partition", "4 nu", "optimum", "seconds"], rows)
    yes_count = sum(row[2] == "yes" for row in rows)
    print(f"{len(rows)} lists, {yes_count} with a 3-partition and {len(rows) - yes_count} without; {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
