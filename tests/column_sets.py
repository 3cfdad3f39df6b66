"""Choosing columns of tiny tables by trying every set: what solvers, models and oracles are held against. Plain tuples and counters."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems.column_choice import ColumnChoice

Rows = Sequence[tuple[Any, ...]]
Good = Callable[[tuple[int, ...]], bool]


def table_of(rows: Rows, weights: Sequence[Fraction | int] | None = None) -> ao.Table:
    """Return a table with columns q0, q1, ..."""
    names = [f"q{j}" for j in range(len(rows[0]))]
    priced = dict(zip(names, weights, strict=True)) if weights is not None else None
    return ao.Table.from_frame(pd.DataFrame(list(rows), columns=names), quasi=names, weights=priced)


def class_sizes(rows: Rows, columns: Iterable[int]) -> Counter[tuple[Any, ...]]:
    """Return how many rows there are of each image."""
    chosen = tuple(columns)
    return Counter(tuple(row[c] for c in chosen) for row in rows)


@dataclass(frozen=True)
class Choice:
    """A problem, and the same question in plain words."""

    problem: ColumnChoice[Any]
    good: Good
    weights: Sequence[Fraction | int]

    def sets(self) -> list[tuple[int, ...]]:
        """Return every set of columns."""
        m = len(self.weights)
        return [chosen for size in range(m + 1) for chosen in itertools.combinations(range(m), size)]

    def optimum(self) -> Fraction | None:
        """Return the least weight of a good set; None if there is none."""
        return min((self.price(chosen) for chosen in self.sets() if self.good(chosen)), default=None)

    def price(self, chosen: Iterable[int]) -> Fraction:
        """Return what a set weighs."""
        return sum((Fraction(self.weights[c]) for c in chosen), Fraction(0))


def choices(rows: Rows, weights: Sequence[Fraction | int], k: int) -> list[Choice]:
    """Return the three questions about columns of one table."""
    table, m = table_of(rows, weights), len(weights)

    def after_dropping(dropped: tuple[int, ...]) -> bool:
        return min(class_sizes(rows, [c for c in range(m) if c not in dropped]).values()) >= k

    return [
        Choice(ao.IdentifyingColumns(table), lambda q: len(class_sizes(rows, q)) == len(set(rows)), weights),
        Choice(ao.WitnessColumns(table, k), lambda q: min(class_sizes(rows, q).values()) < k, weights),
        Choice(ao.AttributeSuppression(table, ao.KAnonymity(k)), after_dropping, weights),
    ]


@st.composite
def asked(draw: st.DrawFn, most_rows: int = 10, most_columns: int = 5) -> list[Choice]:
    """Return the three questions about a random table."""
    columns = draw(st.integers(1, most_columns))
    row = st.tuples(*[st.integers(0, draw(st.integers(0, 3))) for _ in range(columns)])
    rows = draw(st.lists(row, min_size=1, max_size=most_rows))
    weight = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2)])
    weights = draw(st.one_of(st.just([Fraction(1)] * columns), st.lists(weight, min_size=columns, max_size=columns)))
    return choices(rows, weights, draw(st.integers(1, most_rows + 1)))
