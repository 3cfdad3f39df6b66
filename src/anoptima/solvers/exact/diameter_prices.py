"""Least diameter sums by prices of rows: column generation over groups, and cases of two rows together or apart; with a proof.

In each case HiGHS solves the linear program of `diameter-groups` over some groups. Groups that gain at its prices are added (`Grouping`)
until none is left: then the prices, rounded, are worths of a proof. What is left is a case: two rows that share a fractional number of
groups are together or apart (Ryan and Foster 1981).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.packages import loading
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import Partition
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.proofs.heaviest import Grouping, few_enough
from anoptima.proofs.worths import Decided, Diameters
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.worth_search import NEAR, Look, WorthSearch
from anoptima.solvers.ledger import Ledger

_ADDED, _LISTED = 80, 800
"""How many groups are added at once, out of how many that gain."""
_PROGRAM_S, _PROGRAM_SHARE = 2.0, 0.2
"""Seconds for the best partition into groups that are there already, and the share of the time in which such are looked for."""

Group = tuple[int, ...]


@algorithms.register
class DiameterPrices(Algorithm[Partition]):
    """Least diameter sums by prices of rows and cases of two rows together or apart, with a proof.

    Each linear program looks at all groups of k to 2k - 1 rows at worst, O(n^(2k - 1)); prices leave most of them out.

    References
    ----------
    D. M. Ryan and B. A. Foster: An integer programming approach to scheduling. Computer scheduling of public transport (1981).

    Examples
    --------
    >>> import anoptima as ao
    >>> print(ao.solve(ao.DiameterSum(ao.ten_rows(), 3), "diameter-prices").bound)
    14 (proof)
    """

    name = "diameter-prices"
    problems = (DiameterSum,)
    kind = Kind.EXACT
    family = "prices"
    gives_proofs = True
    uses_start = True
    uses_seed = False

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for diameter sums of tables that do not have too many groups."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, DiameterSum):
            return other
        if few_enough(problem.table.rows, problem.k):
            return None
        return f"{self.name} looks at all groups of {problem.k} to {problem.largest} of {problem.table.rows:,} rows, which are too many"

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Look at one case after the other, that of the least bound first."""
        with loading():
            import highspy  # noqa: F401
        _Run(problem, ledger).run()


class _Run(WorthSearch):
    """One search: the groups that are in the program so far."""

    pricing: Diameters

    def __init__(self, problem: DiameterSum, ledger: Ledger[Any]) -> None:
        super().__init__(problem, ledger)
        self.k, self.rows = problem.k, problem.table.rows
        self.costs: dict[Group, int] = {}
        self._choosing = 0.0
        assert ledger.solution is not None
        self._add(ledger.solution.groups())
        for row, apart in enumerate(self.pricing.apart):
            near = sorted(range(self.rows), key=lambda other: (apart[other], other != row))
            self._add(near[:size] for size in range(self.k, min(2 * self.k, self.rows + 1)))

    def _add(self, groups: Iterable[Sequence[int]]) -> None:
        for group in groups:
            rows = tuple(sorted(group))
            self.costs[rows] = max(self.pricing.apart[i][j] for i in rows for j in rows)

    def look(self, path: tuple[Decided, ...]) -> Look:
        """Add groups until none gains, then ask which rows are to be together."""
        grouping = Grouping(self.pricing.apart, self.k, path)
        program = _Program(self.rows, 1 + self.rows * max(map(max, self.pricing.apart)), self.ledger)
        program.add({group: cost for group, cost in self.costs.items() if _is_allowed(group, path)})
        while True:
            check_time()
            value, amounts, prices = program.solved()
            best: list[tuple[float, list[int]]] = []
            for found, gaining in enumerate(grouping.gaining(prices, 1, NEAR, _ADDED)):
                best.append(gaining)
                if found > _LISTED:
                    break
            if not best:
                break
            before = len(self.costs)
            self._add(group for _, group in heapq.nlargest(_ADDED, best))
            new = list(self.costs.items())[before:]
            program.add(dict(new))
            if not new:
                break
        about = self._about(program.groups, amounts)
        if about is None or self._choosing <= _PROGRAM_SHARE * self.ledger.clock.seconds():
            began = self.ledger.clock.seconds()
            self._offer(program.chosen())
            self._choosing += self.ledger.clock.seconds() - began
        return Look(prices, value, about)

    def _about(self, groups: list[Group], amounts: Sequence[float]) -> tuple[int, int] | None:
        """Return the two rows whose share of being together is nearest to a half; None if all are together or apart."""
        shared = np.zeros((self.rows, self.rows))
        for group, amount in zip(groups, amounts, strict=True):
            if amount > NEAR:
                shared[np.ix_(group, group)] += amount
        undecided = np.triu(np.abs(shared - np.rint(shared)), 1)
        i, j = np.unravel_index(int(undecided.argmax()), undecided.shape)
        return None if undecided[i, j] <= NEAR else (int(i), int(j))

    def _offer(self, groups: list[Group]) -> None:
        if sorted(row for group in groups for row in group) == list(range(self.rows)):
            self.ledger.offer(Partition.from_groups([list(group) for group in groups], self.rows))


def _is_allowed(group: Group, path: Iterable[Decided]) -> bool:
    """Tell whether a group keeps together, and apart, what is to be."""
    return all(((i in group) == (j in group)) if kept else not (i in group and j in group) for (i, j), kept in path)


class _Program:
    """The linear program over some groups: each row is in one, or is left over at a cost that no partition has."""

    def __init__(self, rows: int, left_over: int, ledger: Ledger[Any]) -> None:
        import highspy

        self._ledger, self._rows, self.groups = ledger, rows, list[Group]()
        self._solver = highspy.Highs()
        for option, value in (("output_flag", False), ("threads", 1), ("presolve", "off"), ("solver", "simplex")):
            self._solver.setOptionValue(option, value)
        for _ in range(rows):
            self._solver.addRow(1.0, 1.0, 0, [], [])
        for row in range(rows):
            self._solver.addCol(float(left_over), 0.0, highspy.kHighsInf, 1, [row], [1.0])

    def add(self, costs: dict[Group, int]) -> None:
        """Add groups at their costs."""
        import highspy

        for group, cost in costs.items():
            self._solver.addCol(
                float(cost), 0.0, highspy.kHighsInf, len(group), np.array(group, dtype=np.int32), np.ones(len(group))
            )
        self.groups += costs

    def solved(self) -> tuple[float, list[float], list[float]]:
        """Return the least cost, how much of each group there is, and the price of each row."""
        self._run(None)
        found = self._solver.getSolution()
        return (
            self._solver.getInfo().objective_function_value,
            list(found.col_value)[self._rows :],
            list(found.row_dual),
        )

    def chosen(self) -> list[Group]:
        """Return the groups of the best partition into these that is found in a short time."""
        import highspy

        columns = np.arange(self._solver.getNumCol(), dtype=np.int32)
        kinds = highspy.HighsVarType
        self._solver.setOptionValue("presolve", "on")
        self._solver.changeColsIntegrality(len(columns), columns, np.full(len(columns), kinds.kInteger))
        self._run(_PROGRAM_S)
        values = list(self._solver.getSolution().col_value)[self._rows :]
        return [group for group, value in zip(self.groups, values, strict=False) if value > 0.5]

    def _run(self, most: float | None) -> None:
        left = self._ledger.clock.left()
        limits = [seconds for seconds in (left, most) if seconds is not None]
        if limits:
            self._solver.setOptionValue("time_limit", self._solver.getRunTime() + max(0.0, min(limits)))
        self._solver.run()
        check_time()
