"""Whole groups under closeness along edges, and perhaps diversity in the same column, exactly: the numbers that the loop works on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.principles import AtLeastValues, AtMostShare, CloseOnTree, Condition
from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.sifting.kernels.by_value import Asked, bench, best_by_value
from anoptima.solvers.exact.sifting.kernels.tree import Edges
from anoptima.solvers.exact.sifting.rules.rule import Counts
from anoptima.solvers.exact.sifting.rules.tree import edges_in_order

_ROOM = 2**62
"""What keys of the loop stay below, so that 64-bit integers hold them."""


class ByValue:
    """Conditions on one column, closeness among them, as whole numbers."""

    def __init__(self, conditions: Sequence[Condition], rows: int) -> None:
        (close,) = (condition for condition in conditions if isinstance(condition, CloseOnTree))
        shares = [condition.share for condition in conditions if isinstance(condition, AtMostShare)]
        different = max([c.values for c in conditions if isinstance(c, AtLeastValues)], default=0)
        whole, n = np.array(close.whole, dtype=np.int64), sum(map(int, close.whole))
        lengths = np.array([int(length) for length in close.lengths], dtype=object)
        self.order, first, last, chosen = edges_in_order(close.sides, lengths > 0)
        self._place = np.argsort(self.order)
        limit = close.limit * close.scale * n
        largest = max(math.floor(limit * rows), n * rows * sum(map(int, lengths)))
        self.is_too_large = (rows + 1) * (different + 1) * (largest + 1) >= _ROOM
        """Whether numbers would not fit into the loop: then groups are priced as if nothing were asked."""
        if self.is_too_large:
            return
        room = [math.floor(limit * size) for size in range(rows + 1)]
        most = [min([size, *(math.floor(size * share) for share in shares)]) for size in range(rows + 1)]
        held = close.sides[chosen].astype(np.int64) @ whole
        self._edges = Edges(first, last, lengths[chosen].astype(np.int64), held)
        self._asked = Asked(n, different, np.array(room, dtype=np.int64), np.array(most, dtype=np.int64))
        self.bench = bench()

    def best(
        self,
        gain: Counts,
        copies: Counts,
        value: NDArray[np.integer[Any]],
        lift: Counts,
        sizes: tuple[int, int],
        nothing: int,
        taken: Counts,
    ) -> int:
        """Return what a group of such sizes gains at most, or `nothing` if that is more, and add what it takes to `taken`.

        `lift`, of each value, makes that quicker: no satisfying group gains less if all its rows gain that much more.
        """
        if self.is_too_large:
            return int(gain.clip(0) @ copies)
        place, lift, asked = self._place[value], lift[self.order], (self._edges, self._asked, self.bench)
        return int(compiled(best_by_value)(gain, copies, place, lift, *sizes, nothing, *asked, taken))
