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
from functools import cached_property
from typing import Any, Self

import numpy as np

from anoptima.arguments import checked
from anoptima.distinct import distinct
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer, counted, exact_text, simplest
from anoptima.limits import said
from anoptima.packages import pd
from anoptima.principles.words import has_only
from anoptima.problems.base import Problem, entry, problem_kinds
from anoptima.problems.cell_suppression import Partition, every_partition, require_label_each, wrong_labels
from anoptima.problems.table_problem import group_text
from anoptima.table import Counts, Table

_BOUND_WORK = 500_000_000
"""The most cells that the cheap lower bound compares; about half a second."""

_FEW_ROWS = 64
"""Up to how many rows groups of one size are measured together, row by row; larger ones alone, by their row types."""

_AT_ONCE = 1 << 22
"""The most distances that go into one array."""


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
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")

    @property
    def largest(self) -> int:
        """The largest size of a group, 2k - 1."""
        return 2 * self.k - 1

    def cost(self, solution: Partition) -> Exact:
        """Return the exact sum of diameters. O(sum of |S|^2 m)."""
        require_label_each(solution, self.table.rows)
        return self._unscale(sum(scaled_diameters(self.table, solution)))

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
        """Cut k or more equal rows into groups of nearly one size, and all other rows likewise, in their order.

        With n = q k + r, r < k, the sizes are at most k + ceil(r / q) <= 2k - 1: so some solution exists exactly when n >= k. If there
        are fewer than k other rows, they are cut together with the last equal ones. O(n log n).

        >>> import pandas as pd
        >>> table = Table.from_frame(pd.DataFrame({"a": list("xxyzyz"), "b": list("uuvuvu")}), quasi=["a", "b"])
        >>> problem = DiameterSum(table, 2)
        >>> problem.cost(problem.trivial())
        0
        """
        self.require_feasible()
        types = self.table.type_of_row
        is_rare = (self.table.multiplicity < self.k)[types]
        order = np.lexsort((types, is_rare))
        starts = np.flatnonzero(np.diff(np.where(is_rare, -1, types)[order], prepend=-2))
        if self.table.rows - starts[-1] < self.k:
            starts = starts[:-1]
        labels, groups = np.empty(self.table.rows, dtype=np.int64), 0
        for alike in np.split(order, starts[1:]):
            for part in np.array_split(alike, len(alike) // self.k):
                labels[part] = groups
                groups += 1
        return Partition.from_labels(labels)

    def lower_bound(self) -> Exact:
        """Count the groups that rows far from others need: of n < 2k rows, which are one group, the diameter.

        A group's diameter is at least the distance of each of its rows to its (k - 1)-th nearest other row, its radius, and it has 2k - 1
        rows at most. So for every d, the N_d rows of a radius of d or more are in ceil(N_d / (2k - 1)) groups or more, of diameter d or
        more. Summed over all d > 0, those are the largest radius, the 2k-th largest, the (4k - 1)-th largest and so on. O(T^2 m) for T row
        types; of large tables only some rows are looked at, evenly spread, and the radius of the others counts as 0. Worked out once.
        """
        return self._least

    @cached_property
    def _least(self) -> Exact:
        types, rows = len(self.table.types), self.table.rows
        if rows < self.k:
            return 0
        some = max(1, min(types, _BOUND_WORK // self.table.types.size))
        chosen = np.arange(some, dtype=np.int64) * types // some
        if rows < 2 * self.k:
            return self._unscale(max(int(far.max()) for far in distances_from(self.table, chosen)))
        radius = np.concatenate([self._radii(far) for far in distances_from(self.table, chosen)])
        largest_first = np.argsort(-radius, kind="stable")
        copies = np.cumsum(self.table.multiplicity[chosen[largest_first]])
        # The type of every (2k - 1)-th row from the first on.
        at = np.searchsorted(copies, np.arange(0, int(copies[-1]), self.largest), side="right")
        return self._unscale(int(radius[largest_first][at].sum()))

    def _radii(self, far: Counts) -> Counts:
        """Return the distance of some rows to the (k - 1)-th nearest other one, from those to all row types."""
        nearest = min(self.k, far.shape[1])
        near = np.argpartition(far, nearest - 1, axis=1)[:, :nearest]
        far = np.take_along_axis(far, near, axis=1).astype(np.int64)
        order = np.argsort(far, axis=1, kind="stable")
        # A row is its own nearest; the k-th row counted from there is the (k - 1)-th other one.
        reached = np.cumsum(self.table.multiplicity[np.take_along_axis(near, order, axis=1)], axis=1) >= self.k
        place = reached.argmax(axis=1)[:, np.newaxis]
        return np.take_along_axis(np.take_along_axis(far, order, axis=1), place, axis=1)[:, 0]

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


def scaled_diameters(table: Table, partition: Partition) -> list[int]:
    """Return the scaled diameters of all groups of rows, by their labels. O(sum of |S|^2 m).

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [0, 1, 1], "b": [0, 1, 0]}), quasi=["a", "b"], weights={"b": "1/2"})
    >>> scaled_diameters(table, Partition.from_labels([0, 0, 1])), scaled_diameters(table, Partition.from_labels([0, 0, 0]))
    ([3, 0], [3])
    """
    sizes = np.bincount(partition.labels)
    types = table.type_of_row[np.argsort(partition.labels, kind="stable")]
    first, across = np.cumsum(sizes) - sizes, np.zeros(len(sizes), dtype=np.int64)
    for size in distinct(sizes).tolist():
        alike = np.flatnonzero(sizes == size)
        groups = types[first[alike, np.newaxis] + np.arange(size)]
        if size > _FEW_ROWS:
            across[alike] = [int(scaled_distances(table, distinct(group)).max()) for group in groups]
            continue
        # Each two rows of a group lie side by side after some turn of one of two copies.
        for turn in range(1, size // 2 + 1):
            turned, far = np.roll(groups, turn, axis=1), np.zeros(groups.shape, dtype=np.int64)
            for codes, weight in zip(table.types_by_column, table.scaled_weights.tolist(), strict=True):
                far += weight * (codes[groups] != codes[turned])
            across[alike] = np.maximum(across[alike], far.max(axis=1))
    return across.tolist()


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


def distances_from(table: Table, chosen: Counts) -> Iterator[Counts]:
    """Yield the scaled distances of the `chosen` row types to all, in blocks of some of them. O(T m) for each.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]}), quasi=["a", "b"])
    >>> [block.tolist() for block in distances_from(table, np.array([0, 2]))]
    [[[0, 1, 2], [2, 1, 0]]]
    """
    columns, weights = table.types_by_column, table.scaled_weights
    kind: Any = np.uint8 if int(weights.sum()) < 256 else np.int64
    step = max(1, _AT_ONCE // columns.shape[1])
    for first in range(0, len(chosen), step):
        some = chosen[first : first + step]
        far = np.zeros((len(some), columns.shape[1]), dtype=kind)
        for codes, weight in zip(columns, weights.tolist(), strict=True):
            far += kind(weight) * (codes[some, np.newaxis] != codes)
        yield far
