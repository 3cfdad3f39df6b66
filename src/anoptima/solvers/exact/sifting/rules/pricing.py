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
