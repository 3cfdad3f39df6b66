"""The largest gain of a group of two or three rows, by arrays: for hundreds of rows and more, where `heaviest` would take long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.problems.cell_suppression import CellSuppression

Whole = NDArray[Any]


class PairsAndTriples:
    """Gains of pairs, as a square array, and what is needed for those of triples."""

    def __init__(
        self,
        problem: CellSuppression,
        kinds: Sequence[int],
        d: int,
        worth: Sequence[int],
        sets: Sequence[Sequence[int]],
        prices: Sequence[int],
    ) -> None:
        table = problem.table
        self.codes = table.types[table.type_of_row]
        weights = [int(weight) for weight in table.scaled_weights]
        # Python's integers where a gain might not fit 60 bits.
        most = 3 * d * sum(weights) + 3 * max(map(abs, worth)) + 4 * sum(prices)
        kind: Any = np.int64 if most < 1 << 60 else object
        self.weights = [d * weight for weight in weights]
        self.worth = np.array(worth, dtype=kind)
        self.held = np.zeros((len(sets), table.rows), dtype=kind)
        for number, members in enumerate(sets):
            self.held[number, list(members)] = 1
        self.prices = np.array(prices, dtype=kind)
        self.inside = (
            (self.held * self.prices[:, None]).T @ self.held if len(sets) else np.zeros((table.rows,) * 2, kind)
        )
        own = self.worth + self.inside.diagonal()
        self.gain = own[:, None] + own[None, :] - 2 * self.inside
        for column, weight in zip(self.codes.T, self.weights, strict=True):
            check_time()
            self.gain -= 2 * weight * (column[:, None] != column[None, :]).astype(kind)
        values = np.array(kinds)
        self.may = values[:, None] != values[None, :]

    def largest(self) -> int:
        """Return the largest gain, or 0.

        A triple's gain is at most half the sum of its pairs' gains, and the prices of the sets that hold all of it: three times the
        columns on which three rows differ are at least the sum of those on which two of them do. So each pair of a triple that gains
        more than all pairs has a gain above minus twice the prices of the sets that hold both of its rows.
        """
        found = max(0, int(self.gain[self.may].max(initial=0)))
        able = (self.may & (self.gain + 2 * self.inside > 0)).astype(bool)
        for u, v, w in self._triangles(able):
            found = max(found, int(self._of_triples(u, v, w).max()))
        return found

    @staticmethod
    def _triangles(able: NDArray[np.bool_]) -> Iterator[tuple[Whole, Whole, Whole]]:
        for u in range(len(able)):
            check_time()
            beyond = u + 1 + np.flatnonzero(able[u, u + 1 :])
            first, second = np.nonzero(np.triu(able[np.ix_(beyond, beyond)], 1))
            if len(first):
                yield np.full(len(first), u), beyond[first], beyond[second]

    def _of_triples(self, u: Whole, v: Whole, w: Whole) -> Whole:
        gain: Whole = self.worth[u] + self.worth[v] + self.worth[w]
        for column, weight in zip(self.codes.T, self.weights, strict=True):
            gain = gain - 3 * weight * ((column[u] != column[v]) | (column[u] != column[w])).astype(gain.dtype)
        for members, price in zip(self.held, self.prices, strict=True):
            gain = gain + price * ((members[u] + members[v] + members[w]) % 2)
        return gain
