"""t-closeness: every group's sensitive values are distributed much like the table's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, exact_text, floor_within
from anoptima.principles.conditions import CloseByFlow, CloseOnTree, Condition
from anoptima.principles.principle import Principle, Truths, entry, register
from anoptima.principles.words import column_of, of_column
from anoptima.spaces import EqualDistance, Metric, Space, TreeMetric, fitted, space_from_json
from anoptima.table import Column, Groups, Table


@register
@checked
@dataclass(frozen=True)
class TCloseness(Principle):
    """The group's distribution of a sensitive column is within t of the whole table's, by the earth mover's distance of a space.

    Parameters
    ----------
    t
        How close, from 0 (the same distribution) to 1 (anything).
    column
        The sensitive column; may be left out where the table has one only.
    space
        Distances between the values; equal distance unless given.

    >>> from anoptima.spaces import Numeric
    >>> TCloseness(0.2, column="salary", space=Numeric())
    TCloseness(t=Fraction(1, 5), column='salary', space=Numeric())
    """

    kind: ClassVar[str] = "t-closeness"
    merge_closed = True

    t: Fraction
    column: str | None = None
    space: Space = field(default_factory=EqualDistance)

    def __init__(self, t: Number, column: str | None = None, space: Space | None = None) -> None:
        object.__setattr__(self, "t", as_fraction(t, "t"))
        object.__setattr__(self, "column", column)
        object.__setattr__(self, "space", space if space is not None else EqualDistance())
        if not 0 <= self.t <= 1:
            raise BadInput(f"t is {t}; it must lie between 0 and 1")

    def holds_each(self, groups: Groups) -> Truths:
        """Compare the exact distance with t."""
        column = column_of(self.column, groups.sensitive, "t-closeness")
        return _metric(self.space, groups.sensitive[column]).within(groups, column, self.t)

    def could_hold_each(self, groups: Groups) -> Truths:
        """Any group might, as far as a quick look tells."""
        return np.ones(len(groups), dtype=bool)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        """Give the distance."""
        column = column_of(self.column, groups.sensitive, "t-closeness")
        metric = _metric(self.space, groups.sensitive[column])
        distance = metric.emd(groups.counts(column, group).tolist(), groups.sensitive[column].counts.tolist())
        if distance <= self.t:
            return None
        return f"t = {exact_text(self.t)} but the distribution of {column!r} is {exact_text(distance)} from the whole table's"

    def conditions(self, table: Table) -> list[Condition]:
        """Return closeness on a tree where the metric is one, by flow otherwise."""
        name = column_of(self.column, table.sensitive, "t-closeness")
        column = table.sensitive_column(name)
        metric = _metric(self.space, column)
        whole = column.counts.tolist()
        # A distance times this is a whole number over the group's size.
        unit = metric.scale * table.rows
        limit = floor_within(self.t * unit, table.rows) / unit
        if isinstance(metric, TreeMetric):
            return [CloseOnTree(name, metric, whole, limit)]
        return [CloseByFlow(name, metric, whole, limit)]

    @classmethod
    def examples(cls) -> Iterator[TCloseness]:
        """Yield t = 1/3."""
        yield cls("1/3")

    def require_columns(self, table: Table) -> None:
        """A sensitive column is needed, with values that the space knows."""
        name = column_of(self.column, table.sensitive, "t-closeness")
        _metric(self.space, table.sensitive_column(name))

    def least_size(self, table: Table) -> int:
        """Return the least size that whole rows allow (`CloseOnTree.could_be`); 1 where distances are not those of a tree.

        >>> from anoptima import ten_rows
        >>> [TCloseness(t).least_size(ten_rows()) for t in ("0.7", "0.3", "0.1", 0)]
        [1, 2, 3, 10]
        """
        name = column_of(self.column, table.sensitive, "t-closeness")
        column = table.sensitive_column(name)
        known = _LEAST.setdefault(column, {})
        asked = id(self.space), self.t
        if asked not in known:
            [condition] = self.conditions(table)
            known[asked] = self.space, condition.least_from(1) if isinstance(condition, CloseOnTree) else 1
        return known[asked][1]

    def as_json(self) -> dict[str, Any]:
        """Return kind, t as text, column and space."""
        return {"principle": self.kind, "t": str(self.t), "column": self.column, "space": self.space.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TCloseness:
        """Read the output of `as_json`."""
        return cls(entry(data, "t"), entry(data, "column"), space_from_json(entry(data, "space")))

    def __str__(self) -> str:
        space = "" if isinstance(self.space, EqualDistance) else f" ({self.space.kind} distance)"
        return f"{self.t}-closeness{of_column(self.column)}{space}"


_LEAST: WeakKeyDictionary[Column, dict[tuple[int, Fraction], tuple[Space, int]]] = WeakKeyDictionary()

_METRICS: WeakKeyDictionary[Column, dict[int, tuple[Space, Metric]]] = WeakKeyDictionary()


def _metric(space: Space, column: Column) -> Metric:
    """Return the metric of a space on a column's values: made once, since groups are looked at all the time."""
    known = _METRICS.setdefault(column, {})
    if id(space) not in known:
        known[id(space)] = space, fitted(space, column.values, column.name)
    return known[id(space)][1]
