"""Facility location with lower bounds and metric costs, against true optima: `python -m benchmarks.facility_ratios 300`.

On N random small instances of each sort (places on a line, in the plane with city blocks, and rows as facilities): how often each
approximation finds the optimum, its worst ratio, and what is promised; for `facility-gather` also of the optimum at the lower bound 2L.
Then what stars cost if the rows of a table are gathered so, beside the fewest stars. Exits 1 if a promise is broken.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterator
from fractions import Fraction

import pandas as pd

import anoptima as ao
from anoptima.exact import Exact
from anoptima.solvers.approximate.facilities import FacilityGather, rows_as_facilities
from benchmarks.measure import print_table

SOLVERS = ("facility-stars", "facility-gather")


def optimum(problem: ao.LowerBoundedFacilities, least: int) -> Exact:
    """Try every set of open facilities, and every way to deal the clients one by one, the rest in order of what is still missing."""
    units = [c for c, count in enumerate(problem.clients) for _ in range(count)]
    best: Exact | None = None
    for size in range(1, len(units) // least + 1):
        for opened in itertools.combinations(problem.facilities, size):
            states: dict[tuple[int, ...], Exact] = {(0,) * size: 0}
            for c in units:
                later: dict[tuple[int, ...], Exact] = {}
                for held, paid in states.items():
                    for at, f in enumerate(opened):
                        more = (*held[:at], min(least, held[at] + 1), *held[at + 1 :])
                        cost = paid + problem.costs[f, c]
                        if more not in later or cost < later[more]:
                            later[more] = cost
                states = later
            full = states.get((least,) * size)
            if full is not None and (best is None or full < best):
                best = full
    assert best is not None
    return best


def instances(seed: int) -> Iterator[tuple[str, ao.LowerBoundedFacilities]]:
    """Yield a metric instance of each sort."""
    chance = random.Random(seed)
    least = chance.choice((1, 2, 3))
    for name, dimensions in (("line", 1), ("plane", 2)):
        sorts, facilities = chance.randint(2, 6), chance.randint(1, 5)
        places = [[chance.randint(0, 12) for _ in range(dimensions)] for _ in range(sorts + facilities)]
        connections = [
            (f, c, sum(abs(a - b) for a, b in zip(places[c], places[sorts + f], strict=True)))
            for f in range(facilities)
            for c in range(sorts)
        ]
        clients = [chance.choice((1, 1, 2, 3)) for _ in range(sorts)]
        yield name, ao.LowerBoundedFacilities([*clients[:-1], clients[-1] + least], connections, least)
    yield "rows", rows_as_facilities(table_of(chance, least), max(2, least))


def table_of(chance: random.Random, least: int) -> ao.Table:
    """Return a random table of five to eight rows."""
    columns = [str(j) for j in range(chance.randint(2, 5))]
    rows = [[chance.choice("abc") for _ in columns] for _ in range(chance.randint(max(5, 2 * least), 8))]
    return ao.Table.from_frame(pd.DataFrame(rows, columns=columns), columns)


def main() -> int:
    """Print the table; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.facility_ratios", description=__doc__)
    parser.add_argument("instances", type=int, nargs="?", default=100, help="instances of each sort")
    options = parser.parse_args()
    ratios: dict[tuple[str, str], list[Fraction]] = {}
    broken, promises = 0, {"facility-stars": "4 L", "facility-gather": "-", "facility-gather, of OPT at 2L": "5.583"}
    for seed in range(options.instances):
        for sort, problem in instances(seed):
            best = optimum(problem, problem.least)
            for name in SOLVERS:
                answer, solver = ao.solve(problem, name), ao.get_solver(name)
                promised = solver.ratio(problem)
                cost = Fraction(answer.cost or 0)
                broken += cost < best or (promised is not None and cost > promised * best)
                broken += answer.bound is not None and answer.bound.value > best
                ratios.setdefault((name, sort), []).append(cost / best if best else Fraction(1))
                if name == "facility-gather" and sum(problem.clients) >= 2 * problem.least:
                    relaxed = optimum(problem, 2 * problem.least)
                    broken += cost > FacilityGather.relaxed_ratio * relaxed
                    ratios.setdefault((f"{name}, of OPT at 2L", sort), []).append(
                        cost / relaxed if relaxed else Fraction(1)
                    )
    rows = [
        [
            name,
            sort,
            f"{len(some)}",
            f"{sum(r == 1 for r in some)}",
            f"{float(sum(some, Fraction(0)) / len(some)):.3f}",
            f"{float(max(some)):.3f}",
            promises[name],
        ]
        for (name, sort), some in sorted(ratios.items())
    ]
    print_table(["method", "places", "instances", "optimal", "mean ratio", "worst ratio", "promised"], rows)
    print(f"{broken} promises broken")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
