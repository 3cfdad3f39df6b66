"""Raising the bound of a large table with cuts, without any linear program: passes whose solutions are averaged, and cut off.

At multipliers near the best, every pass (`bound.ascent`) is a solution that opens patterns and takes whole copies, but of some records too
many or too few. The mean of many passes with short steps comes near an optimum of the linear program of all patterns and the cuts in force
(the volume algorithm's observation). So cuts are sought that it violates, over the whole table at once; a cut is valid whatever solution
it was found at. Cuts without a price are dropped, and `bound.ascent.ascend` raises the bound with the new ones. A core program of a table
of twenty thousand records takes minutes; a round of this takes seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, part_of
from anoptima.solvers.exact.sifting.bound.ascent import STEADY, Climb, Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers, Pricing

LEAST = 0.01
"""What is less in the mean is noise."""
RAISING, FIRST_STEP = 1500, 0.02
"""Passes that raise the bound with new cuts, and their first step. About as long as averaging and separating take: with 300 passes the
best multipliers for the cuts in force are so far off that more cuts hardly help."""
LITTLE, SHORTEST = 0.1, 0.1
"""After a round that gains fewer units than the first of these the first step is half as long, down to the second, a share of it."""
FREE = 1e-4
"""A cut of a lower price is let go."""

Separate = Callable[[Numbers, Numbers], list[Row]]


@dataclass(frozen=True)
class Averaging:
    """How many passes are averaged, the step of each, and up to which reduced cost arcs are in them; in units."""

    passes: int = 600
    step: float = 0.003
    reach: float = 0.4


@dataclass(frozen=True, eq=False)
class Round:
    """What a round has come to: the best multipliers, the rows they are for, and the mean, by arc, that it began with."""

    look: DualPoint
    terms: Terms
    x: NDArray[np.float64]
    found: int
    """How many cuts were new."""


def _exchanged(terms: Terms, at: Multipliers, found: Sequence[Row], least: float) -> tuple[Terms, Multipliers]:
    """Return the rows whose price is more than the least, and those that were found, at no price yet; and their multipliers."""
    kept = at.prices > least
    more = terms.of([*(row for row, is_kept in zip(terms.rows, kept, strict=True) if is_kept), *found])
    return more, Multipliers(at.worth, np.concatenate([at.prices[kept], np.zeros(len(found))]))


def averaged(
    arcs: Arcs,
    pricing: Pricing,
    near: DualPoint,
    is_over: Callable[[], bool],
    unit: float,
    how: Averaging = Averaging(),
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of what passes from the multipliers of `near` on take along each arc, and of which patterns they open.

    O(passes x arcs within reach).
    """
    part = part_of(arcs, np.flatnonzero(near.reduced <= unit * how.reach))
    priced = pricing.within(part)
    climb = Climb(near.at, pricing.steps, STEADY, None)
    taken = np.zeros(len(part.chosen))
    open_patterns = np.zeros(len(part.patterns))
    done = 0
    while done < how.passes and not is_over():
        one = priced.go(part.arcs, climb.at)
        taken += one.taken
        open_patterns += one.negative
        climb.move(unit * how.step, one)
        done += 1
    x, y = np.zeros(len(arcs.member)), np.zeros(len(arcs.cost))
    x[part.chosen], y[part.patterns] = taken / max(1, done), open_patterns / max(1, done)
    return x, y


class AveragedRounds:
    """Rounds of a table, one after the other: the first step of each is the shorter the less there is to be gained."""

    def __init__(
        self,
        catalogue: Catalogue,
        separate: Separate,
        is_over: Callable[[], bool],
        unit: float,
        left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self._catalogue, self._separate, self._is_over, self._unit = catalogue, separate, is_over, unit
        self._left = left
        """How many seconds raising the bound may take now: the last round's steps fall in time, and what it comes to can be proved."""
        self._share = 1.0

    def go_round(self, near: DualPoint, terms: Terms) -> Round:
        """Average, separate, raise: one round from multipliers `near`, which are for the rows of `terms`. O(passes x arcs near)."""
        arcs, unit, is_over = self._catalogue.arcs, self._unit, self._is_over
        x, y = averaged(arcs, terms, near, is_over, unit)
        x[x < LEAST] = 0
        y[y < LEAST] = 0
        found = self._separate(x, y)
        more, start = _exchanged(terms, near.at, found, FREE * unit)
        course = Course(RAISING, self._share * FIRST_STEP, STEADY, self._left())
        raised = ascend(arcs, more, start, is_over, course, unit=unit)
        if raised.value < near.value + LITTLE * unit:
            self._share = max(SHORTEST, self._share / 2)
        return Round(raised, more, x, len(found))
