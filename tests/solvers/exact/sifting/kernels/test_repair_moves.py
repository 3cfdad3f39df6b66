from __future__ import annotations

from itertools import product

import numpy as np

from anoptima.solvers.exact.sifting.kernels.repair_board import farthest
from anoptima.solvers.exact.sifting.kernels.repair_moves import Asked, fits_split, fitting
from tests.loops import each

SHARES = [(1, 1), (1, 2), (2, 3)]


def is_close(counts: np.ndarray, whole: np.ndarray, c: int, d: int) -> bool:
    n, size = int(whole.sum()), int(counts.sum())
    return bool(d * np.maximum(0, n * counts - size * whole).sum() <= c * n * size)


def is_diverse(counts: np.ndarray, share: tuple[int, int]) -> bool:
    return bool((counts * share[1] <= share[0] * counts.sum()).all())


@each("seed", range(120))
def test_a_group_takes_the_most_rows_with_which_it_is_legal(seed: int) -> None:
    chance = np.random.default_rng(seed)
    whole = chance.integers(1, 6, 3)
    n, c, d, k = int(whole.sum()), int(chance.integers(0, 4)), 5, int(chance.integers(1, 4))
    held = chance.integers(0, 3, 3) if chance.random() < 0.5 else np.zeros(3, dtype=np.int64)
    able, share = chance.integers(0, 4, 3), SHARES[seed % 3]
    if not is_diverse(held, share):
        held[:] = 0
    have, least = int(held.sum()), int(chance.integers(1, 4))
    sizes = np.arange(len(able) * 8)[:, None] * whole
    shares, parts = np.divmod(sizes, n)
    take, limits = np.zeros(3, dtype=np.int64), np.array([c, d, n, k, *share])
    asked = Asked(whole, limits, shares, parts, np.zeros((4, 0), dtype=np.int64))
    rows = fitting(held, have, least, able.copy(), take, asked)
    fewest = max(1, k - have, least if have == 0 else 0)
    close = [
        int(np.sum(more))
        for more in product(*(range(most + 1) for most in able))
        if sum(more) >= fewest and is_close(held + np.array(more), whole, c, d) and is_diverse(held + more, share)
    ]
    assert rows == max(close, default=0)
    if rows:
        assert take.sum() == rows
        assert (take <= able).all()
        assert is_close(held + take, whole, c, d)
        assert is_diverse(held + take, share)
        assert fits_split(held, able, asked, have + rows)


def apart(counts: np.ndarray, whole: np.ndarray, edges: np.ndarray) -> int:
    """Return sum_e length_e |n S_e - N N_e|, term by term."""
    n, size = int(whole.sum()), int(counts.sum())
    return sum(length * abs(n * counts[a:b].sum() - size * below) for a, b, length, below in edges.T)


@each("seed", range(60))
def test_on_a_tree_a_group_leaves_out_what_takes_it_farthest(seed: int) -> None:
    chance = np.random.default_rng(seed)
    whole = chance.integers(1, 6, 4)
    spans = [(0, 1), (1, 2), (0, 2), (3, 4), (2, 4)][: int(chance.integers(1, 6))]
    edges = np.array([(a, b, chance.integers(1, 4), whole[a:b].sum()) for a, b in spans]).T.copy()
    counts = chance.integers(0, 6, 4) + np.array([1, 0, 0, 0])
    able = np.minimum(counts, chance.integers(0, 2, 4))
    n, size = int(whole.sum()), int(counts.sum())
    found, value = farthest(counts, size, edges, n, able)
    assert found == apart(counts, whole, edges)
    after = {v: apart(counts - (np.arange(4) == v), whole, edges) for v in np.flatnonzero(able).tolist()}
    assert (value in after and after[value] == min(after.values())) if after else value == -1

    held, c, d, k = counts - able, int(chance.integers(0, 4)), 5, int(chance.integers(1, 6))
    share = SHARES[seed % 3] if is_diverse(held, SHARES[seed % 3]) else (1, 1)
    take, limits, have = np.zeros(4, dtype=np.int64), np.array([c, d, n, k, *share]), int(held.sum())
    nothing = np.zeros((1, 4), dtype=np.int64)
    rows = fitting(held, have, 2, able, take, Asked(whole, limits, nothing, nothing, edges))
    if rows:
        assert take.sum() == rows >= max(1, k - have, 0 if have else 2)
        assert (take <= able).all()
        assert d * apart(held + take, whole, edges) <= c * n * (have + rows)
        assert is_diverse(held + take, share)
    elif d * apart(counts, whole, edges) <= c * n * size and is_diverse(counts, share):
        assert able.sum() < max(1, k - have, 0 if have else 2), "all that is able would do"
