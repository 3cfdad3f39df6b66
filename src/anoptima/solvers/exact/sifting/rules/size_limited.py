"""Pricing groups of limited sizes under one rule of equal closeness, in numpy: while the loops of `kernels.size_limited` are being
prepared, and as their witness in tests.

What a row is worth may differ by pattern and value, and a pattern may have to have a group: then it is priced whatever the sign.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation

COMPILED = "anoptima.solvers.exact.sifting.kernels.size_limited"
"""The same in compiled loops."""

MOST_CASES = 500
"""So many cases of a size of a pattern's group are looked at, by values of which there are more rows than slots of their own."""


@dataclass(frozen=True, eq=False)
class Sizes:
    """The group of pattern p has `least[p]` to `most[p]` rows; it may be left out unless the pattern is `opened`."""

    least: Counts
    most: Counts
    opened: NDArray[np.bool_]


def price_within(
    rule: TotalVariation, arcs: Arcs, worth: Numbers, shift: Numbers, sizes: Sizes
) -> tuple[Numbers, Numbers]:
    """Return `rule.scale` times F_p for every pattern, at least, and what its best group takes of each arc.

    `shift` (patterns x values) is added to the worths. What must be open is priced, all else where that is above 0.
    """
    prices, taken = np.zeros(len(arcs)), np.zeros(len(arcs.member))
    for p in np.flatnonzero(sizes.least <= sizes.most):
        own = slice(arcs.start[p], arcs.start[p + 1])
        record = arcs.member[own]
        gain = worth[record] - arcs.cost[p] + shift[p, rule.value[record]]
        if not sizes.opened[p] and gain.max() <= 0:
            continue
        order = np.argsort(-gain, kind="stable")
        record = record[order]
        best, group = rule.price(
            gain[order], arcs.copies[record], rule.value[record], int(sizes.least[p]), int(sizes.most[p]), MOST_CASES
        )
        if best > 0 or sizes.opened[p]:
            prices[p] = best
            taken[arcs.start[p] + order] = group
    return prices, taken
