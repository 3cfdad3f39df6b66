"""Isolating columns: the fewest (or lightest) columns on which at least a share of the rows equal fewer than k rows.

With k = 2 these rows are unique: keys for a share of the rows. Classes only split as columns are added, so an isolated row stays
isolated, and the family of such sets is closed under adding columns. With a share of one row this is `WitnessColumns`; with share 1
and k = 2 on a table without equal rows it is `IdentifyingColumns`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_fraction, as_integer, exact_text
from anoptima.problems.base import Problem, problem_kinds
from anoptima.problems.columns import sizes_on
from anoptima.problems.quasi_identifier import QuasiIdentifier, QuasiIdentifierProblem, small_tables
from anoptima.table import Table


@checked
@dataclass(frozen=True, eq=False)
class IsolatingColumns(QuasiIdentifierProblem):
    """Lightest set of columns on which at least `share` of the rows equal fewer than `k` rows, themselves included.

    Solved and proved by `hitting-set`; `minimal_keys` lists all minimal sets.

    Examples
    --------
    >>> import pandas as pd
    >>> import anoptima as ao
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 2, 2]})
    >>> table = Table.from_frame(frame, quasi=["a", "b", "c"])
    >>> ao.solve(IsolatingColumns(table, "1/2"), "hitting-set").solution
    QuasiIdentifier(names=frozenset({'c'}))
    >>> ao.solve(IsolatingColumns(table, 1), "hitting-set").cost
    2
    >>> IsolatingColumns(table, 1).violations(QuasiIdentifier(frozenset("c")))
    ['2 of 4 rows equal fewer than k = 2 rows on the chosen columns; a share of 1 is asked for']
    """

    table: Table
    share: Number
    k: int = 2

    name = "isolating-columns"

    def __post_init__(self) -> None:
        share = as_fraction(self.share, "the share")
        if not 0 < share <= 1:
            raise BadInput(f"the share is {exact_text(share)}; it must be above 0 and at most 1")
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")

    def isolated(self, columns: Collection[int]) -> int:
        """Return how many rows equal fewer than k rows on these columns. O(T |Q|) for T row types, and a sort."""
        sizes = sizes_on(self.table, columns)
        return int(sizes[sizes < self.k].sum())

    def suffices(self, columns: Collection[int]) -> bool:
        """Enough rows are isolated."""
        return self._enough(self.isolated(columns))

    def violations(self, solution: QuasiIdentifier) -> list[str]:
        """Count the isolated rows."""
        unknown = self.unknown_columns(solution.names)
        if unknown:
            return unknown
        found = self.isolated(self.columns_of(solution))
        return [] if self._enough(found) else [f"{self._alone(found)} on the chosen columns; {self._asked()}"]

    def why_infeasible(self) -> str | None:
        """Say that all columns together isolate too few rows: then by monotony any do."""
        found = self.isolated(range(len(self.table.quasi)))
        return None if self._enough(found) else f"{self._alone(found)} on all columns together; {self._asked()}"

    def lower_bound(self) -> Exact:
        """Bound by indispensable columns, and by what single columns leave open."""
        return 0 if self.suffices(()) else self.least_choice()

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield small tables, for shares from little to all."""
        yield from (
            cls(table, share, k) for table in small_tables() for share in ("1/5", 1) for k in (2, table.rows + 1)
        )

    def _enough(self, isolated: int) -> bool:
        return isolated >= as_fraction(self.share, "the share") * self.table.rows

    def _alone(self, isolated: int) -> str:
        return f"{isolated:,} of {self.table.rows:,} rows equal fewer than k = {self.k} rows"

    def _asked(self) -> str:
        return f"a share of {exact_text(as_fraction(self.share, 'the share'))} is asked for"


def every_kind() -> dict[str, type[Problem[Any]]]:
    """Return every kind of problem by name: all that are registered, and isolating columns, which are not until they have models.

    >>> "isolating-columns" in every_kind(), "isolating-columns" in problem_kinds
    (True, False)
    """
    kinds: list[type[Problem[Any]]] = [*problem_kinds.all(), IsolatingColumns]
    return {kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.name)}
