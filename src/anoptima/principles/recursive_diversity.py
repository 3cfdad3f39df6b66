"""Recursive (c, l)-diversity: the most frequent value is outweighed by those after the first l - 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, as_integer, exact_text, floor_within
from anoptima.principles.conditions import AtLeastValues, AtMostShare, Condition, Outweighed
from anoptima.principles.l_diversity import LDiversity
from anoptima.principles.principle import Principle, Truths, entry, register
from anoptima.principles.words import column_of, of_column
from anoptima.table import Groups, Table

WHO = "recursive (c, l)-diversity"


@register
@checked
@dataclass(frozen=True)
class RecursiveDiversity(Principle):
    """With the counts r_1 >= r_2 >= ... of a group's sensitive values, r_1 < c (r_l + r_(l+1) + ...).

    Merge-closed: r_1 is the largest count, and T = r_l + r_(l+1) + ... is the size less the sum of the l - 1 largest counts. The sum of
    the largest counts of a union is at most that of its two parts, one by one, so r_1 of the union is at most r_1 + r_1', its T at least
    T + T', and r_1 + r_1' < c (T + T').

    For l = 2 it says r_1 < c (n - r_1), a limit on shares. For l >= 3 it bounds a sum of largest counts, which programs state by a number
    that counts are above.

    References
    ----------
    A. Machanavajjhala, D. Kifer, J. Gehrke and M. Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. TKDD 2007, Definition 4.2.

    Examples
    --------
    >>> import pandas as pd
    >>> groups = Table.from_frame(pd.DataFrame({"zip": range(4), "ill": [*"aabc"]}), ["zip"], "ill").whole
    >>> RecursiveDiversity(3, 3).holds(groups)
    True
    >>> RecursiveDiversity(2, 3).why_not(groups)
    "c = 2 and l = 3 but the most frequent value of 'ill' is in 2 of 4 rows, and those from the 3rd on are in 1"
    """

    kind: ClassVar[str] = "recursive-diversity"
    merge_closed = True

    c: Fraction
    l: int  # noqa: E741  (the literature's letter)
    column: str | None = None

    def __init__(self, c: Number, l: int, column: str | None = None) -> None:  # noqa: E741
        object.__setattr__(self, "c", as_fraction(c, "c"))
        object.__setattr__(self, "l", as_integer(l, "l"))
        object.__setattr__(self, "column", column)
        if self.c <= 0:
            raise BadInput(f"c is {c}; it must be positive")
        if self.l < 2:
            raise BadInput(f"l is {l}; it must be at least 2")

    def holds_each(self, groups: Groups) -> Truths:
        """Sort the counts of each group."""
        column = column_of(self.column, groups.sensitive, WHO)
        return self._outweighed(column).holds_each(groups)

    def _outweighed(self, column: str) -> Outweighed:
        return Outweighed(column, self.c, self.l)

    def could_hold_each(self, groups: Groups) -> Truths:
        """Enough values must occur (`least_values`); one row of each of them is enough."""
        tally = groups.tally(column_of(self.column, groups.sensitive, WHO))
        return np.bincount(tally.group, minlength=len(groups)) >= self.least_values

    @property
    def least_values(self) -> int:
        """How many values must occur."""
        return self._outweighed("").values

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Give both sides."""
        column = column_of(self.column, groups.sensitive, WHO)
        counts = sorted((int(count) for count in groups.counts(column, group) if count), reverse=True)
        if self._outweighed(column).holds(counts):
            return None
        return (
            f"c = {exact_text(self.c)} and l = {self.l} but the most frequent value of {column!r} is in {counts[0]} of {sum(counts)} rows, "
            f"and those from the {_ordinal(self.l)} on are in {sum(counts[self.l - 1 :])}"
        )

    def conditions(self, table: Table) -> list[Condition]:
        """Return a largest share for l = 2: the largest fraction below c / (c + 1) that groups of this table's rows can have.

        Otherwise return the condition itself, and the number of values that it implies.
        """
        column = column_of(self.column, table.sensitive, WHO)
        if self.l == 2:
            return [AtMostShare(column, self._largest_share(table))]
        return [AtLeastValues(column, self.least_values), self._outweighed(column)]

    def _largest_share(self, table: Table) -> Fraction:
        """Return the largest fraction below c / (1 + c (l - 1)) that is a share of at most n rows."""
        limit = self.c / (1 + self.c * (self.l - 1))
        # A share with a denominator of at most n that is below a / b is so by 1 / (b n) or more.
        return floor_within(limit - Fraction(1, limit.denominator * table.rows), table.rows)

    def stricter(self, table: Table) -> LDiversity | None:
        """Return a limit on shares: T is at least n - (l - 1) r_1, so r_1 < c T where r_1 (1 + c (l - 1)) < c n."""
        share = self._largest_share(table)
        return LDiversity(1 / share, self.column) if share > 0 else None

    @classmethod
    def examples(cls) -> Iterator[RecursiveDiversity]:
        """Yield l = 2, which is a limit on shares, and l = 3, which is not."""
        yield from (cls(2, 2), cls(3, 3))

    @property
    def sort(self) -> str:
        """A largest share is a sort of its own."""
        return self.kind if self.l > 2 else f"{self.kind}, l = 2"

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed."""
        column_of(self.column, table.sensitive, WHO)

    def least_size(self, table: Table) -> int:
        """Return how many values must occur."""
        return self.least_values

    def as_json(self) -> dict[str, Any]:
        """Return kind, c as text, l and column."""
        return {"principle": self.kind, "c": str(self.c), "l": self.l, "column": self.column}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RecursiveDiversity:
        """Read the output of `as_json`."""
        return cls(entry(data, "c"), as_integer(entry(data, "l"), "l"), data.get("column"))

    def __str__(self) -> str:
        return f"recursive ({self.c}, {self.l})-diversity{of_column(self.column)}"


def _ordinal(number: int) -> str:
    return {2: "2nd", 3: "3rd"}.get(number, f"{number}th")
