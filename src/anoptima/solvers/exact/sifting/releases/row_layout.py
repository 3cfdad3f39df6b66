"""A release as annealing has it: every row in one group, and the rows of a group linked to each other.

Rows that stay as they are among so many of their kind that all others will always find k of them are left out: on tables with many
duplicates most rows are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import joined
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.kernels.row_moves import AFTER, AT, BEFORE, FIRST, SIZE, Ground, Groups
from anoptima.solvers.exact.sifting.releases.release import Release

AT_HAND = 2
"""Of a group that costs nothing, so many times k rows are at hand to be moved; the others stay, if they are k or more."""


class RowLayout:
    """Lays releases over the arcs of a table out, and reads them back. O(arcs) memory, 32-bit numbers where there is one for each."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._by_cost, self._pattern_start = _by_cost(catalogue)

    def divided(self, release: Release) -> tuple[Release, Release]:
        """Return the part of a release that is at hand to be moved, and the part that stays: k rows or more of groups that cost nothing."""
        k = self._catalogue.arcs.k
        rest = np.where(
            self._catalogue.arcs.cost[self._catalogue.arcs.pattern_of[release.arc]] == 0, release.count - AT_HAND * k, 0
        )
        rest[rest < k] = 0
        stays = rest > 0
        return Release(release.arc, release.count - rest), Release(release.arc[stays], rest[stays])

    def ground(self, at_hand: Release) -> Ground:
        """Return the ground of the rows of a release."""
        arcs = self._catalogue.arcs
        rows = np.zeros(len(arcs.copies), dtype=np.int64)
        np.add.at(rows, arcs.member[at_hand.arc], at_hand.count)
        return Ground(
            arcs.start,
            arcs.member,
            arcs.cost,
            arcs.k,
            np.repeat(np.arange(len(rows)), rows),
            np.concatenate([[0], np.cumsum(rows)]),
            self._pattern_start,
            self._by_cost,
        )

    def groups(self, at_hand: Release) -> Groups:
        """Return where a release has the rows of its ground. What a move looks at together lies together in memory."""
        arcs = self._catalogue.arcs
        by_record = np.argsort(arcs.member[at_hand.arc], kind="stable")
        at = np.repeat(self._catalogue.arcs.pattern_of[at_hand.arc[by_record]], at_hand.count[by_record]).astype(
            np.int64
        )
        order = np.argsort(at, kind="stable")
        rows = np.full((len(at), 4), -1, dtype=np.int32)
        rows[:, AT] = at
        before, after = rows[:, BEFORE], rows[:, AFTER]
        same = at[order[1:]] == at[order[:-1]]
        before[order[1:][same]] = order[:-1][same]
        after[order[:-1][same]] = order[1:][same]
        patterns = np.full((len(arcs.cost), 2), -1, dtype=np.int32)
        heads = order[before[order] < 0]
        patterns[at[heads], FIRST] = heads
        patterns[:, SIZE] = np.bincount(at, minlength=len(arcs.cost))
        return Groups(rows, patterns)

    def release_of(self, ground: Ground, at: NDArray[np.int32]) -> Release:
        """Return the release that has each row in the group of the pattern `at` its place. O(arcs of the patterns in use)."""
        records = len(self._catalogue.arcs.copies)
        wanted, count = np.unique(at.astype(np.int64) * records + ground.record, return_counts=True)
        arcs = joined(self._catalogue.arcs.start, np.unique(at))
        keys = self._catalogue.arcs.pattern_of[arcs] * records + self._catalogue.arcs.member[arcs]
        return Release(arcs[np.searchsorted(keys, wanted)], count.astype(np.int64))


def _by_cost(catalogue: Catalogue) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the patterns of every record, cheapest first, and where each record's begin."""
    arcs = catalogue.arcs
    order = np.lexsort((arcs.cost[catalogue.arcs.pattern_of], arcs.member))
    start = np.zeros(len(arcs.copies) + 1, dtype=np.int64)
    start[1:] = np.cumsum(np.bincount(arcs.member, minlength=len(arcs.copies)))
    return catalogue.arcs.pattern_of[order].astype(np.int32), start
