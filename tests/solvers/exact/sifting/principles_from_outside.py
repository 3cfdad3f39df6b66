"""Principles as somebody else would write them: known conditions in words of their own, a condition with a rule, and one with nothing."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.principles import AtLeastRows, AtMostShare, CloseOnTree, Condition, Principle, Truths
from anoptima.principles.conditions import OnColumn
from anoptima.proofs.group_pricing import Asked, Part, priced_by
from anoptima.proofs.views import View, Whole
from anoptima.solvers.exact.sifting.rules.of_conditions import rule_of, value_of_record
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule
from anoptima.spaces import Numeric, Space
from anoptima.table import Groups, Table


class Outside(Principle):
    """A principle of which a group is asked at a time."""

    @abstractmethod
    def holds_for(self, groups: Groups, group: int) -> bool:
        """Tell whether one group satisfies it."""

    def holds_each(self, groups: Groups) -> Truths:
        return np.array([self.holds_for(groups, group) for group in range(len(groups))], dtype=bool)

    def could_hold_each(self, groups: Groups) -> Truths:
        return np.ones(len(groups), dtype=bool)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        return None if self.holds_for(groups, group) else f"it fails {self}"

    def require_columns(self, table: Table) -> None:
        pass

    def least_size(self, table: Table) -> int:
        return 1

    def as_json(self) -> dict[str, Any]:
        return {"principle": repr(self)}


@dataclass(frozen=True)
class AlphaK(Outside):
    """(alpha, k)-anonymity: at least k rows, and no value in more than a share alpha of them."""

    alpha: Fraction
    k: int

    def holds_for(self, groups: Groups, group: int) -> bool:
        counts = groups.counts("s", group)
        return bool(counts.sum() >= self.k and counts.max() <= self.alpha * int(counts.sum()))

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(self.k), AtMostShare("s", self.alpha)]


@dataclass(frozen=True)
class LargeAndClose(Outside):
    """At least k rows, whose values are within t of the table's."""

    k: int
    t: Fraction
    space: Space

    def holds_for(self, groups: Groups, group: int) -> bool:
        counts, column = groups.counts("s", group), groups.sensitive["s"]
        distance = self.space.fit(column.values).emd(counts.tolist(), column.counts.tolist())
        return bool(counts.sum() >= self.k and distance <= self.t)

    def conditions(self, table: Table) -> list[Condition]:
        column = table.sensitive_column("s")
        metric = self.space.fit(column.values)
        assert not isinstance(self.space, Numeric) or not metric.is_equal
        return [AtLeastRows(self.k), CloseOnTree("s", metric, column.counts.tolist(), self.t)]  # type: ignore[arg-type]


@dataclass(frozen=True)
class AtLeastOf(OnColumn):
    """At least `rows` rows have the value of number `value`."""

    value: int
    rows: int
    merge_closed = True


@dataclass(frozen=True)
class Witnessed(Outside):
    """At least k rows, and some of a certain value among them."""

    k: int
    value: int
    rows: int

    def holds_for(self, groups: Groups, group: int) -> bool:
        counts = groups.counts("s", group)
        return bool(counts.sum() >= self.k and counts[self.value] >= self.rows)

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(self.k), AtLeastOf("s", self.value, self.rows)]


@dataclass(frozen=True, eq=False)
class Needed(Rule):
    """All that gains, then what is missing of the value, then what is missing of the size."""

    needed: int
    rows: int

    def smallest(self, counts: Counts, least: Counts) -> Counts:
        wanted = np.maximum(least, self.rows)
        return np.where((counts[:, self.needed] >= self.rows) & (counts.sum(axis=1) >= wanted), wanted, 0)

    def price(self, gain: Numbers, copies: Counts, value: NDArray[np.int32], least: int) -> tuple[Any, Numbers]:
        taken = np.where(gain > 0, copies, 0)
        for of, wanted in ((value == self.needed, self.rows), (np.ones(len(gain), dtype=bool), least)):
            left = np.where(of, copies - taken, 0)
            taken = taken + np.clip(wanted - int(taken[of].sum()) - (np.cumsum(left) - left), 0, left)
        return gain @ taken, taken

    def cut_down(self, counts: Counts, least: Counts) -> Counts:
        return np.where(self.smallest(counts, least)[:, None] > 0, counts, 0)

    def lacking(self, counts: Counts) -> Numbers:
        return np.maximum(0, self.rows - counts[:, self.needed]).astype(float)


@rule_of.register
def _(condition: AtLeastOf, table: Table) -> Rule | None:
    values = len(table.sensitive_column(condition.column).values)
    value = value_of_record(table, condition.column)
    return Needed(condition.column, value, values, condition.value, condition.rows)


@priced_by.register
def _(condition: AtLeastOf, asked: Asked) -> Part | None:
    def smallest(view: View, least: Whole) -> Whole:
        there = view.total(np.where(view.value == condition.value, view.copies, 0))
        wanted = np.maximum(least, condition.rows)
        return np.where((there >= condition.rows) & (view.total(view.copies) >= wanted), wanted, 0)

    def price(view: View, least: Whole) -> Whole:
        taken = np.where(view.gain > 0, view.copies, 0)
        needed = np.full(view.patterns, condition.rows, dtype=np.int64)
        for of, wanted in ((view.value == condition.value, needed), (view.copies > 0, least)):
            left = np.where(of, view.copies - taken, 0)
            missing = np.maximum(0, wanted - view.total(np.where(of, taken, 0)))
            taken = taken + np.clip(missing[view.owner] - view.before(left), 0, left)
        return view.total(view.gain * taken)

    return Part(asked.value(condition.column), price, smallest, 1)


@dataclass(frozen=True)
class Unproved(AtLeastOf):
    """The same, with a rule for the engine and nothing for the checker."""


priced_by.register(Unproved)(priced_by.dispatch(object))


@dataclass(frozen=True)
class WitnessedOnTrust(Witnessed):
    """The same, stated by what no checker knows."""

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(self.k), Unproved("s", self.value, self.rows)]


@dataclass(frozen=True)
class EvenSize(Condition):
    """An even number of rows."""

    merge_closed = True


@dataclass(frozen=True)
class Even(Outside):
    """An even number of rows, which nothing knows a way with."""

    def holds_for(self, groups: Groups, group: int) -> bool:
        return groups.size(group) % 2 == 0

    def conditions(self, table: Table) -> list[Condition]:
        return [EvenSize()]

    def __str__(self) -> str:
        return "even groups"
