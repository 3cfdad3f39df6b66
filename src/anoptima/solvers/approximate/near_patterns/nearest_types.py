"""The nearest row types of every row type, by the weight of the columns on which they differ: one look at every pair, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.approximate.near_patterns.kernels import neighbours
from anoptima.solvers.compiling.loops import fastest, is_ready
from anoptima.solvers.side_by_side import side_by_side
from anoptima.table import Counts

_CELLS, _PAIRS = 1 << 19, 1 << 26
"""How many distances are held at a time, and how many pairs a loop looks at between two looks at the clock: about a tenth of a second."""


@dataclass(frozen=True, eq=False)
class NearestTypes:
    """For the first `done` row types: `near[t]`, the nearest types, t itself first, and how far they are; and the types' radii.

    The radius of t is the least distance within which there are k rows, those of t included; above every distance if there are fewer
    than k. Any group's pattern that t is published with costs at least that: all its rows agree on what it keeps.
    """

    near: NDArray[np.int32]
    distance: Counts
    radius: Counts
    done: int


def nearest(
    types: NDArray[Any],
    copies: Counts,
    weights: Sequence[int],
    k: int,
    count: int,
    is_over: Callable[[], bool],
    threads: int = 1,
) -> NearestTypes:
    """Return `count` neighbours of each row type, as far as it gets, and exact radii; the rest has radius 0. O(T^2 m) on all threads.

    >>> found = nearest(np.array([[0, 0], [0, 1], [2, 1]]), np.array([1, 1, 1]), [1, 1], 2, 2, lambda: False)
    >>> found.near[:, 0].tolist(), found.distance.tolist(), found.radius.tolist()
    ([0, 1, 2], [[0, 1], [0, 1], [0, 1]], [1, 1, 1])
    """
    length = len(types)
    count = min(length, max(count, k))
    near, far = np.zeros((length, count), dtype=np.int32), np.zeros((length, count), dtype=np.int64)
    radius = np.zeros(length, dtype=np.int64)
    done = 0
    blocks = (
        _by_loops(types, weights, count, threads) if _are_bytes(types, weights) else _by_arrays(types, weights, count)
    )
    for closest, far_off in blocks:
        if is_over():
            break
        own = np.arange(len(closest))
        held = np.cumsum(copies[closest], axis=1)
        enough = (held >= k).argmax(axis=1)
        there = slice(done, done + len(closest))
        near[there], far[there] = closest, far_off
        radius[there] = np.where(held[:, -1] >= k, far_off[own, enough], sum(weights) + 1)
        done += len(closest)
    return NearestTypes(near, far, radius, done)


def _are_bytes(types: NDArray[Any], weights: Sequence[int]) -> bool:
    """Tell whether the compiled loop can be had, and codes and distances are bytes."""
    return (
        types.max(initial=0) <= neighbours.MOST
        and sum(weights) <= neighbours.MOST
        and is_ready(neighbours.write_nearest)
    )


def _by_loops(
    types: NDArray[Any], weights: Sequence[int], count: int, threads: int
) -> Iterator[tuple[NDArray[np.int32], Counts]]:
    """Yield the nearest of some row types after the other, and how far they are."""
    codes, heavy = np.ascontiguousarray(types.T, dtype=np.uint8), np.array(weights, dtype=np.uint8)
    step = max(1, _PAIRS // len(types))

    def look(first: int) -> tuple[NDArray[np.int32], Counts]:
        some = min(step, len(types) - first)
        near, far = np.zeros((some, count), dtype=np.int32), np.zeros((some, count), dtype=np.int64)
        fastest(neighbours.write_nearest)(codes, heavy, first, near, far)
        return near, far

    for first in range(0, len(types), step * threads):
        yield from side_by_side(look, range(first, min(first + step * threads, len(types)), step), threads)


def _by_arrays(types: NDArray[Any], weights: Sequence[int], count: int) -> Iterator[tuple[NDArray[np.int32], Counts]]:
    """Yield the same, whatever weights are."""
    for distances in _distances(types, weights):
        own = np.arange(len(distances))[:, None]
        closest = (
            np.argpartition(distances, count - 1, axis=1)[:, :count] if count < len(types) else np.argsort(distances)
        )
        far_off = distances[own, closest].astype(np.int64)
        # A type comes before those that are as near, all of which differ from it, so that only itself is at distance 0.
        order = np.argsort(far_off, axis=1, kind="stable")
        yield closest[own, order].astype(np.int32), far_off[own, order]


def _distances(types: NDArray[Any], weights: Sequence[int]) -> Iterator[NDArray[Any]]:
    """Yield blocks of rows of the matrix of distances."""
    room = np.min_scalar_type(sum(weights))
    columns = [np.ascontiguousarray(column).astype(np.min_scalar_type(int(column.max()))) for column in types.T]
    step = max(1, _CELLS // len(types))
    for first in range(0, len(types), step):
        total = np.zeros((min(step, len(types) - first), len(types)), dtype=room)
        for column, weight in zip(columns, weights, strict=True):
            apart = column[first : first + step, None] != column
            total += apart if weight == 1 else apart * room.type(weight)
        yield total
