"""Bisection in many places at once: the largest or least whole number for which something holds, found for a whole array of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Truth = NDArray[np.bool_]


def largest_where(holds: Callable[[Whole], Truth], high: Whole) -> Whole:
    """Return the largest number from 0 to `high`, in each place, for which `holds`, which must then hold for all smaller ones.

    0 is not asked for: it is returned where nothing else holds. Asks O(log high) times.

    >>> largest_where(lambda number: number**2 <= np.array([10, 3, 0, 99]), np.array([5, 5, 5, 7])).tolist()
    [3, 1, 0, 7]
    """
    low = np.zeros_like(high)
    while (low < high).any():
        middle = (low + high + 1) // 2
        held = holds(middle)
        low, high = np.where(held, middle, low), np.where(held, high, middle - 1)
    return low


def least_where(holds: Callable[[Whole], Truth], high: Whole) -> Whole:
    """Return the least number from 0 to `high`, in each place, for which `holds`, which must then hold for all larger ones.

    `high` is not asked for: it is returned where nothing else holds. Asks O(log high) times.

    >>> least_where(lambda number: number**2 >= np.array([10, 3, 0, 99]), np.array([5, 5, 5, 7])).tolist()
    [4, 2, 0, 7]
    """
    low = np.zeros_like(high)
    while (low < high).any():
        middle = (low + high) // 2
        held = holds(middle) | (low == high)
        low, high = np.where(held, low, middle + 1), np.where(held, middle, high)
    return low
