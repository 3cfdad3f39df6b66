"""Greedy choice of columns by the pairs of rows that they tell apart.

Columns identify the rows of a table if they tell every pair of different rows apart: a set cover, whose elements are pairs. So the greedy
algorithm for set cover is one for identifying columns (Motwani and Xu 2008): until all pairs are told apart, take the column that tells
most new ones apart for its weight. Nobody lists the pairs. A class of s row types that agree on the columns so far has s (s - 1) / 2 of
them, and a column tells apart what these numbers fall by when it splits the classes. With d the most pairs that one column tells apart, and
H_d the d-th harmonic number,

    cost <= H_d OPT <= (1 + log2(d) ln 2) OPT.

Attribute suppression is the same from the other side: columns are kept, and each one kept splits classes that must stay large enough.
Among the columns that can be kept, take the one that tells fewest pairs of rows apart for its weight, until there is none. A column
that cannot be kept beside some others cannot be kept beside more of them, so it is asked about once. Nothing is promised.

References
----------
R. Motwani and Y. Xu: Efficient algorithms for masking and finding quasi-identifiers. Workshop on Practical Privacy-Preserving Data
Mining, 2008.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.exact import Exact, simplest
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.base import Problem
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.columns import refined
from anoptima.problems.quasi_identifier import IdentifyingColumns
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.greedy_descent import descend
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts, Table

LN_2 = Fraction(6932, 10_000)
"""A number above ln 2."""


@algorithms.register
class GreedyPairs(Algorithm[Any]):
    """Columns chosen greedily by the pairs of rows that they tell apart.

    Identifying columns are added, the one that tells most pairs apart for its weight first; in attribute suppression columns are kept, the
    one that tells fewest pairs apart first.

    Identifying columns within 1 + log2(d) ln 2 of the optimum, d the most pairs that one column tells apart. O(T m) for each of the columns
    that are taken, T the row types and m the columns.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.IdentifyingColumns(ao.census("six")), "greedy-pairs")
    >>> answer.cost, answer.bound.value
    (6, 6)
    """

    name = "greedy-pairs"
    problems = (IdentifyingColumns, AttributeSuppression)
    joins_groups = True
    kind = Kind.APPROXIMATE
    family = "columns"
    uses_seed = False
    uses_limit = False
    quick = 2

    def ratio(self, problem: Problem[Any]) -> Exact | None:
        """Return 1 + LN_2 log2(d), with d rounded up to a power of two, for identifying columns; nothing is promised for others."""
        if not isinstance(problem, IdentifyingColumns):
            return None
        pairs = _Pairs(problem.table, by_rows=False)
        most = max((pairs.told_apart(column) for column in range(len(problem.table.quasi))), default=0)
        return simplest(1 + LN_2 * (most - 1).bit_length()) if most else 1

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Take columns one by one, then give up those that the others make needless."""
        assert isinstance(problem, ColumnChoice)
        ledger.offer(problem.solution_of(descend(problem, columns_by_pairs(problem), ledger.is_over)))
        self.raise_by_ratio(problem, ledger, ledger.cost or 0)


def columns_by_pairs(problem: ColumnChoice[Any]) -> list[int]:
    """Return sufficient columns that were chosen by the pairs that they tell apart; some may be needless."""
    return _dropped(problem) if isinstance(problem, AttributeSuppression) else _identifying(problem)


def _identifying(problem: ColumnChoice[Any]) -> list[int]:
    """Return columns that tell all row types apart, those first that tell most pairs apart for their weight."""
    pairs, chosen = _Pairs(problem.table, by_rows=False), list[int]()
    left = set(range(len(problem.table.quasi)))
    while pairs.alike:
        worth = {column: Fraction(pairs.told_apart(column)) / problem.table.weights[column] for column in left}
        best = min(left, key=lambda column: (-worth[column], column))
        pairs.split(best)
        chosen.append(best)
        left.remove(best)
    return chosen


def _dropped(problem: AttributeSuppression) -> list[int]:
    """Return the columns that are left when those are kept that tell fewest pairs of rows apart for their weight, as long as that holds."""
    pairs, everything = _Pairs(problem.table, by_rows=True), range(len(problem.table.quasi))
    kept, left = set[int](), set(everything)
    while left:
        loss = {column: Fraction(pairs.told_apart(column)) / problem.table.weights[column] for column in left}
        for column in sorted(left, key=lambda column: (loss[column], column)):
            check_time()
            left.remove(column)
            if problem.suffices([other for other in everything if other not in kept and other != column]):
                pairs.split(column)
                kept.add(column)
                break
    return [column for column in everything if column not in kept]


class _Pairs:
    """The classes of row types that agree on some columns, and the pairs in them: of row types, or of rows."""

    def __init__(self, table: Table, *, by_rows: bool) -> None:
        self._table = table
        self._copies: Counts = table.multiplicity if by_rows else np.ones(len(table.types), dtype=np.int64)
        self._labels, self._count = np.zeros(len(table.types), dtype=np.int64), min(1, len(table.types))
        self.alike = self._pairs(self._labels, self._count)
        """How many pairs agree on the columns so far; those of equal rows are among them."""

    def told_apart(self, column: int) -> int:
        """Return how many of these pairs a further column tells apart."""
        check_time()
        return self.alike - self._pairs(*self._refined(column))

    def split(self, column: int) -> None:
        """Take a further column."""
        self._labels, self._count = self._refined(column)
        self.alike = self._pairs(self._labels, self._count)

    def _refined(self, column: int) -> tuple[Counts, int]:
        width = len(self._table.quasi_columns[column].values)
        return refined(self._labels, self._count, self._table.types_by_column[column], width)

    def _pairs(self, labels: Counts, count: int) -> int:
        sizes = np.bincount(labels, self._copies, count).astype(np.int64)
        return int((sizes * (sizes - 1) // 2).sum())
