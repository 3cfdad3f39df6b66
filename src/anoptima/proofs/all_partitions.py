"""The proof for a handful of rows that needs no data: every partition, tried again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum, scaled_distances
from anoptima.proofs.kinds import register
from anoptima.proofs.plain_data import PlainData
from anoptima.table import Groups, Table

MOST_ROWS = 12
"""So few rows are tried at once, for any principle: their 3^12 pairs of a set of rows and a group in it take a tenth of a second."""

MOST_LOOKS = 1 << 24
"""How many sets of rows, and such pairs, there may be together: those of 15 rows, or of 16 to 17 in pairs and triples; some seconds."""


def looks_at(problem: Problem[Any]) -> int:
    """Return how many sets of rows and pairs of a set and a group in it there are; more than `MOST_LOOKS` if there are more than 24 rows.

    >>> import anoptima as ao
    >>> looks_at(CellSuppression(ao.ten_rows(), ao.KAnonymity(3))) == 3**10
    True
    """
    rows = problem.size()["rows"]
    sizes = range(problem.k, min(problem.largest, rows) + 1) if isinstance(problem, DiameterSum) else range(1, rows + 1)
    if rows > MOST_LOOKS.bit_length():
        return MOST_LOOKS + 1
    return (1 << rows) + sum(math.comb(rows, size) << (rows - size) for size in sizes)


@register
@dataclass(frozen=True)
class AllPartitions(PlainData):
    """No release costs less than `value`: by trying all partitions of the rows. For any principle, and for diameters."""

    value: Exact

    kind: ClassVar[str] = "all-partitions"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` if some partition costs less. O(3^n + 2^n m) for n rows and m columns.

        >>> from anoptima import TCloseness, ten_rows
        >>> AllPartitions(64).proved(CellSuppression(ten_rows(), TCloseness("0.1")))
        64
        """
        if not isinstance(problem, CellSuppression | DiameterSum):
            raise BadInput(f"the proof is about cell-suppression or diameter-sum, and this is {problem.name}")
        if looks_at(problem) > MOST_LOOKS:
            raise BadInput(
                f"the proof is about every partition of {problem.table.rows:,} rows, which are too many to look at"
            )
        impossible = problem.why_infeasible()
        if impossible is not None:
            raise BadInput(f"no solution exists, so there is no least cost: {impossible}")
        least = _least_cost(problem)
        if least < self.value:
            raise BadInput(f"some partition costs {exact_text(least)}, less than {exact_text(self.value)}")
        return self.value


_ROOM = 1 << 61
"""What costs must stay below, so that 64-bit integers hold the sum of two."""


def _least_cost(problem: CellSuppression | DiameterSum) -> Exact:
    """Return the least cost of a partition. Sets of rows are whole numbers: row i is in S if bit i of S is set.

    Some group of a partition has the last row of S, so the least cost of S is the least of cost(G) + least(S - G) over the groups G in S
    with that row: each group is put beside all sets of earlier rows at once. Fewer than 2k rows are one group, if groups have k or more.
    """
    if isinstance(problem, DiameterSum) and problem.table.rows < 2 * problem.k:
        farthest = scaled_distances(problem.table, problem.table.type_of_row).max()
        return simplest(Fraction(int(farthest), problem.cost_scale))
    forbidden = problem.table.rows * sum(problem.table.scaled_weights.tolist()) + 1
    cost = (_diameters if isinstance(problem, DiameterSum) else _costs_of_groups)(problem, forbidden)
    least = np.full(len(cost), forbidden, dtype=np.int64 if forbidden < _ROOM else object)
    least[0] = 0
    for last in range(problem.table.rows):
        earlier = np.arange(1 << last)
        for group in range(1 << last, 2 << last):
            check_time()
            if cost[group] < forbidden:
                others = earlier[(earlier & group) == 0]
                least[others | group] = np.minimum(least[others | group], least[others] + cost[group])
    return simplest(Fraction(int(least[-1]), problem.cost_scale))


def _diameters(problem: Any, forbidden: int) -> list[int]:
    """Return the scaled diameter of every set of rows; `forbidden` if it has not k to 2k - 1 rows."""
    table, every = problem.table, range(problem.table.rows)
    apart = scaled_distances(table, table.type_of_row).tolist()
    farthest = [0]
    for rows in range(1, 1 << table.rows):
        # The farthest two are among the others, or the first row is one of them.
        first = (rows & -rows).bit_length() - 1
        own = max(apart[first][row] for row in every if rows >> row & 1)
        farthest.append(max(own, farthest[rows & (rows - 1)]))
    sizes = range(problem.k, problem.largest + 1)
    return [far if rows == 0 or rows.bit_count() in sizes else forbidden for rows, far in enumerate(farthest)]


def _costs_of_groups(problem: Any, forbidden: int) -> list[int]:
    """Return the scaled cost of every set of rows as one group; `forbidden` if the principle forbids the group."""
    table = problem.table
    weights = [int(weight) for weight in table.scaled_weights]
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
