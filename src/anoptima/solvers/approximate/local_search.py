"""Local search: makes any feasible partition cheaper by small changes, and keeps it feasible under any principle.

The changes are in `local_moves.py`. A large table is improved region by region: a region is a group and those that are nearest to it, and
within it a change costs a look at a thousand rows. So the time grows with n, not with n^2.
"""

from __future__ import annotations

import numpy as np

from anoptima.arguments import checked
from anoptima.principles import Close
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.grouping import IMPOSSIBLE, Grouping
from anoptima.solvers.approximate.local_moves import Descent
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.starts import half, quick_start

_REGION = 1000
"""How many rows a region has, or little more."""
_WHOLE = 2000
"""A table with at most this many rows is one region."""
_PAYS = 1000
"""Without a time limit, a pass that gains less than one part in this many is the last one."""
_IDLE = 20
"""With a time limit, this many passes in a row that gain nothing are the last ones: on 300 rows and 30 columns, k = 3, those after the
first that gains little still take 4,794 stars to 4,716 in 10 s."""
_CHECKS = 4
"""How many looks there are to a look at the clock."""
_LOOKS = 20
"""At least this many rows are tried between two reports: a report costs about as much as a try."""


@algorithms.register
class LocalSearch(Algorithm[Partition]):
    """Moves, swaps, splits, merges and rebuilt groups, from a start or from the best quick approximation. Never worse than either.

    No ratio is promised beyond the start's. In a region every row of a starred group is looked at against all rows and groups, in a random
    order that the seed repeats, until nothing pays, and every group is re-opened. Regions follow each other until all starred groups have
    been in one: that is a pass. Without a time limit the search ends with a pass that gains less than a thousandth; with one, it ends after
    twenty passes in a row that gain nothing. It reports incumbents as it goes, and an interrupt returns the best. O(n) looks a pass, O(r m)
    each for r rows of a region, and O(n m) for each region.
    """

    name = "local-search"
    problems = (CellSuppression,)
    joins_groups = True
    family = "clusters-and-search"
    kind = Kind.APPROXIMATE
    uses_start = True

    @checked
    def __init__(self, is_patient: bool = True) -> None:
        self._is_patient = is_patient

    def improver(self, problem: Problem[Partition]) -> LocalSearch:
        """Return the same without the passes that gain little, unless groups must be close: there the search after it gains less."""
        conditions = problem.plain.principle.conditions(problem.table) if isinstance(problem, CellSuppression) else ()
        return LocalSearch(any(isinstance(condition, Close) for condition in conditions))

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Improve the start, or the best quick approximation, as long as the budget allows."""
        if start is None:
            quick_start(problem, ledger.budget, half(ledger.clock), tell=ledger.offer)
        if not ledger.is_over():
            _Search(ledger, self._is_patient and ledger.budget.seconds is not None).run()


class _Over(Exception):
    """There is nothing left to do."""


class _Search:
    """One run: the best partition, and the ledger that hears of better ones."""

    def __init__(self, ledger: Ledger[Partition], is_patient: bool) -> None:
        problem, first = ledger.problem, ledger.solution
        assert isinstance(problem, CellSuppression)
        assert first is not None
        self._problem = problem
        self._ledger = ledger
        self._whole = Grouping(problem, first)
        self._chance = np.random.default_rng(ledger.budget.seed)
        self._looks = 0
        self._is_patient = is_patient

    def run(self) -> None:
        """Improve until passes hardly pay any more, or the ledger is over."""
        whole = self._whole
        before, idle = 2 * whole.total, 0
        try:
            while (before - whole.total) * _PAYS > before or (self._is_patient and whole.total > 0 and idle < _IDLE):
                idle = 0 if whole.total < before else idle + 1
                before = whole.total
                if len(whole.group) <= _WHOLE:
                    self._improve(whole)
                else:
                    self._improve_regions()
        except _Over:
            pass
        self._report(whole)

    def _improve_regions(self) -> None:
        """Improve regions until every group that had stars has been in one."""
        whole = self._whole
        waiting = np.zeros(len(whole.size), dtype=bool)
        waiting[whole.costly()] = True
        for group in self._chance.permutation(whole.costly()).tolist():
            if not (waiting[group] and whole.size[group]):
                continue
            region = self._region(group)
            waiting[region] = False
            rows = np.concatenate([whole.rows[other] for other in region])
            part = Grouping(self._problem, Partition.from_labels(whole.group[rows]), rows, like=whole)
            try:
                self._improve(part)
            finally:
                made = [rows[part.rows[number]] for number in range(part.numbers.used) if part.size[number]]
                waiting[whole.replace(region, made)] = False
            self._report(whole)

    def _region(self, group: int) -> list[int]:
        """Return a group and those that it would be merged with most cheaply, as many as make a region."""
        rises = self._whole.merging(group)
        near = np.argsort(rises, kind="stable")
        near = near[rises[near] < IMPOSSIBLE]
        rows = self._whole.size[group] + np.cumsum(self._whole.size[near])
        return [group, *near[: int(np.searchsorted(rows, _REGION)) + 1].tolist()]

    def _improve(self, part: Grouping) -> None:
        """Make what pays, then re-open every group once; on the way, a whole table is reported."""

        def look() -> None:
            self._looks += 1
            if part is self._whole and not descent.trying and self._looks % _LOOKS == 0:
                self._report(part)
            if self._looks % _CHECKS == 0 and self._ledger.is_over():
                raise _Over

        descent = Descent(part, self._chance, look)
        try:
            descent.descend()
            descent.reopen_all()
        finally:
            descent.stop()

    def _report(self, whole: Grouping) -> None:
        cost = self._ledger.cost
        if cost is not None and whole.total < cost * self._problem.cost_scale:
            self._ledger.offer(whole.partition())
