from __future__ import annotations

import math

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.kernels.single_row_moves import Ground, burden_of
from tests.loops import each


@each("seed", range(30))
def test_a_burden_is_that_of_the_group_as_it_would_be(seed: int) -> None:
    chance = np.random.default_rng(seed)
    share = np.array([0.5, 0.3, 0.2])
    k, t, slope = int(chance.integers(1, 6)), float(chance.random() / 2), 0.6
    nothing = np.zeros(0)
    ground = Ground(nothing, nothing, nothing, nothing, nothing, share, nothing, t, k, slope)
    counts = chance.integers(0, 5, (1, 3)).astype(float)
    v, more = int(chance.integers(3)), 1.0 if counts[0].sum() == 0 or chance.random() < 0.5 else -1.0
    if counts[0, v] + more < 0:
        more = 1.0
    after = counts[0].copy()
    after[v] += more
    size = int(after.sum())
    lacking = max(float(np.maximum(0, after - size * share).sum()) - t * size, k - size)
    expected = math.sqrt(lacking) + slope * lacking if size and lacking > 1e-9 else 0.0
    assert burden_of(ground, counts, 0, size, v, more) == pytest.approx(expected)
