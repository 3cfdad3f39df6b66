"""Peeling: publish satisfying classes while starring more and more columns. A baseline, for any principle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.principles import least_rows
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.columns import cheapest_sets, keys_without
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation, merge_until_it_holds
from anoptima.table import Counts

_MOST_CELLS = 400_000_000
"""How many cells may be grouped by; column sets that are dearer than all those are left to the last group."""

_ODD = 0x1E3779B97F4A7C15
"""Keys are multiplied by this odd number to be spread; digits of the golden ratio."""


@algorithms.register
class Peel(CellApproximation):
    """Publishes satisfying classes while starring more and more columns; the remaining rows are one starred group. No ratio is promised.

    For each set of starred columns, cheapest first: the rows not yet published fall into classes on the other columns; each class
    that satisfies the principle is published. O(2^m R (m + log R)) for R records, less as rows are published.
    """

    name = "peel"
    family = "recoding"
    joins_groups = False
    quick = 1

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Peel, then merge what is left into the dearest groups until it holds."""
        table = problem.table
        records = table.records
        types = table.types[records.type]
        widths = [len(column.values) for column in table.quasi_columns]
        published = np.full(len(records), -1, dtype=np.int64)
        least = least_rows(problem.principle.conditions(table))
        groups, work = 0, 0
        left, copies, keys = np.arange(len(types)), records.multiplicity, keys_without(types, widths)
        for _, starred in cheapest_sets(table.weights):
            if copies.sum() < least or work > _MOST_CELLS or is_over():
                break
            key = keys(starred)
            work += len(left) * (len(widths) + 1)
            near = np.flatnonzero(_crowded(key, copies, least))
            if not len(near):
                continue
            labels = np.unique(key[near], return_inverse=True)[1]
            holds = problem.principle.holds_each(table.groups_of_records(labels, left[near]))
            if holds.any():
                number = groups + np.cumsum(holds) - 1
                published[left[near]] = np.where(holds[labels], number[labels], -1)
                groups += int(holds.sum())
                left = np.flatnonzero(published < 0)
                copies, keys = records.multiplicity[left], keys_without(types[left], widths)
        if (published < 0).any():
            if not problem.is_merge_closed:
                return self._with_rest(problem, published, groups)
            published[published < 0] = groups
            return merge_until_it_holds(problem, published[records.of_row], groups)
        return Partition.from_labels(published[records.of_row])

    def _with_rest(self, problem: CellSuppression, published: Counts, groups: int) -> Partition:
        """Return what is published, with the rest as one group where that satisfies the principle; else the trivial solution."""
        labels = np.where(published < 0, groups, published)[problem.table.records.of_row]
        found = Partition.from_labels(labels)
        return found if problem.is_feasible(found) else problem.trivial()


def _crowded(key: Counts, copies: Counts, least: int) -> NDArray[np.bool_]:
    """Tell for each record whether `least` rows may have its key: so many have a key with the same hash. Most others are told at once."""
    bits = int(4 * len(key)).bit_length()
    place = ((key * _ODD) >> (63 - bits)) & ((1 << bits) - 1)
    return np.asarray((np.bincount(place, weights=copies) >= least)[place])
