"""The proof for a handful of rows that needs no data: every partition, tried again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_plain, exact_text, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum, scaled_distances
from anoptima.proofs.kinds import register
from anoptima.proofs.reading import Fields
from anoptima.table import Groups, Table

MOST_ROWS = 12
"""How many rows a table may have: its 3^12 / 2 pairs of a set of rows and a group in it take a tenth of a second."""


@register
@dataclass(frozen=True)
class AllPartitions:
    """No release costs less than `value`: by trying all partitions of the rows. For any principle, and for diameters."""

    value: Exact

    kind: ClassVar[str] = "all-partitions"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"value": exact_plain(self.value)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AllPartitions:
        """Return the proof that `as_json` wrote, unchecked; `BadInput` says what is none."""
        fields = Fields(data, "the proof")
        proof = cls(fields.exact("value"))
        fields.end()
        return proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` if some partition costs less. O(3^n + 2^n m) for n rows and m columns.

        >>> from anoptima import TCloseness, ten_rows
        >>> AllPartitions(64).proved(CellSuppression(ten_rows(), TCloseness("0.1")))
        64
        """
        if not isinstance(problem, CellSuppression | DiameterSum):
            raise BadInput(f"the proof is about cell-suppression or diameter-sum, and this is {problem.name}")
        if problem.table.rows > MOST_ROWS:
            raise BadInput(
                f"the proof is about every partition of {problem.table.rows:,} rows; {MOST_ROWS} rows are the most"
            )
        impossible = problem.why_infeasible()
        if impossible is not None:
            raise BadInput(f"no solution exists, so there is no least cost: {impossible}")
        least = _least_cost(problem)
        if least < self.value:
            raise BadInput(f"some partition costs {exact_text(least)}, less than {exact_text(self.value)}")
        return self.value


def _least_cost(problem: CellSuppression | DiameterSum) -> Exact:
    """Return the least cost of a partition. Sets of rows are whole numbers: row i is in S if bit i of S is set.

    Some group of a partition has the first row of S, so the least cost of S is the least of cost(G) + least(S - G) over the groups G in S
    with that row.
    """
    cost = _diameters(problem) if isinstance(problem, DiameterSum) else _costs_of_groups(problem)
    least = [0]
    for rows in range(1, len(cost)):
        check_time()
        first = rows & -rows
        others = inside = rows - first
        found = [cost[rows]]
        while inside:
            inside = (inside - 1) & others
            found.append(cost[inside + first] + least[others - inside])
        least.append(min(found))
    return simplest(Fraction(least[-1], problem.cost_scale))


def _diameters(problem: DiameterSum) -> list[int]:
    """Return the scaled diameter of every set of rows; more than all sums of diameters if it has not k to 2k - 1 rows."""
    table, every = problem.table, range(problem.table.rows)
    apart = scaled_distances(table, table.type_of_row).tolist()
    forbidden = table.rows * int(table.scaled_weights.sum()) + 1
    farthest = [0]
    for rows in range(1, 1 << table.rows):
        # The farthest two are among the others, or the first row is one of them.
        first = (rows & -rows).bit_length() - 1
        own = max(apart[first][row] for row in every if rows >> row & 1)
        farthest.append(max(own, farthest[rows & (rows - 1)]))
    sizes = range(problem.k, problem.largest + 1)
    return [far if rows == 0 or rows.bit_count() in sizes else forbidden for rows, far in enumerate(farthest)]


def _costs_of_groups(problem: CellSuppression) -> list[int]:
    """Return the scaled cost of every set of rows as one group; more than all cells together if the principle forbids the group."""
    table = problem.table
    weights = [int(weight) for weight in table.scaled_weights]
    forbidden = table.rows * sum(weights) + 1
    allowed = [False, *problem.principle.holds_each(_sets_of_rows(table)).tolist()]
    codes = [column.codes.tolist() for column in table.quasi_columns]
    alike = [[sum(1 << i for i, code in enumerate(column) if code == own) for own in column] for column in codes]
    costs = [0]
    for rows in range(1, 1 << table.rows):
        first = (rows & -rows).bit_length() - 1
        stars = sum(weight for weight, same in zip(weights, alike, strict=True) if rows & ~same[first])
        costs.append(rows.bit_count() * stars if allowed[rows] else forbidden)
    return costs


def _sets_of_rows(table: Table) -> Groups:
    """Return every set of rows but the empty one as a group."""
    has = np.arange(1, 1 << table.rows)[:, None] >> np.arange(table.rows) & 1
    label, row = np.nonzero(has)
    columns = {name: table.sensitive_column(name) for name in table.sensitive}
    codes = {name: column.codes[row] for name, column in columns.items()}
    return Groups(has.sum(axis=1), columns, label.astype(np.int64), np.ones(len(label), np.int64), codes)
