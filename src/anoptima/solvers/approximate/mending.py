"""Mending: peel under a weaker principle, and merge the groups that fail the one asked for until they satisfy it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.principles import AtLeastEntropy, AtMostShareOf, Outweighed, Principle
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation, merge_until_it_holds
from anoptima.solvers.approximate.either_side import is_priced, weaker_question, why_not_between
from anoptima.solvers.approximate.grouping import IMPOSSIBLE
from anoptima.solvers.approximate.peel import Peel
from anoptima.solvers.approximate.remembered import Remembered, Rows
from anoptima.table import Counts, Table

_TRIED = 24
"""How many of the groups that would cost least are looked at for one with which a group holds. Of 30,162 census rows under (1/5, 3)-
anonymity of one value 12 leave 31,309 stars, 24 leave 29,821, and 100 leave 28,565 in twice the time; under entropy it hardly matters."""
_MENDED = AtMostShareOf, Outweighed, AtLeastEntropy
"""Conditions that peeling serves badly, as it takes no heed of which values a group has."""
_STARRED = -1
"""What a pattern holds in a column that it stars; no row has it."""


@algorithms.register
class Mending(CellApproximation):
    """Peels under a weaker principle, and merges each group that fails with the ones that cost least. No ratio is promised.

    It is for principles that conditions do not state in full, for those under which only some values must be rare, for entropy, and for
    those under which several values must outweigh one: peeling publishes the other rows first, and then has none left to hide these among.
    Of 30,162 census rows peeling leaves 27,537 stars under entropy 3-diversity, 33,367 under recursive (2, 3)-diversity and 88,690 under
    (1/5, 3)-anonymity of one value, where mending leaves 23,344, 26,250 and 29,821. O(2^m R (m + log R)) to peel R records, O(G m) for a
    merger of one of G groups.
    """

    name = "mending"
    family = "recoding"
    quick = 1

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for what bracketing is for, and for what peeling serves badly."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, CellSuppression):
            return other
        conditions = problem.plain.principle.conditions(problem.table)
        is_mended = any(isinstance(condition, _MENDED) for condition in conditions)
        return None if is_mended else why_not_between(problem, self.name)

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Peel, and mend what was found."""
        return mended(problem, Peel().partition(weaker_question(problem, is_peeled), is_over), is_over)


def is_peeled(part: Principle, table: Table) -> bool:
    """Tell whether peeling serves a part of a principle well: it is priced, and all values of a column count alike, alone."""
    return is_priced(part, table) and not any(isinstance(one, _MENDED) for one in part.conditions(table))


def mended(problem: CellSuppression, partition: Partition, is_over: Callable[[], bool]) -> Partition:
    """Merge each group that fails, the smallest first, under a merge-closed principle, with such as cost least. O(G m) for a merger.

    When the time is over, those that still fail are one group, with which others are merged until it holds.

    >>> from anoptima import EntropyDiversity, LDiversity, solve, ten_rows
    >>> distinct = CellSuppression(ten_rows(), LDiversity(2, version="distinct"))
    >>> problem = CellSuppression(ten_rows(), EntropyDiversity(2))
    >>> found = mended(problem, solve(distinct).solution, lambda: False)
    >>> problem.is_feasible(found)
    True
    """
    groups = _Groups(problem, partition)
    for group in groups.smallest_failing():
        while groups.failing[group]:
            if is_over():
                return groups.joined()
            groups.merge(group, *groups.partner(group))
    return groups.partition()


class _Groups:
    """The rows, pattern, size and scaled cost of each group, and whether it fails; one that was merged into another has no rows."""

    def __init__(self, problem: CellSuppression, partition: Partition) -> None:
        table = problem.table
        self._problem, self._asked, self._weights = problem, Remembered(problem), table.scaled_weights
        self.failing = ~problem.principle.holds_each(table.groups(partition.labels))
        by_group = np.argsort(partition.labels, kind="stable")
        self._size = np.bincount(partition.labels)
        starts = np.cumsum(self._size) - self._size
        self._rows = np.split(by_group, starts[1:])
        codes = np.array([column.codes[by_group] for column in table.quasi_columns])
        least, most = np.minimum.reduceat(codes, starts, axis=1), np.maximum.reduceat(codes, starts, axis=1)
        self._pattern: NDArray[np.signedinteger] = np.where(least == most, least, _STARRED)
        self._cost = self._size * (self._weights @ (self._pattern == _STARRED))

    def smallest_failing(self) -> list[int]:
        """Return the groups that fail, the smallest first."""
        failing = np.flatnonzero(self.failing)
        return list(failing[np.argsort(self._size[failing], kind="stable")].tolist())

    def partner(self, group: int) -> tuple[int, bool]:
        """Return the cheapest group, of those that cost least, with which one holds; or the cheapest that holds itself. And which it is."""
        own = self._pattern[:, group, None]
        stars = self._weights @ ((self._pattern != own) | (own == _STARRED))
        rise = np.where(self._size > 0, (self._size + self._size[group]) * stars - self._cost, IMPOSSIBLE)
        rise[group] = IMPOSSIBLE
        tried = min(_TRIED, int(np.count_nonzero(self._size)) - 1)
        near = np.argpartition(rise, tried - 1)[:tried]
        near = near[np.argsort(rise[near], kind="stable")]
        holds = self._asked.hold_each([np.concatenate([self._rows[group], self._rows[other]]) for other in near])
        taken = int((holds if holds.any() else ~self.failing[near]).argmax())
        return int(near[taken]), bool(holds[taken])

    def merge(self, group: int, other: int, holds: bool) -> None:
        """Give a group the rows of another, after which it holds or not."""
        self._pattern[self._pattern[:, group] != self._pattern[:, other], group] = _STARRED
        self._rows[group], self._rows[other] = np.concatenate([self._rows[group], self._rows[other]]), _NOBODY
        self._size[group], self._size[other] = self._size[group] + self._size[other], 0
        self._cost[group], self._cost[other] = (
            self._size[group] * (self._weights @ (self._pattern[:, group] == _STARRED)),
            0,
        )
        self.failing[group], self.failing[other] = not holds, False

    def joined(self) -> Partition:
        """Return the groups with those that fail as one, and others merged with that until it holds."""
        labels, rest = self._labels(), len(self._size)
        labels = np.where(self.failing[labels], rest, labels)
        return merge_until_it_holds(self._problem, labels, rest)

    def partition(self) -> Partition:
        """Return the groups as they are."""
        return Partition.from_labels(self._labels())

    def _labels(self) -> Counts:
        labels = np.zeros(int(self._size.sum()), dtype=np.int64)
        for group, rows in enumerate(self._rows):
            labels[rows] = group
        return labels


_NOBODY: Rows = np.zeros(0, dtype=np.int64)
