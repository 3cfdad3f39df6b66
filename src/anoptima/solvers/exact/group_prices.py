"""Stars and diameter sums by prices of rows: column generation over groups, and cases of two rows together or apart; with a proof.

In each case HiGHS solves the linear program of `groups` or `diameter-groups` over some groups. Groups that gain at its prices are added
until none is left: then the prices, rounded, are worths of a proof. What is left is a case: two rows that share a fractional
number of groups are together or apart (Ryan and Foster 1981).

For stars the first of these programs has groups of exactly k rows (`least_groups`), which proves as much, on tables of any width and
some thousand rows. Only tables of few rows have cases, with groups of up to 2k - 1 rows (`RowGroups`).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.proofs.heaviest import Decided, few_enough
from anoptima.proofs.worths import FewRows, groups_of
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.compiling.loops import LEAST_GROUPS
from anoptima.solvers.compiling.turns import in_turns
from anoptima.solvers.exact.least_groups import run as least_groups
from anoptima.solvers.exact.least_groups.bound import LeastGroups
from anoptima.solvers.exact.least_groups.pricing import Pricing, why_not_priced
from anoptima.solvers.exact.listed_groups import ListedGroups, are_listed
from anoptima.solvers.exact.worth_search import NEAR, Look, WorthSearch
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.starts import quick_start, start_clock

_MOST_ROWS = 200
"""Of more rows cases take too long."""
_ADDED, _LISTED = 80, 800
"""How many groups are added at once, out of how many that gain."""
_PROGRAM_S, _PROGRAM_SHARE = 2.0, 0.2
"""Seconds for the best partition into groups that are there already, and the share of the time in which such are looked for."""

Group = tuple[int, ...]


@algorithms.register
class GroupPrices(Algorithm[Partition]):
    """Stars of tables of any width, and diameter sums of few rows, by prices of rows and cases of two rows together or apart, with a proof.

    For stars each linear program looks at all groups of k rows, O(n^k), and then, if rows are few, at all of k to 2k - 1, O(n^(2k - 1));
    prices leave most of them out. Memory O(n m), or O(n^2) if rows are few.

    References
    ----------
    D. M. Ryan and B. A. Foster: An integer programming approach to scheduling. Computer scheduling of public transport (1981).

    Examples
    --------
    >>> import anoptima as ao
    >>> print(ao.solve(ao.DiameterSum(ao.ten_rows(), 3), "group-prices").bound)
    12 (proof)
    """

    name = "group-prices"
    problems = (DiameterSum, CellSuppression)
    kind = Kind.EXACT
    family = "prices"
    gives_proofs = True
    uses_start = True

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for few or some thousand rows, and for principles under which groups of k to 2k - 1 rows are enough."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, DiameterSum | CellSuppression):
            return other
        plain = problem.plain
        assert isinstance(plain, DiameterSum | CellSuppression)
        rows, (k, _, why_not) = problem.table.rows, groups_of(plain)
        if why_not:
            return f"{self.name} is for k-anonymity and frequency l-diversity with a whole l, not for {plain.principle}"  # type: ignore[union-attr]
        if isinstance(problem, CellSuppression):
            return why_not_priced(problem, k)
        if rows > _MOST_ROWS:
            return f"{self.name} is for {_MOST_ROWS} rows at most, not for {rows:,}"
        if few_enough(rows, k):
            return None
        return f"{self.name} looks at all groups of {k} to {2 * k - 1} of {rows:,} rows, which are too many"

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """For stars solve the program of groups of k rows; then look at one case after the other, that of the least bound first."""
        if isinstance(problem, DiameterSum):
            _Run(problem, ledger).run()
            return
        if start is None:
            quick_start(problem, ledger.budget, start_clock(ledger.clock, problem), tell=ledger.offer)
        k, kinds, _ = groups_of(problem)
        least = LeastGroups(problem, ledger, Pricing(problem, k, kinds, ledger.threads))
        assert ledger.solution is not None
        least.add(ledger.solution)
        is_first = are_listed(problem.table.rows, k)
        in_turns(ledger, LEAST_GROUPS, lambda _: least_groups.run(problem, ledger, least, is_first=is_first))
        if not ledger.is_over() and problem.table.rows <= _MOST_ROWS and few_enough(problem.table.rows, k):
            _Run(problem, ledger, least).run()


class _Run(WorthSearch):
    """One search: the groups that are in the program so far."""

    pricing: FewRows

    def __init__(
        self, problem: DiameterSum | CellSuppression, ledger: Ledger[Any], least: LeastGroups | None = None
    ) -> None:
        super().__init__(problem, ledger)
        self.k, self.rows = self.pricing.k, problem.table.rows
        if are_listed(self.rows, self.k):
            self.pricing.groups = ListedGroups(problem, self.k, groups_of(problem)[1])
        self._is_root_solved = least is not None and least.is_solved and self.rows % self.k == 0
        self.costs: dict[Group, int] = {}
        self._choosing = 0.0
        assert ledger.solution is not None
        self._add(ledger.solution.groups())
        groups = self.pricing.groups
        for row, apart in enumerate(groups.apart):
            able = [(groups.weigh(far), other != row, other) for other, far in enumerate(apart) if far is not None]
            near = [other for *_, other in sorted(able)]
            self._add(near[:size] for size in range(self.k, 2 * self.k))
        if least is not None:
            self._add(least.groups.rows.tolist())

    def _add(self, groups: Iterable[Sequence[int]]) -> None:
        """List groups that may be."""
        for group in groups:
            rows = tuple(sorted(group))
            if self.k <= len(rows) < 2 * self.k and all(
                self.pricing.groups.apart[i][j] is not None for i in rows for j in rows
            ):
                self.costs[rows] = self.pricing.groups.cost(rows)

    def look(self, path: tuple[Decided, ...]) -> Look:
        """Add groups until none gains, then ask which rows are to be together."""
        groups = self.pricing.groups
        program = _Program(self.rows, self.rows // self.k, 1 + self.rows * sum(groups.weights), self.ledger)
        program.add({group: cost for group, cost in self.costs.items() if _is_allowed(group, path)})
        while True:
            check_time()
            value, amounts, prices, shared = program.solved()
            if self._is_root_solved and not path:
                break
            best: list[tuple[float, list[int]]] = []
            for found, gaining in enumerate(groups.gaining(prices, 1, shared + NEAR, path, wanted=_ADDED)):
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
    """The linear program over some groups, `most` at most: each row is in one, or is left over at a cost that no partition has.

    That there are no more groups than n // k leaves hardly a gap where k does not divide n: of 50 rows of 48 columns, k = 3, the program is
    worth 1,523 stars, which is the optimum, and without it 1,498.
    """

    def __init__(self, rows: int, most: int, left_over: int, ledger: Ledger[Any]) -> None:
        import highspy

        from anoptima.solvers.exact.sifting.native import new_solver

        self._ledger, self._rows, self.groups = ledger, rows, list[Group]()
        self._solver = new_solver(presolve="off", solver="simplex")
        for _ in range(rows):
            self._solver.addRow(1.0, 1.0, 0, [], [])
        self._solver.addRow(0.0, float(most), 0, [], [])
        for row in range(rows):
            self._solver.addCol(float(left_over), 0.0, highspy.kHighsInf, 1, [row], [1.0])

    def add(self, costs: dict[Group, int]) -> None:
        """Add groups at their costs."""
        import highspy

        for group, cost in costs.items():
            places = np.array([*group, self._rows], dtype=np.int32)
            self._solver.addCol(float(cost), 0.0, highspy.kHighsInf, len(places), places, np.ones(len(places)))
        self.groups += costs

    def solved(self) -> tuple[float, list[float], list[float], float]:
        """Return the least cost, how much of each group there is, the price of each row, and what any group may gain at these."""
        self._run(None)
        found = self._solver.getSolution()
        return (
            self._solver.getInfo().objective_function_value,
            list(found.col_value)[self._rows :],
            list(found.row_dual)[: self._rows],
            max(0.0, -found.row_dual[self._rows]),
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
        from anoptima.solvers.exact.sifting.native import run_to_the_deadline

        run_to_the_deadline(self._solver)
