"""Exact prices: what every pair and triple costs beyond what its vertices and the odd sets pay for it, and the bound that follows.

Every vertex has a price y, every set S in a list of odd sets a price z >= 0. The *reduced cost* of a group e is

    rc(e) = c(e) - sum of y over e - sum of z_S over the S that e meets in an odd number of vertices.

A partition covers every vertex once and meets every odd S oddly in at least one group, so it costs at least sum y + sum z + sum rc. All
numbers here are whole, in units of 1 / `unit`: a linear program may have suggested the prices, but nothing rests on its arithmetic.

Which triples can be cheap is known from their pairs. A triple's rc is at least half the sum of its pairs' rc, less the prices of the
sets that hold all of it: the simplex condition, and count the pairs that a set parts. So only triangles of cheap pairs are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from anoptima.solvers.exact.simplex.costs import ABSENT, Costs, Triples, Truths
from anoptima.table import Counts

UNIT_BITS = 26
"""Prices are whole multiples of 2^-26."""


@dataclass(frozen=True, eq=False)
class Priced:
    """Groups with what they cost and their reduced costs, in the units of the prices."""

    members: Counts
    cost: Counts
    reduced: Counts

    def __len__(self) -> int:
        return len(self.cost)


class Prices:
    """Prices of vertices and of odd sets (rows of `sets`), in whole units, and all that follows from them. O(n^2 sets) to make."""

    unit = 1 << UNIT_BITS

    def __init__(self, costs: Costs, vertex: list[int], sets: Truths, weight: list[int]) -> None:
        self._costs = costs
        self.base = sum(vertex) + sum(weight)
        self.vertex = vertex
        # Python's integers where a reduced cost might not fit 62 bits.
        most = 3 * costs.dearest * self.unit + 4 * (max(map(abs, vertex)) + sum(weight))
        dtype: Any = np.int64 if most < 1 << 60 else object
        self._vertex = np.array(vertex, dtype=dtype)
        held = [z > 0 for z in weight]
        self._sets, self._weight = sets[held], np.array([z for z in weight if z > 0], dtype=dtype)
        numbers = self._sets.astype(dtype)
        self._inside = (numbers * self._weight[:, None]).T @ numbers
        self._own = self._inside.diagonal()
        own = self._vertex + self._own
        self.present = costs.pair >= 0
        self._pair = costs.pair.astype(dtype) * self.unit - own[:, None] - own[None, :] + 2 * self._inside
        self.lowest_pair = min(0, int(self._pair[self.present].min(initial=0)))

    @property
    def odd_sets(self) -> list[tuple[list[int], int]]:
        """The members of each odd set that has a price, and that."""
        return [
            (np.flatnonzero(members).tolist(), int(price))
            for members, price in zip(self._sets, self._weight, strict=True)
        ]

    def pairs_below(self, limit: int) -> Priced:
        """Return the pairs with a reduced cost of at most `limit`. O(n^2)."""
        u, v = np.nonzero(np.triu(self.present & (self._pair <= limit), 1))
        return self.of_pairs(np.column_stack([u, v]))

    def of_pairs(self, members: Counts) -> Priced:
        """Price pairs, one a row."""
        u, v = members[:, 0], members[:, 1]
        return Priced(members, self._costs.pair[u, v], self._pair[u, v])

    def of_triples(self, members: Counts) -> Priced:
        """Price triples, one a row."""
        triples = members[:, 0], members[:, 1], members[:, 2]
        cost = self._costs.triple(triples)
        return Priced(members, cost, self._reduced(triples, cost))

    def triples_below(self, limit: int) -> Iterator[Priced]:
        """Yield, in blocks, the triples with a reduced cost of at most `limit`."""
        allowed = self.present & (self._pair - 2 * self._inside <= 2 * (limit - self.lowest_pair))
        for block in self._costs.triples(allowed.astype(bool)):
            triples = self._half_cheap(block, limit)
            cost = self._costs.triple(triples)
            reduced = self._reduced(triples, cost)
            cheap = (cost > ABSENT) & (reduced <= limit)
            if cheap.any():
                yield Priced(np.column_stack(triples)[cheap], cost[cheap], reduced[cheap])

    def _half_cheap(self, triples: Triples, limit: int) -> Triples:
        """Keep the triples that their pairs do not rule out."""
        u, v, w = triples
        pairs = self._pair[u, v] + self._pair[u, w] + self._pair[v, w]
        inside = np.minimum(np.minimum(self._inside[u, v], self._inside[u, w]), self._inside[v, w])
        kept = (pairs - 2 * inside <= 2 * limit).astype(bool)
        return u[kept], v[kept], w[kept]

    def _reduced(self, triples: Triples, cost: Counts) -> Counts:
        u, v, w = triples
        odd = self._own[u] + self._own[v] + self._own[w]
        odd = odd - 2 * (self._inside[u, v] + self._inside[u, w] + self._inside[v, w])
        for members, weight in zip(self._sets, self._weight, strict=True):
            odd = odd + 4 * weight * (members[u] & members[v] & members[w]).astype(odd.dtype)
        reduced: Counts = cost.astype(odd.dtype) * self.unit - self._vertex[u] - self._vertex[v] - self._vertex[w] - odd
        return reduced

    def slack(self, below: int, lowest: int) -> int:
        """Return what the reduced costs of some groups of a partition that costs less than `below` can come to at most.

        `lowest` <= 0 is a number that no reduced cost is below: the other groups, half as many as vertices at most, may make up for it.
        """
        return self.unit * (below - 1) - self.base - len(self._costs) // 2 * lowest

    def bound(self, lowest: int) -> int:
        """Return a whole number that no partition costs less than, if no reduced cost is below `lowest` <= 0."""
        return -(-(self.base + len(self._costs) // 2 * lowest) // self.unit)
