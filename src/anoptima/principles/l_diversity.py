"""l-diversity: enough different sensitive values in every group."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, counted, exact_text, floor_within
from anoptima.principles.conditions import AtLeastValues, AtMostShare, Condition
from anoptima.principles.principle import Principle, Splitting, Truths, entry, register
from anoptima.principles.words import column_of, of_column
from anoptima.table import Groups, Table


@register
@checked
@dataclass(frozen=True)
class LDiversity(Principle):
    """No sensitive value in more than a share 1/l of a group (frequency), or at least l different values in it (distinct).

    'frequency': no value occurs in more than a share 1/l of the group, `l * maxcount <= size`; l any rational >= 1.
    'distinct': at least l different values occur; l whole. Frequency implies distinct, not conversely.

    Parameters
    ----------
    l
        The required diversity, at least 1.
    column
        The sensitive column; optional if the table has only one.
    version
        'frequency' (the default) or 'distinct'.

    Examples
    --------
    >>> import pandas as pd
    >>> from anoptima.table import Table
    >>> group = Table.from_frame(pd.DataFrame({"zip": [1, 1, 1], "ill": [*"aab"]}), ["zip"], "ill").whole
    >>> LDiversity(2).why_not(group)
    "l = 2 but the value 'a' of 'ill' is in 2 of 3 rows, more than 1/2 of them"
    >>> LDiversity(2, version="distinct").holds(group)
    True
    """

    kind: ClassVar[str] = "l-diversity"
    merge_closed = True

    l: Fraction  # noqa: E741  (the literature's letter)
    column: str | None = None
    version: Literal["frequency", "distinct"] = "frequency"

    def __init__(
        self,
        l: Number,  # noqa: E741
        column: str | None = None,
        version: Literal["frequency", "distinct"] = "frequency",
    ) -> None:
        object.__setattr__(self, "l", as_fraction(l, "l"))
        object.__setattr__(self, "column", column)
        object.__setattr__(self, "version", version)
        if version not in ("frequency", "distinct"):
            raise BadInput(f"the version of l-diversity is {version!r}; it must be 'frequency' or 'distinct'")
        if self.l < 1:
            raise BadInput(f"l is {l}; it must be at least 1")
        if version == "distinct" and self.l.denominator != 1:
            raise BadInput(f"l is {l}; distinct l-diversity counts values, so l must be whole")

    @property
    def splitting(self) -> Splitting:  # type: ignore[override]
        """Frequency, l whole: some split, by dealing sorted rows round-robin. Distinct: {a, a, a, a, b}, l = 2, has none."""
        whole = self.version == "frequency" and self.l.denominator == 1
        return Splitting.SOMEHOW if whole else Splitting.NOT

    @property
    def sort(self) -> str:
        """The distinct version is a sort of its own."""
        return self.kind if self.version == "frequency" else f"distinct {self.kind}"

    def holds_each(self, groups: Groups) -> Truths:
        """Compare the largest count, or the number of values, with l."""
        tally = groups.tally(column_of(self.column, groups.sensitive, "l-diversity"))
        starts = np.searchsorted(tally.group, np.arange(len(groups)))
        if self.version == "distinct":
            return np.diff(np.append(starts, len(tally.group))) >= int(self.l)
        # Python's integers, because l may have any numerator and denominator.
        largest, sizes = np.maximum.reduceat(tally.count, starts).astype(object), groups.sizes.astype(object)
        truths: Truths = np.asarray(largest * self.l.numerator <= sizes * self.l.denominator, dtype=bool)
        return truths

    def could_hold_each(self, groups: Groups) -> Truths:
        """At least l values must occur: with fewer, one of them has a share above 1/l in any part."""
        tally = groups.tally(column_of(self.column, groups.sensitive, "l-diversity"))
        values = np.bincount(tally.group, minlength=len(groups))
        return values >= math.ceil(self.l)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Name the value that is too frequent, or count the values."""
        column = column_of(self.column, groups.sensitive, "l-diversity")
        counts = groups.counts(column, group)
        if self.version == "distinct":
            found = int((counts > 0).sum())
            return (
                None
                if found >= self.l
                else f"l = {self.l} but only {counted(found, 'values')} of {column!r} in {int(counts.sum())} rows"
            )
        most, size = int(counts.max()), int(counts.sum())
        if self.l * most <= size:
            return None
        value = groups.sensitive[column].values[int(counts.argmax())]
        return (
            f"l = {exact_text(self.l)} but the value {value!r} of {column!r} is in {most} of {size} rows, "
            f"more than {exact_text(1 / self.l)} of them"
        )

    def conditions(self, table: Table) -> list[Condition]:
        """Return a largest share, or a least number of values."""
        column = column_of(self.column, table.sensitive, "l-diversity")
        if self.version == "distinct":
            return [AtLeastValues(column, int(self.l))]
        return [AtMostShare(column, floor_within(1 / self.l, table.rows))]

    @classmethod
    def examples(cls) -> Iterator[LDiversity]:
        """Yield both versions for l = 2."""
        yield from (cls(2), cls(2, version="distinct"))

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed."""
        column_of(self.column, table.sensitive, "l-diversity")

    def least_size(self, table: Table) -> int:
        """Return l, rounded up: the most frequent value occurs at least once."""
        return math.ceil(self.l)

    def as_json(self) -> dict[str, Any]:
        """Return kind, l as text, column and version."""
        return {"principle": self.kind, "l": str(self.l), "column": self.column, "version": self.version}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LDiversity:
        """Read the output of `as_json`."""
        return cls(*(entry(data, name) for name in ("l", "column", "version")))

    def __str__(self) -> str:
        return f"{self.version} {self.l}-diversity{of_column(self.column)}"
