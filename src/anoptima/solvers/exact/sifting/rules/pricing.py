"""Pricing every pattern under the rules of a principle: in numpy, one after the other; `kernels.pricing` does it in compiled loops.

For each pattern p, of cost c_p, matching the records M(p), a group is worth at most F_p (`rule`) at the gains pi_r - c_p. Hence

    L(pi) = sum_r s_r pi_r - sum_p max(0, F_p)   <=   OPT (scaled)

for any worths pi. Groups of one pattern count as one: all rules are closed under union.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers, Rule

COMPILED = "anoptima.solvers.exact.sifting.kernels.pricing"
"""The same in compiled loops."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """Patterns as arrays: p, of cost `cost[p]`, matches the records `member[start[p]:start[p + 1]]`; its groups have `least[p]` rows."""

    start: Counts
    member: NDArray[np.int32]
    cost: Counts
    copies: Counts
    least: Counts

    def __len__(self) -> int:
        return len(self.cost)

    def block(self, first: int, last: int) -> Arcs:
        """Return the patterns from `first` up to `last` alone.

        >>> arcs = Arcs(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32), np.array([0, 1]), np.array([1, 1]), np.array([1, 1]))
        >>> arcs.block(1, 2).start.tolist(), arcs.block(1, 2).member.tolist()
        ([0, 1], [1])
        """
        start = self.start[first : last + 1]
        member = self.member[start[0] : start[-1]]
        return Arcs(start - start[0], member, self.cost[first:last], self.copies, self.least[first:last])


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
