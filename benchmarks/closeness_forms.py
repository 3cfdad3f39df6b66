"""t-closeness by one-sided surpluses (`pattern`) and by flows (`pattern-flows`), in pairs on samples like a census.

    python -m benchmarks.closeness_forms [SAMPLES] [ROWS] [SECONDS]

Prints a line a pair: columns and rows of each program, seconds and what was proved; then the mean ratio of the seconds for each space.
Exits 1 if two proved optima differ.
"""

from __future__ import annotations

import math
import random
import sys

import pandas as pd

import anoptima as ao

VALUES = {
    "age": ("17-29", "30-39", "40-49", "50-64", "65-90"),
    "education": ("school", "college", "bachelor", "master"),
    "married": ("yes", "no", "was"),
    "sex": ("m", "f"),
    "country": ("here", "near", "far"),
}
INCOME = ["none", "low", "middle", "good", "high", "top"]
SPACES: dict[str, ao.Space] = {
    "equal": ao.EqualDistance(),
    "ordered": ao.Ordered(INCOME),
    "hierarchical": ao.Hierarchical([INCOME[:2], INCOME[2:4], INCOME[4:]]),
}


def sample(rows: int, seed: int) -> ao.Table:
    """Draw a table with skewed columns, and an income that goes with age and education."""
    chance = random.Random(seed)

    def skewed(values: tuple[str, ...]) -> str:
        return chance.choices(values, [2.0**-place for place in range(len(values))])[0]

    lines = []
    for _ in range(rows):
        line = {name: skewed(values) for name, values in VALUES.items()}
        rank = VALUES["age"].index(line["age"]) / 2 + VALUES["education"].index(line["education"])
        line["income"] = INCOME[min(5, max(0, round(rank + chance.gauss(0.5, 1.2))))]
        lines.append(line)
    return ao.Table.from_frame(pd.DataFrame(lines), list(VALUES), "income")


def main(samples: int = 4, rows: int = 60, seconds: int = 120) -> int:
    """Run the pairs."""
    print(f"{'space':14}{'seed':>5}{'form':>15}{'columns':>9}{'rows':>8}{'seconds':>9}{'cost':>6}{'bound':>8}  claim")
    wrong = 0
    for name, space in SPACES.items():
        logs = []
        for seed in range(samples):
            problem = ao.CellSuppression(sample(rows, seed), ao.KAnonymity(2) & ao.TCloseness("3/10", space=space))
            times, optima = {}, set()
            for form in ("pattern", "pattern-flows"):
                form_model = ao.get_model(form).build(problem)
                answer = ao.solve(problem, f"{form}/highs", start=None, time_limit=seconds, threads=1)
                times[form] = answer.run.solving_seconds
                if answer.claim is ao.Claim.OPTIMAL:
                    optima.add(answer.cost)
                matrix = form_model.matrix
                bound = answer.bound.value if answer.bound else "-"
                print(
                    f"{name:14}{seed:>5}{form:>15}{matrix.columns:>9,}{matrix.rows:>8,}{times[form]:>9.1f}"
                    f"{answer.cost!s:>6}{bound!s:>8}  {answer.claim.value}",
                    flush=True,
                )
            wrong += len(optima) > 1
            logs.append(math.log(times["pattern-flows"] / times["pattern"]))
        print(
            f"{name}: flows take {math.exp(sum(logs) / len(logs)):.2f} times as long, in the geometric mean", flush=True
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
