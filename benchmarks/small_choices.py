"""What some choices of `auto` rest on: `python -m benchmarks.small_choices [--only TEXT] [--limits 1,2,4,10]`.

Sums of diameters of 30, 60 and 100 census rows (k = 3) are asked of `auto`, of prices of groups and of the search alone, at each limit;
8 to 40 points in the plane of `box-cases`, of a program, and of both at once, with three seconds; 198 and 999 numbers of 3-partition of
`auto`, with five. Prints cost and bound, and the seconds until the answer is there; and for the points, how many stay open.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

import anoptima as ao
from anoptima.solvers.portfolio import Portfolio
from benchmarks.auto_questions import census
from benchmarks.measure import print_table

DIAMETERS = ("auto", "group-prices", "diameter-descent")
BOXES, PROGRAM = "box-cases", "fake-grid/highs"
BOTH = f"{BOXES} and {PROGRAM}"
POINTS_S, NUMBERS_S = 3.0, 5.0
SUM = 1_000


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default="", help="text in the question's name")
    parser.add_argument("--limits", default="1,2,4,10", help="seconds, for diameters")
    options = parser.parse_args()
    limits = [float(limit) for limit in options.limits.split(",")]
    rows, open_points = [], Counter[str]()
    for name, problem, solver, limit in asked(limits):
        if options.only in name:
            began = time.monotonic()
            answer = solved(problem, solver, limit)
            seconds = time.monotonic() - began
            is_open = answer.claim is not ao.Claim.OPTIMAL
            open_points[solver] += is_open and name.startswith("points")
            bound = "" if answer.bound is None else str(answer.bound.value)
            rows.append(
                [name, solver, f"{limit:g}", str(answer.cost), bound, "" if is_open else "yes", f"{seconds:.1f}"]
            )
            print(*rows[-1], sep="  ", flush=True)
    print()
    print_table(["question", "solver", "limit, s", "cost", "bound", "optimal", "seconds"], rows)
    print(
        "".join(
            f"\n{count} questions about points are left open by {name}" for name, count in open_points.items() if count
        )
    )


def asked(limits: list[float]) -> Iterator[tuple[str, Any, str, float]]:
    """Yield every question with its name, a solver, and a limit in seconds."""
    for rows in (30, 60, 100):
        for solver in DIAMETERS:
            for limit in limits:
                yield f"diameters of {rows} rows, k = 3", ao.DiameterSum(census(rows), 3), solver, limit
    for count in (8, 12, 16, 20, 30, 40):
        for k in (2, 3, 4):
            for dense in (1, 2, 4):
                for solver in (BOXES, PROGRAM, BOTH):
                    yield f"points {count}, k = {k}, {dense} a box", points(count, k, dense), solver, POINTS_S
    for count in (198, 999):
        yield f"3-partition of {count} numbers", three_partition(count), "auto", NUMBERS_S


def solved(problem: Any, solver: str, limit: float) -> ao.Answer[Any]:
    """Solve by a solver of that name, or by both of the solvers for points at once."""
    if solver != BOTH:
        return ao.solve(problem, solver, time_limit=limit)
    return ao.solve(problem, Portfolio(ao.get_solver(BOXES), ao.get_solver(PROGRAM)), time_limit=limit)


def points(count: int, k: int, dense: int) -> ao.FakePoints:
    """Return points with one decimal in a square that has a unit box for every `dense` of them."""
    side = round(10 * (count / dense) ** 0.5)
    places = np.random.default_rng([count, k, dense]).integers(0, side + 1, (count, 2))
    return ao.FakePoints([[f"{int(x)}/10" for x in place] for place in places], k=k)


def three_partition(count: int) -> ao.ThreePartition:
    """Return numbers that can be put into triples of the same sum.

    >>> len(three_partition(6).numbers)
    6
    """
    source, numbers = random.Random(count), list[int]()
    for _ in range(count // 3):
        first = source.randint(260, 480)
        second = source.randint(max(251, SUM // 2 + 1 - first), min(SUM // 2 - 1, 3 * SUM // 4 - 1 - first))
        numbers += [first, second, SUM - first - second]
    return ao.ThreePartition(numbers)


if __name__ == "__main__":
    main()
