"""What worths say about releases: which arcs and patterns are worth using, and what it costs to use others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anoptima.solvers.exact.sifting.bound.ascent_under_rules import Dual
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.rules.rule import Numbers

TINY, WORTH_IT_UNITS = 1e-6, 1e-3
"""What is nothing in floats; and how far below nothing a pattern's best group may be worth to be opened all the same."""


@dataclass(frozen=True, eq=False)
class Guides:
    """Prices that guide searches; `forced` is proved, too.

    Attributes
    ----------
    reduced
        A price of using each arc, 0 for arcs in the best groups: the price of forcing the pattern open, and what the arc's gain is below
        the least that would be taken: of its own value if some gain of that is left out, of any value but for 0 otherwise.
    opened
        1 for patterns that are worth opening, 0 for others.
    forced
        A release that opens a pattern costs at least this more than L.
    """

    reduced: Numbers
    opened: Numbers
    forced: Numbers


def no_guides(instance: Instance) -> Guides:
    """Return guides that tell nothing."""
    nothing = np.zeros(len(instance.arcs))
    return Guides(np.zeros(len(instance.arcs.member)), nothing, nothing)


def guides_of(instance: Instance, dual: Dual, worth: Numbers, unit: float) -> Guides:
    """Return what worths say. One pricing of all patterns, and O(A log A) for A arcs."""
    arcs, rule = instance.arcs, instance.rules[0]
    priced = dual.priced(worth, everything=True)
    values = priced.prices / priced.scale
    pattern = instance.patterns.pattern_of_arc
    gain = worth[arcs.member] - arcs.cost[pattern]
    cell = pattern * rule.values + rule.value[arcs.member]
    cells, cell = np.unique(cell, return_inverse=True)
    threshold = np.zeros(len(arcs))
    some = priced.taken > TINY
    np.minimum.at(threshold, pattern[some], gain[some])
    out = arcs.copies[arcs.member] - priced.taken > TINY
    left_out = np.full(len(cells), -np.inf)
    np.maximum.at(left_out, cell[out], gain[out])
    least = np.maximum(threshold[pattern], left_out[cell])
    forced = np.maximum(0, -values)
    reduced = forced[pattern] + np.maximum(0, least - gain)
    opened = (values > -WORTH_IT_UNITS * unit).astype(float)
    return Guides(np.where(some & (values[pattern] > -TINY), 0, reduced), opened, forced)
