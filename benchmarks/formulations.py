"""What the relaxations of all formulations are worth: `python -m benchmarks.formulations [--rows ROWS] [--samples SAMPLES]`.

On the tables of the papers, and on random rows of the census with all eight columns and k = 3. Prints a table for each problem in Markdown:
the optimum, then the value of the linear program, in units of cost, that each formulation in Pyomo leaves without its whole numbers. A
formulation in CP-SAT is listed where it has a twin in Pyomo. HiGHS solves the linear programs. Exits with 1 if a relaxation is worth more
than the optimum.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

import pandas as pd

import anoptima as ao
from anoptima.models.base import Language
from anoptima.problems.base import Problem
from anoptima.reductions import reductions
from benchmarks.census import sampled

MOST_MEMORY = 1 << 30
"""Bytes that a program may take."""
ROUNDING = 1e-6

HOSPITAL = [("Harry", "Stone", 34, "Afr-Am"), ("John", "Reyser", 36, "Cauc"), ("Beatrice", "Stone", 47, "Afr-Am")]
HOSPITAL += [("John", "Ramos", 22, "Hisp")]
UNION = ["x1x6x", "xx27x", "x3x8x", "xx4x9", "5xxx0"]


def main() -> int:
    """Print the tables; return 1 if a relaxation is worth more than an optimum."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--samples", type=int, default=5)
    options = parser.parse_args()
    asked: dict[str, list[tuple[str, Problem[Any]]]] = {}
    for name, problem in [*of_the_papers(), *of_the_census(options.rows, options.samples)]:
        asked.setdefault(problem.name, []).append((name, problem))
    return int(sum(table_of(name, questions) for name, questions in asked.items()) > 0)


def of_the_papers() -> Iterator[tuple[str, Problem[Any]]]:
    """Yield questions on the papers' tables."""
    ten = ao.ten_rows()
    hospital = ao.Table.from_frame(
        pd.DataFrame(HOSPITAL, columns=["first", "last", "age", "race"]), ["first", "last", "age", "race"]
    )
    union = ao.Table.from_frame(pd.DataFrame([list(row) for row in UNION], columns=list("abcde")), list("abcde"))
    yield "Meyerson, Williams, four patients, k = 2", ao.CellSuppression(hospital, ao.KAnonymity(2))
    for k in (2, 3, 4, 5):
        yield f"ten rows, k = {k}", ao.CellSuppression(ten, ao.KAnonymity(k))
    principles = [
        ao.LDiversity(2),
        ao.LDiversity(2, version="distinct"),
        ao.LDiversity(3, version="distinct"),
        ao.TCloseness("1/10"),
        ao.TCloseness("1/5"),
    ]
    for principle in principles:
        yield f"ten rows, {principle}", ao.CellSuppression(ten, principle)
    for k in (2, 3, 4, 5):
        reduced = reductions.get("cell-suppression-to-facilities").apply(ao.CellSuppression(ten, ao.KAnonymity(k)))
        yield f"ten rows as facilities, k = {k}", reduced.target
    yield (
        "ten rows in Liang and Yuan's Table 2",
        ao.GivenPatterns(
            ten, ao.KAnonymity(3), [pattern_of(ten, group) for group in ([0, 1, 2], [3, 4, 5, 6], [7, 8, 9])]
        ),
    )
    for k in (2, 3):
        yield f"ten rows, k = {k}", ao.DiameterSum(ten, k)
        yield f"ten rows, k = {k}", ao.AttributeSuppression(ten, ao.KAnonymity(k))
    yield "Yuan and Wang, Example 5.2", ao.IdentifyingColumns(union)
    yield "Yuan and Wang, Example 5.2, k = 2", ao.WitnessColumns(union, 2)
    yield "ten rows", ao.IdentifyingColumns(ten)


def of_the_census(rows: int, samples: int) -> Iterator[tuple[str, Problem[Any]]]:
    """Yield k-anonymity on samples of the census."""
    for seed in range(samples):
        table = sampled(ao.census("eight"), rows, seed)
        yield f"census, {rows} rows, sample {seed}, k = 3", ao.CellSuppression(table, ao.KAnonymity(3))


def pattern_of(table: ao.Table, group: list[int]) -> tuple[Any, ...]:
    """Return the common part of some rows."""
    columns = (table.frame[name].iloc[group].tolist() for name in table.quasi)
    return tuple(values[0] if len(set(values)) == 1 else "*" for values in columns)


def table_of(name: str, questions: list[tuple[str, Problem[Any]]]) -> int:
    """Print the table of one problem, and return how often a relaxation was worth more than the optimum."""
    found: list[tuple[str, Any, dict[str, float]]] = []
    for words, problem in questions:
        answer = ao.solve(problem)
        assert answer.claim is ao.Claim.OPTIMAL, f"{words} was not solved: {answer}"
        found.append((words, answer.cost, worths(problem)))
    forms = sorted({form for _, _, worth in found for form in worth})
    print(f"\n{name}\n\n| question | optimum | {' | '.join(f'`{form}`' for form in forms)} |")
    print(f"|{'---|' * (2 + len(forms))}")
    for words, cost, worth in found:
        cells = [f"{worth[form]:.2f}".rstrip("0").rstrip(".") if form in worth else "" for form in forms]
        print(f"| {words} | {cost} | {' | '.join(cells)} |", flush=True)
    return sum(value > cost + ROUNDING for _, cost, worth in found for value in worth.values())


def worths(problem: Problem[Any]) -> dict[str, float]:
    """Return what the relaxation of each formulation in Pyomo that is for a problem, and has room, is worth."""
    bounds = ao.lp_bounds(problem, memory=MOST_MEMORY)
    return bounds[bounds["language"] == Language.PYOMO.value]["LP bound"].dropna().to_dict()


if __name__ == "__main__":
    sys.exit(main())
