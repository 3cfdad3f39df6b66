"""Where stages get violated cuts from: a search in loops, for some seconds where these are not compiled."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting import arcs
from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound import separation
from anoptima.solvers.exact.sifting.bound.cuts import SOME_CUTS, Row
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

SLOW_S = 10.0
"""Seconds for a search for cuts whose loops are not compiled."""


def violated(
    standing: StandingUnderSize,
    x: Numbers,
    y: Numbers,
    among: NDArray[np.bool_] | None = None,
    most: int = SOME_CUTS,
    *,
    thorough: bool = False,
) -> list[Row]:
    """Return cuts that a fractional solution violates: x by arc, y by pattern; with sets of the records `among` which they are sought."""
    if not standing.uses(Part.CUTS):
        return []
    plain = standing.kernels is arcs
    until = time.monotonic() + SLOW_S

    def is_over() -> bool:
        return standing.is_over() or (plain and time.monotonic() > until)

    support = separation.Support(standing.instance.catalogue, x, y)
    return separation.violated(support, standing.chance, is_over, most, among, thorough)
