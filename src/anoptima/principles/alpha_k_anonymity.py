"""(alpha, k)-anonymity: groups of at least k rows, in none of which a sensitive value has a share above alpha."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, as_integer, exact_text, floor_within
from anoptima.principles.conditions import AtLeastRows, AtMostShare, Condition
from anoptima.principles.principle import Principle, Truths, entry, register
from anoptima.principles.words import column_of, has_only, of_column
from anoptima.table import Groups, Table

WHO = "(alpha, k)-anonymity"


@register
@checked
@dataclass(frozen=True)
class AlphaKAnonymity(Principle):
    """At least k rows, and no value of a sensitive column in more than a share alpha of them: the *general* model of the paper.

    Merge-closed: sizes add, and the share of a value in a union lies between its shares in the parts. Linear: it is k-anonymity and
    frequency (1 / alpha)-diversity at once, and is priced and proved as these are.

    References
    ----------
    R. C.-W. Wong, J. Li, A. W.-C. Fu and K. Wang: (alpha, k)-anonymity: an enhanced k-anonymity model for privacy preserving data
    publishing. KDD 2006, Definition 3.

    Examples
    --------
    >>> import anoptima as ao
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), AlphaKAnonymity("1/2", 3))).cost
    64
    """

    kind: ClassVar[str] = "alpha-k-anonymity"
    merge_closed = True

    alpha: Fraction
    k: int
    column: str | None = None

    def __init__(self, alpha: Number, k: int, column: str | None = None) -> None:
        object.__setattr__(self, "alpha", as_fraction(alpha, "alpha"))
        object.__setattr__(self, "k", as_integer(k, "k"))
        object.__setattr__(self, "column", column)
        if not 0 < self.alpha <= 1:
            raise BadInput(f"alpha is {alpha}; it must be above 0, and 1 at most")
        if self.k < 1:
            raise BadInput(f"k is {k}; it must be at least 1")

    def holds_each(self, groups: Groups) -> Truths:
        """Compare sizes, and the largest count of each group."""
        tally = groups.tally(column_of(self.column, groups.sensitive, WHO))
        starts = np.searchsorted(tally.group, np.arange(len(groups)))
        largest, sizes = np.maximum.reduceat(tally.count, starts).astype(object), groups.sizes.astype(object)
        rare = np.asarray(largest * self.alpha.denominator <= sizes * self.alpha.numerator, dtype=bool)
        truths: Truths = rare & (groups.sizes >= self.k)
        return truths

    def could_hold_each(self, groups: Groups) -> Truths:
        """At least k rows, and 1 / alpha values, must be there."""
        tally = groups.tally(column_of(self.column, groups.sensitive, WHO))
        values = np.bincount(tally.group, minlength=len(groups))
        return (values >= -(-1 // self.alpha)) & (groups.sizes >= self.k)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Give the size, or name the value that is too frequent."""
        size = groups.size(group)
        if size < self.k:
            return f"k = {self.k} but {has_only(size)}"
        column = column_of(self.column, groups.sensitive, WHO)
        counts = groups.counts(column, group)
        most = int(counts.max())
        if most <= self.alpha * size:
            return None
        value = groups.sensitive[column].values[int(counts.argmax())]
        return f"alpha = {exact_text(self.alpha)} but the value {value!r} of {column!r} is in {most} of {size} rows"

    def conditions(self, table: Table) -> list[Condition]:
        """Return a least size and a largest share."""
        column = column_of(self.column, table.sensitive, WHO)
        return [AtLeastRows(self.k), AtMostShare(column, floor_within(self.alpha, table.rows))]

    @classmethod
    def examples(cls) -> Iterator[AlphaKAnonymity]:
        """Yield shares of at most two thirds in groups of two."""
        yield cls("2/3", 2)

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed."""
        column_of(self.column, table.sensitive, WHO)

    def least_size(self, table: Table) -> int:
        """Return k, or the number of values that there must be."""
        return max(self.k, int(-(-1 // self.alpha)))

    def as_json(self) -> dict[str, Any]:
        """Return kind, alpha as text, k and column."""
        return {"principle": self.kind, "alpha": str(self.alpha), "k": self.k, "column": self.column}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AlphaKAnonymity:
        """Return what `as_json` wrote down."""
        return cls(entry(data, "alpha"), as_integer(entry(data, "k"), "k"), data.get("column"))

    def __str__(self) -> str:
        return f"({exact_text(self.alpha)}, {self.k})-anonymity{of_column(self.column)}"
