"""Quasi-identifiers: the fewest (or lightest) columns that distinguish rows, in both senses that Yuan and Wang use.

Write class_Q(r) for the rows that agree with row r on the columns Q. A table is a multiset of rows.

- **Identifying columns** distinguish all distinct rows: Q has as many distinct rows as all columns C have, |Pi_Q| = |Pi_C|.
  Yuan and Wang's proof, algorithm and examples are about these.
- **Witness columns** show that k-anonymity is violated: some row has |class_Q(r)| < k. That is their Definition 3.

Both are monotone: adding columns to such a set gives such a set. The two differ. For distinct rows and k = 2 every identifying set with a
second row is a witness set, while a single column with one rare value is a witness set that may identify nobody else.

References
----------
C.-C. R. Yuan and B.-Y. Wang: Finding quasi-identifiers against k-anonymity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer
from anoptima.packages import pd
from anoptima.problems.base import entry, orderly, problem_kinds
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.columns import classes_of_types, count_on, identify_each, is_small_each, sizes_on
from anoptima.table import Table


@checked
@orderly
@dataclass(frozen=True)
class QuasiIdentifier:
    """The quasi-identifying columns that are chosen.

    >>> sorted(QuasiIdentifier(frozenset({"zip", "age"})).names)
    ['age', 'zip']
    """

    names: frozenset[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset(self.names))


@checked
class QuasiIdentifierProblem(ColumnChoice[QuasiIdentifier]):
    """The common part of both senses."""

    def columns_of(self, solution: QuasiIdentifier) -> frozenset[int]:
        """Return the positions of the chosen columns."""
        return frozenset(j for j, name in enumerate(self.table.quasi) if name in solution.names)

    def solution_of(self, columns: Iterable[int]) -> QuasiIdentifier:
        """Return the solution that consists of these columns."""
        return QuasiIdentifier(frozenset(self.table.quasi[j] for j in columns))

    def cost(self, solution: QuasiIdentifier) -> Exact:
        """Return the weight of the chosen columns."""
        return self.weight(self.columns_of(solution))

    def trivial(self) -> QuasiIdentifier:
        """Choose every column."""
        self.require_feasible()
        return QuasiIdentifier(frozenset(self.table.quasi))


@problem_kinds.register
@checked
@dataclass(frozen=True, eq=False)
class IdentifyingColumns(QuasiIdentifierProblem):
    """Lightest set of columns that distinguishes all distinct rows.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 2, 3]})
    >>> problem = IdentifyingColumns(Table.from_frame(frame, quasi=["a", "b", "c"]))
    >>> problem.lower_bound(), problem.violations(QuasiIdentifier(frozenset({"c"})))
    (1, [])
    >>> problem.violations(QuasiIdentifier(frozenset({"a"})))
    ['rows 1 and 2 differ and are equal on the chosen columns; 2 of 4 distinct rows are told apart']
    """

    table: Table

    name = "identifying-columns"

    def suffices(self, columns: Collection[int]) -> bool:
        """|Pi_Q| = |Pi_C|. O(T |Q|) for T row types, with a sort where codes are many."""
        return count_on(self.table, columns) == len(self.table.types)

    def suffice_each(self, sets: Sequence[Collection[int]]) -> NDArray[np.bool_]:
        """Refine what is still equal, for all sets that share columns at once."""
        return identify_each(self.table, sets)

    def violations(self, solution: QuasiIdentifier) -> list[str]:
        """Name two rows that are not told apart. O(n m)."""
        unknown = self.unknown_columns(solution.names)
        if unknown:
            return unknown
        labels, count = classes_of_types(self.table, self.columns_of(solution))
        types = len(labels)
        if count == types:
            return []
        order = np.argsort(labels, kind="stable")
        at = int(np.flatnonzero(labels[order[1:]] == labels[order[:-1]])[0])
        first, second = sorted(int((self.table.type_of_row == order[i]).argmax()) + 1 for i in (at, at + 1))
        told_apart = f"{count:,} of {types:,} distinct rows are told apart"
        return [f"rows {first} and {second} differ and are equal on the chosen columns; {told_apart}"]

    def why_infeasible(self) -> None:
        """All columns together always identify."""
        return

    def lower_bound(self) -> Exact:
        """Return the better of two bounds: by indispensable columns, and by counting how many values the widest columns can combine to."""
        return max(self.least_choice(), self._by_counting())

    def _by_counting(self) -> Exact:
        """Sum the lightest s weights, where even the s - 1 widest columns have fewer combinations than there are row types."""
        combinations, needed = 1, 0
        for width in sorted((len(column.values) for column in self.table.quasi_columns), reverse=True):
            if combinations >= len(self.table.types):
                break
            combinations *= width
            needed += 1
        return sum(sorted(self.table.weights)[:needed], start=0)

    def as_json(self) -> dict[str, Any]:
        """Return nothing: the table says all."""
        return {}

    @classmethod
    def from_json(cls, table: Table, data: Mapping[str, Any]) -> Self:
        """Return the problem on this table."""
        return cls(table)

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield tables with a column that is enough, with one that says nothing, with weights, and of equal rows."""
        yield from (cls(table) for table in small_tables())


@problem_kinds.register
@checked
@dataclass(frozen=True, eq=False)
class WitnessColumns(QuasiIdentifierProblem):
    """Lightest set of columns on which some row equals fewer than `k` rows, itself included.

    If k exceeds the number of rows, no column is needed: the table as one class is a witness already.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    >>> problem = WitnessColumns(Table.from_frame(frame, quasi=["a", "b"]), 2)
    >>> problem.lower_bound(), problem.violations(QuasiIdentifier(frozenset({"a"})))
    (2, ['every class on the chosen columns has at least 2 rows; one with fewer than k = 2 is asked for'])
    """

    table: Table
    k: int

    name = "witness-columns"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")

    def smallest_class(self, columns: Collection[int]) -> int:
        """Return the size of the smallest class on these columns. O(T |Q|) for T row types."""
        return int(sizes_on(self.table, columns).min())

    def suffices(self, columns: Collection[int]) -> bool:
        """Some class is smaller than k."""
        return self.smallest_class(columns) < self.k

    def suffice_each(self, sets: Sequence[Collection[int]]) -> NDArray[np.bool_]:
        """Refine classes, for all sets that share columns at once, until one is small."""
        return is_small_each(self.table, sets, self.k)

    def violations(self, solution: QuasiIdentifier) -> list[str]:
        """Give the size of the smallest class."""
        unknown = self.unknown_columns(solution.names)
        if unknown:
            return unknown
        smallest = self.smallest_class(self.columns_of(solution))
        if smallest < self.k:
            return []
        least = f"every class on the chosen columns has at least {smallest:,} row{'' if smallest == 1 else 's'}"
        return [f"{least}; one with fewer than k = {self.k} is asked for"]

    def why_infeasible(self) -> str | None:
        """Say that all columns together are no witness set: then by monotony none is."""
        smallest = int(self.table.multiplicity.min())
        if smallest < self.k:
            return None
        return (
            f"all columns together are no witness set: k = {self.k} and the smallest class on them has {smallest:,} "
            f"row{'' if smallest == 1 else 's'}; the table is {self.k}-anonymous as it is"
        )

    def lower_bound(self) -> Exact:
        """Bound by indispensable columns, and by what single columns leave open."""
        return 0 if self.table.rows < self.k else self.least_choice()

    def as_json(self) -> dict[str, Any]:
        """Return k."""
        return {"k": self.k}

    @classmethod
    def from_json(cls, table: Table, data: Mapping[str, Any]) -> Self:
        """Return the problem that `as_json` wrote down."""
        return cls(table, as_integer(entry(data, "k"), "k"))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield the same tables, for k from 1 to more than there are rows."""
        yield from (cls(table, k) for table in small_tables() for k in (2, 3, table.rows + 1))


def small_tables() -> Iterator[Table]:
    """Yield tables to try things on."""
    frame = pd.DataFrame({"a": [0, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1], "c": [0, 1, 2, 3, 3], "d": [7] * 5})
    yield Table.from_frame(frame, quasi=["a", "b", "d"])
    yield Table.from_frame(frame, quasi=["a", "b", "c"], weights={"c": 3, "a": "1/2"})
    yield Table.from_frame(frame, quasi=["d"])
