"""Patterns by their price a new row: which is the cheapest now, where prices only rise.

A pattern with u > 0 unpublished rows costs `cost * max(k, u) / u` for each of them. As rows are published, u falls and the price rises.
Prices are few, since only costs and u < k tell them apart. So patterns wait in one *lot* for each price, and lots are looked at as a
whole: when a lot's price is the least, all its patterns whose price has risen go on to other lots. A heap would look at one pattern at
a time: of 30,000 rows of 12 columns, 3.2 million patterns take it 30 s, and lots 4.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from anoptima.patterns import Patterns
from anoptima.table import Counts

_STALE_SHARE, _STALE_COUNT = 8, 256
"""A lot is looked at anew once this many patterns in a row, or this part of it if that is more, were dearer than they had been; not
measured."""


class PriceQueue:
    """Gives patterns, the cheapest a new row first; of equals that with more new rows, then the first in the list.

    Each look at a lot takes O(arcs of its patterns), and the cost of arrays is shared by all of them.

    Examples
    --------
    >>> from anoptima import CellSuppression, KAnonymity, ten_rows
    >>> from anoptima.patterns import closed_patterns
    >>> patterns = closed_patterns(CellSuppression(ten_rows(), KAnonymity(3)))
    >>> pattern = PriceQueue(patterns, 3).next(patterns.table.records.multiplicity)
    >>> patterns.text(pattern), patterns.support[pattern].item()
    ('9 7 0 * * * * *', 3)
    """

    def __init__(self, patterns: Patterns, k: int) -> None:
        self._patterns, self._k = patterns, k
        self._lengths = np.diff(patterns.start)
        # Prices times this are whole.
        self._unit = math.lcm(*range(1, k + 1))
        self._costs, self._cost_of = np.unique(patterns.cost, return_inverse=True)
        self._lots: dict[int, list[Counts]] = {}
        self._prices: list[int] = []
        # The cheapest lot, as a heap of new rows (negative) and patterns, and those of it that have become dearer.
        self._price, self._stale = -1, 0
        self._lot: list[tuple[int, int]] = []
        self._dearer: list[int] = []
        self._put(np.arange(len(patterns)), patterns.support)

    def next(self, unpublished: Counts) -> int | None:
        """Take the cheapest pattern by how many copies of each record are `unpublished`; None if every pattern has been published."""
        while self._lot or self._open(unpublished):
            negative, pattern = heapq.heappop(self._lot)
            start = int(self._patterns.start[pattern])
            new = int(unpublished[self._patterns.member[start : start + int(self._lengths[pattern])]].sum())
            if new == -negative:
                self._stale = 0
                return pattern
            self._stale += 1
            if min(new, self._k) == min(-negative, self._k):
                heapq.heappush(self._lot, (-new, pattern))
            else:
                self._dearer.append(pattern)
            if self._stale > max(_STALE_COUNT, len(self._lot) // _STALE_SHARE):
                waiting = np.array([its for _, its in self._lot], dtype=np.int64)
                self._lot = []
                self._put(waiting, self._new(waiting, unpublished))
        return None

    def _open(self, unpublished: Counts) -> bool:
        """Take patterns from the lot of the least price from now on; tell whether there is one."""
        dearer = np.array(self._dearer, dtype=np.int64)
        self._dearer = []
        self._put(dearer, self._new(dearer, unpublished))
        while self._prices and not self._lot:
            self._price = heapq.heappop(self._prices)
            lot = np.concatenate(self._lots.pop(self._price))
            self._put(lot, self._new(lot, unpublished))
        return bool(self._lot)

    def _new(self, patterns: Counts, unpublished: Counts) -> Counts:
        """Return how many copies of its records each of some patterns has that are not published yet."""
        if not len(patterns):
            return patterns
        lengths = self._lengths[patterns]
        copies = unpublished[self._patterns.member[self._patterns.arcs_of(patterns)]]
        return np.add.reduceat(copies, lengths.cumsum() - lengths)

    def _put(self, patterns: Counts, new: Counts) -> None:
        """Put patterns into lots by how many new rows they have; those that have none are done with."""
        patterns, new = patterns[new > 0], new[new > 0]
        pairs, kind = np.unique(self._cost_of[patterns] * (self._k + 1) + np.minimum(new, self._k), return_inverse=True)
        by_kind = np.split(np.argsort(kind, kind="stable"), np.bincount(kind, minlength=len(pairs)).cumsum()[:-1])
        for pair, its in zip(pairs.tolist(), by_kind, strict=False):
            cost, u = divmod(pair, self._k + 1)
            price = int(self._costs[cost]) * (self._unit if u == self._k else self._k * self._unit // u)
            if price == self._price:
                self._lot += zip((-new[its]).tolist(), patterns[its].tolist(), strict=True)
            else:
                if price not in self._lots:
                    heapq.heappush(self._prices, price)
                self._lots.setdefault(price, []).append(patterns[its])
        heapq.heapify(self._lot)
        self._stale = 0
