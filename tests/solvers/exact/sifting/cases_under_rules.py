"""Random tables with sensitive columns, principles of every kind, and their optima by trying every partition."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.spaces import Explicit, Hierarchical, Ordered
from anoptima.table import Table
from tests.brute_force import best_partition

ORDER = Ordered(list("xyz"))
TREE = Hierarchical({"low": ["x", "y"], "high": ["z", "unseen"]})
MATRIX = Explicit(list("xyz"), [[0, "1/2", 1], ["1/2", 0, "3/4"], [1, "3/4", 0]])
SQUARE = Explicit(
    list("wxyz"), [[0, "1/2", 1, "1/2"], ["1/2", 0, "1/2", 1], [1, "1/2", 0, "1/2"], ["1/2", 1, "1/2", 0]]
)
"""Distances that are those of no tree; three values have always one."""

PRINCIPLES: tuple[Principle, ...] = (
    LDiversity(2, "s"),
    LDiversity(3, "s"),
    LDiversity("3/2", "s"),
    LDiversity("5/3", "s"),
    LDiversity(2, "s") & KAnonymity(3),
    LDiversity("3/2", "s") & KAnonymity(4),
    LDiversity(2, "s", version="distinct"),
    LDiversity(3, "s", version="distinct"),
    LDiversity(2, "s", version="distinct") & KAnonymity(4),
    TCloseness("0.1", column="s"),
    TCloseness("0.25", column="s"),
    TCloseness("1/3", column="s"),
    TCloseness("1/2", column="s"),
    TCloseness(0, column="s"),
    TCloseness(1, column="s"),
    TCloseness("0.4", column="s") & KAnonymity(3),
    TCloseness("1/5", space=ORDER, column="s"),
    TCloseness("2/5", space=ORDER, column="s") & KAnonymity(2),
    TCloseness("1/4", space=TREE, column="s"),
    TCloseness("1/3", space=MATRIX, column="s"),
    TCloseness("1/2", column="s") & LDiversity("3/2", "s"),
    TCloseness("1/2", column="s") & LDiversity(2, "r"),
    LDiversity(2, "s") & LDiversity(2, "r") & KAnonymity(3),
    LDiversity(2, "s", version="distinct") & TCloseness("3/10", space=ORDER, column="s"),
    KAnonymity(2) & KAnonymity(3),
)

RARE: tuple[Principle, ...] = (
    AlphaKAnonymity("1/2", 2, "s", ["x"]),
    AlphaKAnonymity("1/3", 3, "s", ["y", "z"]),
    AlphaKAnonymity("2/5", 1, "s", ["z"]),
    AlphaKAnonymity("3/5", 2, "s", ["x", "y", "z"]),
)
"""Some values of a column may have a share at most."""

OUTWEIGHED: tuple[Principle, ...] = (
    RecursiveDiversity(2, 3, "s"),
    RecursiveDiversity("3/2", 3, "s"),
    RecursiveDiversity(3, 3, "s") & KAnonymity(4),
    RecursiveDiversity(20, 3, "s"),
    RecursiveDiversity(2, 3, "s") & LDiversity(2, "r"),
)
"""The most frequent value of a column must be outweighed by those after the second."""

ENTROPY: tuple[Principle, ...] = (
    EntropyDiversity(2, "s"),
    EntropyDiversity(3, "s"),
    EntropyDiversity("3/2", "s"),
    EntropyDiversity(2, "s") & KAnonymity(4),
    EntropyDiversity("5/2", "s") & LDiversity(2, "r"),
)
"""The values of a column must be as hard to guess as some equally frequent ones."""


@cache
def problem_of(seed: int, rows: int = 8, principles: tuple[Principle, ...] = PRINCIPLES) -> CellSuppression:
    """Draw a table with duplicates and, in one of three, weights, and take a principle in turn; the whole table satisfies it."""
    for attempt in range(1000):
        chance = np.random.default_rng([seed, attempt])
        n, m = int(chance.integers(4, rows + 1)), int(chance.integers(1, 4))
        frame = pd.DataFrame(chance.integers(0, chance.integers(2, 4), (n, m)), columns=list("abc")[:m])
        frame["s"] = chance.choice(list("xyz"), n, p=[0.4, 0.35, 0.25])
        frame["r"] = chance.choice(list("uv"), n)
        weights = (
            {name: Fraction(int(chance.integers(1, 5)), 2) for name in "abc"[:m]} if chance.random() < 1 / 3 else {}
        )
        table = Table.from_frame(frame, list("abc")[:m], ["s", "r"], weights=weights)
        try:
            problem = CellSuppression(table, principles[seed % len(principles)])
        except BadInput:
            continue  # It speaks of a value that does not occur.
        if problem.why_infeasible() is None:
            return problem
    raise AssertionError("no table satisfies this principle")


@cache
def optimum_of(problem: CellSuppression) -> Exact:
    """Return the least cost of all partitions: the principle sees every group of rows once, and stars are counted without the package."""
    table = problem.table
    assert problem.principle.survives_merging(table), "groups cannot be seen one by one"

    def holds(group: tuple[int, ...]) -> bool:
        labels = np.ones(table.rows, dtype=np.int64)
        labels[list(group)] = 0
        return bool(problem.principle.holds_each(table.groups(labels))[0])

    best = best_partition(list(table.frame[list(table.quasi)].itertuples(index=False, name=None)), table.weights, holds)
    assert best is not None
    return best[0]


CLOSE = [TCloseness("0.3"), TCloseness("1/5"), TCloseness("0.3") & KAnonymity(12), TCloseness(0)]
"""Equal closeness, with k and without."""


def close_problem(seed: int, principle: Principle, rows: int = 90) -> CellSuppression:
    """Draw a table with weights and five values that are not even."""
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 3], (rows, 3)), columns=list("abc"))
    frame["s"] = chance.choice(list("vwxyz"), rows, p=[0.4, 0.2, 0.2, 0.1, 0.1])
    return CellSuppression(Table.from_frame(frame, list("abc"), "s", weights={"a": 2, "b": 1, "c": 3}), principle)


def square_problem(seed: int, rows: int = 8) -> CellSuppression:
    """Draw a table in which all corners of the square occur."""
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.integers(0, 3, (rows, 3)), columns=list("abc"))
    frame["s"] = [*"wxyz", *chance.choice(list("wxyz"), rows - 4)]
    principle = TCloseness(("1/5", "1/4", "1/3")[seed % 3], space=SQUARE)
    return CellSuppression(
        Table.from_frame(frame, list("abc"), "s"), principle & KAnonymity(2) if seed % 4 == 3 else principle
    )
