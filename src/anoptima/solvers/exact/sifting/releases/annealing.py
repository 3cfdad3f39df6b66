"""Better releases by simulated annealing: of rows, millions of small moves between groups, or of the set of open patterns.

What costs more than before is kept with probability exp(-cost / temperature), and both are guided by reduced costs. The loops
(`kernels.row_moves`, `kernels.pattern_moves`) are too slow as they are: there is no annealing until they are prepared.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import union
from anoptima.patterns import spans
from anoptima.solvers.compiling.loops import fastest, is_ready
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, Part, part_of
from anoptima.solvers.exact.sifting.kernels import pattern_moves, row_moves
from anoptima.solvers.exact.sifting.kernels.row_moves import Notes
from anoptima.solvers.exact.sifting.releases.release import Release, together
from anoptima.solvers.exact.sifting.releases.row_layout import RowLayout

REACH = 0.1
"""Moves are along arcs of at most this reduced cost; like all figures here, in units (`Instance.unit`)."""
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

FEW_ROWS = 400
"""Patterns are annealed in tables of at most this many rows."""
OPENED_REACH = 0.1
"""Patterns are opened to which k rows have arcs of at most this reduced cost."""
CLOSINGS = 0.15
"""The share of steps that close a group."""
FEW = 12
"""One of this many groups, the nearest to a pattern that is opened, is closed for it."""
PATTERNS_CHUNK = 500
"""Steps between two looks at the clock."""
ROOM = 50
"""How often a step may move every row."""


@dataclass(frozen=True)
class Cooling:
    """A number of `steps` for each row, at temperatures that fall geometrically from `hot` to `cold`, in units.

    They fall with the steps that are done, or with the time that has passed, whichever is further.
    """

    steps: int
    hot: float
    cold: float

    def course(
        self, rows: int, chunk: int, unit: float, seconds: float, is_over: Callable[[], bool]
    ) -> Iterator[tuple[int, float, float]]:
        """Yield how many steps are next, `chunk` at most, and the temperatures at their two ends.

        Where the steps do not fit into `seconds`, they are made fewer, and the temperature falls as fast as time passes.

        >>> list(Cooling(3, 4.0, 1.0).course(1, 2, 1.0, 60.0, lambda: True))
        []
        >>> [count for count, _, _ in Cooling(1, 4.0, 1.0).course(4, 2, 1.0, 1e9, lambda: False)]
        [2, 2]
        """
        began, done, share, steps = time.monotonic(), 0, 0.0, self.steps * max(1, rows)
        hot, falling = unit * self.hot, self.cold / self.hot
        while share < 1 and seconds > 0 and not is_over():
            count = min(chunk, steps)
            done += count
            upto = min(1.0, max(done / steps, (time.monotonic() - began) / seconds))
            yield count, hot * falling**share, hot * falling**upto
            share = upto


class Annealing(ABC):
    """Anneals one release after the other, over the same arcs."""

    def __init__(self, arcs: Arcs, unit: int, seed: int) -> None:
        self._arcs, self._unit = arcs, unit
        self._state = seed & 0x7FFFFFFF

    @abstractmethod
    def anneal(
        self, release: Release, reduced: Numbers, cooling: Cooling, seconds: float, is_over: Callable[[], bool]
    ) -> Release:
        """Return a release that steps from `release` on lead to within `seconds`."""


def row_annealing_of(arcs: Arcs, unit: int, seed: int) -> RowAnnealing | None:
    """Return what anneals rows over these arcs; None where its loops are not compiled."""
    return RowAnnealing(arcs, unit, seed) if is_ready(row_moves.anneal) else None


def pattern_annealing_of(arcs: Arcs, unit: int, seed: int) -> PatternAnnealing | None:
    """Return what anneals patterns of these arcs; None where the table is too large for it, or its loops are not compiled."""
    is_small = int(arcs.copies.sum()) <= FEW_ROWS
    return PatternAnnealing(arcs, unit, seed) if is_small and is_ready(pattern_moves.anneal) else None


class RowAnnealing(Annealing):
    """Moves rows. O(rows + arcs of the patterns in play) memory.

    A step draws an arc of small reduced cost. If its pattern is closed it is opened, with the k rows that gain most from it and all that
    gain and can be spared; if a row of its record is elsewhere, that row moves into it; and if all are there, the group is dissolved into
    the cheapest open patterns. Groups left with less than k rows are filled up or dissolved. A minute of annealing comes nearer the best
    release of a large table than many minutes of programs over regions (`regions`). Those find what annealing leaves: where releases that
    were annealed independently differ, there is something to gain.
    """

    def __init__(self, arcs: Arcs, unit: int, seed: int) -> None:
        super().__init__(arcs, unit, seed)
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
        self, release: Release, reduced: Numbers, cooling: Cooling, seconds: float, is_over: Callable[[], bool]
    ) -> Release:
        """Return where moves lead; it may cost more."""
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
            steps = ground, groups, self._notes, patterns, records, count, warmer, colder
            limits = PENALTY * self._unit, LONGEST, LARGEST * ground.k
            _, self._state = fastest(row_moves.anneal)(*steps, *limits, self._state)
        found = together(layout.release_of(ground, groups.at), staying)
        return Release(part.chosen[found.arc], found.count)

    def _in_play(self, release: Release, cheap: NDArray[np.bool_]) -> Part:
        """Return all arcs of the patterns that are open or may be opened: a small part of a large table, which stays in fast memory."""
        arcs = self._arcs
        patterns = union(arcs.pattern_of[cheap], arcs.pattern_of[release.arc])
        return part_of(arcs, spans(arcs.start, patterns))


class PatternAnnealing(Annealing):
    """Opens and closes patterns of small tables, and lets rows go where they cost least. O(patterns + rows) memory.

    A row costs what its group's pattern does. So if patterns are opened and closed, chains of rows that follow each other put every row
    where it costs least, and a chain is found by asking which groups can be reached. A step opens a pattern that is worth it, and closes
    another if there are not rows enough for both; or closes one. The cheapest release on the way is what is found. Single moves of rows
    are quicker, but hardly ever come from one good choice of patterns to another where few rows can be spared.

    A step takes O(groups * rows * patterns of a row), so this is for tables of hundreds of rows.
    """

    def __init__(self, arcs: Arcs, unit: int, seed: int) -> None:
        super().__init__(arcs, unit, seed)
        self._layout = RowLayout(arcs)
        patterns, most = len(arcs), ROOM * int(arcs.copies.sum())
        nothing = np.zeros(0, dtype=np.int64)
        moved, origin = np.zeros((2, most), dtype=np.int64)
        self._notes = Notes(moved, origin, nothing, np.zeros(0), nothing, nothing)
        self._paths = pattern_moves.Paths(*np.zeros((len(pattern_moves.Paths._fields), patterns), dtype=np.int64))
        self._now = 0

    def anneal(
        self, release: Release, reduced: Numbers, cooling: Cooling, seconds: float, is_over: Callable[[], bool]
    ) -> Release:
        """Return the cheapest release on the way."""
        patterns = self._worthwhile(reduced)
        if not len(patterns):
            return release
        at_hand, staying = self._layout.divided(release)
        ground, groups = self._layout.ground(at_hand), self._layout.groups(at_hand)
        best, lowest = groups.at.copy(), 0
        for count, warmer, colder in cooling.course(len(ground.record), PATTERNS_CHUNK, self._unit, seconds, is_over):
            steps = ground, groups, self._notes, self._paths, patterns, count, warmer, colder, CLOSINGS, FEW
            change, lowest, self._now, self._state = fastest(pattern_moves.anneal)(
                *steps, best, lowest, self._now, self._state
            )
            lowest -= change
        return together(self._layout.release_of(ground, best), staying)

    def _worthwhile(self, reduced: Numbers) -> NDArray[np.int64]:
        """Return the patterns that k rows have arcs of small reduced cost to."""
        arcs = self._arcs
        rows = np.where(reduced <= OPENED_REACH * self._unit, arcs.copies[arcs.member], 0)
        return np.flatnonzero(np.add.reduceat(rows, arcs.start[:-1]) >= arcs.k)
