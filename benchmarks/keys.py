"""Choosing columns: agreement of every solver with trying every set, and speed on large tables.

    python -m benchmarks.keys agreement [--instances 510] [--seed 0]
    python -m benchmarks.keys speed [--census census.csv.gz] [--time-limit 120]

`agreement` exits with 1 if a solver disagrees. `speed` prints seconds, sizes and what was proved, and checks every proof again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.problems.column_choice import ColumnChoice
from anoptima.proofs.hitting import HittingProof
from anoptima.solvers.base import Kind
from tests.column_sets import Choice, choices

CENSUS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("agreement")
    one.add_argument("--instances", type=int, default=510)
    one.add_argument("--seed", type=int, default=0)
    two = commands.add_parser("speed")
    two.add_argument("--census", help="the census table, as CSV")
    two.add_argument("--time-limit", type=float, default=120)
    arguments = parser.parse_args()
    if arguments.command == "agreement":
        return agreement(arguments.instances, arguments.seed)
    return speed(arguments.census, arguments.time_limit)


# ---- agreement ----------------------------------------------------------------------------------------------------------------


def agreement(instances: int, seed: int) -> int:
    """Print how often each solver found and proved the optimum."""
    agreed: Counter[tuple[str, str]] = Counter()
    asked: Counter[tuple[str, str]] = Counter()
    count = 0
    rng = np.random.default_rng(seed)
    while count < instances:
        for choice in random_choices(rng):
            optimum = choice.optimum()
            count += 1
            for solver in ao.solvers_for(choice.problem):
                key = choice.problem.name, solver.name
                asked[key] += 1
                wrong = disagreement(choice, optimum, ao.solve(choice.problem, solver, start=None), solver.kind)
                agreed[key] += not wrong
                if wrong:
                    print(f"{key}: {wrong}\n{choice.problem.table.frame.to_csv(index=False)}{choice.weights}")
    print(f"{count} instances, each against every set of columns")
    for key in sorted(asked):
        print(f"{key[0]:22} {key[1]:24} {agreed[key]:5} of {asked[key]:5}")
    return int(agreed != asked)


def random_choices(rng: np.random.Generator) -> list[Choice]:
    """Return the three questions about one random table."""
    rows, columns = int(rng.integers(1, 15)), int(rng.integers(1, 7))
    widths = rng.integers(1, 5, columns)
    table = [tuple(int(rng.integers(width)) for width in widths) for _ in range(rows)]
    some = [Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2)]
    plain = rng.random() < 0.5
    weights = [Fraction(1) if plain else some[int(rng.integers(len(some)))] for _ in range(columns)]
    return choices(table, weights, int(rng.integers(1, 6)))


def disagreement(choice: Choice, optimum: Fraction | None, answer: ao.Answer[Any], kind: Kind) -> str | None:
    """Say what is wrong with an answer."""
    verification = answer.verify()
    if not verification:
        return str(verification)
    if optimum is None:
        return None if answer.claim is ao.Claim.INFEASIBLE else f"{answer.claim.value}, and there is no solution"
    if answer.solution is None or answer.cost is None or answer.bound is None:
        return f"no solution, and one costs {optimum}"
    if not choice.good(tuple(sorted(choice.problem.columns_of(answer.solution)))):
        return f"{answer.solution} is no solution"
    if answer.bound.value > optimum:
        return f"the bound {answer.bound} is above the optimum {optimum}"
    if kind is Kind.APPROXIMATE:
        return None if answer.cost >= optimum else f"{answer.cost} is below the optimum {optimum}"
    if answer.cost != optimum or answer.claim is not ao.Claim.OPTIMAL:
        return f"{answer.claim.value} {answer.cost}, and the optimum is {optimum}"
    return None


# ---- speed --------------------------------------------------------------------------------------------------------------------


def speed(census: str | None, seconds: float) -> int:
    """Print a line a problem."""
    for title, problem in (*synthetic(), *(real(census) if census else ())):
        began = time.perf_counter()
        answer = ao.solve(problem, "hitting-set", time_limit=seconds)
        took = time.perf_counter() - began
        began = time.perf_counter()
        verified = answer.verify()
        proof = answer.proof
        size = f"{len(proof.barriers)} barriers in the proof" if isinstance(proof, HittingProof) else "no proof"
        shape = f"{problem.table.rows:,} x {len(problem.table.quasi)}, {len(problem.table.types):,} types"
        print(f"{title} ({shape})\n    {answer}; {took:.1f} s in all; {size}")
        print(f"    {verified}, in {time.perf_counter() - began:.1f} s", flush=True)
    return 0


def synthetic() -> Iterator[tuple[str, ColumnChoice[Any]]]:
    """Yield the problems on made tables."""
    for seed, size in ((1, 4), (2, 6)):
        table = planted_key(50_000, 20, size, seed)
        yield f"identifying columns, a key of {size} planted", ao.IdentifyingColumns(table)
    table = planted_key(50_000, 20, 4, 1)
    yield "witness columns, k = 2, same table", ao.WitnessColumns(table, 2)
    skewed = skewed_table(30_000, 12, 1)
    for k in (2, 5, 20):
        yield f"attribute suppression, {k}-anonymity, skewed values", ao.AttributeSuppression(skewed, ao.KAnonymity(k))
    yield "identifying columns, same table", ao.IdentifyingColumns(skewed)
    yield "witness columns, k = 5, same table", ao.WitnessColumns(skewed, 5)


def real(path: str) -> Iterator[tuple[str, ColumnChoice[Any]]]:
    """Yield the problems on the census table."""
    table = ao.Table.read_csv(path, CENSUS, "salary-class")
    for principle in (
        ao.KAnonymity(2),
        ao.KAnonymity(5),
        ao.KAnonymity(5) & ao.LDiversity("11/10"),
        ao.TCloseness("1/5"),
    ):
        yield f"attribute suppression, {principle}, census", ao.AttributeSuppression(table, principle)
    yield "identifying columns, census", ao.IdentifyingColumns(table)
    yield "witness columns, k = 2, census", ao.WitnessColumns(table, 2)


def planted_key(rows: int, columns: int, size: int, seed: int) -> ao.Table:
    """Return random columns of four values, `size` of them replaced by the digits of a number that no two rows share."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 4, (rows, columns))
    base, number = int(np.ceil(rows ** (1 / size))), rng.permutation(rows)
    for column in rng.permutation(columns)[:size]:
        cells[:, column] = number % base
        number = number // base
    return _table(cells)


def skewed_table(rows: int, columns: int, seed: int) -> ao.Table:
    """Return columns of 2 to 60 values, the first of them much more frequent than the last."""
    rng = np.random.default_rng(seed)
    widths = np.rint(np.geomspace(2, 60, columns)).astype(int)
    cells = np.column_stack([np.minimum(rng.geometric(min(0.6, 4 / width), rows), width) for width in widths])
    return _table(cells)


def _table(cells: np.ndarray[Any, Any]) -> ao.Table:
    names = [f"q{j}" for j in range(cells.shape[1])]
    return ao.Table.from_frame(pd.DataFrame(cells, columns=names), quasi=names)


if __name__ == "__main__":
    sys.exit(main())
