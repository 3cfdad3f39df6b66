"""How temperatures fall: with the steps that are done, or with the time that has passed, whichever is further."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Cooling:
    """So many `steps` for each row, at temperatures that fall geometrically from `hot` to `cold`, in units."""

    steps: int
    hot: float
    cold: float

    def course(
        self, rows: int, chunk: int, unit: float, seconds: float, is_over: Callable[[], bool]
    ) -> Iterator[tuple[int, float, float]]:
        """Yield how many steps are next, `chunk` at most, and the temperatures at their two ends.

        Where the steps do not fit into `seconds`, they are made fewer, and the temperature falls as fast as time passes.

        >>> list(Cooling(3, 4.0, 1.0).course(1, 2, 1.0, 60.0, lambda: True))
        []
        >>> [count for count, _, _ in Cooling(1, 4.0, 1.0).course(4, 2, 1.0, 1e9, lambda: False)]
        [2, 2]
        """
        began, done, share, steps = time.monotonic(), 0, 0.0, self.steps * max(1, rows)
        hot, falling = unit * self.hot, self.cold / self.hot
        while share < 1 and seconds > 0 and not is_over():
            count = min(chunk, steps)
            done += count
            upto = min(1.0, max(done / steps, (time.monotonic() - began) / seconds))
            yield count, hot * falling**share, hot * falling**upto
            share = upto
