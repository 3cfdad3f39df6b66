"""Work in pieces on several threads, for loops that are compiled: those let other threads run meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

P = TypeVar("P")
R = TypeVar("R")


def side_by_side(work: Callable[[P], R], pieces: Sequence[P], threads: int) -> list[R]:
    """Return what `work` makes of each piece, on so many threads, which know what time there is.

    >>> side_by_side(abs, [-1, 2, -3], 2)
    [1, 2, 3]
    """
    if threads <= 1 or len(pieces) <= 1:
        return [work(piece) for piece in pieces]
    contexts = [copy_context() for _ in pieces]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda context, piece: context.run(work, piece), contexts, pieces))
