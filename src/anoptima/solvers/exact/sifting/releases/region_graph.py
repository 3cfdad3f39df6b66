"""Which records lie near each other: those that patterns with cheap arcs have in common.

Records are reached breadth-first, over arcs of small reduced cost. This gives the parts of a release that are let go (`regions`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct
from anoptima.patterns import spans
from anoptima.solvers.exact.sifting.arcs import Arcs


class RegionGraph:
    """The arcs of reduced cost up to some reach, by record and by pattern."""

    def __init__(self, arcs: Arcs, cheap: NDArray[np.bool_]) -> None:
        self._records = len(arcs.copies)
        chosen = np.flatnonzero(cheap)
        self._pattern = arcs.pattern_of[chosen]
        self._record = arcs.member[chosen]
        self._pattern_start = np.searchsorted(self._pattern, np.arange(len(arcs.cost) + 1))
        self._by_record = np.argsort(self._record, kind="stable")
        self._record_start = np.searchsorted(self._record[self._by_record], np.arange(self._records + 1))
        self._chosen = chosen

    def arcs_of(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the cheap arcs of some records."""
        return self._chosen[self._by_record[spans(self._record_start, records)]]

    def _patterns_of(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        return distinct(self._pattern[self._by_record[spans(self._record_start, records)]])

    def around(self, seeds: NDArray[np.int64], budget: int, chance: np.random.Generator) -> NDArray[np.int64]:
        """Return `budget` records (all, if there are no more) nearest to `seeds`, rising; random ones where nothing more is near.

        O(arcs that are met, times log).
        """
        budget = min(budget, self._records)
        found = np.zeros(self._records, dtype=np.bool_)
        met = np.zeros(len(self._pattern_start) - 1, dtype=np.bool_)
        front = distinct(seeds)[:budget]
        found[front] = True
        held = len(front)
        while held < budget:
            patterns = self._patterns_of(front)
            patterns = chance.permutation(patterns[~met[patterns]])
            met[patterns] = True
            records = self._record[spans(self._pattern_start, patterns)]
            records = records[~found[records]]
            new, first = np.unique(records, return_index=True)
            front = new[np.argsort(first)][: budget - held].astype(np.int64)
            if not len(front):
                front = chance.choice(np.flatnonzero(~found), 1)
            found[front] = True
            held += len(front)
        return np.flatnonzero(found)
