"""Choosing columns: the lightest set in a family of column sets that is closed under adding columns.

A set of columns *suffices* or it does not, and whatever contains one that does suffices too. Identifying columns, witness columns and
the columns that attribute suppression drops are such sets. A *barrier* is a set of columns that every sufficient set meets: by
monotony, B is one exactly when all columns outside B together do not suffice. So the sufficient sets are the sets that meet every
barrier, and looking for the lightest is looking for the lightest hitting set of barriers that nobody has to list in advance.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.exact import Exact, counted, exact_text
from anoptima.problems.base import Problem, every_subset
from anoptima.table import Table

S = TypeVar("S")


@checked
class ColumnChoice(Problem[S]):
    """Lightest sufficient set of quasi-identifying columns; the weight of a column is the table's. Columns are meant by position.

    Required beside what a problem needs: `suffices`, monotone, and the two ways between sets of columns and solutions.
    """

    name = "problems that choose columns"
    """All of them, in messages; each has a name of its own."""

    table: Table
    unit = "columns"

    @abstractmethod
    def suffices(self, columns: Collection[int]) -> bool:
        """Return, exactly, whether these columns are a solution; if they are, so is every set that contains them."""

    def why_not_monotone(self) -> str | None:
        """Say why a set that contains a sufficient one may not suffice; None if it does. Minimal sets and proofs rest on that it does."""
        return None

    def suffice_each(self, sets: Sequence[Collection[int]]) -> NDArray[np.bool_]:
        """Return, exactly, which of many sets of columns suffice. One question each, unless the problem can share work between them."""
        return np.array([self.suffices(columns) for columns in sets], dtype=np.bool_)

    @abstractmethod
    def columns_of(self, solution: S) -> frozenset[int]:
        """Return the columns that a solution consists of."""

    @abstractmethod
    def solution_of(self, columns: Iterable[int]) -> S:
        """Return the solution that consists of these columns."""

    def unknown_columns(self, names: Iterable[str]) -> list[str]:
        """Say which names are no quasi-identifying columns."""
        known = self.table.quasi
        return [
            f"{name!r} is no quasi-identifying column; those are {', '.join(known)}"
            for name in sorted(set(names) - set(known))
        ]

    def weight(self, columns: Iterable[int]) -> Exact:
        """Return the weight of a set of columns."""
        return sum((self.table.weights[j] for j in columns), start=0)

    def least_choice(self) -> Exact:
        """Return a bound: indispensable columns, and as few others as one look at each single one leaves open.

        O(m) questions, and few where one answers for many columns (`indispensable`). A column is indispensable if all others together
        do not suffice. If those do not suffice either, one more column is needed; if no single one is enough, two are.
        """
        m = len(self.table.quasi)
        needed = self.indispensable((), range(m))
        paid = self.weight(needed)
        if self.suffices(needed):
            return paid
        others = [c for c in range(m) if c not in needed]
        two = sum(sorted(self.table.weights[c] for c in others)[:2], start=0) if len(others) > 1 else None
        enough = [self.table.weights[c] for c in others if self.suffices([*needed, c])]
        return paid + min([*enough, *([] if two is None else [two])])

    def indispensable(self, beside: Collection[int], among: Sequence[int]) -> set[int]:
        """Return those of `among` without which `beside` and all others of `among` together do not suffice.

        By halves: where `beside` suffices none is. At most 2m - 1 questions for m columns, O(d log m) for d that are found.
        """
        if not len(among) or self.suffices(beside):
            return set()
        if len(among) == 1:
            return set(among)
        left, right = among[: len(among) // 2], among[len(among) // 2 :]
        return self.indispensable([*beside, *right], left) | self.indispensable([*beside, *left], right)

    def solutions(self) -> Iterator[S]:
        """Yield every set of columns, smallest first: 2^m."""
        return map(self.solution_of, every_subset(range(len(self.table.quasi))))

    def size(self) -> Mapping[str, int]:
        """Return rows, row types and columns."""
        return {"rows": self.table.rows, "row types": len(self.table.types), "columns": len(self.table.quasi)}

    @property
    def cost_scale(self) -> int:
        """The common denominator of the weights."""
        return self.table.weight_scale

    def describe_cost(self, cost: Exact) -> str:
        """Say a cost as columns of columns, or as weight where columns weigh differently."""
        if set(self.table.weights) == {1}:
            return f"{counted(cost, self.unit)} of {len(self.table.quasi)}"
        return f"{self.unit} of weight {exact_text(cost)}"
