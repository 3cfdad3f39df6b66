"""The queue of patterns, against looking at every pattern each time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from anoptima import CellSuppression, KAnonymity, Table
from anoptima.patterns import closed_patterns
from anoptima.solvers.approximate import price_queue
from anoptima.solvers.approximate.price_queue import PriceQueue


@pytest.mark.parametrize("stale", [0, 256])
@pytest.mark.parametrize("seed", range(12))
def test_each_pattern_is_the_cheapest_a_new_row(seed: int, stale: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(price_queue, "_STALE_COUNT", stale)
    chance = np.random.default_rng(seed)
    k = int(chance.integers(2, 6))
    frame = pd.DataFrame({f"q{j}": chance.integers(0, 3, 40) for j in range(int(chance.integers(2, 6)))})
    weights = {name: Fraction(int(chance.integers(1, 5)), int(chance.integers(1, 3))) for name in frame.columns}
    problem = CellSuppression(Table.from_frame(frame, list(frame.columns), weights=weights), KAnonymity(k))
    patterns = closed_patterns(problem)
    unpublished = problem.table.records.multiplicity.copy()
    queue = PriceQueue(patterns, k)
    while True:
        new = [
            int(unpublished[patterns.member[a:b]].sum())
            for a, b in zip(patterns.start, patterns.start[1:], strict=False)
        ]
        prices = [
            (Fraction(int(cost) * max(k, u), u), -u, number)
            for number, (cost, u) in enumerate(zip(patterns.cost, new, strict=True))
            if u
        ]
        chosen = queue.next(unpublished)
        assert chosen == (min(prices)[2] if prices else None)
        if chosen is None:
            break
        unpublished[patterns.member[patterns.start[chosen] : patterns.start[chosen + 1]]] = 0
