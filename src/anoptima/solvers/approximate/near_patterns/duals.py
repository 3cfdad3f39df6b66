"""What row types are worth over the patterns that were found so far: one dual after the other, each from the last one."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers, first_multipliers
from anoptima.solvers.ledger import Ledger

COURSE, AGAIN = Course(passes=300), Course(passes=100, first_step=0.03)
"""The passes of each dual, and of one that goes on from another over nearly the same patterns."""
SHARE = 0.2
"""The part of the time that is left which each may take."""


class Duals:
    """Ascents over patterns; `took` tells how many seconds the last one for all row types took."""

    def __init__(self, ledger: Ledger[Any], kernels: ModuleType, types: int, unit: int, dearest: int) -> None:
        """Begin with nothing known of so many row types; a row's cells weigh `dearest` in all."""
        self._ledger, self._kernels = ledger, kernels
        self._types, self._unit, self._dearest = types, unit, dearest
        self._worth = np.zeros(0)
        self.took = 0.0

    def over(self, arcs: Arcs) -> DualPoint:
        """Ascend, from the last dual for all row types if this one is. What no pattern matches is worth all its cells."""
        clock = self._ledger.clock
        worth, course, began = self._worth, AGAIN, clock.seconds()
        if len(worth) != len(arcs.copies):
            worth, course = np.minimum(first_multipliers(arcs).worth, self._dearest), COURSE
        start, is_over = Multipliers(worth, np.zeros(0)), self._ledger.until(SHARE)
        found = ascend(arcs, Terms(arcs, self._kernels), start, is_over, course, unit=self._unit)
        if len(arcs.copies) == self._types:
            self._worth, self.took = found.at.worth, clock.seconds() - began
        return found
