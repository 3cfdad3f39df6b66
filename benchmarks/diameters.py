"""Diameters and stars against true optima (Meyerson and Williams 2004, sections 4.1 to 4.3): `python -m benchmarks.diameters 500`.

On N random small tables for each k: how far groups of the least diameters are from the fewest stars, at the worst choice among them; what
the theorem promises, as printed (3k), as repaired ((2k - 1)^2 / (2k)), and as it would be by the printed Lemma 4.1 ((2k - 1)(k - 1) / k);
and the worst ratios of the approximations of diameters, and of stars by way of them. Optima are those of a search through all partitions,
which shares no code with the solvers. Exits 1 if a promise is broken.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import pandas as pd

import anoptima as ao
from anoptima.solvers.approximate.diameters import StarsFromDiameters, stars_a_diameter
from benchmarks.measure import print_table

DIAMETERS = ("diameter-cover", "diameter-balls")
STARS = ("stars-from-diameter-cover", "stars-from-diameter-balls")


@dataclass(frozen=True)
class Optima:
    """Of one table: the least diameters D, the fewest stars, and the most stars of groups with diameters D."""

    diameters: int
    stars: int
    worst: int


def optima(rows: list[str], k: int) -> Optima:
    """Search all partitions into groups of k to 2k - 1 rows."""
    n = len(rows)

    @cache
    def group(members: int) -> tuple[int, int]:
        chosen = [rows[i] for i in range(n) if members >> i & 1]
        diameter = max(sum(a != b for a, b in zip(x, y, strict=True)) for x in chosen for y in chosen)
        return diameter, len(chosen) * sum(len(set(column)) > 1 for column in zip(*chosen, strict=True))

    @cache
    def best(left: int) -> tuple[int, int, int] | None:
        if not left:
            return 0, 0, 0
        first, found = left & -left, []
        rest = left - first
        part = rest
        while True:
            members = first | part
            if k <= members.bit_count() <= 2 * k - 1 and (others := best(left - members)) is not None:
                diameter, stars = group(members)
                found.append((diameter + others[0], stars + others[1], stars - others[2]))
            if not part:
                break
            part = (part - 1) & rest
        if not found:
            return None
        least = min(d for d, _, _ in found)
        # The third is minus the most stars at the least diameters; groups add to it with the same sign.
        return least, min(s for _, s, _ in found), -max(s for d, _, s in found if d == least)

    answer = best((1 << n) - 1)
    assert answer is not None
    return Optima(answer[0], answer[1], -answer[2])


@dataclass
class Worst:
    """The worst ratio of one method, and what was promised at most."""

    ratio: Fraction = Fraction(1)
    promised: Fraction = Fraction(1)
    broken: int = 0
    seen: list[Fraction] = field(default_factory=list)

    def see(self, cost: Fraction | int, best: int, promised: Fraction | int) -> None:
        """Enter one table."""
        ratio = Fraction(cost) / best if best else Fraction(1)
        self.seen.append(ratio)
        self.ratio, self.promised = max(self.ratio, ratio), Fraction(promised)
        self.broken += cost > promised * best


def main() -> int:
    """Print the tables; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diameters", description=__doc__)
    parser.add_argument("tables", type=int, nargs="?", default=200, help="tables for each k")
    options = parser.parse_args()
    broken = 0
    for k in (2, 3):
        worst = {
            name: Worst() for name in ("least diameters, worst choice", "stars-from-subset-dp", *DIAMETERS, *STARS)
        }
        for seed in range(options.tables):
            chance = random.Random(seed)
            n, m = chance.randint(2 * k, 8), chance.randint(2, 6)
            rows = ["".join(chance.choice("abcd"[: 2 + seed % 3]) for _ in range(m)) for _ in range(n)]
            table = ao.Table.from_frame(
                pd.DataFrame([list(row) for row in rows]).rename(columns=str), [str(j) for j in range(m)]
            )
            best = optima(rows, k)
            stars, diameters = ao.CellSuppression(table, ao.KAnonymity(k)), ao.DiameterSum(table, k)
            worst["least diameters, worst choice"].see(best.worst, best.stars, stars_a_diameter(k))
            for name in worst:
                if name in DIAMETERS:
                    answer, solver = ao.solve(diameters, name), ao.get_solver(name)
                    worst[name].see(answer.cost or 0, best.diameters, solver.ratio(diameters) or 0)
                elif name.startswith("stars"):
                    exact = StarsFromDiameters(ao.get_solver("subset-dp"))
                    solver = exact if name == exact.name else ao.get_solver(name)
                    worst[name].see(ao.solve(stars, solver).cost or 0, best.stars, solver.ratio(stars) or 0)
        print(
            f"k = {k}: {options.tables} tables; 3k = {3 * k}, by the printed lemma {float(Fraction((2 * k - 1) * (k - 1), k)):.3f}\n"
        )
        rows_ = [
            [
                name,
                f"{sum(r == 1 for r in w.seen)}",
                f"{float(sum(w.seen, Fraction(0)) / len(w.seen)):.3f}",
                f"{float(w.ratio):.3f}",
                f"{float(w.promised):.3f}",
                f"{w.broken}",
            ]
            for name, w in worst.items()
        ]
        print_table(["method", "optimal", "mean ratio", "worst ratio", "promised", "broken"], rows_)
        print()
        broken += sum(w.broken for w in worst.values())
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
