"""Sums of diameters by small changes: rows move between near groups, change places, or leave a group that is dissolved.

Where the covers of `diameters` end, single rows still stand in the way: a group costs as much as its two rows that are furthest apart.
A step takes one of these two, and looks at the groups of the rows nearest to it:

- it *moves* to one that has room, if its own can spare it;
- it *changes places* with a row there;
- its whole group is *dissolved*, each row going where the diameter grows least. Groups of up to 2k - 1 rows are allowed, and the fewer
  there are, the fewer diameters are added up.

Every change that does not make the sum larger is made; one without a gain may lead to others that gain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import Partition
from anoptima.problems.diameter_sum import DiameterSum, scaled_diameters
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.truncated_balls import cover_by_balls
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger

Whole = NDArray[np.int64]

_NEAR = 24
"""How many of the nearest rows of other groups a step looks at."""
_STALE = 40
"""Steps a row, on average, without a gain, after which the search ends by itself."""
_OFFERED = 200
"""Steps after which what has been gained is offered."""


@algorithms.register
class DiameterDescent(Algorithm[Partition]):
    """Moves and exchanges rows and dissolves groups, starting from `diameter-balls`; without a guarantee of its own.

    O(n m + k^2 m) a step.

    Examples
    --------
    >>> import anoptima as ao
    >>> ao.solve(ao.DiameterSum(ao.ten_rows(), 3), "diameter-descent").cost
    12
    """

    name = "diameter-descent"
    family = "clusters-and-search"
    kind = Kind.APPROXIMATE
    problems = (DiameterSum,)
    uses_start = True

    def ratio(self, problem: Problem[Any]) -> None:
        """There is none."""

    def search(self, problem: DiameterSum, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Go on from the start, or else from the better of what the ledger has and a cover by balls."""
        if start is None:
            labels = cover_by_balls(problem.table, problem.k, ledger.is_over)
            if (labels >= 0).all():
                ledger.offer(Partition.from_labels(labels))
        if ledger.is_over():
            return
        assert ledger.solution is not None
        groups = _Groups(problem, ledger.solution, np.random.default_rng(ledger.budget.seed))
        stale, steps = 0, 0
        while stale < _STALE * problem.table.rows and groups.total and not ledger.is_over():
            gained = groups.step()
            stale = 0 if gained else stale + 1
            steps += 1
            if steps % _OFFERED == 0:
                ledger.offer(groups.partition())
        ledger.offer(groups.partition())


class _Groups:
    """Groups of rows with their diameters, scaled."""

    def __init__(self, problem: DiameterSum, partition: Partition, chance: np.random.Generator) -> None:
        table = problem.table
        self._cells = table.types[table.type_of_row]
        self._weights = table.scaled_weights
        self._least, self._most = problem.k, problem.largest
        self._members: list[list[int]] = [list(group) for group in partition.groups()]
        self._group = np.empty(table.rows, dtype=np.int64)
        for g, rows in enumerate(self._members):
            self._group[rows] = g
        self._diameter = scaled_diameters(table, partition)
        self._chance = chance

    @property
    def total(self) -> int:
        """The sum of the diameters."""
        return sum(self._diameter)

    def partition(self) -> Partition:
        """Return the groups as they are."""
        return Partition.from_labels(np.unique(self._group, return_inverse=True)[1].reshape(-1))

    def step(self) -> bool:
        """Try to make one group smaller across; tell whether the sum has become smaller."""
        dear = [g for g, diameter in enumerate(self._diameter) if diameter]
        g = dear[int(self._chance.integers(len(dear)))]
        row = self._at_the_edge(g)
        apart = (self._cells != self._cells[row]) @ self._weights
        apart[self._members[g]] = np.iinfo(np.int64).max
        near = np.argsort(apart + self._chance.random(len(apart)), kind="stable")[:_NEAR]
        others = list(dict.fromkeys(self._group[near].tolist()))
        if g in others:
            others.remove(g)
        changes = [*self._moves(g, row, others), *self._exchanges(g, row, others)]
        best = min(changes, key=lambda change: change[0], default=None)
        gone = self._dissolved(g, others)
        if gone is not None and (best is None or gone[0] < best[0]):
            best = gone
        if best is None or best[0] > 0:
            return False
        for h, rows in best[1].items():
            self._members[h], self._diameter[h] = rows, self._across(rows)
            self._group[rows] = h
        return best[0] < 0

    def _moves(self, g: int, row: int, others: list[int]) -> list[tuple[int, dict[int, list[int]]]]:
        if len(self._members[g]) == self._least:
            return []
        rest = [one for one in self._members[g] if one != row]
        gain = self._across(rest) - self._diameter[g]
        found = []
        for h in others:
            if len(self._members[h]) < self._most:
                joined = [*self._members[h], row]
                found.append((gain + self._across(joined) - self._diameter[h], {g: rest, h: joined}))
        return found

    def _exchanges(self, g: int, row: int, others: list[int]) -> list[tuple[int, dict[int, list[int]]]]:
        rest = [one for one in self._members[g] if one != row]
        found = []
        for h in others[: _NEAR // 4]:
            for other in self._members[h]:
                mine, theirs = [*rest, other], [*(one for one in self._members[h] if one != other), row]
                change = self._across(mine) + self._across(theirs) - self._diameter[g] - self._diameter[h]
                found.append((change, {g: mine, h: theirs}))
        return found

    def _dissolved(self, g: int, others: list[int]) -> tuple[int, dict[int, list[int]]] | None:
        """Give each row of a group to one of the others; None if they have no room."""
        changed: dict[int, list[int]] = {g: []}
        change = -self._diameter[g]
        for row in self._members[g]:
            able = [h for h in others if len(changed.get(h, self._members[h])) < self._most]
            if not able or change > 0:
                return None
            growth = []
            for h in able:
                now = changed.get(h, self._members[h])
                growth.append(self._across([*now, row]) - (self._across(now) if h in changed else self._diameter[h]))
            best = int(np.argmin(growth))
            change += growth[best]
            changed[able[best]] = [*changed.get(able[best], self._members[able[best]]), row]
        return change, changed

    def _at_the_edge(self, g: int) -> int:
        """Return one of the rows of a group that are as far apart as its diameter."""
        rows = self._members[g]
        cells = self._cells[rows]
        furthest = ((cells[:, None] != cells[None]) @ self._weights).max(axis=1)
        edge = np.flatnonzero(furthest == furthest.max())
        return rows[int(edge[int(self._chance.integers(len(edge)))])]

    def _across(self, rows: list[int]) -> int:
        """Return the diameter of some rows."""
        if len(rows) < 2:
            return 0
        cells = self._cells[rows]
        return int(((cells[:, None] != cells[None]) @ self._weights).max())
