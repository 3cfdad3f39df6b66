"""k-minimum diameter sum: groups of k to 2k - 1 rows with the least sum of diameters (Meyerson and Williams 2004, section 4).

The distance of two rows is the weight of the columns on which they differ, and a group's diameter is the largest distance in it. The
upper size matters: without it one group of all rows would often win. With D* the optimum, OPT that of cell suppression under
k-anonymity, and any partition into groups of k to 2k - 1 rows,

    k D* <= OPT <= sum |S| bad(S) <= (2k - 1)^2 / 2 * sum diam(S),

because `|S| bad(S) <= |S|^2 diam(S) / 2`: a bad column separates at least |S| - 1 pairs of rows, and all pairs together are separated
by C(|S|, 2) diam(S) columns at most. (The paper prints C(|S|, 2) diam(S) for the right side, which two different rows refute.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer, counted, exact_text, simplest
from anoptima.limits import said
from anoptima.packages import pd
from anoptima.principles.words import has_only
from anoptima.problems.base import Problem, entry, problem_kinds
from anoptima.problems.cell_suppression import Partition, every_partition, wrong_labels
from anoptima.problems.table_problem import group_text
from anoptima.table import Counts, Table

_BOUND_WORK = 50_000_000
"""The most cells that the cheap lower bound compares; about half a second."""


@problem_kinds.register
@checked
@dataclass(frozen=True, eq=False)
class DiameterSum(Problem[Partition]):
    """Groups of k to 2k - 1 rows with the least sum of diameters.

    Weights count: a column on which two rows differ adds its weight to their distance.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]).rename(columns=str)
    >>> problem = DiameterSum(Table.from_frame(rows, quasi=["0", "1", "2"]), 2)
    >>> problem.cost(Partition.from_groups([[0, 1], [2, 3]], 4)), problem.lower_bound()
    (2, 2)
    """

    table: Table
    k: int

    name = "diameter-sum"
    unit = "columns"

    def __post_init__(self) -> None:
        if as_integer(self.k, "k") < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")

    @property
    def largest(self) -> int:
        """The largest size of a group, 2k - 1."""
        return 2 * self.k - 1

    def cost(self, solution: Partition) -> Exact:
        """Return the exact sum of diameters. O(sum of |S|^2 m)."""
        table = self.table
        total = 0
        for group in solution.groups():
            total += int(scaled_distances(table, np.unique(table.type_of_row[group])).max())
        return self._unscale(total)

    def violations(self, solution: Partition) -> list[str]:
        """Name the groups that are too small or too large, or say that the labels are no partition of the rows."""
        wrong = wrong_labels(solution, self.table.rows)
        if wrong:
            return wrong
        sizes = np.bincount(solution.labels)
        failing = np.flatnonzero((sizes < self.k) | (sizes > self.largest))
        found = (
            f"{group_text(np.flatnonzero(solution.labels == group))}: it has {counted(int(sizes[group]), 'rows')}, "
            f"and {self.k} to {self.largest} are allowed"
            for group in failing
        )
        return said(found, "groups fail", len(failing))

    def trivial(self) -> Partition:
        """Sort the rows and cut them into n // k groups of nearly one size.

        With n = q k + r, r < k, the sizes are at most k + ceil(r / q) <= 2k - 1: so some solution exists exactly when n >= k.
        """
        self.require_feasible()
        labels = np.empty(self.table.rows, dtype=np.int64)
        order = np.argsort(self.table.type_of_row, kind="stable")
        for number, part in enumerate(np.array_split(order, self.table.rows // self.k)):
            labels[part] = number
        return Partition.from_labels(labels)

    def lower_bound(self) -> Exact:
        """Count the groups that rows far from others need: of n < 2k rows, which are one group, the diameter.

        A group's diameter is at least the distance of each of its rows to its (k - 1)-th nearest other row, its radius, and it has 2k - 1
        rows at most. So for every d, the N_d rows of a radius of d or more are in ceil(N_d / (2k - 1)) groups or more, of diameter d or
        more. Summed over all d > 0, those are the largest radius, the 2k-th largest, the (4k - 1)-th largest and so on. O(T^2 m) for T row
        types, and 0 where that would take long.
        """
        types, multiplicity = self.table.types, self.table.multiplicity
        if len(types) ** 2 * types.shape[1] > _BOUND_WORK or self.table.rows < self.k:
            return 0
        distances = scaled_distances(self.table, np.arange(len(types)))
        if self.table.rows < 2 * self.k:
            return self._unscale(int(distances.max()))
        order = np.argsort(distances, axis=1, kind="stable")
        # A row is its own nearest; the k-th row counted from there is the (k - 1)-th other one.
        reached = np.cumsum(multiplicity[order], axis=1) >= self.k
        radius = distances[np.arange(len(types)), order[np.arange(len(types)), reached.argmax(axis=1)]]
        largest_first = np.argsort(-radius, kind="stable")
        # The type of every (2k - 1)-th row from the first on.
        rows = np.arange(0, self.table.rows, self.largest)
        at = np.searchsorted(np.cumsum(multiplicity[largest_first]), rows, side="right")
        return self._unscale(int(radius[largest_first][at].sum()))

    def why_infeasible(self) -> str | None:
        """Compare n and k: every n >= k is a sum of sizes from k to 2k - 1."""
        rows = self.table.rows
        if rows >= self.k:
            return None
        return f"k = {self.k} but {has_only(rows)}"

    def solutions(self) -> Iterator[Partition]:
        """Yield every partition of the rows; the Bell number of n counts them."""
        return every_partition(self.table.rows)

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield six rows with duplicates and five with weights, for k = 1, 2, 3."""
        six = pd.DataFrame({"zip": [1, 1, 2, 2, 2, 3], "age": [30, 30, 30, 40, 40, 40], "job": [*"aababb"]})
        table = Table.from_frame(six, ["zip", "age", "job"])
        five = pd.DataFrame({"zip": [1, 1, 2, 2, 2], "age": [30, 40, 30, 40, 40]})
        yield from (cls(table, k) for k in (1, 2, 3))
        yield cls(Table.from_frame(five, ["zip", "age"], weights={"zip": 2, "age": "1/2"}), 2)

    def as_json(self) -> dict[str, Any]:
        """Return k."""
        return {"k": self.k}

    @classmethod
    def from_json(cls, table: Table, data: Mapping[str, Any]) -> Self:
        """Return the problem that `as_json` wrote down."""
        return cls(table, as_integer(entry(data, "k"), "k"))

    def size(self) -> Mapping[str, int]:
        """Return rows, row types and columns."""
        return {"rows": self.table.rows, "row types": len(self.table.types), "columns": len(self.table.quasi)}

    @property
    def cost_scale(self) -> int:
        """The common denominator of the weights."""
        return self.table.weight_scale

    def describe_cost(self, cost: Exact) -> str:
        """Say a sum of diameters as columns, or as weight where columns weigh differently."""
        plain = set(self.table.weights) == {1}
        return f"diameters of {counted(cost, self.unit) if plain else exact_text(cost) + ' weight'} in all"

    def _unscale(self, scaled: int) -> Exact:
        return simplest(Fraction(scaled, self.cost_scale))


def scaled_distances(table: Table, chosen: Counts) -> Counts:
    """Return the scaled distances of every two of the `chosen` row types. O(T^2 m).

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [0, 1], "b": [0, 1]}), quasi=["a", "b"], weights={"b": "1/2"})
    >>> scaled_distances(table, np.arange(2)).tolist()
    [[0, 3], [3, 0]]
    """
    types = table.types[chosen]
    distances = np.zeros((len(types), len(types)), dtype=np.int64)
    for c, weight in enumerate(table.scaled_weights.tolist()):
        distances += weight * (types[:, None, c] != types[None, :, c])
    return distances
