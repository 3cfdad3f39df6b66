"""Releases near a fractional one: the whole table as one program over few arcs, then over more as long as that is quick.

An optimum of a core's linear program, or a mean of averaged passes (`bound.averaged_rounds`), is a fractional release near the best ones.
Over the arcs that it takes much of, and those of the release so far, the whole table is a program that is searched in seconds, and finds
cheaper releases than regions do in that time. Then follow arcs that the fractional release takes less of, and arcs of small reduced cost.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct, union
from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.releases.region_program import Programs, Region
from anoptima.solvers.exact.sifting.releases.regions import Guide
from anoptima.solvers.exact.sifting.releases.release import Release

LEVELS = ((0.3, -1.0), (0.15, -1.0), (0.05, -1.0), (0.02, -1.0), (0.02, 0.01), (0.02, 0.03), (0.02, 0.1))
"""The arcs of a level: the least of a mean that is taken of them, or up to a reduced cost in units."""
MOST_ARCS, MOST_EACH = 150_000, 1.85
"""It is not tried over more arcs than these, plus this many for each record."""


class ProgramNear:
    """Searches near the fractional release of the last `hint`, once at a level."""

    def __init__(self, programs: Programs, unit: int) -> None:
        self._programs = programs
        self._unit = unit
        self._mean: Numbers | None = None
        self.level = 0

    @property
    def is_ready(self) -> bool:
        """Tell whether there is a level to be tried."""
        return self._mean is not None

    def hint(self, mean: Numbers) -> None:
        """Take a fractional release, by arc, near which the best ones may be."""
        self._mean = mean

    def search(self, release: Release, guide: Guide, seconds: float, is_over: Callable[[], bool]) -> Release | None:
        """Search the whole table over the arcs of the present level, from `release` on; return the best that was found.

        Where that was done in time the next level follows. Where it was not, the one before is next, at the next hint.
        """
        assert self._mean is not None
        least, reach = LEVELS[self.level]
        near = (self._mean >= least) | (guide.reduced <= reach * self._unit)
        arcs: NDArray[np.int64] = union(np.flatnonzero(near), release.arc)
        found, done, all_arcs = None, False, self._programs.catalogue.arcs
        if len(arcs) <= max(MOST_ARCS, MOST_EACH * len(all_arcs.copies)):
            terms, rows = guide.terms, []
            if terms is not None:
                rows = [terms.rows[i] for i in terms.rows_at(distinct(all_arcs.pattern_of[arcs]), arcs)]
            one = self._programs.improve(Region(arcs, all_arcs.copies, rows=rows), release, seconds, is_over)
            found, done = one.release, one.done
        if done and self.level + 1 < len(LEVELS):
            self.level += 1
        else:
            self.level, self._mean = max(0, self.level - 1), None
        return found
