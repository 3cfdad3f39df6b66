"""Full-domain suppression: whole columns are kept or starred, in the best way. The oldest baseline, for any principle."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from anoptima.deadline import check_time
from anoptima.errors import OutOfTime
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation
from anoptima.solvers.exact.column_lattice import ColumnLattice
from anoptima.solvers.exact.covering import bits


@algorithms.register
class Lattice(CellApproximation):
    """One set of kept columns for the whole table, the one whose classes cost least. No ratio: one odd row can cost whole columns.

    Incognito finds all sets that may be kept (`column-lattice`). A larger set has smaller classes, which never cost more, so the
    largest ones alone are priced, by the stars that their classes need as groups: at most rows * weight of what is not kept. Up to
    2^m looks at the records for m columns.

    References
    ----------
    K. LeFevre, D. J. DeWitt and R. Ramakrishnan: Incognito: efficient full-domain k-anonymity. SIGMOD 2005.
    """

    name = "lattice"
    family = "recoding"
    joins_groups = False

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Return the classes on the cheapest set; on the cheapest of those found once time is up."""
        largest: dict[int, None] = {0: None}
        best = problem.trivial()
        if not problem.is_merge_closed:
            return self._of_all_sets(problem, best)
        with suppress(OutOfTime):
            for level in ColumnLattice(problem.table, problem.principle).levels():
                for kept in level:
                    for j in bits(kept):
                        largest.pop(kept ^ (1 << j), None)
                    largest[kept] = None
            for kept in largest:
                check_time()
                candidate = Partition.from_labels(problem.table.fold(bits(kept)))
                best = min(best, candidate, key=problem.cost)
        return best

    def _of_all_sets(self, problem: CellSuppression, best: Partition) -> Partition:
        """Return the cheapest classes on any set of columns: without merging, a larger set may do where a smaller one does not."""
        with suppress(OutOfTime):
            for kept in range(1 << len(problem.table.quasi)):
                check_time()
                candidate = Partition.from_labels(problem.table.fold(bits(kept)))
                if problem.cost(candidate) < problem.cost(best) and problem.is_feasible(candidate):
                    best = candidate
        return best
