"""Better releases of small tables: the set of open patterns is annealed, and rows go where they cost least.

A row costs what its group's pattern does. So if patterns are opened and closed, chains of rows that follow each other put every row where
it costs least, and a chain is found by asking which groups can be reached (`kernels.pattern_moves`). A step opens a pattern that is worth
it, and closes another if there are not rows enough for both; or closes one. What costs more than before is kept with probability
exp(-cost / temperature), and the cheapest release on the way is what is found. Single moves of rows (`row_annealing`) are quicker, but
hardly ever come from one good choice of patterns to another where few rows can be spared.

A step takes O(groups * rows * patterns of a row), so this is for tables of hundreds of rows. It runs only once its loops are
prepared.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.compiling.loops import fastest, is_ready
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers
from anoptima.solvers.exact.sifting.kernels.pattern_moves import Paths, anneal
from anoptima.solvers.exact.sifting.kernels.row_moves import Notes
from anoptima.solvers.exact.sifting.releases.cooling import Cooling
from anoptima.solvers.exact.sifting.releases.release import Release, together
from anoptima.solvers.exact.sifting.releases.row_layout import RowLayout

FEW_ROWS = 400
"""Tables of at most this many rows are small."""
REACH = 0.1
"""Patterns are opened to which k rows have arcs of at most this reduced cost, in parts of the lightest column's weight."""
CLOSINGS = 0.15
"""The share of steps that close a group."""
FEW = 12
"""One of this many groups, the nearest to a pattern that is opened, is closed for it."""
CHUNK = 500
"""Steps between two looks at the clock."""
ROOM = 50
"""How often a step may move every row."""


def pattern_annealing_of(arcs: Arcs, unit: int, seed: int) -> PatternAnnealing | None:
    """Return what anneals releases over these arcs; None where the table is too large for it, or its loops are not compiled."""
    is_small = int(arcs.copies.sum()) <= FEW_ROWS
    return PatternAnnealing(arcs, unit, seed) if is_small and is_ready(anneal) else None


class PatternAnnealing:
    """Anneals one release after the other. O(patterns + rows) memory."""

    def __init__(self, arcs: Arcs, unit: int, seed: int) -> None:
        self._arcs, self._unit = arcs, unit
        self._state = seed & 0x7FFFFFFF
        self._layout = RowLayout(arcs)
        patterns, most = len(arcs), ROOM * int(arcs.copies.sum())
        nothing = np.zeros(0, dtype=np.int64)
        self._notes = Notes(
            np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64), nothing, np.zeros(0), nothing, nothing
        )
        self._paths = Paths(*(np.zeros(patterns, dtype=np.int64) for _ in Paths._fields))
        self._now = 0

    def anneal(
        self,
        release: Release,
        reduced: Numbers,
        cooling: Cooling,
        seconds: float,
        is_over: Callable[[], bool],
    ) -> Release:
        """Return the cheapest release that steps from `release` on lead to within `seconds`."""
        patterns = self._worthwhile(reduced)
        if not len(patterns):
            return release
        at_hand, staying = self._layout.divided(release)
        ground, groups = self._layout.ground(at_hand), self._layout.groups(at_hand)
        best, lowest = groups.at.copy(), 0
        for count, warmer, colder in cooling.course(len(ground.record), CHUNK, self._unit, seconds, is_over):
            change, lowest, self._now, self._state = fastest(anneal)(
                ground,
                groups,
                self._notes,
                self._paths,
                patterns,
                count,
                warmer,
                colder,
                CLOSINGS,
                FEW,
                best,
                lowest,
                self._now,
                self._state,
            )
            lowest -= change
        return together(self._layout.release_of(ground, best), staying)

    def _worthwhile(self, reduced: Numbers) -> NDArray[np.int64]:
        """Return the patterns that k rows have arcs of small reduced cost to."""
        arcs = self._arcs
        rows = np.where(reduced <= REACH * self._unit, arcs.copies[arcs.member], 0)
        return np.flatnonzero(np.add.reduceat(rows, arcs.start[:-1]) >= arcs.k)
