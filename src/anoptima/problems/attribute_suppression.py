"""Attribute suppression: the fewest (or lightest) columns to drop so that the classes of equal rows satisfy a principle.

A set of kept columns is *valid* if every class of rows that agree on it satisfies the principle. Valid sets are downward closed:
dropping a column merges classes, and principles are merge-closed. So dropping everything is valid exactly when some drop is (Meyerson
and Williams 2004, section 3.2; they count kept columns, here dropped columns have a cost).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.exact import Exact
from anoptima.limits import said
from anoptima.packages import pd
from anoptima.principles import Splitting
from anoptima.problems.base import orderly, problem_kinds
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.columns import is_small_each, sizes_on
from anoptima.problems.released import false_cells, released_stars
from anoptima.problems.table_problem import MOST_COLUMNS, TableProblem
from anoptima.table import Groups


@checked
@orderly
@dataclass(frozen=True)
class DroppedColumns:
    """The quasi-identifying columns that are suppressed.

    >>> sorted(DroppedColumns(frozenset({"zip", "age"})).names)
    ['age', 'zip']
    """

    names: frozenset[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset(self.names))


@problem_kinds.register
@checked
@dataclass(frozen=True, eq=False)
class AttributeSuppression(TableProblem[DroppedColumns], ColumnChoice[DroppedColumns]):
    """Lightest set of quasi-identifying columns to drop such that every class of equal rows satisfies `principle`.

    Dropping a column costs its weight in the table, as much as one star in it costs in cell suppression.

    Examples
    --------
    >>> from anoptima.principles import KAnonymity
    >>> from anoptima.table import Groups, Table
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    >>> problem = AttributeSuppression(Table.from_frame(frame, quasi=["a", "b"]), KAnonymity(2))
    >>> without_b = DroppedColumns(frozenset({"b"}))
    >>> problem.lower_bound(), problem.cost(without_b), problem.violations(without_b)
    (1, 1, [])
    """

    name = "attribute-suppression"
    unit = "columns"

    def kept(self, solution: DroppedColumns) -> list[str]:
        """Return the columns that stay, in the table's order."""
        return [name for name in self.table.quasi if name not in solution.names]

    def cost(self, solution: DroppedColumns) -> Exact:
        """Return the weight of the dropped columns."""
        return self.weight(self.columns_of(solution))

    def columns_of(self, solution: DroppedColumns) -> frozenset[int]:
        """Return the positions of the dropped columns."""
        return frozenset(j for j, name in enumerate(self.table.quasi) if name in solution.names)

    def solution_of(self, columns: Iterable[int]) -> DroppedColumns:
        """Return the solution that drops these columns."""
        return DroppedColumns(frozenset(self.table.quasi[j] for j in columns))

    def suffices(self, columns: Collection[int]) -> bool:
        """Return whether dropping these columns is feasible. O(n m)."""
        return self._can_keep(sorted({*range(len(self.table.quasi_columns))}.difference(columns)))

    def why_not_monotone(self) -> str | None:
        """Classes that satisfy the principle one by one need not do so together."""
        if self.is_merge_closed:
            return None
        return f"{self.principle} is not merge-closed: two classes may satisfy it, and not together"

    def suffice_each(self, sets: Sequence[Collection[int]]) -> NDArray[np.bool_]:
        """Refine classes on kept columns, for all sets that share them at once, until one is too small; else ask the principle."""
        everything = range(len(self.table.quasi))
        kept = [[j for j in everything if j not in columns] for columns in sets]
        found = ~is_small_each(self.table, kept, self.principle.least_size(self.table))
        if self.principle.splitting is not Splitting.ANYWHERE:
            for number in found.nonzero()[0].tolist():
                found[number] = self.suffices(sets[number])
        return found

    def violations(self, solution: DroppedColumns) -> list[str]:
        """Name the classes of kept values that fail the principle. O(n m)."""
        unknown = self.unknown_columns(solution.names)
        if unknown:
            return unknown
        labels = self.table.classes(self.kept(solution))
        groups = self.table.groups(labels)
        failing = np.flatnonzero(~self.principle.holds_each(groups))
        found = (
            f"the class of row {int((labels == group).argmax()) + 1} on the kept columns: "
            f"{self.principle.why_not(groups, int(group))}"
            for group in failing
        )
        return said(found, "classes fail", len(failing))

    def is_valid(self, kept: list[str]) -> bool:
        """Return whether keeping just these columns is feasible. O(T |kept|) where sizes decide, O(n |kept|) where they do not."""
        return self._can_keep([self.table.position(name) for name in kept])

    def _can_keep(self, columns: list[int]) -> bool:
        if int(sizes_on(self.table, columns).min()) < self.principle.least_size(self.table):
            return False
        if self.principle.splitting is Splitting.ANYWHERE:
            return True
        kept = [self.table.quasi[j] for j in columns]
        return self.principle.holds(self.table.groups(self.table.classes(kept)))

    def groups_of(self, solution: DroppedColumns) -> Groups:
        """Return the classes on the kept columns."""
        return self.table.groups(self.table.classes(self.kept(solution)))

    @cached_property
    def has_other_solutions(self) -> bool | None:
        """Solutions are classes on columns: all of them were tried, unless there are many columns."""
        return None if len(self.table.quasi) > MOST_COLUMNS else False

    def trivial(self) -> DroppedColumns:
        """Drop every column; under a principle that is not merge-closed, all but few."""
        self.require_feasible()
        return self.solution_of({*range(len(self.table.quasi))} - {*(self.kept_at_least or ())})

    def lower_bound(self) -> Exact:
        """Sum the weights of the columns that cannot even be kept alone: by downward closure each of them must go. O(n m)."""
        if not self.is_merge_closed or self.is_valid(list(self.table.quasi)):
            return 0
        alone = [not self.is_valid([name]) for name in self.table.quasi]
        forced = sum((weight for weight, goes in zip(self.table.weights, alone, strict=True) if goes), start=0)
        return max(forced, min(self.table.weights))

    @property
    def out_of(self) -> str:
        """The quasi-identifying columns."""
        return f" of {len(self.table.quasi)}"

    def release(self, solution: DroppedColumns) -> pd.DataFrame:
        """Return the table with `*` throughout the dropped columns."""
        stars = np.zeros((self.table.rows, len(self.table.quasi)), dtype=bool)
        stars[:, [name in solution.names for name in self.table.quasi]] = True
        return self.table.release(stars)

    def violations_of_release(self, release: pd.DataFrame) -> list[str]:
        """Say what is wrong with a released table: a column starred in part, a cell untrue, a class that fails."""
        false = false_cells(self.table, release)
        if false:
            return false
        stars = released_stars(self.table, release)
        for name, starred in zip(self.table.quasi, stars.T, strict=True):
            if starred.any() and not starred.all():
                return [f"column {name!r} is starred in some rows only; attribute suppression stars whole columns"]
        return self.violations(self.solution_of_release(release))

    def solution_of_release(self, release: pd.DataFrame) -> DroppedColumns:
        """Return the columns that a release stars."""
        stars = released_stars(self.table, release)
        return DroppedColumns(
            frozenset(name for name, column in zip(self.table.quasi, stars.T, strict=True) if column.all())
        )

    def cost_of_release(self, release: pd.DataFrame) -> Exact:
        """Return the weight of the columns that are starred throughout."""
        return self.cost(self.solution_of_release(release))
