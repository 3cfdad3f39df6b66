"""Other tools beside anoptima on census rows: `python -m benchmarks.other_tools --tools PYTHON [--rows 1000,30162] [-k 5]`.

PYTHON is the interpreter of an environment with the tools; they need versions of packages that anoptima does not:

    python -m venv tools && tools/bin/python -m pip install pycanon anonypy anjana

Three tables. What pycanon measures in a release, beside what `ao.check` says of it, which must agree. The groups of anonypy's Mondrian,
with the stars that they cost, beside `mondrian-relaxed`, `auto` and its bound. The columns and rows that anjana drops where a value can
only become a star, beside the cheapest columns and the fewest stars. Seconds are those of a tool's own call, whatever else the machine
does: read them as ratios. Exits with 1 if a measure differs or a tool's groups are not what they should be.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import anoptima as ao
from benchmarks.measure import print_table

QUASI, SENSITIVE = ("sex", "age", "race", "marital-status", "education"), "occupation"
NUMBERS = ("age",)
"""The columns that Mondrian cuts at a median."""
ROWS_PERCENT = 5
"""How many rows anjana may drop, of a hundred."""
THERE = Path(__file__).with_name("other_tools_there.py")


def main() -> int:
    """Print three tables for each number of rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=sys.executable, help="the interpreter of an environment with the tools")
    parser.add_argument("--rows", default="1000,30162", help="numbers of rows, separated by commas")
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=10.0, help="seconds for `auto`")
    options = parser.parse_args()
    wrong: list[str] = []
    for rows in options.rows.split(","):
        wrong += compare(census(int(rows)), options.k, options.time_limit, options.tools)
    print("\n".join(wrong) or "all agree")
    return 1 if wrong else 0


def census(rows: int) -> ao.Table:
    """Return the first of the census's rows in a shuffled order, the same ones for the same number."""
    table = ao.census(list(QUASI), SENSITIVE)
    chosen = np.sort(np.random.default_rng(0).permutation(table.rows)[:rows])
    return ao.Table.from_frame(table.frame.iloc[chosen].reset_index(drop=True), QUASI, SENSITIVE)


def compare(table: ao.Table, k: int, seconds: float, tools: str) -> list[str]:
    """Print the tables for one table; return what is wrong."""
    problem = ao.CellSuppression(table, ao.KAnonymity(k))
    answer = ao.solve(problem, time_limit=seconds)
    there = ask(table, answer, k, tools)
    print(f"{table!r}, k = {k}\n")
    for what in there.values():
        if "missing" in what:
            print(f"{what['version']} is {what['missing']}\n")
    wrong = []
    if "found" in there["measuring"]:
        wrong += measured(table, answer, there["measuring"])
    if "found" in there["mondrian"]:
        wrong += split(problem, answer, there["mondrian"])
    if "found" in there["columns"]:
        dropped(problem, answer, there["columns"], seconds)
    return wrong


def ask(table: ao.Table, answer: ao.Answer[ao.Partition], k: int, tools: str) -> dict[str, Any]:
    """Return what the tools say."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        table.frame.to_csv(Path(folder) / "table.csv", index=False)
        answer.release.to_csv(Path(folder) / "release.csv", index=False)
        words = {"quasi": QUASI, "numbers": NUMBERS, "sensitive": SENSITIVE, "k": k, "rows_percent": ROWS_PERCENT}
        files = {name: str(Path(folder) / f"{name}.csv") for name in ("table", "release")}
        job.write_text(json.dumps({**words, **files}), encoding="utf-8")
        run = subprocess.run([tools, str(THERE), str(job)], capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"{tools} could not run the tools: {run.stderr.strip().splitlines()[-1]}")
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def measured(table: ao.Table, answer: ao.Answer[ao.Partition], theirs: dict[str, Any]) -> list[str]:
    """Print what holds in the release, by both; return what differs."""
    release = ao.Table.from_frame(answer.release, QUASI, SENSITIVE)
    start = time.perf_counter()
    check = ao.check(release)
    seconds = time.perf_counter() - start
    (column,) = check.columns
    here: dict[str, int | Fraction] = {
        "k": check.k,
        "distinct l": column.distinct_l,
        "alpha": 1 / Fraction(column.frequency_l),
        "t": column.t,
    }
    found = theirs["found"]
    rows = [[name, str(value), str(found[name])] for name, value in here.items()]
    rows.append(["seconds", f"{seconds:.3f}", f"{theirs['seconds']:.3f}"])
    print_table(["of the release", "anoptima", theirs["version"]], rows)
    print()
    return [
        f"{table.rows} rows: {name} is {value} here, {found[name]} there"
        for name, value in here.items()
        if abs(float(value) - found[name]) > 1e-9
    ]


def split(problem: ao.CellSuppression, answer: ao.Answer[ao.Partition], theirs: dict[str, Any]) -> list[str]:
    """Print what groups cost, theirs and ours; return what is wrong with theirs."""
    groups = ao.Partition.from_groups(theirs["found"], problem.table.rows)
    violations = list(problem.violations(groups))
    start = time.perf_counter()
    own = ao.solve(problem, "mondrian-relaxed")
    seconds = time.perf_counter() - start
    bound = answer.bound.value if answer.bound else 0
    rows = []
    for name, cost, took in (
        (f"Mondrian, {theirs['version']}", problem.cost(groups), theirs["seconds"]),
        ("mondrian-relaxed", own.cost, seconds),
        ("auto", answer.cost, answer.run.seconds),
    ):
        assert cost is not None
        rows.append([name, f"{cost:,}", f"{float(cost / Fraction(bound)):.3f}" if bound else "", f"{took:.1f}"])
    print_table(["groups", "stars", f"of the bound {bound:,}", "seconds"], rows)
    print()
    return [f"{theirs['version']}: {violation}" for violation in violations[:1]]


def dropped(
    problem: ao.CellSuppression, answer: ao.Answer[ao.Partition], theirs: dict[str, Any], seconds: float
) -> None:
    """Print what dropping columns, and some rows, costs in cells."""
    table, found = problem.table, theirs["found"]
    columns = ao.solve(ao.AttributeSuppression(table, problem.principle), time_limit=seconds)
    cells = table.rows * len(found["dropped"]) + found["rows"] * (len(table.quasi) - len(found["dropped"]))
    fewest = columns.require_solution()
    rows = [
        [theirs["version"], ", ".join(found["dropped"]), str(found["rows"]), f"{cells:,}", f"{theirs['seconds']:.1f}"],
        [
            f"auto, columns ({columns.claim.name})",
            ", ".join(sorted(fewest.names)),
            "0",
            f"{table.rows * len(fewest.names):,}",
            f"{columns.run.seconds:.1f}",
        ],
        [f"auto, cells ({answer.claim.name})", "", "0", f"{answer.cost:,}", f"{answer.run.seconds:.1f}"],
    ]
    print_table(["dropped", "columns", "rows", "cells lost", "seconds"], rows)
    print()


if __name__ == "__main__":
    sys.exit(main())
