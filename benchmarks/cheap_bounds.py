"""How good the cheap bounds are: `python -m benchmarks.cheap_bounds`, and with `--million` what they take at 1,000,000 rows.

On N random small tables under each sort of principle: how often the bound of what each row pays alone, and the bound by levels
(`problems.levels`), is the optimum, and what part of it they are on average. Then how many small tables `near-patterns` proves optimal, if
its run begins with either bound. The optimum is that of `subset-dp`. Exits 1 if a bound is above the optimum.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from fractions import Fraction

import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.exact import Exact
from anoptima.problems.levels import by_sets
from benchmarks.measure import print_table


class RowsAlone(ao.CellSuppression):
    """Cell suppression with the bound that adds up what each row pays alone."""

    def lower_bound(self) -> Exact:
        """Return the sum over the rows."""
        return self.unscale(by_sets(self, 1)[0])


def table_of(chance: random.Random, most_rows: int) -> ao.Table:
    """Return a random table with duplicates, and weights in half of the cases."""
    n, m = chance.randint(4, most_rows), chance.randint(2, 5)
    frame = pd.DataFrame(
        {f"c{j}": [chance.choice("abcd"[: chance.choice((2, 3, 4))]) for _ in range(n)] for j in range(m)}
    )
    for row in range(1, n):
        if chance.random() < 0.2:
            frame.iloc[row] = frame.iloc[row - 1]
    quasi = [*map(str, frame)]
    weights = (
        {name: chance.choice((Fraction(1), Fraction(2), Fraction(1, 3))) for name in quasi}
        if chance.random() < 0.5
        else None
    )
    return ao.Table.from_frame(
        frame.assign(ill=[chance.choice("xyz") for _ in range(n)]), quasi, "ill", weights=weights
    )


def principles(chance: random.Random) -> dict[str, ao.Principle]:
    """Return one principle of each sort, and two together."""
    k, close = ao.KAnonymity(chance.randint(2, 4)), ao.TCloseness(chance.choice(("1/10", "1/5", "1/3")))
    return {
        "k-anonymity": k,
        "frequency l-diversity": ao.LDiversity(chance.choice((2, "5/2"))),
        "distinct l-diversity": ao.LDiversity(chance.choice((2, 3)), version="distinct"),
        "t-closeness": close,
        "2-anonymity and t-closeness": ao.KAnonymity(2) & close,
    }


def main() -> int:
    """Print the tables; return 1 if a bound is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cheap_bounds", description=__doc__)
    parser.add_argument("--tables", type=int, default=200, help="tables of each sort")
    parser.add_argument("--near", type=int, default=74, help="tables for near-patterns")
    parser.add_argument("--rows", type=int, default=9, help="rows at most")
    parser.add_argument("--million", action="store_true", help="what the bounds take at 1,000,000 rows instead")
    options = parser.parse_args()
    return million() if options.million else small(options.tables, options.rows) + near(options.near)


def small(tables: int, most_rows: int) -> int:
    """Hold both bounds against the optimum."""
    found: dict[str, list[tuple[Exact, Exact, Exact]]] = {}
    for seed in range(tables):
        chance = random.Random(seed)
        table = table_of(chance, most_rows)
        for name, principle in principles(chance).items():
            problem = ao.CellSuppression(table, principle)
            if problem.why_infeasible() is None:
                best = ao.solve(problem, "subset-dp").cost
                assert best is not None
                alone = RowsAlone(table, principle).lower_bound()
                found.setdefault(name, []).append((best, alone, problem.lower_bound()))
    print_table(
        ["principle", "tables", "rows alone: optimal", "of the optimum", "levels: optimal", "of the optimum"],
        [
            [name, f"{len(cases)}", *(text for at in (1, 2) for text in (_optimal(cases, at), _part(cases, at)))]
            for name, cases in found.items()
        ],
    )
    wrong = sum(max(case[1:]) > case[0] for cases in found.values() for case in cases)
    print(f"{wrong} bounds above the optimum\n")
    return int(wrong > 0)


def _optimal(cases: list[tuple[Exact, Exact, Exact]], at: int) -> str:
    return f"{sum(case[at] == case[0] for case in cases)}"


def _part(cases: list[tuple[Exact, Exact, Exact]], at: int) -> str:
    parts = [Fraction(case[at]) / case[0] if case[0] else Fraction(1) for case in cases]
    return f"{float(sum(parts, Fraction(0)) / len(parts)):.1%}"


def near(tables: int) -> int:
    """Count what `near-patterns` proves from either bound."""
    proved = {RowsAlone: 0, ao.CellSuppression: 0}
    for seed in range(tables):
        chance = random.Random(10**6 + seed)
        table, k = table_of(chance, 12), chance.randint(2, 4)
        for kind in proved:
            proved[kind] += ao.solve(kind(table, ao.KAnonymity(k)), "near-patterns").claim is ao.Claim.OPTIMAL
    before, after = proved.values()
    print(
        f"near-patterns proves {before} of {tables} small tables from what rows pay alone, and {after} from the levels"
    )
    return 0


def million() -> int:
    """Time both bounds on 1,000,000 rows of eight columns."""
    chance = np.random.default_rng(1)
    widths = (2, 3, 5, 8, 12, 20, 60, 100)
    frame = pd.DataFrame({f"c{j}": chance.integers(0, width, 1_000_000) for j, width in enumerate(widths)})
    table = ao.Table.from_frame(frame, [*map(str, frame)])
    rows = []
    for k in (2, 5, 50):
        for kind, name in ((RowsAlone, "rows alone"), (ao.CellSuppression, "levels")):
            problem = kind(table, ao.KAnonymity(k))
            began = time.monotonic()
            bound = problem.lower_bound()
            rows.append([str(k), name, f"{bound:,}", f"{time.monotonic() - began:.1f} s"])
    print_table(["k", "bound", "value", "time"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
