"""(alpha, k)-anonymity: groups of at least k rows, in none of which a sensitive value has a share above alpha."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, as_integer, exact_text, floor_within
from anoptima.principles.conditions import AtLeastRows, AtMostShare, AtMostShareOf, Condition
from anoptima.principles.principle import Principle, Truths, entry, register
from anoptima.principles.words import column_of, has_only, of_column
from anoptima.table import Groups, Table
from anoptima.table.columns import listed_value

WHO = "(alpha, k)-anonymity"


@register
@checked
@dataclass(frozen=True)
class AlphaKAnonymity(Principle):
    """At least k rows, and no value of a sensitive column in more than a share alpha of them.

    That is the *general* model of Wong and others. With `values`, only these must be rare, and the others may fill a group: their *simple*
    model, of one value, and of several.

    Merge-closed: sizes add, and the share of a value in a union lies between its shares in the parts. Linear: without `values` it is
    k-anonymity and frequency (1 / alpha)-diversity at once, and is priced and proved as these are; with them it is priced in the same way.

    References
    ----------
    R. C.-W. Wong, J. Li, A. W.-C. Fu and K. Wang: (alpha, k)-anonymity: an enhanced k-anonymity model for privacy preserving data
    publishing. KDD 2006, Definition 3.

    Examples
    --------
    >>> import anoptima as ao
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), AlphaKAnonymity("1/2", 3))).cost
    64
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), AlphaKAnonymity("1/2", 3, values=["cancer"]))).cost
    64
    """

    kind: ClassVar[str] = "alpha-k-anonymity"
    holds_values = ("values",)
    merge_closed = True

    alpha: Fraction
    k: int
    column: str | None = None
    values: tuple[Any, ...] | None = None

    def __init__(self, alpha: Number, k: int, column: str | None = None, values: Sequence[Any] | None = None) -> None:
        object.__setattr__(self, "alpha", as_fraction(alpha, "alpha"))
        object.__setattr__(self, "k", as_integer(k, "k"))
        object.__setattr__(self, "column", column)
        listed = (values,) if isinstance(values, str) else values
        chosen = None if listed is None else tuple(map(listed_value, listed))
        object.__setattr__(self, "values", chosen)
        if chosen == ():
            raise BadInput("values is empty; name the values that must be rare, or leave it out for all of them")
        if not 0 < self.alpha <= 1:
            raise BadInput(f"alpha is {alpha}; it must be above 0, and 1 at most")
        if self.k < 1:
            raise BadInput(f"k is {k}; it must be at least 1")

    def holds_each(self, groups: Groups) -> Truths:
        """Compare sizes, and the counts of the values that must be rare."""
        column = column_of(self.column, groups.sensitive, WHO)
        rare = self._limit(column, self._codes(groups.sensitive[column].values), self.alpha).holds_each(groups)
        truths: Truths = rare & (groups.sizes >= self.k)
        return truths

    def could_hold_each(self, groups: Groups) -> Truths:
        """At least k rows, and 1 / alpha values, must be there; or a value that may fill a group."""
        large, column = groups.sizes >= self.k, column_of(self.column, groups.sensitive, WHO)
        if self._codes(groups.sensitive[column].values) is not None:
            return large
        tally = groups.tally(column)
        return (np.bincount(tally.group, minlength=len(groups)) >= -(-1 // self.alpha)) & large

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Give the size, or name the value that is too frequent."""
        size = groups.size(group)
        if size < self.k:
            return f"k = {self.k} but {has_only(size)}"
        column = column_of(self.column, groups.sensitive, WHO)
        counts = groups.counts(column, group)
        values = groups.sensitive[column].values
        codes = self._codes(values)
        limited = range(len(values)) if codes is None else codes
        most, code = max(((int(counts[code]), code) for code in limited), default=(0, 0))
        if most <= self.alpha * size:
            return None
        value = values[code]
        return f"alpha = {exact_text(self.alpha)} but the value {value!r} of {column!r} is in {most} of {size} rows"

    def conditions(self, table: Table) -> list[Condition]:
        """Return a least size, if there is one, and a largest share, of all values or of those that must be rare."""
        column = column_of(self.column, table.sensitive, WHO)
        codes = self._codes(table.sensitive_column(column).values)
        limit = self._limit(column, codes, floor_within(self.alpha, table.rows))
        return [limit] if self.k == 1 else [AtLeastRows(self.k), limit]

    def _codes(self, values: Sequence[Any]) -> tuple[int, ...] | None:
        """Return which of a column's values must be rare; None if all must, named or not."""
        if self.values is None:
            return None
        codes = tuple(code for code, one in enumerate(values) if one in self.values)
        return None if len(codes) == len(values) else codes

    @staticmethod
    def _limit(column: str, codes: tuple[int, ...] | None, share: Fraction) -> Condition:
        return AtMostShare(column, share) if codes is None else AtMostShareOf(column, share, codes)

    @classmethod
    def examples(cls) -> Iterator[AlphaKAnonymity]:
        """Yield shares of at most two thirds in groups of two."""
        yield cls("2/3", 2)

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed, and the values that must be rare occur in it."""
        column = column_of(self.column, table.sensitive, WHO)
        known = table.sensitive_column(column).values
        for value in self.values or ():
            if value not in known:
                alike = next(
                    (f", though {one!r} does, which is written alike" for one in known if str(one) == str(value)), ""
                )
                raise BadInput(f"{WHO} speaks of the value {value!r}, which does not occur in {column!r}{alike}")

    def least_size(self, table: Table) -> int:
        """Return k, or the number of values that there must be."""
        column = column_of(self.column, table.sensitive, WHO)
        are_all = self._codes(table.sensitive_column(column).values) is None
        return max(self.k, int(-(-1 // self.alpha))) if are_all else self.k

    def stricter(self, table: Table) -> AlphaKAnonymity:
        """Return the same for all values."""
        return AlphaKAnonymity(self.alpha, self.k, self.column)

    def as_json(self) -> dict[str, Any]:
        """Return kind, alpha as text, k and column, and the values if some are chosen."""
        chosen = {} if self.values is None else {"values": list(self.values)}
        return {"principle": self.kind, "alpha": str(self.alpha), "k": self.k, "column": self.column, **chosen}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AlphaKAnonymity:
        """Read the output of `as_json`."""
        return cls(entry(data, "alpha"), as_integer(entry(data, "k"), "k"), data.get("column"), data.get("values"))

    def __str__(self) -> str:
        chosen = "" if self.values is None else f" for {', '.join(map(str, self.values))}"
        return f"({self.alpha}, {self.k})-anonymity{of_column(self.column)}{chosen}"
