"""Tables and points of whole numbers, for the hunter and the worst cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.errors import BadInput
from anoptima.packages import pd
from anoptima.principles import KAnonymity, Principle
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.problems.fake_points import FakePoints
from anoptima.problems.quasi_identifier import IdentifyingColumns
from anoptima.solvers.approximate.facilities import rows_as_facilities
from anoptima.table import Column, Table

SENSITIVE = "s"
"""The name of the sensitive column."""


PARTS = 4
"""Coordinates of points are whole numbers of quarters."""


def numbered_table(rows: Sequence[Sequence[int]], has_sensitive: bool = False) -> Table:
    """Return a table with columns c0, c1, ..., the last number of each row its sensitive value, if there is one.

    >>> numbered_table([(0, 1, 5), (0, 2, 5)], has_sensitive=True)
    Table(2 rows, 2 row types, quasi c0, c1, sensitive s)
    """
    numbers = np.array(rows, dtype=np.int64)
    quasi = numbers.shape[1] - has_sensitive
    names = [*(f"c{j}" for j in range(quasi)), *([SENSITIVE] if has_sensitive else [])]
    # Coded here: a hunt makes thousands of tables, and what a frame could hold beside whole numbers need not be looked for.
    columns = []
    for name, cells in zip(names, numbers.T.tolist(), strict=True):
        places: dict[int, int] = {}
        codes = [places.setdefault(value, len(places)) for value in cells]
        columns.append(Column(name, np.array(codes, dtype=np.int32), tuple(places)))
    return Table(pd.DataFrame(numbers, columns=names), tuple(columns[:quasi]), tuple(columns[quasi:]), (), (1,) * quasi)


def quarter_points(quarters: Iterable[Iterable[int]]) -> list[tuple[Fraction, ...]]:
    """Return points given in quarters.

    >>> quarter_points([(1, 4)])
    [(Fraction(1, 4), Fraction(1, 1))]
    """
    return [tuple(Fraction(x, PARTS) for x in point) for point in quarters]


def _k(principle: Principle | None) -> int:
    if not isinstance(principle, KAnonymity):
        raise BadInput(f"this problem is stated by k alone, not by {principle}")
    return principle.k


def _asked(principle: Principle | None) -> Principle:
    if principle is None:
        raise BadInput("this problem is stated by a principle; give k, l or t")
    return principle


QUESTIONS: Mapping[str, Callable[[Any, Principle | None], Problem[Any]]] = {
    "cell-suppression": lambda table, principle: CellSuppression(table, _asked(principle)),
    "diameter-sum": lambda table, principle: DiameterSum(table, _k(principle)),
    "attribute-suppression": lambda table, principle: AttributeSuppression(table, _asked(principle)),
    "identifying-columns": lambda table, principle: IdentifyingColumns(table),
    "lower-bounded-facilities": lambda table, principle: rows_as_facilities(table, _k(principle)),
    "fake-points": lambda points, principle: FakePoints(points, _k(principle)),
}
"""What makes a question of each kind from a table, or from points."""
