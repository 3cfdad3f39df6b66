"""How temperatures fall: with the steps that are done, or with the time that has passed, whichever is further."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator


def cooling(
    steps: int, chunk: int, hot: float, cold: float, seconds: float, is_over: Callable[[], bool]
) -> Iterator[tuple[int, float, float]]:
    """Yield how many steps are next, and the temperatures at their two ends, geometrically from `hot` to `cold`.

    Where the steps do not fit into `seconds`, they are made fewer, and the temperature falls as fast as time passes.

    >>> list(cooling(3, 2, 4.0, 1.0, 60.0, lambda: True))
    []
    >>> [count for count, _, _ in cooling(4, 2, 4.0, 1.0, 1e9, lambda: False)]
    [2, 2]
    """
    began, done, share = time.monotonic(), 0, 0.0
    while share < 1 and seconds > 0 and not is_over():
        count = min(chunk, steps)
        done += count
        upto = min(1.0, max(done / steps, (time.monotonic() - began) / seconds))
        yield count, hot * (cold / hot) ** share, hot * (cold / hot) ** upto
        share = upto
