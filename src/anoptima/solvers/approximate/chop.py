"""Chopping: a group of 2k rows or more falls into parts of k to 2k - 1 rows, which never costs more: no part differs on further columns."""

from __future__ import annotations

import numpy as np

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.distances import Distances
from anoptima.table import Counts


def chop(problem: CellSuppression, partition: Partition, k: int) -> Partition:
    """Cut each group of 2k rows or more into parts of k rows, and a last one of k to 2k - 1, each of rows that are close.

    A part is a row with its k - 1 nearest of what is left of the group; a row type that alone has k rows left is a part of its own. A
    group that costs nothing stays as it is. Only for principles under which any k rows may be a group. O(s^2 m / k) for a group of s
    row types.

    >>> from anoptima import KAnonymity, ten_rows
    >>> problem = CellSuppression(ten_rows(), KAnonymity(2))
    >>> parts = chop(problem, problem.trivial(), 2)
    >>> problem.cost(problem.trivial()), problem.cost(parts)
    (70, 48)
    """
    labels, distances = partition.labels.copy(), Distances(problem.table)
    costs_nothing = ~problem.stars(partition).any(axis=1)
    sizes = np.bincount(labels)
    groups = len(sizes)
    large = (sizes >= 2 * k)[labels] & ~costs_nothing
    rows = np.flatnonzero(large)
    # Rows by group, and within a group by row type.
    rows = rows[np.lexsort((problem.table.type_of_row[rows], labels[rows]))]
    for members in np.split(rows, np.flatnonzero(np.diff(labels[rows])) + 1) if len(rows) else ():
        parts = _parts(distances, problem.table.type_of_row[members], k)
        labels[members] = groups + parts
        groups += int(parts.max()) + 1
    return Partition.from_labels(labels)


def _parts(distances: Distances, types_of_rows: Counts, k: int) -> Counts:
    """Return the number of a part for each of the rows of a group, sorted by type."""
    types, left = np.unique(types_of_rows, return_counts=True)
    parts = np.empty(len(types_of_rows), dtype=np.int64)
    ends = np.cumsum(left)
    rest, number = len(parts), 0

    def take(t: int, count: int) -> None:
        nonlocal rest
        parts[ends[t] - left[t] : ends[t] - left[t] + count] = number
        left[t] -= count
        rest -= count

    while rest >= 2 * k:
        check_time()
        most = int(left.argmax())
        if left[most] >= k and rest - left[most] >= k:
            take(most, int(left[most]))
        else:
            live = np.flatnonzero(left)
            seed = most if left[most] >= k else live[0]
            missing = k
            for t in live[np.argsort(distances.of(types[seed], types[live]), kind="stable")].tolist():
                count = min(missing, int(left[t]))
                take(t, count)
                missing -= count
                if not missing:
                    break
        number += 1
    for t in np.flatnonzero(left).tolist():
        take(t, int(left[t]))
    return parts
