"""Simplex matching against the set-partition program: the same optima on random instances, and how both grow with the rows.

    python -m benchmarks.simplex_matching [INSTANCES] [SEED] [ROWS ...]

First INSTANCES random instances of each sort (costs tight in the simplex condition, missing pairs and triples, equal vertices, ...) against
a search over subsets, and tables under 2-anonymity and 2-diversity against the program `groups/highs`. Then one table of seconds by rows,
for tables of eight columns with four values each, up to 100 seconds and 4 GiB a solve. Exits 1 if anything disagrees.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence

import pandas as pd

import anoptima as ao
from benchmarks.measure import print_table
from tests.simplex_instances import KINDS, draw_costs, least_cost, problem_of

MOST_SECONDS, MOST_MEMORY = 100, 4 << 30


def random_table(rows: int, seed: int, columns: int = 8, values: int = 4, copies: bool = False) -> ao.Table:
    """Return a table of random rows with four sensitive values; with `copies`, many rows are equal."""
    source = random.Random(seed)
    drawn = [[source.randrange(values) for _ in range(columns)] for _ in range(rows)]
    if copies:
        drawn = [source.choice(drawn[: max(1, rows // 3)]) for _ in range(rows)]
    names = [f"q{c}" for c in range(columns)]
    frame = pd.DataFrame(drawn, columns=names).assign(s=[source.randrange(4) for _ in range(rows)])
    return ao.Table.from_frame(frame, names, "s")


def agreement(instances: int, seed: int) -> int:
    """Count on how many instances simplex matching finds the least cost."""
    rows, wrong = [], 0
    for kind in KINDS:
        infeasible = disagree = 0
        for number in range(seed, seed + instances):
            n, costs = draw_costs(random.Random(number), kind)
            best = least_cost(n, costs)
            answer = ao.solve(problem_of(n, costs), "simplex-matching", start=None)
            infeasible += best is None
            if answer.cost != best or (answer.claim is ao.Claim.INFEASIBLE) != (best is None):
                disagree += 1
                print(f"{kind}, seed {number}: {answer}; the least cost is {best}", flush=True)
        rows.append([f"{kind}: subsets", f"{instances:,}", f"{infeasible:,}", f"{disagree:,}"])
        wrong += disagree
    for words, principle in (("2-anonymity", ao.KAnonymity(2)), ("2-diversity", ao.LDiversity(2))):
        infeasible = disagree = 0
        for number in range(seed, seed + instances):
            source = random.Random(number)
            table = random_table(
                source.randint(2, 14), number, source.randint(1, 5), source.randint(2, 4), source.random() < 0.5
            )
            problem = ao.CellSuppression(table, principle)
            answers = [ao.solve(problem, name, start=None) for name in ("simplex-matching", "groups/highs")]
            infeasible += answers[1].claim is ao.Claim.INFEASIBLE
            if answers[0].cost != answers[1].cost or answers[0].claim is not answers[1].claim:
                disagree += 1
                print(f"{words}, seed {number}: {answers[0]} against {answers[1]}", flush=True)
        rows.append([f"{words}: groups/highs", f"{instances:,}", f"{infeasible:,}", f"{disagree:,}"])
        wrong += disagree
    print_table(["costs: against", "instances", "infeasible", "disagree"], rows)
    return wrong


def growth(sizes: Sequence[int]) -> int:
    """Print seconds by rows; a method that was too slow, or refused, is not asked again."""
    print()
    rows, wrong = [], 0
    given_up: set[tuple[str, str]] = set()
    for n in sizes:
        table = random_table(n, n)
        for words, principle in (("2-anonymity", ao.KAnonymity(2)), ("2-diversity", ao.LDiversity(2))):
            problem = ao.CellSuppression(table, principle)
            row, costs = [f"{n} rows, {words}"], set()
            for name in ("simplex-matching", "groups/highs"):
                if (name, words) in given_up:
                    row += ["", ""]
                    continue
                began = time.perf_counter()
                try:
                    answer = ao.solve(problem, name, start=None, time_limit=MOST_SECONDS, memory=MOST_MEMORY, threads=1)
                except ao.ModelTooLarge:
                    given_up.add((name, words))
                    row += ["too large", ""]
                    continue
                seconds = time.perf_counter() - began
                if answer.claim is ao.Claim.OPTIMAL:
                    costs.add(answer.cost)
                    row += [f"{seconds:.1f}", f"{answer.cost}"]
                else:
                    given_up.add((name, words))
                    row += [f"> {seconds:.0f}", f"{answer.bound.value if answer.bound else '?'} to {answer.cost}"]
            wrong += len(costs) > 1
            rows.append(row)
            print("  ".join(row), file=sys.stderr, flush=True)
    print_table(["", "simplex-matching, s", "stars", "groups/highs, s", "stars"], rows)
    return wrong


def main(instances: int = 300, seed: int = 0, sizes: Sequence[int] = (50, 100, 200, 400)) -> int:
    """Print both tables; return 1 if anything disagrees."""
    wrong = agreement(instances, seed) if instances else 0
    return int(wrong + growth(sizes) > 0)


if __name__ == "__main__":
    given = list(map(int, sys.argv[1:]))
    sys.exit(main(*given[:2], *([given[2:]] if given[2:] else [])))
