"""Formulas as fake boxes, there and back: `python -m benchmarks.planar_three_sat`.

First the figures of the theory, with the full program for fake boxes (fakes anywhere) where it can be solved; then random planar
formulas, whose satisfiability is known by trying everything, and formulas on the edges of triangulations, whose variables need not fit on
a line without copies. Each goes on a line, into patches and into boxes for k = 2, 3 and 5; the fewest windows are found by a program,
assignments are pushed and covers are pulled. Exits with 1 if anything is not as promised.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterable

import anoptima as ao
from anoptima.instances import formulas
from anoptima.reductions.planar_three_sat_to_fake_boxes import FormulaInBoxes, PlanarThreeSatToFakeBoxes
from tests.reductions.planar_trial import faults, fewest_windows, random_formula, sat_of, triangulated

FIGURES = [
    ("(x)", formulas.one_literal(), 20, 20),
    ("(x)(-x), either side", formulas.contradiction(), 27, 26),
    ("(x)(-x), both above", formulas.contradiction(both_above=True), 37, 36),
    ("(x or y or z)", formulas.one_clause(), 79, 79),
    ("(x or y or z)(-x or -y or -z)", formulas.not_all_equal(), 116, 116),
    ("all two-literal clauses", formulas.all_two_literal_clauses(), 176, 175),
    ("(x)(y)(z)(-x or -y or -z)", formulas.three_units(), 98, 97),
    ("(x)(y)(-z)(-x or -y or -z)", formulas.three_units(last_holds=False), 97, 97),
]


def main() -> int:
    """Print both tables; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--formulas", type=int, default=60, help="how many random ones (default: 60)")
    parser.add_argument("--variables", type=int, default=5, help="of a random formula, at most (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="of the first one; they count up from it")
    parser.add_argument("--triangulated", type=int, default=3, help="how many that need copies, or may (default: 3)")
    parser.add_argument("--whole", type=int, default=2, help="for how many of the figures the full program is solved")
    arguments = parser.parse_args()
    wrong = figures(arguments.whole)
    seeds = range(arguments.seed, arguments.seed + arguments.formulas)
    wrong += random_ones(random_formula(random.Random(seed), arguments.variables) for seed in seeds)
    seeds = range(arguments.seed, arguments.seed + arguments.triangulated)
    wrong += random_ones(triangulated(random.Random(seed)) for seed in seeds)
    print(f"{wrong} faults")
    return int(wrong > 0)


def figures(whole: int) -> int:
    """Print the theory's figures; return how many are not met."""
    print(f"{'formula':<30} {'patches':>8} {'boxes':>6} {'l':>4} {'OPT':>4} {'fakes anywhere':>15} {'seconds':>8}")
    wrong = 0
    for number, (name, problem, optimum, threshold) in enumerate(FIGURES):
        began = time.monotonic()
        reduced = PlanarThreeSatToFakeBoxes().apply(problem)
        assert isinstance(reduced, FormulaInBoxes)
        windows, _ = fewest_windows(reduced.patches.layout.cover)
        anywhere = ao.solve(reduced.target, "fake-depths/cp-sat").cost if number < whole else None
        good = (windows, reduced.threshold()) == (optimum, threshold) and anywhere in (None, optimum)
        wrong += not good
        sizes = f"{len(reduced.patches.layout.patches):>8} {reduced.target.size()['boxes']:>6}"
        found = f"{reduced.threshold():>4} {windows:>4} {'' if anywhere is None else str(anywhere):>15}"
        print(f"{name:<30} {sizes} {found} {time.monotonic() - began:>8.1f}{'' if good else '  WRONG'}", flush=True)
    return wrong


def random_ones(problems: Iterable[ao.PlanarThreeSat]) -> int:
    """Print a table of formulas by their number of variables; return the number of faults."""
    print(
        f"\n{'variables':>9} {'formulas':>9} {'yes':>4} {'no':>4} {'copies':>7} {'patches':>8} {'faults':>7} {'seconds':>8}"
    )
    rows: dict[int, list[float]] = {}
    for number, problem in enumerate(problems):
        began = time.monotonic()
        reduced = PlanarThreeSatToFakeBoxes().apply(problem)
        assert isinstance(reduced, FormulaInBoxes)
        row = rows.setdefault(problem.formula.variables, [0, 0, 0, 0, 0, 0, 0])
        found = list(faults(problem, number, (2, 3, 5), reduced))
        for fault in found:
            print(f"   {problem}: {fault}")
        satisfiable = sat_of(problem.formula)
        copies = len(reduced.line.original)
        more = (1, satisfiable, not satisfiable, copies, len(reduced.patches.layout.patches), len(found))
        row[:] = [old + new for old, new in zip(row, (*more, time.monotonic() - began), strict=True)]
    for size, (count, yes, no, copies, patches, wrong, seconds) in sorted(rows.items()):
        print(f"{size:>9} {count:>9} {yes:>4} {no:>4} {copies:>7} {patches:>8} {wrong:>7} {seconds:>8.1f}")
    return int(sum(row[5] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
