"""t-closeness at equal distance in compiled loops: what `Equal.price` does, by bisection."""

from __future__ import annotations

from typing import Any

from numba import njit


@njit(cache=True)
def filled_slots(
    gain: Any, copies: Any, value: Any, count: int, size: int, whole: Any, c: int, d: int, n: int, own: Any, taken: Any
) -> Any:
    """Fill `taken` with parts of 1 / (n d) copies, the best of `size` copies that slots allow; return whether all fit, and the gain."""
    for i in range(count):
        own[value[i]] = size * whole[value[i]] * d
    common, left = size * c * n, size * n * d
    total = gain.dtype.type(0)
    for i in range(count):
        wanted = min(copies[i] * n * d, left)
        first = min(wanted, own[value[i]])
        second = min(wanted - first, common)
        own[value[i]] -= first
        common -= second
        left -= first + second
        taken[i] = first + second
        total += gain[i] * (first + second)
    return left == 0, total


@njit(cache=True)
def best_equal(
    gain: Any, copies: Any, value: Any, count: int, least: int, whole: Any, c: int, d: int, n: int, own: Any, taken: Any
) -> Any:
    """Return n d F and fill `taken`; records come by falling gain. O(A log N) for A records."""
    low, high = max(1, least), 0
    for i in range(count):
        high += copies[i]
    fits, here = filled_slots(gain, copies, value, count, low, whole, c, d, n, own, taken)
    if not fits:
        for i in range(count):
            taken[i] = 0
        return gain.dtype.type(0)
    # Beyond the largest size that fits, F is minus infinity, so it is concave all along.
    while low < high:
        size = (low + high) // 2
        fits, there = filled_slots(gain, copies, value, count, size + 1, whole, c, d, n, own, taken)
        if fits:
            _, here = filled_slots(gain, copies, value, count, size, whole, c, d, n, own, taken)
        if fits and there > here:
            low = size + 1
        else:
            high = size
    _, here = filled_slots(gain, copies, value, count, low, whole, c, d, n, own, taken)
    return here
