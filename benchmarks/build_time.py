"""What building a model takes beside solving it: `python -m benchmarks.build_time`.

Cell suppression under k-anonymity of a synthetic table, by the pattern program. The size and the memory that it will take are printed
before it is built, and then what it took.
"""

from __future__ import annotations

import argparse

import anoptima as ao
from anoptima.models import models
from benchmarks.measure import Measured, peak_text, print_table
from benchmarks.synthetic import skewed

SIZES = [8, 6, 12, 5, 10, 4, 7, 9]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--columns", type=int, default=6, choices=range(1, len(SIZES) + 1))
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--solver", default="pattern/highs", help="a model on a backend")
    parser.add_argument("--time-limit", type=float, default=60.0)
    options = parser.parse_args()

    frame = skewed(options.rows, SIZES[: options.columns], options.seed)
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(options.k))
    print(f"{problem.table!r}, {problem.principle}, seed {options.seed}")

    model = models.get(options.solver.partition("/")[0])
    with Measured() as estimating:
        size = model.estimate(problem)
    print(
        f"before building: {size}, {', '.join(f'{number:,} {name}' for name, number in size.detail.items())}",
        flush=True,
    )

    with Measured() as building:
        built = model.build(problem)
        values = built.encode(problem.trivial())
    del built, values

    answer = ao.solve(problem, options.solver, time_limit=options.time_limit)
    solving = answer.run.seconds - answer.run.build_seconds
    share = answer.run.build_seconds / answer.run.seconds
    print_table(
        ["", "seconds", "memory at the peak"],
        [
            ["estimate (finds the patterns)", f"{estimating.seconds:.2f}", peak_text(estimating)],
            ["build, and encode a start", f"{building.seconds:.2f}", peak_text(building)],
            ["build, within the solve", f"{answer.run.build_seconds:.2f}", ""],
            ["the rest of the solve", f"{solving:.2f}", ""],
        ],
    )
    print(
        f"building is {share:.1%} of the whole; {size.memory / (building.peak or 1):.2f} times the memory taken was announced"
    )
    print(answer)


if __name__ == "__main__":
    main()
