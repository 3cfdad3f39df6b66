"""What each part of `sifting` is worth: `python -m benchmarks.ablation --rows 500 2000 --questions k3 k5 --seconds 60 --seeds 0 1`.

Random rows of the census table with eight columns (under l, t and o seven, and occupation is sensitive; o is t in an order), and uniform
tables of six columns of four values (u), are solved by the method whole, and without one part of it at a time
(`anoptima.solvers.exact.sifting.parts`), in equal seconds. Prints the scaled bound and cost of the whole method, and for each part how much
higher or lower they are without it, in thousandths of the cost, on average over the seeds. A part that shows nothing in any line where it
runs is not worth its lines: patterns are annealed up to 400 rows, and box steps begin above 4,000 row types. Runs are kept in `--results`;
a run that is begun again goes on from there. All parts, 500 to 30,162 rows and all questions take about six hours on two cores.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import anoptima as ao
from anoptima.answer import Budget
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting.parts import Part
from benchmarks.census import sampled
from benchmarks.census_principles import principles
from benchmarks.measure import print_table
from benchmarks.uniform import uniform

UNDER_SIZE = {
    Part.CORE,
    Part.ROUNDS,
    Part.BOX_STEP,
    Part.CUTS,
    Part.ROW_ANNEALING,
    Part.PATTERN_ANNEALING,
    Part.PROGRAM_NEAR,
    Part.BACKGROUND,
    Part.TREE,
    Part.CLOSING,
}
OF_FEW_ROWS = {Part.ROW_ANNEALING, Part.PATTERN_ANNEALING, Part.PROGRAM_NEAR}
UNDER_DIVERSITY = {Part.CUTS, Part.BACKGROUND, Part.WHOLE_GROUPS, Part.CLOSING}
UNDER_CLOSENESS = {
    Part.BACKGROUND,
    Part.MOVING_ROWS,
    Part.REPAIR,
    Part.TREE,
    Part.CLOSING,
}
UNDER_ORDERED = {Part.BACKGROUND, Part.CLOSING}
QUESTIONS = {
    "u3": ("3", OF_FEW_ROWS),
    "u5": ("5", OF_FEW_ROWS),
    "k3": ("3", UNDER_SIZE),
    "k5": ("5", UNDER_SIZE),
    "l3": ("l3", UNDER_DIVERSITY),
    "l2k5": ("l2k5", UNDER_DIVERSITY),
    "t2": ("t2", UNDER_CLOSENESS),
    "o2": ("ordered2", UNDER_ORDERED),
}
"""k, or what `benchmarks.census_principles` calls the principle, and the parts that work under each."""


def problem_of(question: str, rows: int, seed: int) -> CellSuppression:
    """Return a question about so many rows; about the whole census table if `rows` is 0."""
    asked = QUESTIONS[question][0]
    if question.startswith("u"):
        return ao.CellSuppression(uniform(rows, 6, 4, seed), ao.KAnonymity(int(asked)))
    if question.startswith("k"):
        return ao.CellSuppression(sampled(ao.census(), rows or None, seed), ao.KAnonymity(int(asked)))
    table = ao.census("seven", "occupation")
    principle = principles(list(table.sensitive_column("occupation").values))[asked]
    return ao.CellSuppression(sampled(table, rows or None, seed), principle)


def solved(problem: CellSuppression, part: Part | None, seconds: float, seed: int) -> tuple[int, int]:
    """Return the scaled bound and cost that the method comes to without a part."""
    answer = Sifting(set() if part is None else {part}).solve(problem, Budget(seconds=seconds, seed=seed))
    if answer.verify().wrong or answer.cost is None or answer.bound is None:
        raise SystemExit(f"without {part}: {answer.verify()}")
    return int(answer.bound.value * problem.cost_scale), int(answer.cost * problem.cost_scale)


def results_of(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield a line for each run, from the file of results where it is there already."""
    kept = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            one = json.loads(line)
            kept[one["question"], one["rows"], one["seed"], one["without"], one["seconds"]] = one
    for question in options.questions:
        for rows in options.rows:
            for seed in options.seeds:
                problem = problem_of(question, rows, seed)
                for part in (None, *sorted(QUESTIONS[question][1], key=lambda part: part.value)):
                    key = (question, rows, seed, None if part is None else part.value, options.seconds)
                    if key not in kept:
                        bound, cost = solved(problem, part, options.seconds, seed)
                        names = ("question", "rows", "seed", "without", "seconds")
                        kept[key] = {**dict(zip(names, key, strict=True)), "bound": bound, "cost": cost}
                        with options.results.open("a") as file:
                            file.write(json.dumps(kept[key]) + "\n")
                        print(json.dumps(kept[key]), file=sys.stderr, flush=True)
                    yield kept[key]


def table_of(lines: list[dict[str, object]]) -> list[list[str]]:
    """Return a row for each question and part: what is lost without it, in thousandths of the cost."""
    whole = {(one["question"], one["rows"], one["seed"]): one for one in lines if one["without"] is None}
    found: dict[tuple[object, object, object], list[tuple[float, float, dict[str, object]]]] = {}
    for one in lines:
        base = whole[one["question"], one["rows"], one["seed"]]
        cost = float(str(base["cost"]))
        lost = 1000 * (float(str(base["bound"])) - float(str(one["bound"]))) / cost
        dearer = 1000 * (float(str(one["cost"])) - cost) / cost
        found.setdefault((one["question"], one["rows"], one["without"]), []).append((lost, dearer, base))
    rows = []
    for (question, size, part), several in found.items():
        bounds = "" if part else f"{mean(float(str(base['bound'])) for _, _, base in several):,.0f}"
        costs = "" if part else f"{mean(float(str(base['cost'])) for _, _, base in several):,.0f}"
        lost, dearer = mean(one[0] for one in several), mean(one[1] for one in several)
        name = f"{question}, {size or 'all'} rows, " + (f"without {part}" if part else "whole")
        rows.append([name, bounds or f"{-lost:+.2f}", costs or f"{dearer:+.2f}", str(len(several))])
    return rows


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 2_000, 8_000, 0], help="0: the whole table")
    parser.add_argument("--questions", nargs="+", choices=QUESTIONS, default=["k3", "k5", "l3", "t2"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--results", type=Path, default=Path("build/ablation.jsonl"))
    options = parser.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    print_table(["question", "bound", "cost", "seeds"], table_of(list(results_of(options))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
