"""Every reduction on whole families of small problems, and every broken version of each: `python -m benchmarks.reductions`.

Prints the table of `anoptima reduce --selftest`, with as many problems as asked for and all mutants, and with `--mutations` a line for each
mutant with the complaint that it drew. Ends with exit code 1 if a theorem failed or a mutant was not noticed.
"""

from __future__ import annotations

import argparse
import sys
import time

from anoptima.reductions import reductions
from anoptima.testing.selftest import THICK, Line, SelfTest, selftest


def main() -> int:
    """Run it, a reduction at a time, so that what is done is seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--instances", type=int, default=1000, help="how many problems a reduction at most (default: 1000)"
    )
    parser.add_argument(
        "--at-least", type=int, default=THICK, help=f"yes-instances and no-instances of each (default: {THICK})"
    )
    parser.add_argument("--reduction", action="append", help="only this one (repeatable)")
    parser.add_argument("--mutations", action="store_true", help="say what every mutant changed, and who noticed")
    arguments = parser.parse_args()
    lines: list[Line] = []
    for name in arguments.reduction or [reduction.name for reduction in reductions.all()]:
        began = time.monotonic()
        result = selftest(arguments.instances, None, [reductions.get(name)], arguments.at_least)
        lines += result.lines
        print(f"{result.text()}\n{time.monotonic() - began:.0f} s", flush=True)
        if arguments.mutations:
            for line in result.lines:
                for mutant, complaint in line.mutants.items():
                    print(f"  {mutant.sort:8}  {mutant.change}: {complaint or 'NOT NOTICED':.160}")
    whole = SelfTest(tuple(lines))
    print(whole.text())
    return 0 if whole.passed else 1


if __name__ == "__main__":
    sys.exit(main())
