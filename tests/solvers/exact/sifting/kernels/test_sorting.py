from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling
from tests.loops import each


@each("seed", range(30))
def test_keys_fall_and_equals_stay_in_order(seed: int) -> None:
    chance = np.random.default_rng(seed)
    count = int(chance.integers(0, 60))
    key = chance.integers(0, 9, count + 5).astype(float)
    order = chance.permutation(count + 5)
    expected = np.argsort(-key[:count], kind="stable").tolist() + order[count:].tolist()
    sort_falling(order, count, key, np.empty(count, dtype=np.int64))
    assert order.tolist() == expected
