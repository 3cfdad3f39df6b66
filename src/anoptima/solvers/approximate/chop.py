"""Chopping: a group of 2k rows or more falls into parts of k to 2k - 1 rows, which never costs more: no part differs on further columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.distances import Distances
from anoptima.table import Counts, Table

BLOCK = 1_000
"""A group of twice as many row types falls into blocks of near ones first, of at least so many. Rows of `large-uniform-50000x24`, k = 2,
have 159,172 stars after 1.0 s with `residue`, 153,516 after 1.9 s with 2,000 instead, and 136,672 after 96 s without blocks
(`python -m benchmarks.tuned anoptima.solvers.approximate.chop.BLOCK 1000 2000 1000000000 --solver residue --limits 300`)."""


def never() -> bool:
    """Return that it is not over; raise `OutOfTime` if a deadline has passed."""
    check_time()
    return False


def chop(problem: CellSuppression, partition: Partition, k: int, is_over: Callable[[], bool] = never) -> Partition:
    """Cut each group of 2k rows or more into parts of k rows, and a last one of k to 2k - 1, each of rows that are close.

    A part is a row with its k - 1 nearest of what is left of the group; a row type that alone has k rows left is a part of its own. A
    group that costs nothing stays as it is. A very large group is first cut into blocks of at least `BLOCK` row types, of rows that agree
    on the columns of fewest values; once `is_over()` is true, blocks are not cut further. Only for principles under which any k rows may
    be a group. O(s^2 m) for a group of s row types, but no more than O(s m `BLOCK`).

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
    for group in np.split(rows, np.flatnonzero(np.diff(labels[rows])) + 1) if len(rows) else ():
        for members in _blocks(problem.table, group, k):
            if not is_over():
                parts = _parts(distances, problem.table.type_of_row[members], k)
                labels[members] = groups + parts
                groups += int(parts.max()) + 1
            elif len(members) < len(group):
                labels[members] = groups
                groups += 1
    return Partition.from_labels(labels)


def _blocks(table: Table, rows: Counts, k: int) -> list[Counts]:
    """Return rows, which are sorted by type, in blocks of `BLOCK` to `2 * BLOCK - 1` row types, if they are as many and k is no more."""
    types, first = np.unique(table.type_of_row[rows], return_index=True)
    many = len(types) // BLOCK
    if many < 2 or k > BLOCK:
        return [rows]
    codes = table.types[types]
    by_values = np.argsort([len(distinct(column)) for column in codes.T], kind="stable")
    block = np.empty(len(types), dtype=np.int64)
    block[np.lexsort(codes[:, by_values[::-1]].T)] = np.arange(len(types)) * many // len(types)
    of_row = np.repeat(block, np.diff(first, append=len(rows)))
    return np.split(rows[np.argsort(of_row, kind="stable")], np.cumsum(np.bincount(of_row))[:-1])


def _parts(distances: Distances, types_of_rows: Counts, k: int) -> Counts:
    """Return the number of a part for each of the rows of a group, sorted by type."""
    types, left = np.unique(types_of_rows, return_counts=True)
    # Where k is large, groups may be too large for all their distances at once; there are few parts then.
    apart = distances.among(types) if len(types) < 2 * BLOCK else None
    parts = np.empty(len(types_of_rows), dtype=np.int64)
    ends = np.cumsum(left)
    rest, number = len(parts), 0

    def take(t: int, count: int) -> None:
        nonlocal rest
        parts[ends[t] - left[t] : ends[t] - left[t] + count] = number
        left[t] -= count
        rest -= count

    while rest >= 2 * k:
        most = int(left.argmax())
        if left[most] >= k and rest - left[most] >= k:
            take(most, int(left[most]))
        else:
            live = np.flatnonzero(left)
            seed = most if left[most] >= k else int(live[0])
            missing = k
            far = distances.of(types[seed], types[live]) if apart is None else apart[seed, live]
            for t in live[np.argsort(far, kind="stable")].tolist():
                count = min(missing, int(left[t]))
                take(t, count)
                missing -= count
                if not missing:
                    break
        number += 1
    for t in np.flatnonzero(left).tolist():
        take(t, int(left[t]))
    return parts
