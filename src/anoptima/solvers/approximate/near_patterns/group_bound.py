"""A bound for tables of many columns, by what patterns of near rows say that rows are worth: less what groups of k rows gain at that.

The dual over some patterns is no bound, since other groups may gain at its worths. `least_groups` finds the largest gain of each row with
rows that are worth no more, among all rows; made worth less by that, rows prove a bound (`proofs.least_groups`). The groups that gain
are patterns that were missing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.worths import WorthEnd, WorthProof, groups_of, worth_proof
from anoptima.solvers.exact.least_groups.pricing import Pricing, why_not_looked_at
from anoptima.table import Counts

LOOKS = 1 << 22
"""The most looks for each row: some hundredths of a second. Of 30,000 rows of 24 columns, k = 5, a row takes 3,000 on average."""
A_SECOND = 5e8
"""How many pairs of rows are compared on a column in a second, with all that is looked for among them: less than one thread does on a
quiet machine, where 30,000 rows of 24 columns take 15 s, of which this says 43."""
PARTS = 5_040
"""What worths are counted in parts of: of 30,000 rows, rounding loses three stars."""


class GroupBound:
    """Bounds of one problem in groups of k rows or more. Of each row type k rows are looked at, and all are worth what the least one is."""

    def __init__(self, problem: CellSuppression, threads: int = 1) -> None:
        self._problem = problem
        k, kinds, _ = groups_of(problem)
        self.pricing = Pricing(problem, k, kinds, threads)
        type_of_row, copies = problem.table.type_of_row, problem.table.multiplicity
        by_type = np.argsort(type_of_row, kind="stable")
        place = np.arange(len(by_type)) - np.repeat(np.cumsum(copies) - copies, copies)
        self._looked_at = by_type[place < k]
        self._is_common = (copies > k)[type_of_row]

    @property
    def pairs(self) -> int:
        """How many pairs of rows are compared on a column, at least, where all groups are priced."""
        return len(self._looked_at) ** 2 * int(self.pricing.codes.shape[1])

    @property
    def seconds(self) -> float:
        """About how long it takes to price all groups, at least."""
        return self.pairs / A_SECOND

    @staticmethod
    def why_not(problem: CellSuppression) -> str | None:
        """Say why there is none: groups need more than a size, or there are too many; None if there is."""
        k, _, why_not = groups_of(problem)
        return why_not or why_not_looked_at(problem, k)

    def proof(self, worth: NDArray[np.float64], is_over: Callable[[], bool]) -> tuple[WorthProof, Counts]:
        """Return what these worths of row types prove once no group gains, and groups that gained; less is proved where it is over soon."""
        table = self._problem.table
        whole = np.floor(worth * PARTS).astype(np.int64)[table.type_of_row]
        found = self.pricing.best_groups(self._looked_at, whole, PARTS, LOOKS, is_over)
        less = found.corrected(whole)
        least = np.full(len(table.types), np.iinfo(np.int64).max)
        np.minimum.at(least, table.type_of_row[self._looked_at], less[self._looked_at])
        less[self._is_common] = least[table.type_of_row[self._is_common]]
        if less.sum() < 0:
            # Rows that are worth nothing prove that nothing is paid.
            less[:] = 0
        value = -(-int(less.sum()) // PARTS)
        return worth_proof(self._problem, value, PARTS, WorthEnd(tuple(less.tolist()))), found.groups
