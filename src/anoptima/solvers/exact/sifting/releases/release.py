"""Partitions as the engine holds them: how many copies of each record every pattern publishes, one group a pattern.

Groups with one pattern may be merged at no cost, since at least k rows are at least k rows, so a pattern has one group or none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.patterns import Patterns, spans
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting.arcs import Arcs, owners
from anoptima.table import Counts, Groups


@dataclass(frozen=True, eq=False)
class Release:
    """`count[i]` copies of the record of arc `arc[i]` are published with its pattern; arcs rise, and no count is 0."""

    arc: NDArray[np.int64]
    count: NDArray[np.int64]


NOBODY = Release(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
"""A release of no row."""


def together(*releases: Release) -> Release:
    """Return the copies of all.

    >>> both = together(Release(np.array([2, 5]), np.array([1, 1])), Release(np.array([5]), np.array([3])))
    >>> both.arc.tolist(), both.count.tolist()
    ([2, 5], [1, 4])
    """
    arc, place = np.unique(np.concatenate([one.arc for one in releases]), return_inverse=True)
    count = np.bincount(place, np.concatenate([one.count for one in releases]), len(arc))
    return Release(arc, count.astype(np.int64))


def carried_over(before: Release, after: Release, release: Release) -> Release | None:
    """Change in `release` what was changed from `before` to `after`; None if it has not got what was let go.

    Each of the three publishes every copy of every record once, so the sum does, too.

    >>> before, after = Release(np.array([1, 2]), np.array([2, 1])), Release(np.array([1, 3]), np.array([2, 1]))
    >>> found = carried_over(before, after, Release(np.array([2, 4]), np.array([1, 2])))
    >>> found.arc.tolist(), found.count.tolist()
    ([3, 4], [1, 2])
    >>> carried_over(before, after, Release(np.array([4]), np.array([3]))) is None
    True
    """
    arc, place = np.unique(np.concatenate([release.arc, after.arc, before.arc]), return_inverse=True)
    count = np.bincount(place, np.concatenate([release.count, after.count, -before.count]), len(arc)).astype(np.int64)
    if (count < 0).any():
        return None
    return Release(arc[count > 0], count[count > 0])


def release_of(problem: CellSuppression, patterns: Patterns, partition: Partition) -> Release:
    """Return a partition by patterns, those of the common parts of its groups. O(n m + arcs of these patterns)."""
    table = patterns.table
    kept = ~problem.stars(partition)
    of_row = table.records.of_row
    _, first, group = np.unique(partition.labels, return_index=True, return_inverse=True)
    return gathered(patterns, patterns.find_each(kept[first], of_row[first])[group], of_row)


def gathered(arcs: Arcs | Patterns, pattern: Counts, record: Counts, count: Counts | None = None) -> Release:
    """Return the release in which each of some patterns has one copy of a record, or `count`. O(arcs of these patterns)."""
    used, place = np.unique(pattern, return_inverse=True)
    own = spans(arcs.start, used)
    records = int(arcs.member[own].max(initial=0)) + 1
    # Records rise within a pattern, so these keys rise.
    keys = owners(arcs.start, used) * records + arcs.member[own]
    wanted, entry = np.unique(place * records + record, return_inverse=True)
    return Release(own[np.searchsorted(keys, wanted)], np.bincount(entry, count).astype(np.int64))


def partition_of(patterns: Patterns, release: Release) -> Partition:
    """Return the partition whose groups are the patterns; the copies of a record go to its patterns in order. O(n)."""
    records = patterns.table.records
    member = patterns.member[release.arc]
    # To list the patterns of all arcs takes longer, of some ten million, than to look up those of a release.
    pattern = np.searchsorted(patterns.start, release.arc, side="right") - 1
    order = np.argsort(member, kind="stable")
    of_copy = np.repeat(pattern[order], release.count[order])
    labels: Counts = np.empty(len(records.of_row), dtype=np.int64)
    labels[np.argsort(records.of_row, kind="stable")] = of_copy
    return Partition.from_labels(labels)


def legal_groups(
    problem: CellSuppression, label: Counts, record: Counts, count: Counts, groups: int
) -> NDArray[np.bool_]:
    """Tell for each group, given by how many copies of which records are in it, whether it satisfies the principle; False if empty."""
    legal = np.zeros(groups, dtype=np.bool_)
    some = count > 0
    present, number = np.unique(label[some], return_inverse=True)
    if not len(present):
        return legal
    table = problem.table
    codes = {name: table.records.sensitive[record[some], c] for c, name in enumerate(table.sensitive)}
    sizes = np.bincount(number, count[some]).astype(np.int64)
    counted = Groups(sizes, table.whole.sensitive, number.astype(np.int64), count[some].astype(np.int64), codes)
    legal[present] = problem.principle.holds_each(counted)
    return legal
