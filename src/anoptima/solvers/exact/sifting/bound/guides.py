"""What worths say about releases: which arcs and patterns are worth using, and what it costs to use others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anoptima.solvers.exact.sifting.bound.dual import DualPoint
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.rules.rule import Numbers

WORTH_IT_UNITS = 1e-3
"""How far above nothing a pattern's best group may cost to be opened all the same."""


@dataclass(frozen=True, eq=False)
class Guides:
    """Prices that guide searches; `forced` is proved, too.

    Attributes
    ----------
    reduced
        A price of using each arc, 0 for arcs in the best groups (`rules.pricing.reduced_costs`).
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


def guides_of(point: DualPoint, unit: float) -> Guides:
    """Return what a point of the dual says."""
    opened = (point.values < WORTH_IT_UNITS * unit).astype(float)
    return Guides(point.reduced, opened, np.maximum(0, point.values))
