"""How long it takes to check all principles on a table: `python -m benchmarks.check_speed`.

A synthetic table with two sensitive columns; k-anonymity, l-diversity in both versions and t-closeness in every space are decided,
and the largest k and l and the smallest t found. Reading and coding the table is not part of it, see `table_speed`.
"""

from __future__ import annotations

import argparse
import statistics
from fractions import Fraction

import anoptima as ao
from benchmarks.measure import Measured, print_table
from benchmarks.synthetic import skewed

SIZES = [50, 12, 8, 6, 5, 4, 3, 2]
DISEASES, SALARIES = 20, 40


def principles() -> dict[str, ao.Principle]:
    """One of each."""
    names = [f"v{i}" for i in range(DISEASES)]
    halves = {"left": names[: DISEASES // 2], "right": names[DISEASES // 2 :]}
    steps = [[Fraction(min(5, abs(i - j)), 5) for j in range(6)] for i in range(6)]
    return {
        "k-anonymity": ao.KAnonymity(5),
        "l-diversity, frequency": ao.LDiversity(2, "disease"),
        "l-diversity, distinct": ao.LDiversity(2, "disease", version="distinct"),
        "t-closeness, equal": ao.TCloseness("0.2", column="disease"),
        "t-closeness, ordered": ao.TCloseness("0.2", space=ao.Ordered(names), column="disease"),
        "t-closeness, hierarchical": ao.TCloseness("0.2", space=ao.Hierarchical(halves), column="disease"),
        "t-closeness, numeric": ao.TCloseness("0.2", space=ao.Numeric(), column="salary"),
        "t-closeness, matrix (6 values)": ao.TCloseness(
            "0.2", space=ao.Explicit([f"v{i}" for i in range(6)], steps), column="stage"
        ),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    frame = skewed(options.rows, [*SIZES, DISEASES, SALARIES, 6], options.seed)
    quasi = list(frame.columns[: len(SIZES)])
    frame.columns = [*quasi, "disease", "salary", "stage"]
    frame["salary"] = frame["salary"].str[1:].astype(int) * 1000
    table = ao.Table.from_frame(frame, quasi, ["disease", "salary", "stage"])
    all_of_them = principles()
    print(f"{table!r}, seed {options.seed}, median of {options.runs} runs")

    def median(*asked: ao.Principle) -> str:
        seconds = []
        for _ in range(options.runs):
            with Measured() as measured:
                ao.check(table, *asked)
            seconds.append(measured.seconds)
        return f"{statistics.median(seconds):.3f}"

    rows = [["largest k and l, smallest t", median()]]
    rows += [[f"and {name}", median(principle)] for name, principle in all_of_them.items()]
    rows.append(["and all of these but the matrix", median(*list(all_of_them.values())[:-1])])
    rows.append(["and all of these", median(*all_of_them.values())])
    print_table(["check", "seconds"], rows)


if __name__ == "__main__":
    main()
