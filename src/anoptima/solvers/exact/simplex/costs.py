"""What pairs and triples cost, in whole numbers: the two sorts of instances that simplex matching is run on.

Pairs are a square array, `ABSENT` where there is none. Triples are too many for one: they are listed in blocks, only those whose three
pairs are `allowed`, which is what exact reduced costs leave of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.table import Codes, Counts

ABSENT = -1

Truths = NDArray[np.bool_]
Triples = tuple[Counts, Counts, Counts]
"""The first, second and third vertices of triples; ascending within each."""

_BLOCK = 1 << 19
"""How many triples are listed at once, about."""


class Costs(ABC):
    """The costs of an instance on the vertices 0, ..., n - 1; the simplex condition holds.

    Attributes
    ----------
    pair : array (n, n)
        What each pair costs, symmetric; `ABSENT` where there is none, and on the diagonal.
    dearest : int
        What the dearest pair or triple costs, or more.
    """

    pair: Counts
    dearest: int

    def __len__(self) -> int:
        return len(self.pair)

    @abstractmethod
    def triple(self, triples: Triples) -> Counts:
        """Return what triples cost; `ABSENT` where there is none."""

    @abstractmethod
    def triples(self, allowed: Truths) -> Iterator[Triples]:
        """Yield the triples, in blocks, whose three pairs are allowed."""

    def total(self, groups: Sequence[Sequence[int]]) -> int:
        """Return what groups cost together."""
        triples = np.array([group for group in groups if len(group) == 3], dtype=np.int64).reshape(-1, 3)
        pairs = sum(int(self.pair[group[0], group[1]]) for group in groups if len(group) == 2)
        return pairs + sum(int(cost) for cost in self.triple((triples[:, 0], triples[:, 1], triples[:, 2])))


class RowCosts(Costs):
    """Groups of rows: their number times the weight of the columns on which they differ. O(n^2 m) to make.

    `apart` holds a number for each row; rows with the same one may not be in one group. None if all may.
    """

    def __init__(self, codes: Codes, weights: Counts, apart: Codes | None) -> None:
        n = len(codes)
        self._codes, self._weights = codes, weights
        self.pair = np.zeros((n, n), dtype=np.int64)
        for column, weight in zip(codes.T, weights.tolist(), strict=True):
            self.pair += 2 * weight * (column[:, None] != column[None, :])
        if apart is not None:
            self.pair[apart[:, None] == apart[None, :]] = ABSENT
        np.fill_diagonal(self.pair, ABSENT)
        self.dearest = 3 * int(weights.sum())

    def triple(self, triples: Triples) -> Counts:
        """Compare the rows column by column. O(triples m)."""
        u, v, w = triples
        cost = np.zeros(len(u), dtype=np.int64)
        for column, weight in zip(self._codes.T, self._weights.tolist(), strict=True):
            first = column[u]
            cost += 3 * weight * ((first != column[v]) | (first != column[w]))
        absent = (self.pair[u, v] < 0) | (self.pair[u, w] < 0) | (self.pair[v, w] < 0)
        cost[absent] = ABSENT
        return cost

    def triples(self, allowed: Truths) -> Iterator[Triples]:
        """Yield the triangles of the allowed pairs. O(sum over vertices of degree^2)."""
        found: list[Triples] = []
        held = 0
        for u in range(len(self)):
            if u % 16 == 0:
                check_time()
            beyond = u + 1 + np.flatnonzero(allowed[u, u + 1 :])
            first, second = np.nonzero(np.triu(allowed[np.ix_(beyond, beyond)], 1))
            if len(first):
                found.append((np.full(len(first), u, dtype=np.int64), beyond[first], beyond[second]))
                held += len(first)
            if held >= _BLOCK:
                yield _joined(found)
                found, held = [], 0
        if found:
            yield _joined(found)


class ListedCosts(Costs):
    """Pairs and triples that are given one by one."""

    def __init__(
        self, n: int, pairs: Mapping[tuple[int, int], int], triples: Mapping[tuple[int, int, int], int]
    ) -> None:
        # Python's integers where a sum of costs might not fit 62 bits.
        self.dearest = max([*pairs.values(), *triples.values()], default=0)
        dtype: Any = np.int64 if 3 * self.dearest * n < 1 << 62 else object
        self.pair = np.full((n, n), ABSENT, dtype=dtype)
        for (u, v), cost in pairs.items():
            self.pair[u, v] = self.pair[v, u] = cost
        order = sorted(triples)
        members = np.array(order, dtype=np.int64).reshape(-1, 3)
        self._members = members[:, 0], members[:, 1], members[:, 2]
        self._cost = np.array([triples[triple] for triple in order], dtype=dtype)
        self._key = self._keys(self._members)

    def _keys(self, triples: Triples) -> Counts:
        u, v, w = triples
        return (u * len(self) + v) * len(self) + w

    def triple(self, triples: Triples) -> Counts:
        """Look them up. O(log m) a triple."""
        keys = self._keys(triples)
        if not len(self._key):
            return np.full(len(keys), ABSENT, dtype=self.pair.dtype)
        place = np.minimum(np.searchsorted(self._key, keys), len(self._key) - 1)
        return np.where(self._key[place] == keys, self._cost[place], ABSENT)

    def triples(self, allowed: Truths) -> Iterator[Triples]:
        """Yield those of the list."""
        u, v, w = self._members
        for start in range(0, len(u), _BLOCK):
            check_time()
            part = slice(start, start + _BLOCK)
            a, b, c = u[part], v[part], w[part]
            kept = allowed[a, b] & allowed[a, c] & allowed[b, c]
            if kept.any():
                yield a[kept], b[kept], c[kept]


def _joined(found: list[Triples]) -> Triples:
    first, second, third = zip(*found, strict=True)
    return np.concatenate(first), np.concatenate(second), np.concatenate(third)
