"""How many rows a pattern has where values are capped."""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.kernels.rows import smallest_cap, sum_of_capped
from tests.loops import each
from tests.solvers.exact.sifting.one_pattern import drawn


@each("seed", range(30))
def test_rows_up_to_a_cap_are_counted_once_for_each_value(seed: int) -> None:
    lots = drawn(seed, values=4, records=7)
    limited = np.random.default_rng(seed).integers(0, 2, 4).astype(bool) if seed % 2 else np.ones(4, dtype=np.bool_)
    have = lots.counts_of(lots.copies[None])[0]
    tallies = lots.tallies._replace(have=have, limited=limited)
    sums = []
    for cap in range(6):
        sums.append(np.where(limited, np.minimum(have, cap), have).sum())
        assert sum_of_capped(lots.rows, cap, tallies) == sums[cap]
        assert not tallies.seen.any()
    for least in range(1, 9):
        enough = [cap for cap in range(6) if sums[cap] >= least]
        assert smallest_cap(lots.rows, 5, least, tallies) == min(enough, default=6)
