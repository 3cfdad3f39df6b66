"""Whether two families cover all sets, against going through all of them."""

from __future__ import annotations

import numpy as np

from anoptima.proofs.key_families import uncovered
from tests.loops import each


@each("seed", range(200))
def test_what_is_left_open_is_what_going_through_all_sets_leaves_open(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(0, 9)) if seed % 40 else 14
    keys, barriers = (
        [int(mask) for mask in rng.integers(1, 1 << columns, int(rng.integers(0, 4 * columns)))] if columns else []
        for _ in range(2)
    )
    weights = rng.integers(1, 5, columns).tolist()
    for below in (None, 1, sum(weights) // 2, sum(weights) + 1):
        open_sets = [
            chosen
            for chosen in range(1 << columns)
            if not any(key & chosen == key for key in keys)
            and all(barrier & chosen for barrier in barriers)
            and (below is None or sum(weight for j, weight in enumerate(weights) if chosen >> j & 1) < below)
        ]
        found = uncovered(weights, keys, barriers, below)
        assert found in open_sets if open_sets else found is None
