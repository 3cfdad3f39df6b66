"""Pricing every pattern under the rules of a principle, in numpy, one after the other: while the loops of `kernels.pricing` are being
prepared, and as their witness in tests.

For each pattern p, of cost c_p, matching the records M(p), a group is worth at most F_p (`rule`) at the gains pi_r - c_p. Hence

    L(pi) = sum_r s_r pi_r - sum_p max(0, F_p)   <=   OPT (scaled)

for any worths pi. Groups of one pattern count as one: all rules are closed under union.
"""

from __future__ import annotations

import numpy as np

from anoptima.deadline import check_time
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.rules.rule import Numbers, Rule

COMPILED = "anoptima.solvers.exact.sifting.kernels.pricing"
"""The same in compiled loops."""

TINY = 1e-6
"""Copies, and parts of a column's weight, that do not count."""


def reduced_costs(rule: Rule, arcs: Arcs, worth: Numbers, values: Numbers, taken: Numbers) -> Numbers:
    """Return a price of using each arc, where pattern p is worth `values[p]` and its best group has `taken`. O(A log A).

    It is 0 for arcs in groups that are worth opening. Otherwise it is the price of opening the pattern, and what the arc's gain is below
    the least that would be taken: of its own value if some gain of that is left out, of any value but for 0 otherwise. It guides only.
    """
    pattern = np.repeat(np.arange(len(arcs)), np.diff(arcs.start))
    gain = worth[arcs.member] - arcs.cost[pattern]
    cells, cell = np.unique(pattern * rule.values + rule.value[arcs.member], return_inverse=True)
    threshold = np.zeros(len(arcs))
    some = taken > TINY
    np.minimum.at(threshold, pattern[some], gain[some])
    out = arcs.copies[arcs.member] - taken > TINY
    left_out = np.full(len(cells), -np.inf)
    np.maximum.at(left_out, cell[out], gain[out])
    least = np.maximum(threshold[pattern], left_out[cell])
    reduced = np.maximum(0, values)[pattern] + np.maximum(0, least - gain)
    return np.where(some & (values[pattern] < TINY), 0, reduced)


def price_all(
    rule: Rule, arcs: Arcs, worth: Numbers, multiples: int = 1, *, everything: bool = False
) -> tuple[Numbers, Numbers]:
    """Return `multiples` times F_p for every pattern, and what each best group takes of each arc, in copies.

    Where F_p is not above 0, it is 0 and nothing is taken, unless `everything` is asked for. `multiples` is a multiple of the rule's scale.
    """
    prices = np.zeros(len(arcs), dtype=worth.dtype)
    taken = np.zeros(len(arcs.member))
    gains = worth[arcs.member] - np.repeat(arcs.cost.astype(worth.dtype), np.diff(arcs.start))
    hopeful = np.maximum.reduceat(gains, arcs.start[:-1]) > 0 if len(arcs) else np.zeros(0, dtype=np.bool_)
    for p in range(len(arcs)) if everything else np.flatnonzero(hopeful):
        check_time()
        own = slice(arcs.start[p], arcs.start[p + 1])
        order = np.argsort(-gains[own], kind="stable")
        record = arcs.member[own][order]
        best, group = rule.price(gains[own][order], arcs.copies[record], rule.value[record], int(arcs.least[p]))
        if best > 0 or everything:
            prices[p] = best * (multiples // rule.scale)
            taken[arcs.start[p] + order] = group
    return prices, taken
