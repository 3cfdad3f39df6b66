"""Where stages get violated cuts from: a search in loops, for some seconds where these are not compiled."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound import separation
from anoptima.solvers.exact.sifting.bound.averaged_rounds import AveragedRounds
from anoptima.solvers.exact.sifting.bound.cuts import SOME_CUTS, Row
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.standing import Standing

SLOW_S = 10.0
"""Seconds for a search for cuts whose loops are not compiled."""
MOST_CUTS, CUTS_SHARE = 2000, 0.4
"""The most cuts taken from the mean of passes over the whole table: this number, or this share of its records if that is more. Of 200,000
made rows, k = 5 (`benchmarks.large 200000 --seed 1 --seconds 240`), a share of 0.1 gave a bound of 129,669, and this one 129,747."""
LAST_SHARE = 0.9
"""Of the time that is left, what the passes of a round may take: the rest is for proving, in whole numbers, what they come to."""


def violated(
    standing: Standing[Any],
    x: Numbers,
    y: Numbers,
    among: NDArray[np.bool_] | None = None,
    most: int = SOME_CUTS,
    *,
    thorough: bool = False,
    is_over: Callable[[], bool] | None = None,
) -> list[Row]:
    """Return cuts that a fractional solution violates: x by arc, y by pattern; with sets of the records `among` which they are sought."""
    if not standing.uses(Part.CUTS):
        return []
    until, is_last = time.monotonic() + SLOW_S, is_over or standing.is_over

    def is_late() -> bool:
        return is_last() or (not standing.is_compiled and time.monotonic() > until)

    support = separation.Support(standing.instance.catalogue, x, y)
    return separation.violated(support, standing.chance, is_late, most, among, thorough)


def averaged_rounds(standing: Standing[Any], is_over: Callable[[], bool]) -> AveragedRounds:
    """Return rounds of passes over the whole table, whose means are cut off."""
    instance = standing.instance
    most = max(MOST_CUTS, int(CUTS_SHARE * len(instance.arcs.copies)))

    def separate(x: Numbers, y: Numbers) -> list[Row]:
        return violated(standing, x, y, most=most, is_over=is_over)

    def left() -> float:
        return standing.share_of_left(LAST_SHARE)

    return AveragedRounds(instance.catalogue, separate, is_over, instance.unit, left)
