"""Groups made close on a tree of values by leaving rows out, in compiled loops.

With S_e the rows of a group below edge e, N all its rows and Q_e the table's share below e, it is too far from the table by
sum_e d_e |S_e - N Q_e| - t N. Without a rows, whatever they are, S_e - N Q_e is larger by a Q_e below each edge; where they are of
value v, it is smaller by a below the edges above v, whose differences add up along the tree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.solvers.compiling.loops import REAL, WHOLE, loop
from anoptima.solvers.exact.sifting.kernels.tree import Edges

MOST_STEPS = 60
"""So often a fiftieth of a group is left out, which leaves some 30 % of it; then it is given up."""
NEAR = 1e-9
"""Sums of floats, in rows, within which a group at its very limit is close."""


@loop(lambda: [(np.zeros((1, 1), np.int64), WHOLE, Edges(WHOLE, WHOLE, REAL, REAL), 1.0)], 1)
def leave_out(counts: Any, order: Any, tree: Any, t: float) -> None:
    """Take rows of the value away of which a fiftieth of a group helps most, until the group is close, in each row of `counts`.

    O(E + V) a step for E edges and V values, for each number of rows that is tried: a fiftieth, or all of a value that has fewer.
    """
    first, last, length, below = tree
    values, edges = counts.shape[1], len(first)
    upto, surplus, steps = np.zeros(values + 1), np.empty(edges), np.zeros(values + 1)
    seen = np.empty(values, dtype=np.bool_)
    for g in range(len(counts)):
        count = counts[g]
        size = count.sum()
        for _ in range(MOST_STEPS):
            for i in range(values):
                upto[i + 1] = upto[i] + count[order[i]]
                seen[i] = count[order[i]] == 0
            apart = 0.0
            for e in range(edges):
                surplus[e] = upto[last[e]] - upto[first[e]] - size * below[e]
                apart += abs(surplus[e]) * length[e]
            if size == 0 or apart <= t * size + NEAR:
                break
            most, least_over, chosen, fewer = max(1, size // 50), np.inf, 0, 0
            for i in range(values):
                if seen[i]:
                    continue
                amount = min(most, count[order[i]])
                over = -t * (size - amount)
                for e in range(edges):
                    more = abs(surplus[e] + amount * below[e])
                    over += more * length[e]
                    change = (abs(surplus[e] + amount * below[e] - amount) - more) * length[e]
                    steps[first[e]] += change
                    steps[last[e]] -= change
                for j in range(values):
                    over += steps[j]
                    steps[j] = 0.0
                    if not seen[j] and min(most, count[order[j]]) == amount:
                        seen[j] = True
                        if over < least_over:
                            least_over, chosen, fewer = over, order[j], amount
                steps[values] = 0.0
            count[chosen] -= fewer
            size -= fewer
