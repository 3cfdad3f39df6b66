from __future__ import annotations

from itertools import product

import numpy as np

from anoptima.solvers.exact.sifting.kernels.repair_moves import fits_split, fitting
from tests.loops import each


def is_close(counts: np.ndarray, whole: np.ndarray, c: int, d: int) -> bool:
    n, size = int(whole.sum()), int(counts.sum())
    return bool(d * np.maximum(0, n * counts - size * whole).sum() <= c * n * size)


@each("seed", range(60))
def test_a_group_takes_the_most_rows_with_which_it_is_close(seed: int) -> None:
    chance = np.random.default_rng(seed)
    whole = chance.integers(1, 6, 3)
    n, c, d, k = int(whole.sum()), int(chance.integers(0, 4)), 5, int(chance.integers(1, 4))
    held = chance.integers(0, 3, 3) if chance.random() < 0.5 else np.zeros(3, dtype=np.int64)
    able = chance.integers(0, 4, 3)
    have, least = int(held.sum()), int(chance.integers(1, 4))
    sizes = np.arange(len(able) * 8)[:, None] * whole
    shares, parts = np.divmod(sizes, n)
    take, limits = np.zeros(3, dtype=np.int64), np.array([c, d, n, k])
    rows = fitting(held, have, least, able, take, whole, limits, shares, parts)
    fewest = max(1, k - have, least if have == 0 else 0)
    close = [
        int(np.sum(more))
        for more in product(*(range(most + 1) for most in able))
        if sum(more) >= fewest and is_close(held + np.array(more), whole, c, d)
    ]
    assert rows == max(close, default=0)
    if rows:
        assert take.sum() == rows
        assert (take <= able).all()
        assert is_close(held + take, whole, c, d)
        assert fits_split(held, able, whole, limits, have + rows)
