"""The common part of cell and attribute suppression: a table, a principle, and a released table that can be read back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, TypeVar

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact, counted, exact_text, simplest
from anoptima.packages import pd
from anoptima.plain_principles import plain_principle
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness, principle_kinds
from anoptima.principles.in_a_table import principle_on
from anoptima.problems.base import Problem, entry, every_subset
from anoptima.problems.released import released_stars
from anoptima.registry import OURS, origin_of
from anoptima.spaces import Numeric
from anoptima.table import Counts, Groups, Table

S = TypeVar("S")

MOST_COLUMNS = 12
"""The most columns that an immediate solution keeps where the table as one group is no solution."""

MOST_SEARCHED = 8
"""A table of at most this many rows is searched through for a solution: 4,140 partitions."""


def group_text(rows: Counts) -> str:
    """Say which group it is: by the first five of its rows, numbered from 1.

    >>> import numpy as np
    >>> group_text(np.array([4])), group_text(np.arange(7))
    ('the group of row 5', 'the group of rows 1, 2, 3, 4, 5, ...')
    """
    first = ", ".join(str(row + 1) for row in rows[:5])
    return f"the group of row{'' if len(rows) == 1 else 's'} {first}{', ...' if len(rows) > 5 else ''}"


@checked
@dataclass(frozen=True, eq=False)
class TableProblem(Problem[S]):
    """A problem whose solutions release a table under a principle."""

    table: Table
    principle: Principle

    def __post_init__(self) -> None:
        self.principle.require_columns(self.table)
        already = self.table.star_in_data()
        if already:
            raise BadInput(f"{already}; write those cells some other way first")

    @abstractmethod
    def release(self, solution: S) -> pd.DataFrame:
        """Return the published table: `*` where the solution suppresses, everything else as it came in."""

    @abstractmethod
    def violations_of_release(self, release: pd.DataFrame) -> list[str]:
        """Say what is wrong with a published table, from the data alone; empty when it may be published."""

    @abstractmethod
    def solution_of_release(self, release: pd.DataFrame) -> S:
        """Return the solution that a published table shows; it costs at most the stars that are there."""

    def cost_of_release(self, release: pd.DataFrame) -> Exact:
        """Return the exact cost of a published table's stars: by default, their weight."""
        return self.unscale(int(released_stars(self.table, release).sum(axis=0) @ self.table.scaled_weights))

    @classmethod
    def asks_more(cls) -> bool:
        """Return whether a problem of this kind is stated by more than a table and a principle."""
        return any(
            part.default is MISSING and part.default_factory is MISSING and part.name not in ("table", "principle")
            for part in fields(cls)
        )

    @classmethod
    def has_documents(cls) -> bool:
        """A table and a principle can be written down; a problem that asks for more has methods of its own."""
        own = cls.from_json.__func__ is not TableProblem.from_json.__func__  # type: ignore[attr-defined]
        return own or not cls.asks_more()

    def as_json(self) -> dict[str, Any]:
        """Return the principle."""
        if not self.has_documents():
            return super().as_json()
        return {"principle": self.principle.as_json()}

    @classmethod
    def from_json(cls, table: Table, data: Mapping[str, Any]) -> Self:
        """Return the problem under the principle that `as_json` wrote down, in terms of the table's own values."""
        if cls.asks_more():
            return super().from_json(table, data)
        return cls(table, principle_on(table, entry(data, "principle")))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield six rows with duplicates, and five with weights and numbers, under one principle of each sort and three at once.

        None where a problem asks for more than a table and a principle: then it must say what.
        """
        if cls.asks_more():
            return
        six = pd.DataFrame(
            {"zip": [1, 1, 2, 2, 2, 3], "age": [30, 30, 30, 40, 40, 40], "job": [*"aababb"], "illness": [*"xyzxyx"]}
        )
        table = Table.from_frame(six, ["zip", "age", "job"], "illness")
        k, distinct = KAnonymity(2), LDiversity(2, version="distinct")
        ours = [kind for kind in principle_kinds.all() if origin_of(kind) == OURS]
        for principle in (*(one for kind in ours for one in kind.examples()), k & distinct & TCloseness("1/2")):
            yield cls(table, principle)
        five = pd.DataFrame({"zip": [1, 1, 2, 2, 2], "age": [30, 40, 30, 40, 40], "pay": [1, 2, 2, 4, 1]})
        weighted = Table.from_frame(five, ["zip", "age"], "pay", weights={"zip": 2, "age": "1/2"})
        for principle in (k, TCloseness("1/4", space=Numeric())):
            yield cls(weighted, principle)

    @cached_property
    def plain(self) -> Self:
        """The same problem with its principle simplified on this table: `KAnonymity(3) & KAnonymity(2)` is 3-anonymity."""
        principle = plain_principle(self.principle, self.table)
        return self if principle is self.principle else replace(self, principle=principle)

    @cached_property
    def is_merge_closed(self) -> bool:
        """Whether the union of two satisfying groups satisfies the principle: then a solution exists if the whole table is one."""
        return self.principle.survives_merging(self.table)

    def groups_of(self, solution: S) -> Groups | None:
        """Return the groups of which the principle is asked; None if a problem does not tell."""
        return None

    @cached_property
    def kept_at_least(self) -> tuple[int, ...] | None:
        """The fewest columns on which all classes satisfy the principle; None where there are no such columns."""
        columns = range(len(self.table.quasi))
        sets = every_subset(columns, most=0 if self.is_merge_closed else min(len(columns), MOST_COLUMNS))
        return next((kept for kept in sets if self.principle.holds(self._classes_on(kept))), None)

    def _classes_on(self, kept: Iterable[int]) -> Groups:
        return self.table.groups(self.table.classes(self.table.quasi[j] for j in kept))

    def why_infeasible(self) -> str | None:
        """Say why the whole table as one group fails: under a merge-closed principle, every solution does then.

        Under another, classes on sets of columns are tried. Where none are a solution, nobody knows at a glance: `NotApplicable`.
        """
        if self.kept_at_least is not None:
            return None
        reason = self.principle.why_not(self.table.whole)
        if self.is_merge_closed:
            return reason
        others = self.has_other_solutions
        if others is None:
            raise NotApplicable(
                f"no solution is known to start from: {self.principle} is not merge-closed, and neither the table as one group "
                f"satisfies it ({reason}) nor the classes on any columns"
            )
        return None if others else reason

    @cached_property
    def has_other_solutions(self) -> bool | None:
        """Whether there are solutions other than classes on columns. Only tiny tables are searched."""
        if self.table.rows > MOST_SEARCHED:
            return None
        return any(self.is_feasible(solution) for solution in self.solutions())

    def unstated(self, solution: S) -> str | None:
        """Say that the principle's conditions do not say all that it asks, where a solution shows it.

        So it does if some group does not satisfy the principle, and all satisfy the conditions. None otherwise, or if a condition does
        not tell.
        """
        groups = self.groups_of(solution)
        if groups is None or self.principle.holds(groups):
            return None
        try:
            stated = all(condition.holds_each(groups).all() for condition in self.principle.conditions(self.table))
        except NotImplementedError:
            return None
        if not stated:
            return None
        group = int((~self.principle.holds_each(groups)).argmax())
        return (
            f"{self.principle} asks more than its conditions state: a group of {counted(groups.size(group), 'rows')} satisfies them all "
            f"and not the principle ({self.principle.why_not(groups, group)}); "
            "let `conditions` state the rest, or NotLinear with the reason"
        )

    def size(self) -> Mapping[str, int]:
        """Return rows, row types, record types and columns."""
        table = self.table
        return {
            "rows": table.rows,
            "row types": len(table.types),
            "records": len(table.records),
            "columns": len(table.quasi),
        }

    @property
    def cost_scale(self) -> int:
        """The common denominator of the weights."""
        return self.table.weight_scale

    def unscale(self, scaled: int) -> Exact:
        """Turn a whole number of scaled units into a cost."""
        return simplest(Fraction(scaled, self.cost_scale))

    @property
    def out_of(self) -> str:
        """The total that `describe_cost` compares the cost with, where every column weighs 1."""
        return ""

    def describe_cost(self, cost: Exact) -> str:
        """Say a cost as stars of cells or columns of columns, or as weight where columns weigh differently."""
        if set(self.table.weights) == {1}:
            return f"{counted(cost, self.unit)}{self.out_of}"
        return f"{self.unit} of weight {exact_text(cost)}"
