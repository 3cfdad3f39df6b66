"""(n/2)-anonymity to (cN)-anonymity for a share 0 < c <= 1/3 of the rows (Liang and Yuan 2013, Theorem 4).

Construction: n rows with k = n/2 become the first of N = floor(n / (2c)) rows, with k' = ceil(cN) = n/2. Old rows keep their m values and
get q new columns with one symbol throughout; the N - n new rows have one fresh symbol in all m + q columns.
Why: c <= 1/3 leaves n/2 new rows or more, so that they are a group at no cost. A group with old rows and new ones is starred throughout,
and it has n/2 rows or more: (n/2) (W + Q) or more, with W and Q the weights of the old and of the new columns. That is more than n W, which
all old rows in one group cost at most, if Q > W.
Relation: OPT is unchanged.
Maps: the old groups and one of all new rows. Back: the groups of old rows; where a group is mixed, all old rows in one group.
Size: N rows, m + q columns with q = m + 1: the new columns weigh as the old ones do, and the first old one once more, so Q > W.
What is lost in the paper: its number q; m + 1 satisfies the proof. N = floor(n / (2c)) serves every rational c.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_fraction
from anoptima.principles import KAnonymity
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.tables import table_of


@dataclass(frozen=True, eq=False)
class OldRowsFirst(Reduced[Partition, Partition]):
    """The source's rows come first, the new ones after them."""

    def forward(self, solution: Partition) -> Partition:
        """Add the new rows as a group."""
        assert isinstance(self.target, CellSuppression)
        fresh = np.full(self.target.table.rows - len(solution.labels), len(solution.labels))
        return Partition.from_labels(np.concatenate([solution.labels, fresh]))

    def backward(self, solution: Partition) -> Partition:
        """Leave the new rows out; if they are in a group with old ones, put all old rows into one."""
        assert isinstance(self.source, CellSuppression)
        old = self.source.table.rows
        mixed = np.isin(solution.labels[:old], solution.labels[old:]).any()
        return self.source.trivial() if mixed else Partition.from_labels(solution.labels[:old])

    def target_cost(self, source_cost: Exact) -> Exact:
        """Return the same cost."""
        return source_cost

    def source_cost(self, target_cost: Exact) -> Exact:
        """Return the same cost."""
        return target_cost


@reductions.register
@dataclass(frozen=True)
class HalfAnonymityToShareAnonymity(Reduction[Partition, Partition]):
    """Cell suppression with k = n/2 for n rows as cell suppression with k a smaller share c of the rows: rows are added to the table.

    Parameters
    ----------
    c
        The share; above 0, at most 1/3.

    Examples
    --------
    >>> import pandas as pd
    >>> from anoptima.table import Table
    >>> rows = pd.DataFrame({"a": [1, 2, 0, 0], "b": [0, 2, 3, 0]})
    >>> problem = CellSuppression(Table.from_frame(rows, ["a", "b"]), KAnonymity(2))
    >>> reduced = HalfAnonymityToShareAnonymity("1/4").apply(problem)
    >>> reduced.target.table.frame.to_numpy().tolist()[3:5], reduced.target.principle
    ([[2, 0, 0, 0, 0], [3, 3, 1, 1, 1]], KAnonymity(k=2))
    """

    c: Fraction

    name = "half-anonymity-to-share-anonymity"
    cites = "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 4"

    def __init__(self, c: Number = Fraction(1, 4)) -> None:
        object.__setattr__(self, "c", as_fraction(c, "c"))
        if not 0 < self.c <= Fraction(1, 3):
            raise BadInput(
                f"c is {self.c}; it must be above 0 and at most 1/3 (between 1/3 and 1/2, half-clique serves)"
            )

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression under k-anonymity, with k half of the rows."""
        if not isinstance(problem, CellSuppression) or not isinstance(problem.principle, KAnonymity):
            return "it is for cell-suppression under k-anonymity"
        k, rows = problem.principle.k, problem.table.rows
        return None if 2 * k == rows else f"k is {k} and there are {rows} rows; k must be half of them"

    def target_size(self, problem: Problem[Partition]) -> Mapping[str, int]:
        """floor(n / (2c)) rows, 2m + 1 columns."""
        size = problem.size()
        return {"rows": math.floor(size["rows"] / (2 * self.c)), "columns": 2 * size["columns"] + 1}

    def apply_unchecked(self, problem: Problem[Partition]) -> Reduced[Partition, Partition]:
        """Write the old values by their codes, a fresh symbol below them, and new columns beside them. O(N m)."""
        assert isinstance(problem, CellSuppression)
        old, m = problem.table, len(problem.table.quasi)
        rows = math.floor(old.rows / (2 * self.c))
        cells = np.zeros((rows, 2 * m + 1), dtype=np.int64)
        for j, column in enumerate(old.quasi_columns):
            cells[: old.rows, j] = column.codes
            cells[old.rows :, j] = len(column.values)
        cells[old.rows :, m:] = 1  # no mutant: tests try that it is not 0
        once_more = old.weights[0]  # no mutant: tests try one column; of several any would do
        weights = [*old.weights, *old.weights, once_more]
        k = math.ceil(self.c * rows)
        return OldRowsFirst(problem, CellSuppression(table_of(cells, weights=weights), KAnonymity(k)))
