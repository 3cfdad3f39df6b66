"""Packing cuts, in numpy: records that all match one pattern make only a limited number of groups.

For W = M(q), with s(W) = b k + r rows and r > 0, the patterns that match records of W alone are disjoint groups of at least k rows each, so
at most b of them are open. With d = k that is a rounding cut that names no terms (`cuts`), and patterns that leave W a little are charged
for nothing. All q are looked at together, by column set: what is open inside a pattern is what is open among its refinements.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import TINY, Numbers
from anoptima.solvers.exact.sifting.bound.cuts import LEAST_VIOLATION, SOME_CUTS, Catalogue, Cut, Row

MOST_RECORDS = 400
"""Patterns of more records are left out: what is open inside them is not looked up."""


def violated(
    catalogue: Catalogue, x: Numbers, y: Numbers, among: NDArray[np.bool_] | None = None, most: int = SOME_CUTS
) -> list[Row]:
    """Return packing cuts that (x, y) violates, the most violated first; with sets of the records `among` only if it is given.

    O(arcs of the records of open patterns).
    """
    arcs = catalogue.arcs
    opened = np.zeros(len(arcs.cost))
    for p in np.flatnonzero(y > TINY):
        members = arcs.member[arcs.start[p] : arcs.start[p + 1]].astype(np.int64)
        if len(members) > MOST_RECORDS:
            continue
        around, count = np.unique(catalogue.arcs.pattern_of[catalogue.arcs_of_records(members)], return_counts=True)
        opened[around[count == len(members)]] += y[p]
    whole, rest = np.divmod(catalogue.size, arcs.k)
    over = opened - whole
    found = []
    for q in np.flatnonzero((over > LEAST_VIOLATION) & (rest > 0)):
        members = arcs.member[arcs.start[q] : arcs.start[q + 1]].astype(np.int64)
        if among is None or among[members].all():
            found.append((float(over[q]), tuple(sorted(members.tolist()))))
    rows = (catalogue.row(Cut(members, arcs.k)) for _, members in sorted(found, reverse=True)[:most])
    return [row for row in rows if row is not None and row.slack(x, y) < 0]
