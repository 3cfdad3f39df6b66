"""Starring small classes: classes of equal rows that satisfy the principle stay as they are, all other rows are starred together.

People do this with a spreadsheet, and tools call it 'record suppression'. A baseline, for any principle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation, merge_until_it_holds


@algorithms.register
class SmallClasses(CellApproximation):
    """Every class of equal rows that satisfies the principle stays; all other rows are one starred group.

    If those alone do not satisfy the principle, the classes with least to lose join them until they do. O(n m + n log n).
    No ratio is promised: for six rows 00, one 01 and one 02, k = 2, it is optimal; for rows 00..0, 00..1, 11..0, 11..1 it stars
    everything where one column does.
    """

    name = "small-classes"
    family = "recoding"

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Keep the classes that hold, and put the rest together."""
        table = problem.table
        holds = problem.principle.holds_each(table.groups(table.type_of_row))
        if holds.all():
            return Partition.from_labels(table.type_of_row)
        rest = len(holds)
        return merge_until_it_holds(problem, np.where(holds[table.type_of_row], table.type_of_row, rest), rest)
