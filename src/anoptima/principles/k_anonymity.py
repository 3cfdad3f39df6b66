"""k-anonymity: groups of at least k rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import as_integer
from anoptima.principles.conditions import AtLeastRows, Condition
from anoptima.principles.principle import Principle, Splitting, Truths, entry, register
from anoptima.principles.words import has_only
from anoptima.table import Groups, Table


@register
@checked
@dataclass(frozen=True)
class KAnonymity(Principle):
    """At least k rows.

    >>> KAnonymity(3) & KAnonymity(2)
    KAnonymity(k=3) & KAnonymity(k=2)
    """

    kind: ClassVar[str] = "k-anonymity"
    merge_closed = True

    k: int
    splitting = Splitting.ANYWHERE

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")

    def holds_each(self, groups: Groups) -> Truths:
        """|group| >= k."""
        return groups.sizes >= self.k

    could_hold_each = holds_each

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Compare size and k."""
        size = groups.size(group)
        return None if size >= self.k else f"k = {self.k} but {has_only(size)}"

    def conditions(self, table: Table) -> list[Condition]:
        """Return a least size."""
        return [AtLeastRows(self.k)]

    @classmethod
    def examples(cls) -> Iterator[KAnonymity]:
        """Yield k = 2 and 3."""
        yield from (cls(2), cls(3))

    def require_columns(self, table: Table) -> None:
        """Nothing is needed."""

    def least_size(self, table: Table) -> int:
        """Return k."""
        return self.k

    def as_json(self) -> dict[str, Any]:
        """Return kind and k."""
        return {"principle": self.kind, "k": self.k}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> KAnonymity:
        """Read the output of `as_json`."""
        return cls(entry(data, "k"))

    def __str__(self) -> str:
        return f"{self.k}-anonymity"
