"""Descents: minimal sets of sufficient columns, again and again, mostly from the last one and one more column.

A descent gives up columns as long as the rest suffices. From all columns it finds some minimal set; from such a set and another column, of
which its own go first, it finds another one or none, by a third of the questions or fewer, and what is no dearer is gone on from. So a set
is lightened by exchanges. Where these bring nothing for long, the next descent is from all columns again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from anoptima.problems.column_choice import ColumnChoice
from anoptima.solvers.approximate.greedy_descent import descend
from anoptima.solvers.ledger import Ledger

_SHARE = 0.2
"""The share of the time that descents take, after the first ones."""
_FRUITLESS = 4
"""Descents a column that may bring nothing before one is from all columns. Of keys of `wide-10000x60` exchanges leave 13 or 14 columns
after 2 s of a processor, with or without such beginnings, and descents from all columns alone 15 or 16."""


class Descents:
    """The sets that a ledger was offered: the one to go on from, and the seconds that all descents took."""

    def __init__(self, problem: ColumnChoice[Any], ledger: Ledger[Any]) -> None:
        self._problem, self._ledger = problem, ledger
        self._chance = np.random.default_rng(ledger.budget.seed)
        self._weights: list[int] = problem.table.scaled_weights.tolist()
        self._around: frozenset[int] | None = None
        self._fruitless = 0
        self._dearest, self._descending = 0.0, 0.0
        """The seconds that a descent took, at most, and that all of them took."""

    def descend(self, columns: Iterable[int], dearness: Sequence[float] | None = None) -> frozenset[int]:
        """Offer a minimal part of sufficient columns, without the dearest by their weights or by other numbers."""
        began = self._ledger.clock.seconds()
        found = descend(self._problem, columns, self._ledger.is_over, dearness)
        self._ledger.offer(self._problem.solution_of(found))
        took = self._ledger.clock.seconds() - began
        self._dearest, self._descending = max(self._dearest, took), self._descending + took
        if self._around is None or self._weight(found) < self._weight(self._around):
            self._around = found
        return found

    def go_on(self) -> None:
        """Descend as long as that takes no more than its share of the time."""
        while not self._ledger.is_over() and self._descending + self._dearest <= _SHARE * self._ledger.clock.seconds():
            self.once()

    def once(self) -> None:
        """Descend from the last set and another column; from all columns, the dear ones sooner on the whole, if there is none."""
        every = range(len(self._weights))
        luck = self._chance.random(len(every)).tolist()
        dearness = [weight * chance for weight, chance in zip(self._weights, luck, strict=True)]
        around = self._around
        others = [] if around is None else [column for column in every if column not in around]
        if around is None or not others or self._fruitless > _FRUITLESS * len(every):
            self._around, self._fruitless = None, 0
            self.descend(every, dearness)
            return
        other = int(self._chance.choice(others))
        dearness[other] = 0.0
        found = self.descend([*around, other], dearness)
        self._fruitless = 0 if self._weight(found) < self._weight(around) else self._fruitless + 1
        if self._weight(found) <= self._weight(around):
            self._around = found

    def _weight(self, columns: Iterable[int]) -> int:
        return sum(self._weights[column] for column in columns)
