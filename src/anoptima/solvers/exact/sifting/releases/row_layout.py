"""A release as annealing has it: every row in one group, and the rows of a group linked to each other.

Rows that keep all their values are left out if enough of their kind remain for all others to find k of them: on tables with many
duplicates most rows are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels.row_moves import AFTER, AT, BEFORE, FIRST, SIZE, Ground, Groups
from anoptima.solvers.exact.sifting.releases.release import Release, gathered

AT_HAND = 2
"""Of a group that costs nothing, this multiple of k rows is at hand to be moved; the others stay, if they are k or more."""


class RowLayout:
    """Lays releases over the arcs of a table out, and reads them back. O(arcs) memory, 32-bit numbers where there is one for each."""

    def __init__(self, arcs: Arcs) -> None:
        self._arcs = arcs
        order, self._pattern_start = arcs.by_record
        self._by_cost = arcs.pattern_of[order].astype(np.int32)

    def divided(self, release: Release) -> tuple[Release, Release]:
        """Return the part of a release that is at hand to be moved, and the part that stays: k rows or more of groups that cost nothing."""
        arcs, k = self._arcs, self._arcs.k
        rest = np.where(arcs.cost[arcs.pattern_of[release.arc]] == 0, release.count - AT_HAND * k, 0)
        rest[rest < k] = 0
        stays = rest > 0
        return Release(release.arc, release.count - rest), Release(release.arc[stays], rest[stays])

    def ground(self, at_hand: Release) -> Ground:
        """Return the ground of the rows of a release."""
        arcs = self._arcs
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
        arcs = self._arcs
        by_record = np.argsort(arcs.member[at_hand.arc], kind="stable")
        at = np.repeat(arcs.pattern_of[at_hand.arc[by_record]], at_hand.count[by_record])
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
        return gathered(self._arcs, at.astype(np.int64), ground.record)
