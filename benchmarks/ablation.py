"""What each part of `sifting` is worth: `python -m benchmarks.ablation --rows 500 2000 --questions k3 k5 --seconds 60 --seeds 0 1`.

Random rows of the census table with eight columns (s: six, f: four; under l, t, o seven, and occupation is sensitive; o: t in an order),
and uniform tables of six columns of four values (u), are solved by the method whole, and without one part of it at a time
(`anoptima.solvers.exact.sifting.parts`), in equal seconds. Prints the scaled bound and cost of the whole method, and for each part how much
higher or lower they are without it, in thousandths of the cost, on average over the seeds. A part that shows nothing in any line where it
runs is not worth its lines: patterns are annealed up to 400 rows. Runs are kept in `--results`; a run that is begun again goes on from
there, as long as the engine is the same and time is counted the same way. All parts, 500 to 30,162 rows and all questions take about six
hours on two cores.

`--parts cuts repair` leaves out only these. `--processor` counts the process's own time, with one thread: on a busy machine
equal seconds are equal work then. A run that ends with a proof before its time is up says how soon.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

import anoptima as ao
from anoptima.answer import Budget
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact import sifting
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting.parts import Part
from benchmarks.census import sampled
from benchmarks.census_principles import principles
from benchmarks.measure import Kept, code_of, print_table
from benchmarks.uniform import uniform

UNDER_SIZE = {
    Part.CORE,
    Part.ROUNDS,
    Part.CUTS,
    Part.ROW_ANNEALING,
    Part.PATTERN_ANNEALING,
    Part.PROGRAM_NEAR,
    Part.BACKGROUND,
    Part.TREE,
    Part.CLOSING,
}
OF_FEW_ROWS = {Part.ROW_ANNEALING, Part.PATTERN_ANNEALING, Part.PROGRAM_NEAR}
UNDER_DIVERSITY = {Part.CUTS, Part.BACKGROUND, Part.CLOSING}
UNDER_CLOSENESS = {
    Part.BACKGROUND,
    Part.MOVING_ROWS,
    Part.REPAIR,
    Part.TREE,
    Part.DIVING,
    Part.CLOSING,
}
UNDER_ORDERED = {Part.BACKGROUND, Part.TREE, Part.DIVING, Part.CLOSING}
QUESTIONS = {
    "u3": ("3", OF_FEW_ROWS),
    "u5": ("5", OF_FEW_ROWS),
    "f5": ("5", UNDER_SIZE),
    "s2": ("2", UNDER_SIZE),
    "s3": ("3", UNDER_SIZE),
    "k2": ("2", UNDER_SIZE),
    "k3": ("3", UNDER_SIZE),
    "k5": ("5", UNDER_SIZE),
    "l3": ("l3", UNDER_DIVERSITY),
    "l2k5": ("l2k5", UNDER_DIVERSITY),
    "t2": ("t2", UNDER_CLOSENESS),
    "o2": ("ordered2", UNDER_ORDERED),
}
"""k, or what `benchmarks.census_principles` calls the principle, and the parts that work under each."""
COLUMNS = {"k": "eight", "s": "six", "f": "four"}
"""Columns of the census table by the first letter of a question."""


def problem_of(question: str, rows: int, seed: int) -> CellSuppression:
    """Return a question about so many rows; about the whole census table if `rows` is 0."""
    asked = QUESTIONS[question][0]
    if question.startswith("u"):
        return ao.CellSuppression(uniform(rows, 6, 4, seed), ao.KAnonymity(int(asked)))
    if question[0] in COLUMNS:
        table = ao.census(COLUMNS[question[0]])
        return ao.CellSuppression(sampled(table, rows or None, seed), ao.KAnonymity(int(asked)))
    table = ao.census("seven", "occupation")
    principle = principles(list(table.sensitive_column("occupation").values))[asked]
    return ao.CellSuppression(sampled(table, rows or None, seed), principle)


def solved(problem: CellSuppression, part: Part | None, budget: Budget) -> dict[str, float]:
    """Return the scaled bound and cost that the method comes to without a part, and the seconds it took."""
    began = time.monotonic()
    answer = Sifting(set() if part is None else {part}).solve(problem, budget)
    if answer.verify().wrong or answer.cost is None or answer.bound is None:
        raise SystemExit(f"without {part}: {answer.verify()}")
    return {
        "bound": int(answer.bound.value * problem.cost_scale),
        "cost": int(answer.cost * problem.cost_scale),
        "spent": round(time.monotonic() - began, 1),
    }


def engine() -> str:
    """Return a digest of the engine's code."""
    return code_of(sifting)


def results_of(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield a line for each run, from the file of results where it is there already."""
    kept, made_with = Kept(options.results), {"processor": options.processor, "engine": engine()}
    for question in options.questions:
        for rows in options.rows:
            for seed in options.seeds:
                problem = problem_of(question, rows, seed)
                budget = Budget(seconds=options.seconds, seed=seed, threads=1 if options.processor else None)
                without = QUESTIONS[question][1] & {Part(name) for name in options.parts}
                for part in (None, *sorted(without, key=lambda part: part.value)):
                    asked = {"question": question, "rows": rows, "seed": seed, "without": part and part.value}
                    asked |= {"seconds": options.seconds, **made_with}
                    yield kept.of(asked, partial(solved, problem, part, budget))


def table_of(lines: list[dict[str, Any]]) -> list[list[str]]:
    """Return a row for each question and part: what is lost without it, in thousandths of the cost, and the seconds spent."""
    whole = {(one["question"], one["rows"], one["seed"]): one for one in lines if one["without"] is None}
    groups: dict[tuple[object, object, object], list[dict[str, Any]]] = {}
    for one in lines:
        groups.setdefault((one["question"], one["rows"], one["without"]), []).append(one)
    rows = []
    for (question, size, part), several in groups.items():
        bases = [whole[question, size, one["seed"]] for one in several] if part else []
        bound, cost = (_average(name, several, bases) for name in ("bound", "cost"))
        name = f"{question}, {size or 'all'} rows, " + (f"without {part}" if part else "whole")
        spent = mean(float(str(one["spent"])) for one in several)
        rows.append([name, bound, cost, f"{spent:.0f}", str(len(several))])
    return rows


def _average(name: str, several: list[dict[str, object]], bases: list[dict[str, object]]) -> str:
    """Return the average of a figure; in thousandths of the cost above those of the whole method if these are given."""
    if not bases:
        return f"{mean(float(str(one[name])) for one in several):,.0f}"
    above = [
        (float(str(one[name])) - float(str(base[name]))) / float(str(base["cost"]))
        for one, base in zip(several, bases, strict=True)
    ]
    return f"{1000 * mean(above):+.2f}"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 2_000, 8_000, 0], help="0: the whole table")
    parser.add_argument("--questions", nargs="+", choices=QUESTIONS, default=["k3", "k5", "l3", "t2"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument(
        "--parts", nargs="+", choices=[part.value for part in Part], default=[part.value for part in Part]
    )
    parser.add_argument("--processor", action="store_true", help="count processor time, of one thread")
    parser.add_argument("--results", type=Path, default=Path("build/ablation.jsonl"))
    options = parser.parse_args()
    if options.processor:
        time.monotonic = time.process_time
    print_table(["question", "bound", "cost", "seconds", "seeds"], table_of(list(results_of(options))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
