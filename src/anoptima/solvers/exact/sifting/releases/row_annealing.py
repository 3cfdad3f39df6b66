"""Better releases by simulated annealing: millions of small moves between groups, guided by reduced costs.

A step draws an arc of small reduced cost. If its pattern is closed it is opened, with the k rows that gain most from it and all that gain
and can be spared; if a row of its record is elsewhere, that row moves into it; and if all are there, the group is dissolved into the
cheapest open patterns. Groups left with less than k rows are filled up or dissolved. What costs more than before is kept with probability
exp(-cost / temperature). A minute of annealing comes nearer the best release of a large table than many minutes of programs over regions
(`regions`). Those find what annealing leaves: where releases that were annealed independently differ, there is something to gain.

Its loops (`kernels.row_moves`) are too slow as they are: there is no annealing until they are prepared.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.patterns import spans
from anoptima.solvers.compiling.loops import fastest, is_ready
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, Part, part_of
from anoptima.solvers.exact.sifting.kernels.row_moves import Notes, anneal
from anoptima.solvers.exact.sifting.releases.cooling import Cooling
from anoptima.solvers.exact.sifting.releases.release import Release, together
from anoptima.solvers.exact.sifting.releases.row_layout import RowLayout

REACH = 0.1
"""Moves are along arcs of at most this reduced cost; like all figures here, in parts of the lightest column's weight."""
NEAR = 1.0
"""Rows that open a group or fill one up are looked for along arcs of at most this reduced cost."""
PENALTY = 1.0
"""What taking a row from a group of just k is thought to cost, before it is known."""
LONGEST = 2000
"""Of patterns with more arcs, this many in a row are looked at."""
LARGEST = 16
"""Groups of more than this multiple of k rows are never dissolved."""
CHUNK, SMALL_K = 20_000, 100
"""Steps between two looks at the clock, where groups are as small as this; fewer in proportion where they are larger, since opening one
takes O(k): at k = 15,000 so many steps take ten seconds."""


def row_annealing_of(arcs: Arcs, unit: int, seed: int) -> RowAnnealing | None:
    """Return what anneals releases over these arcs; None where its loops are not compiled, since they would take too long."""
    return RowAnnealing(arcs, unit, seed) if is_ready(anneal) else None


class RowAnnealing:
    """Anneals one release after the other. O(rows + arcs of the patterns in play) memory."""

    def __init__(self, arcs: Arcs, unit: int, seed: int) -> None:
        self._arcs, self._unit = arcs, unit
        self._state = seed & 0x7FFFFFFF
        rows, k = int(arcs.copies.sum()), arcs.k
        self._notes = Notes(
            np.zeros(4 * rows + 1, dtype=np.int64),
            np.zeros(4 * rows + 1, dtype=np.int64),
            np.zeros(k + 1, dtype=np.int64),
            np.zeros(k + 1),
            np.zeros(4 * LONGEST, dtype=np.int64),
            np.zeros(LARGEST * k + 1, dtype=np.int64),
        )

    def anneal(
        self,
        release: Release,
        reduced: Numbers,
        cooling: Cooling,
        seconds: float,
        is_over: Callable[[], bool],
    ) -> Release:
        """Return a release that moves from `release` on lead to within `seconds`; it may cost more."""
        cheap = reduced <= REACH * self._unit
        if not cheap.any():
            return release
        part = self._in_play(release, cheap)
        layout = RowLayout(part.arcs)
        drawn = np.flatnonzero(cheap[part.chosen])
        patterns, records = part.arcs.pattern_of[drawn], part.arcs.member[drawn].astype(np.int64)
        at_hand, staying = layout.divided(Release(np.searchsorted(part.chosen, release.arc), release.count))
        near = np.flatnonzero(reduced[part.chosen] <= NEAR * self._unit)
        start = np.searchsorted(near, part.arcs.start)
        ground = layout.ground(at_hand)._replace(start=start, member=part.arcs.member[near])
        groups = layout.groups(at_hand)
        chunk = max(1, CHUNK * SMALL_K // max(SMALL_K, ground.k))
        for count, warmer, colder in cooling.course(len(ground.record), chunk, self._unit, seconds, is_over):
            _, self._state = fastest(anneal)(
                ground,
                groups,
                self._notes,
                patterns,
                records,
                count,
                warmer,
                colder,
                PENALTY * self._unit,
                LONGEST,
                LARGEST * ground.k,
                self._state,
            )
        found = together(layout.release_of(ground, groups.at), staying)
        return Release(part.chosen[found.arc], found.count)

    def _in_play(self, release: Release, cheap: NDArray[np.bool_]) -> Part:
        """Return all arcs of the patterns that are open or may be opened: a small part of a large table, which stays in fast memory."""
        arcs = self._arcs
        patterns = np.union1d(arcs.pattern_of[cheap], arcs.pattern_of[release.arc])
        return part_of(arcs, spans(arcs.start, patterns))
