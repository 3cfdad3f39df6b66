from __future__ import annotations

from itertools import product

import numpy as np

from anoptima.solvers.exact.sifting.kernels.distinct import best_distinct
from anoptima.solvers.exact.sifting.kernels.rows import Rows
from tests.loops import each


@each("seed", range(40))
def test_the_best_group_is_that_of_all_groups(seed: int) -> None:
    chance = np.random.default_rng(seed)
    count, least, different = int(chance.integers(1, 6)), int(chance.integers(1, 5)), int(chance.integers(1, 4))
    gain = np.sort(chance.integers(-4, 5, count))[::-1].copy()
    copies, value = chance.integers(1, 4, count), chance.integers(0, 3, count)
    seen, taken = np.zeros(3, dtype=np.bool_), np.zeros(count, dtype=np.int64)
    groups = [np.array(group) for group in product(*(range(most + 1) for most in copies))]
    legal = [g for g in groups if g.sum() >= least and len(set(value[g > 0].tolist())) >= different]
    found = best_distinct(Rows(gain, copies, value, count), least, different, seen, taken)
    assert found == max((int(group @ gain) for group in legal), default=0) == taken @ gain
    assert not seen.any()
    assert taken.any() == bool(legal)
