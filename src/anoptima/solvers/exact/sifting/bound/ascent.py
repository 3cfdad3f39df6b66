"""Raising the Lagrangian bound L (`bound.dual`): passes that make multipliers better.

The best L is the optimum of the linear program of all patterns and the inequalities that have a price. It is sought by diagonally scaled
subgradient steps (Adam), most of them over the few arcs of small reduced cost; no linear program.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, part_of
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers, Pass, Pricing

PASSES = 600
"""Of an ascent whose owner does not say how many."""
FIRST_STEP = 0.1
"""In units (`Instance.unit`), as all steps and reaches are."""
_STEPS, _SOONEST = 20.0, 5
"""How many steps far near arcs reach; and the least passes between two looks at all arcs."""
MOST_OVER = 2.0
"""Passes may take this multiple of their seconds."""


@dataclass(frozen=True)
class Pace:
    """How multipliers move: what of the means of slopes, and of their squares, is kept from one pass to the next; and two more.

    Attributes
    ----------
    fall
        How much of the first step is left in the last pass.
    near, far
        Arcs of no larger reduced cost are near however short the steps are, and those of a larger one are not however long; in units.
    part, latest
        All arcs are looked at again, and chosen among, when the steps since then may have come to this part of how far near ones reach, or
        after a number of passes.
    fewest
        This number of passes is made even if there is not enough time for them.
    """

    keep: float
    keep_squares: float
    fall: float
    near: float
    far: float
    part: float
    latest: int
    fewest: int = 0


QUICK = Pace(0.9, 0.99, 1e-3, near=0.5, far=2.0, part=0.25, latest=40)
"""From far off."""
STEADY = Pace(0.98, 0.999, 3e-3, near=0.5, far=2.0, part=0.25, latest=200)
"""From near the best: longer means come nearer to them, and so few new arcs matter that looks at all can wait."""


@dataclass(frozen=True)
class Course:
    """How an ascent goes: a number of `passes`, by steps that fall from `first_step` on at a `pace`, within `seconds`.

    Where the passes do not fit into the seconds, they are made fewer, and the steps fall as fast as time passes.
    """

    passes: int = PASSES
    first_step: float = FIRST_STEP
    pace: Pace = QUICK
    seconds: float = math.inf


def ascend(
    arcs: Arcs,
    pricing: Pricing,
    start: Multipliers,
    is_over: Callable[[], bool],
    course: Course = Course(),
    *,
    unit: float = 1.0,
    ceiling: Numbers | None = None,
) -> DualPoint:
    """Raise L from `start`, in worths and prices together, for the `course` or until `is_over()`; return the best that was found.

    Slow passes are cut off after `MOST_OVER` times the course's seconds, the last one in its midst: what they find must be proved in the
    time that is left.

    Worths move by steps that fall geometrically, in parts of `unit`; prices by the same, times their own `steps`. No record becomes worth
    more than its `ceiling`, if there are any. Only arcs of small reduced cost are looked at in most passes: the others matter again after
    the next look at all. O(A) every `pace.latest` passes.
    """
    began, passes, pace = time.monotonic(), course.passes, course.pace
    until, is_limited = began + course.seconds, course.seconds < math.inf
    best = near = pricing.look(arcs, start)
    climb = Climb(start, pricing.steps, pace, ceiling)
    step, shrink = course.first_step, pace.fall ** (1 / max(1, passes))
    last, left, done = pace.fall * course.first_step, passes, 0

    def is_late() -> bool:
        return time.monotonic() >= began + MOST_OVER * course.seconds

    def is_enough() -> bool:
        return is_over() or is_late()

    while passes > 0 and not is_enough():
        turn = time.monotonic()
        reach = min(pace.far, max(pace.near, _STEPS * step))
        part = part_of(arcs, np.flatnonzero(near.reduced <= unit * reach))
        count = int(min(passes, pace.latest, max(_SOONEST, pace.part * reach / step)))
        if is_limited and not done:
            count = min(passes, _SOONEST)
        with within(is_late):
            top_at, made = climb.go(part.arcs, pricing.within(part), count, unit * step, shrink, is_enough)
        try:
            near = pricing.look(arcs, top_at)
        except OutOfTime:
            break
        if near.value > best.value:
            best = near
        step *= shrink**made
        left, passes, done = left - made, passes - made, done + made
        if made < count:
            break
        if is_limited:
            # They are faster the fewer arcs are near: how many there is time for is asked again and again.
            now = time.monotonic()
            passes = min(left, max(0, pace.fewest - done, int(count * (until - now) / (now - turn))))
            shrink = (last / step) ** (1 / max(1, passes))
    return best


class Climb:
    """Multipliers on their way, with running means of slopes and of their squares (Adam)."""

    def __init__(self, at: Multipliers, steps: Numbers, pace: Pace, ceiling: Numbers | None) -> None:
        self.at = at
        self._keep, self._keep_squares = pace.keep, pace.keep_squares
        self._ceiling = ceiling
        self._records = len(at.worth)
        self._scale = np.concatenate([np.ones(self._records), steps])
        self._mean, self._squares = np.zeros(len(self._scale)), np.zeros(len(self._scale))
        self._turn = 0

    def go(
        self, arcs: Arcs, pricing: Pricing, count: int, step: float, shrink: float, is_enough: Callable[[], bool]
    ) -> tuple[Multipliers, int]:
        """Make up to `count` passes; return their best multipliers, and the number of passes made."""
        top, top_at = -np.inf, self.at
        for made in range(count):
            try:
                one = pricing.go(arcs, self.at)
            except OutOfTime:
                return top_at, made
            if one.value > top:
                top, top_at = one.value, self.at
            self.move(step, one)
            step *= shrink
            if made + 1 < count and is_enough():
                return top_at, made + 1
        return top_at, count

    def move(self, step: float, one: Pass) -> None:
        """Make a step from where the pass has come to."""
        self._turn += 1
        slope = np.concatenate([one.worth_slope, one.price_slope])
        self._mean += (1 - self._keep) * (slope - self._mean)
        self._squares += (1 - self._keep_squares) * (slope**2 - self._squares)
        mean, squares = self._mean / (1 - self._keep**self._turn), self._squares / (1 - self._keep_squares**self._turn)
        change = step * self._scale * mean / (np.sqrt(squares) + 1e-9)
        worth = one.at.worth + change[: self._records]
        self.at = Multipliers(
            worth if self._ceiling is None else np.minimum(worth, self._ceiling),
            np.maximum(0, one.at.prices + change[self._records :]),
        )
