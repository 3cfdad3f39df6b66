"""Sort the rows and cut them into groups of k."""

# Yours: say above what your algorithm computes, and cite it.

import numpy as np

from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.approximate.approximation import CellApproximation


class Template(CellApproximation):
    """Neighbours in lexicographic order share a group; the last group takes what is left over. O(n m log n), no guarantee."""

    # Yours: for other problems than cell suppression, derive from `anoptima.solvers.algorithm.Algorithm` and write `search`.
    name = "template"

    def why_not(self, problem):
        """Say which problems it is for."""
        other = super().why_not(problem)
        if other is not None or isinstance(problem.plain.principle, KAnonymity):
            return other
        return f"{self.name} is for k-anonymity, not for {problem.principle}"

    def partition(self, problem, is_over):
        """Return a feasible partition; once `is_over()` is true, the quickest that can be made of what there is."""
        # Yours. What is returned is checked: a group that the principle forbids is an error that names this algorithm.
        table, k = problem.table, problem.principle.k
        order = np.lexsort(table.types[table.type_of_row].T[::-1])
        label = np.empty(table.rows, dtype=np.int64)
        label[order] = np.minimum(np.arange(table.rows) // k, table.rows // k - 1)
        return Partition.from_labels(label)

    # Yours, if there is a theorem: `def ratio(self, problem)` returns the factor within which every answer is, a whole number or a
    # `Fraction`. An answer then brings the bound that follows.
