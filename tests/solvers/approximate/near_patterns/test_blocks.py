from __future__ import annotations

import numpy as np

from anoptima.solvers.approximate.near_patterns.blocks import best_partition, largest_block
from tests.loops import each


@each("seed", range(10))
def test_a_partition_has_every_column_once_and_no_block_too_large(seed: int) -> None:
    chance = np.random.default_rng(seed)
    columns, most = int(chance.integers(1, 12)), int(chance.integers(1, 6))
    types = np.unique(chance.integers(0, 4, (40, columns)), axis=0).astype(np.int32)
    weights = chance.integers(1, 4, columns).tolist()
    found = best_partition(types, weights, 3, most, chance, lambda: False)
    assert sorted(column for block in found for column in block) == list(range(columns))
    assert all(0 < len(block) <= most for block in found)
    assert len(found) == -(-columns // most)


def test_columns_that_say_the_same_come_apart() -> None:
    chance = np.random.default_rng(2)
    base = chance.integers(0, 6, (200, 3))
    types = np.unique(np.hstack([base, base]), axis=0).astype(np.int32)
    for block in best_partition(types, [1] * 6, 3, 3, chance, lambda: False):
        assert {column % 3 for column in block} == {0, 1, 2}


def test_blocks_are_as_large_as_can_be_looked_at() -> None:
    assert [largest_block(24, types, 2**27) for types in (1, 2**15, 2**16, 2**40)] == [24, 12, 11, 1]
