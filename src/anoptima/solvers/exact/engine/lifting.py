"""Raising the bound of a large table region by region: the core program of some thousand records at a time, with cuts.

The core program of a whole large table takes minutes, and is solved anew for every round of cuts. But L is concave, and in the block of a
region's worths and of the prices of the cuts inside it, all else kept, its optimum is a core program of that region alone
(`core.Beside`). Its solutions are separated like those of the whole; what is found is valid everywhere. Between regions `dual.ascend`
moves all multipliers together, since blocks alone may get stuck.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.engine.core import Beside, Core
from anoptima.solvers.exact.engine.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.engine.dual import Look, Multipliers, look
from anoptima.solvers.exact.engine.neighbours import Neighbours
from anoptima.solvers.exact.engine.release import Published

NEAR = 0.3
"""Records are near each other over arcs of so much reduced cost, in parts of the lightest column's weight, and a region's core has
arcs of up to `CORE`."""
CORE = 0.2
FIRST_BUDGET = 800
ROUNDS = 8
ENOUGH = 1e-3
TINY = 1e-6
SHARE = 0.03
"""A round of cuts that gains less than this share of what all have gained is the last one."""
LONG, SHORT = 10.0, 3.0
"""A region is left, and regions become smaller, after so many seconds; they become larger where one takes less than the other."""
LEAST, MOST = 200, 3000

Separate = Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]], list[Row]]


class Lifting:
    """The rows in force, and which records have been worked at."""

    def __init__(
        self,
        catalogue: Catalogue,
        separate: Separate,
        is_over: Callable[[], bool],
        chance: np.random.Generator,
        unit: float,
    ) -> None:
        self._catalogue = catalogue
        self._separate = separate
        self._is_over = is_over
        self._chance = chance
        self._unit = unit
        self._visits = np.zeros(len(catalogue.arcs.copies), dtype=np.int64)
        self.budget = FIRST_BUDGET

    @property
    def sweeps(self) -> int:
        """How often every record has been worked at, at least."""
        return int(self._visits.min())

    def region(self, near: Look) -> NDArray[np.int64]:
        """Return the records to work at next: around one that has been worked at least."""
        neighbours = Neighbours(self._catalogue, near.reduced <= NEAR * self._unit)
        seed = self._chance.choice(np.flatnonzero(self._visits == self._visits.min()), 1)
        records = neighbours.around(seed, self.budget, self._chance)
        self._visits[records] += 1
        return records

    def lift(
        self,
        records: NDArray[np.int64],
        near: Look,
        terms: Terms,
        release: Published,
        seconds: Callable[[], float | None],
    ) -> tuple[Look, Terms]:
        """Return the best multipliers that were found in the block of `records`, and the rows that they are for; never worse ones."""
        arcs = self._catalogue.arcs
        inside = np.zeros(len(arcs.copies), dtype=np.bool_)
        inside[records] = True
        live = np.array([bool(inside[list(row.cut.records)].all()) for row in terms.rows], dtype=np.bool_)
        staying = [row for row, is_live in zip(terms.rows, live, strict=True) if not is_live]
        paid = near.at.prices[~live]
        core = Core(
            self._catalogue,
            self._is_over,
            Beside(records, near.at.worth, *terms.charges(np.where(live, 0.0, near.at.prices))),
        )
        meets = np.zeros(len(arcs.cost), dtype=np.bool_)
        meets[self._catalogue.pattern_of[self._catalogue.arcs_of_records(records)]] = True
        mine = np.repeat(meets, np.diff(arcs.start))
        chosen = near.reduced <= CORE * self._unit
        chosen[release.arc] = True
        core.add_arcs(np.flatnonzero(chosen & mine))
        core.add_cuts([row for row, is_live in zip(terms.rows, live, strict=True) if is_live])
        began = time.monotonic()
        best, best_terms = near, terms
        first = value = -np.inf
        separated = False
        for _ in range(ROUNDS):
            relaxed = core.solve(seconds())
            if relaxed is None:
                break
            in_force = Terms(arcs, terms.kernels, staying + core.rows)
            at = Multipliers(relaxed.multipliers.worth, np.concatenate([paid, relaxed.multipliers.prices]))
            here = look(arcs, in_force, at)
            if here.value > best.value:
                best, best_terms = here, in_force
            missing = np.repeat(here.values < 0, np.diff(arcs.start)) & (here.reduced <= TINY) & mine
            added = core.add_arcs(np.flatnonzero(missing))
            first = first if separated else relaxed.value
            if separated and not added and relaxed.value - value <= max(ENOUGH * self._unit, SHARE * (value - first)):
                break
            value = relaxed.value
            if time.monotonic() - began > LONG:
                break
            rows = self._separate(relaxed.x, relaxed.y, inside)
            separated = True
            if not rows and not added:
                break
            core.drop_slack(relaxed.x, relaxed.y)
            core.add_cuts(rows)
        spent = time.monotonic() - began
        if spent > LONG:
            self.budget = max(LEAST, int(self.budget * 0.8))
        elif spent < SHORT:
            self.budget = min(MOST, int(self.budget * 1.1))
        return best, best_terms
