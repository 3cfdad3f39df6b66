"""How long it takes to find the distinct ones of whole numbers, by numpy and by sorting: `python -m benchmarks.distinct`.

Milliseconds, the best of some runs, of as many numbers as are given: all different, and ten times each.
"""

from __future__ import annotations

import argparse
import timeit

import numpy as np

from anoptima.distinct import distinct
from benchmarks.measure import print_table


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("numbers", type=int, nargs="*", default=[1_000, 100_000, 1_000_000])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    chance = np.random.default_rng(1)
    lines = []
    for count in options.numbers:
        for kinds, values in (("all", chance.permutation(count)), ("a tenth", chance.integers(0, count // 10, count))):
            theirs, ours = (
                1000 * min(timeit.repeat(lambda find=find, its=values: find(its), repeat=options.runs, number=1))
                for find in (np.unique, distinct)
            )
            lines.append([f"{count:,}", kinds, f"{theirs:.2f}", f"{ours:.2f}", f"{theirs / ours:.1f}"])
    print(f"numpy {np.__version__}")
    print_table(["numbers", "different", "np.unique, ms", "sorted, ms", "ratio"], lines)


if __name__ == "__main__":
    main()
