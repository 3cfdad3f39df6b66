"""Partitions that some groups spoil, mended: a group that fails is merged with others until it holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.grouping import Grouping

_TRIED = 12
"""How many of the groups that would cost least are looked at for one with which a group holds; if there is none, the cheapest is taken."""


def mended(problem: CellSuppression, partition: Partition, is_over: Callable[[], bool]) -> Partition | None:
    """Merge each group that fails, under a merge-closed principle, with such as cost least; None if there is no time. O(G m) a merger.

    >>> from anoptima import EntropyDiversity, LDiversity, solve, ten_rows
    >>> distinct = CellSuppression(ten_rows(), LDiversity(2, version="distinct"))
    >>> problem = CellSuppression(ten_rows(), EntropyDiversity(2))
    >>> found = mended(problem, solve(distinct).solution, lambda: False)
    >>> problem.is_feasible(found)
    True
    """
    now = Grouping(problem, partition)
    nobody = np.zeros(0, dtype=np.int64)
    failing = np.flatnonzero(~problem.principle.holds_each(problem.table.groups(partition.labels)))
    for group in failing.tolist():
        while len(now.rows[group]) and not now.hold([now.rows[group]]):
            if is_over():
                return None
            rise = now.merging(group)
            near = np.argsort(rise, kind="stable")[: min(_TRIED, int(np.count_nonzero(now.size)) - 1)]
            joined = [np.concatenate([now.rows[group], now.rows[other]]) for other in near]
            holds = now.hold_each(joined)
            taken = int(holds.argmax())
            now.put([(group, joined[taken]), (int(near[taken]), nobody)])
    return now.partition()
