"""Every method against the brute force on random tables: `python -m benchmarks.agreement --tables 2000 --seed 1`.

Prints, for each problem, method and principle, on how many instances it agreed, and of how many where that is not all; then every
disagreement with the table it was found on. Exits 1 if there is one. The same seed draws the same tables.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator

from benchmarks.measure import print_table
from tests.cases import Case, make_case
from tests.trial import Verdict, choices, questions, trial


def told(case: Case, seed: int, only: list[str]) -> Iterator[Verdict]:
    """Try every method; whatever breaks one says on which table."""
    try:
        yield from trial(case, seed, only)
    except Exception as error:
        error.add_note(f"on the table of seed {seed}: {case}")
        raise


def main() -> int:
    """Print the counts; return 1 if anything disagrees."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=8, help="rows at most")
    parser.add_argument("--columns", type=int, default=4, help="quasi-identifying columns at most")
    parser.add_argument(
        "--solvers", default="", help="these solvers alone, separated by commas (default: every method)"
    )
    options = parser.parse_args()
    only = options.solvers.split(",") if options.solvers else []

    tried: Counter[tuple[str, str, str]] = Counter()
    agreed: Counter[tuple[str, str, str]] = Counter()
    kinds: Counter[str] = Counter()
    wrong: list[tuple[int, Verdict, Case]] = []
    began = time.monotonic()
    for number in range(options.tables):
        seed = options.seed * 1_000_000 + number
        case = make_case(choices(seed), options.rows, options.columns)
        kinds.update(corners(case))
        for verdict in told(case, seed, only):
            key = verdict.problem, verdict.method, case.name
            tried[key] += 1
            agreed[key] += not verdict.wrong
            if verdict.wrong:
                wrong.append((seed, verdict, case))
        if sys.stderr.isatty():
            print(f"\r{number + 1:,} tables, {len(wrong)} disagreements", end="", file=sys.stderr, flush=True)

    principles = sorted({principle for _, _, principle in tried})
    rows = []
    for problem, method in sorted({(problem, method) for problem, method, _ in tried}):
        keys = [(problem, method, principle) for principle in principles]
        all_tried, all_agreed = sum(tried[key] for key in keys), sum(agreed[key] for key in keys)
        rows.append(
            [f"{problem}: {method}", *(said(tried[key], agreed[key]) for key in keys), said(all_tried, all_agreed)]
        )
    print("instances on which each method agreed, by principle\n")
    print_table(["", *(short(principle) for principle in principles), "all"], rows)
    for seed, verdict, case in wrong:
        print(f"\n{verdict.method} on {verdict.problem}, table {seed}: {'; '.join(verdict.wrong)}\n{case!r}")
    print("\namong the tables: " + ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()))
    print(
        f"{options.tables:,} tables, {sum(tried.values()):,} trials, {len(wrong)} disagreements, "
        f"{time.monotonic() - began:.0f} s, seed {options.seed}"
    )
    return 1 if wrong else 0


def said(tried: int, agreed: int) -> str:
    """Return how many agreed, and of how many where that is not all."""
    return f"{agreed:,}" if agreed == tried else f"{agreed:,} of {tried:,}"


def short(principle: str) -> str:
    """Return 't equal' for 't-closeness, equal'."""
    return (
        principle.replace("-anonymity", "")
        .replace("-diversity,", "")
        .replace("-closeness,", "")
        .replace("spelled out", "spelled")
    )


def corners(case: Case) -> list[str]:
    """Name what is peculiar about a table."""
    columns = list(zip(*case.rows, strict=True))
    named = {
        "with duplicates": 1 < len(set(case.rows)) < len(case.rows),
        "of one row type": len(set(case.rows)) == 1,
        "with a constant column": any(len(set(column)) == 1 for column in columns),
        "of one column": len(columns) == 1,
        "of one row": len(case.rows) == 1,
        "with missing values": any(None in column for column in (*columns, *case.sensitive)),
        "with weights": bool(case.weights),
        "with n = k": any(getattr(demand, "k", None) == len(case.rows) for demand in case.demands),
        "with n < k": any(getattr(demand, "k", 0) > len(case.rows) for demand in case.demands),
        "with two sensitive columns": len(case.sensitive) == 2,
        "with several principles": len(case.demands) > 1,
        "without a solution": questions(case)[0].optimum is None,
    }
    return [name for name, holds in named.items() if holds]


if __name__ == "__main__":
    sys.exit(main())
