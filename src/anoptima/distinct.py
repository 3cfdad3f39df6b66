"""Arrays in which nothing stands twice.

numpy finds distinct whole numbers in a hash table from version 2.3 on. Where all are different, that takes 16 times as long as sorting for
100,000 of them, and 45 times for a million (`python -m benchmarks.distinct`). So these sort.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Return each of the values once, rising. O(n log n) for n values.

    >>> distinct(np.array([3, 1, 3, 2])).tolist()
    [1, 2, 3]
    """
    rising = np.sort(values, axis=None)
    is_new = np.ones(len(rising), dtype=np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=is_new[1:])
    return rising[is_new]


def union(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return what is in one or the other, each once, rising. O(n log n) for n values.

    >>> union(np.array([2, 1]), np.array([3, 2])).tolist()
    [1, 2, 3]
    """
    return distinct(np.concatenate([one, other]))
