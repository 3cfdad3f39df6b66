"""Better releases by simulated annealing: millions of small moves between groups, guided by reduced costs.

A step draws an arc of small reduced cost. If its pattern is closed it is opened, with the k rows that gain most from it and all that gain
and can be spared; if a row of its record is elsewhere, that row moves into it; and if all are there, the group is dissolved into the
cheapest open patterns. Groups left with less than k rows are filled up or dissolved. What costs more than before is kept with
probability exp(-cost / temperature). A minute of this comes nearer the best release of a large table than many of programs over regions
(`search`), which find what is left: releases that were annealed apart from each other say where to look.

Rows that stay as they are among so many of their kind that all others will always find k of them are left out: on tables with many
duplicates most rows are.

The loops (`annealing_compiled`) are for the extra `anoptima[fast]`; without it there is no annealing.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.machine import is_installed
from anoptima.solvers.exact.engine.annealing_compiled import Ground, Groups, Notes, anneal
from anoptima.solvers.exact.engine.cuts import Catalogue
from anoptima.solvers.exact.engine.kernels import Numbers
from anoptima.solvers.exact.engine.neighbours import joined
from anoptima.solvers.exact.engine.release import Published, together

REACH = 0.1
"""Moves are along arcs of so much reduced cost, as all figures here in parts of the lightest column's weight."""
PENALTY = 1.0
"""What taking a row from a group of just k is thought to cost, before it is known."""
LONGEST = 2000
"""Of patterns with more arcs, so many in a row are looked at."""
LARGEST = 16
"""Groups of more than so many times k rows are never dissolved."""
AT_HAND = 2
"""Of a group that costs nothing, so many times k rows are at hand to be moved; the others stay, if they are k or more."""
CHUNK = 20_000
"""Steps between two looks at the clock."""


def annealing_of(catalogue: Catalogue, unit: int, seed: int) -> Annealing | None:
    """Return what anneals releases over these arcs; None where its loops are not compiled, since they would take too long."""
    return Annealing(catalogue, unit, seed) if is_installed("numba") else None


class Annealing:
    """Anneals one release after the other. O(rows + arcs) memory, in 32-bit numbers where there is one for each arc."""

    def __init__(self, catalogue: Catalogue, unit: int, seed: int) -> None:
        arcs = catalogue.arcs
        self._catalogue = catalogue
        self._unit = unit
        self._state = seed & 0x7FFFFFFF
        self._by_cost, self._pattern_start = _by_cost(catalogue)
        rows = int(arcs.copies.sum())
        self._notes = Notes(
            np.zeros(4 * rows + 1, dtype=np.int64),
            np.zeros(4 * rows + 1, dtype=np.int64),
            np.zeros(arcs.k + 1, dtype=np.int64),
            np.zeros(arcs.k + 1),
            np.zeros(4 * LONGEST, dtype=np.int64),
        )

    def anneal(
        self,
        release: Published,
        reduced: Numbers,
        steps: int,
        hot: float,
        cold: float,
        seconds: float,
        is_over: Callable[[], bool],
    ) -> Published:
        """Return a release that `steps` for every row from `release` lead to, at temperatures from `hot` to `cold`; it may cost more.

        Where the steps do not fit into `seconds`, they are made fewer, and the temperature falls as fast as time passes.
        """
        cheap = np.flatnonzero(reduced <= REACH * self._unit)
        if not len(cheap):
            return release
        patterns = self._catalogue.pattern_of[cheap].astype(np.int64)
        records = self._catalogue.arcs.member[cheap].astype(np.int64)
        at_hand, staying = self._divided(release)
        ground = self._ground(at_hand)
        groups = self._groups(at_hand)
        steps *= max(1, len(ground.record))
        began, done = time.monotonic(), 0
        share = 0.0
        while share < 1 and not is_over():
            count = min(CHUNK, steps)
            done += count
            upto = min(1.0, max(done / steps, (time.monotonic() - began) / seconds))
            _, self._state = anneal(
                ground,
                groups,
                self._notes,
                patterns,
                records,
                count,
                self._unit * hot * (cold / hot) ** share,
                self._unit * hot * (cold / hot) ** upto,
                PENALTY * self._unit,
                LONGEST,
                LARGEST * ground.k,
                self._state,
            )
            share = upto
        return together(self._published(ground, groups), staying)

    def _divided(self, release: Published) -> tuple[Published, Published]:
        """Return the part of a release that is at hand to be moved, and the part that stays: k rows or more of groups that cost nothing."""
        k = self._catalogue.arcs.k
        rest = np.where(
            self._catalogue.arcs.cost[self._catalogue.pattern_of[release.arc]] == 0, release.count - AT_HAND * k, 0
        )
        rest[rest < k] = 0
        stays = rest > 0
        return Published(release.arc, release.count - rest), Published(release.arc[stays], rest[stays])

    def _ground(self, at_hand: Published) -> Ground:
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

    def _groups(self, at_hand: Published) -> Groups:
        arcs = self._catalogue.arcs
        by_record = np.argsort(arcs.member[at_hand.arc], kind="stable")
        at = np.repeat(self._catalogue.pattern_of[at_hand.arc[by_record]], at_hand.count[by_record]).astype(np.int64)
        order = np.argsort(at, kind="stable")
        before, after = np.full(len(at), -1, dtype=np.int64), np.full(len(at), -1, dtype=np.int64)
        same = at[order[1:]] == at[order[:-1]]
        before[order[1:][same]] = order[:-1][same]
        after[order[:-1][same]] = order[1:][same]
        first = np.full(len(arcs.cost), -1, dtype=np.int64)
        heads = order[before[order] < 0]
        first[at[heads]] = heads
        return Groups(at, before, after, first, np.bincount(at, minlength=len(arcs.cost)).astype(np.int64))

    def _published(self, ground: Ground, groups: Groups) -> Published:
        """Return the release that groups are. O(arcs of the patterns in use)."""
        records = len(self._catalogue.arcs.copies)
        wanted, count = np.unique(groups.at * records + ground.record, return_counts=True)
        arcs = joined(self._catalogue.arcs.start, np.flatnonzero(groups.size))
        keys = self._catalogue.pattern_of[arcs] * records + self._catalogue.arcs.member[arcs]
        return Published(arcs[np.searchsorted(keys, wanted)], count.astype(np.int64))


def _by_cost(catalogue: Catalogue) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the patterns of every record, cheapest first, and where each record's begin."""
    arcs = catalogue.arcs
    order = np.lexsort((arcs.cost[catalogue.pattern_of], arcs.member))
    start = np.zeros(len(arcs.copies) + 1, dtype=np.int64)
    start[1:] = np.cumsum(np.bincount(arcs.member, minlength=len(arcs.copies)))
    return catalogue.pattern_of[order].astype(np.int32), start
