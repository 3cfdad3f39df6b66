"""Which columns to put into blocks, so that what the blocks cost on their own adds up to much (`proofs.blocks`).

A block's optimum is at least the sum of its rows' radii (`near_patterns.nearest_types`), so a partition of the columns is judged by those,
on a sample: columns that say the same are worth more apart, where each block must pay for it. Partitions by width and at random are tried,
and the best is improved by exchanging columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import distinct

Partition = tuple[tuple[int, ...], ...]

_SAMPLED = 1_000
"""Among how many row types."""
_RANDOM = 6
"""How many partitions are drawn."""
_EXCHANGES = 80
"""How many exchanges of two columns are tried."""


def largest_block(columns: int, types: int, looks: int) -> int:
    """Return how many columns a block may have, so that (column set, row type) pairs stay below `looks`; at least 1.

    >>> largest_block(24, 30_000, 2**27)
    12
    """
    size = 1
    while size < columns and types << (size + 1) <= looks:
        size += 1
    return size


def best_partition(
    types: NDArray[np.int32],
    weights: Sequence[int],
    k: int,
    most: int,
    chance: np.random.Generator,
    is_over: Callable[[], bool],
) -> Partition:
    """Return a partition of the columns into as few blocks of at most `most` as there can be, the best of those tried. O(S^2 m) each.

    >>> types = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1]], np.int32)
    >>> best_partition(types, [1, 1, 1, 1], 2, 2, np.random.default_rng(0), lambda: False)
    ((0, 2), (1, 3))
    """
    columns = types.shape[1]
    count = -(-columns // most)
    some = types if len(types) <= _SAMPLED else types[np.sort(chance.choice(len(types), _SAMPLED, replace=False))]
    judge = _Judge(some, weights, min(k, len(some)))
    by_width = np.argsort([-len(distinct(codes)) for codes in types.T], kind="stable")
    tried = [_dealt(by_width, count), *(_dealt(chance.permutation(columns), count) for _ in range(_RANDOM))]
    best = max(tried, key=judge)
    worth = judge(best)
    for _ in range(_EXCHANGES if count > 1 else 0):
        if is_over():
            break
        other = _exchanged(best, chance)
        found = judge(other)
        if found > worth:
            best, worth = other, found
    return best


class _Judge:
    """Sums the radii of a sample over the blocks of a partition; blocks are looked at once."""

    def __init__(self, types: NDArray[np.int32], weights: Sequence[int], k: int) -> None:
        room = np.min_scalar_type(sum(weights))
        self._apart = [
            (codes[:, None] != codes).astype(room) * room.type(weight)
            for codes, weight in zip(types.T, weights, strict=True)
        ]
        self._k = k
        self._known: dict[tuple[int, ...], int] = {}

    def __call__(self, partition: Partition) -> int:
        return sum(map(self._radii, partition))

    def _radii(self, block: tuple[int, ...]) -> int:
        if block not in self._known:
            distance = self._apart[block[0]].copy()
            for column in block[1:]:
                distance += self._apart[column]
            self._known[block] = int(np.partition(distance, self._k - 1, axis=1)[:, self._k - 1].sum(dtype=np.int64))
        return self._known[block]


def _dealt(order: NDArray[np.int64], count: int) -> Partition:
    return tuple(sorted(tuple(sorted(order[first::count].tolist())) for first in range(count)))


def _exchanged(partition: Partition, chance: np.random.Generator) -> Partition:
    blocks = [list(block) for block in partition]
    one, two = chance.choice(len(blocks), 2, replace=False).tolist()
    i, j = int(chance.integers(len(blocks[one]))), int(chance.integers(len(blocks[two])))
    blocks[one][i], blocks[two][j] = blocks[two][j], blocks[one][i]
    return tuple(sorted(tuple(sorted(block)) for block in blocks))
