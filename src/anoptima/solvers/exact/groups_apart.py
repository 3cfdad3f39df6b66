"""The cheapest partition whose groups are published with different images, for principles that are not merge-closed.

Groups with one image are one group to whoever sees the release. So each image is taken once or not at all: with f_j(U) the least cost of
partitioning part U of the rows into groups whose images are among the first j, all different,

    f_j(U) = min(f_(j-1)(U), min over groups A in U with image j of cost(A) + f_(j-1)(U - A)).

All groups together are looked at once, as in `subset_dp`. Following the least cost back takes one more run for each group of the partition.
"""

from __future__ import annotations

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import InfeasibleProblem
from anoptima.solvers.exact.states import NEVER, States
from anoptima.table import Counts, Table


def images(table: Table, groups: Counts) -> Counts:
    """Return the number of the image of each group, given by how many rows of each record it has: equal columns keep their value."""
    codes = table.types[table.records.type]
    held = groups > 0
    first = held.argmax(axis=1)
    shown = []
    for column in codes.T:
        alike = ~(held & (column[None, :] != column[first][:, None])).any(axis=1)
        shown.append(np.where(alike, column[first], -1))
    _, number = np.unique(np.column_stack(shown), axis=0, return_inverse=True)
    return number.reshape(-1).astype(np.int64)


def cheapest_apart(states: States, groups: Counts, costs: Counts, image: Counts) -> list[Counts]:
    """Return the groups of a cheapest partition in which no two have one image; `InfeasibleProblem` if there is none."""
    numbers = groups @ states.strides
    left, found, images_left = states.rows.copy(), [], int(image.max(initial=-1)) + 1
    wanted = None
    while left.any():
        here = int(left @ states.strides)
        least, last = _least_costs(states, groups, costs, image, images_left, here)
        if wanted is None and least[here] >= NEVER:
            raise InfeasibleProblem(
                "no partition into groups that satisfy the principle publishes them all differently"
            )
        wanted = int(least[here])
        fits = np.flatnonzero((image == last) & (groups <= left).all(axis=1))
        before, _ = _least_costs(states, groups, costs, image, last, here)
        chosen = next(g for g in fits.tolist() if before[here - numbers[g]] + costs[g] == wanted)
        found.append(groups[chosen])
        left, images_left = left - groups[chosen], last
    return found


def _least_costs(
    states: States, groups: Counts, costs: Counts, image: Counts, most: int, here: int
) -> tuple[Counts, int]:
    """Return f over the first `most` images, flat, and the last image with which the least cost of the part `here` fell."""
    least = np.full(states.shape, NEVER, dtype=np.int64)
    least[(0,) * least.ndim] = 0
    last = -1
    for number in range(most):
        check_time()
        before = least.copy()
        for g in np.flatnonzero(image == number).tolist():
            target = tuple(slice(copies, None) for copies in groups[g].tolist())
            source = tuple(slice(None, -copies if copies else None) for copies in groups[g].tolist())
            np.minimum(least[target], before[source] + costs[g], out=least[target])
        if least.reshape(-1)[here] < before.reshape(-1)[here]:
            last = number
    return np.minimum(least, NEVER).reshape(-1), last
