"""Entropy l-diversity: the sensitive values of a group are as hard to guess as l equally likely ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, exact_text
from anoptima.principles.conditions import AtLeastEntropy, AtLeastValues, Condition
from anoptima.principles.l_diversity import LDiversity
from anoptima.principles.principle import Principle, Truths, entry, register
from anoptima.principles.words import column_of, of_column
from anoptima.table import Groups, Table

WHO = "entropy l-diversity"


@register
@checked
@dataclass(frozen=True)
class EntropyDiversity(Principle):
    """The entropy of a sensitive column in every group is at least log l: -sum p_v log p_v >= log l.

    With n_v rows of value v among n, that is n^n >= l^n prod n_v^(n_v), which is decided in whole numbers.

    Merge-closed: the distribution of a union of two groups is a mean of theirs, weighted by size, and entropy is concave, so it is at
    least the same mean of two numbers that are at least log l. Not linear: the distributions of entropy log l or more are no polytope.
    Entropy implies distinct l-diversity, since m values have entropy log m at most.

    References
    ----------
    A. Machanavajjhala, D. Kifer, J. Gehrke and M. Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. TKDD 2007, Definition 4.1.

    Examples
    --------
    >>> import pandas as pd
    >>> groups = Table.from_frame(pd.DataFrame({"zip": range(3), "ill": ["a", "b", "b"]}), ["zip"], "ill").whole
    >>> EntropyDiversity("9/5").holds(groups), EntropyDiversity(2).why_not(groups)
    (True, "l = 2 but the values of 'ill' among 3 rows are only as diverse as 1.89 equally frequent ones")
    """

    kind: ClassVar[str] = "entropy-l-diversity"
    merge_closed = True

    l: Fraction  # noqa: E741  (the literature's letter)
    column: str | None = None

    def __init__(self, l: Number, column: str | None = None) -> None:  # noqa: E741
        object.__setattr__(self, "l", as_fraction(l, "l"))
        object.__setattr__(self, "column", column)
        if self.l < 1:
            raise BadInput(f"l is {l}; it must be at least 1")

    def holds_each(self, groups: Groups) -> Truths:
        """Compare n^n with l^n prod n_v^(n_v)."""
        return self._entropy(column_of(self.column, groups.sensitive, WHO)).holds_each(groups)

    def _entropy(self, column: str) -> AtLeastEntropy:
        return AtLeastEntropy(column, self.l)

    def could_hold_each(self, groups: Groups) -> Truths:
        """At least l values must occur; one row of each of them is enough."""
        tally = groups.tally(column_of(self.column, groups.sensitive, WHO))
        return np.bincount(tally.group, minlength=len(groups)) >= math.ceil(self.l)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Give the number of equally frequent values that would be as diverse."""
        column = column_of(self.column, groups.sensitive, WHO)
        counts = [int(count) for count in groups.counts(column, group) if count]
        if self._entropy(column).holds(counts):
            return None
        n = sum(counts)
        shown = math.exp(sum(count / n * math.log(n / count) for count in counts))
        return (
            f"l = {exact_text(self.l)} but the values of {column!r} among {n} rows are only as diverse as "
            f"{shown:.4g} equally frequent ones"
        )

    def conditions(self, table: Table) -> list[Condition]:
        """Return the entropy, and the number of values that it implies; for l = 1 that is 1, and the entropy is left out."""
        entropy = self._entropy(column_of(self.column, table.sensitive, WHO))
        values = AtLeastValues(entropy.column, entropy.values)
        return [values] if self.l == 1 else [values, entropy]

    def stricter(self, table: Table) -> LDiversity:
        """Return frequency l-diversity: shares of at most 1/l have an entropy of at least sum p_v log l = log l."""
        return LDiversity(self.l, self.column)

    @classmethod
    def examples(cls) -> Iterator[EntropyDiversity]:
        """Yield l = 9/5, which a group of two and one rows just satisfies."""
        yield cls("9/5")

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed."""
        column_of(self.column, table.sensitive, WHO)

    def least_size(self, table: Table) -> int:
        """Return l, rounded up: the number of values that must occur."""
        return math.ceil(self.l)

    def as_json(self) -> dict[str, Any]:
        """Return kind, l as text, and column."""
        return {"principle": self.kind, "l": str(self.l), "column": self.column}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EntropyDiversity:
        """Read the output of `as_json`."""
        return cls(entry(data, "l"), data.get("column"))

    def __str__(self) -> str:
        return f"entropy {self.l}-diversity{of_column(self.column)}"
