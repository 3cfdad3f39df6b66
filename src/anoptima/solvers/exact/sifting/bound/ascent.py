"""The Lagrangian dual over all patterns: multipliers that prove a bound, and passes that make it better.

Let rows be worth pi_t a copy, and price every cut i, a valid inequality "sum of its y and x terms <= q_i", at sigma_i >= 0. Then

    L(pi, sigma) = sum_t s_t pi_t + sum_p min(0, v_p) - sum_i sigma_i q_i   <=   OPT (scaled)

for any multipliers at all, where v_p is what the best group of pattern p is worth (`arcs`) with the cuts' terms as charges. The best
L is the optimum of the linear program of all patterns and these cuts. It is sought by diagonally scaled subgradient steps (Adam), most
of them over the few arcs of small reduced cost; no linear program.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, cheapest, part_of
from anoptima.solvers.exact.sifting.bound.cuts import Terms

PASSES = 600
FIRST_STEP = 0.1
"""In units of the lightest column's weight, as all steps and reaches are."""
_NEAR, _FAR, _STEPS = 0.5, 2.0, 20.0


@dataclass(frozen=True)
class Pace:
    """How multipliers move: what of the means of slopes, and of their squares, is kept from one pass to the next; and two more.

    Attributes
    ----------
    fall
        How much of the first step is left in the last pass.
    every
        After so many passes over the arcs near the multipliers all arcs are looked at again, and chosen among.
    """

    keep: float
    keep_squares: float
    fall: float
    every: int


QUICK = Pace(0.9, 0.99, 1e-3, 40)
"""From far off."""
STEADY = Pace(0.98, 0.999, 3e-3, 200)
"""From near the best: longer means come nearer to them, and so few new arcs matter that looks at all can wait."""


@dataclass(frozen=True, eq=False)
class Multipliers:
    """What a copy of each record is worth, and the price of each cut."""

    worth: Numbers
    prices: Numbers


@dataclass(frozen=True, eq=False)
class DualPoint:
    """All patterns at some multipliers: L, what the best group of each pattern is worth, and the reduced cost of every arc."""

    at: Multipliers
    value: float
    values: Numbers
    reduced: NDArray[np.float64]


def _dot(some: NDArray[np.int64], others: Numbers) -> np.float64:
    """Return the product of two vectors on this thread: `@` shares long ones with others, and waits for those that have no core."""
    product: np.float64 = (some * others).sum()
    return product


def first_multipliers(arcs: Arcs) -> Multipliers:
    """Let every record be worth what its cheapest pattern costs. O(A)."""
    return Multipliers(cheapest(arcs.start, arcs.member, arcs.cost, len(arcs.copies)), np.zeros(0))


def look(arcs: Arcs, terms: Terms, at: Multipliers) -> DualPoint:
    """Look at all patterns: one pass."""
    charge, surcharge = terms.charges(at.prices)
    values, least = terms.kernels.opened(arcs, at.worth, charge, surcharge)
    value = float(_dot(arcs.copies, at.worth) + np.minimum(0, values).sum() - _dot(terms.most, at.prices))
    return DualPoint(at, value, values, terms.kernels.reduced_costs(arcs, at.worth, surcharge, values, least))


def ascend(
    arcs: Arcs,
    terms: Terms,
    start: Multipliers,
    is_over: Callable[[], bool],
    *,
    unit: float = 1.0,
    seconds: float | None = None,
    passes: int = PASSES,
    first_step: float = FIRST_STEP,
    ceiling: Numbers | None = None,
    pace: Pace = QUICK,
) -> DualPoint:
    """Raise L from `start`, in worths and prices together, until `passes` are done or `is_over()`; return the best that was found.

    Where the passes do not fit into `seconds`, they are made fewer, and the steps fall as fast as time passes.

    Worths move by steps that fall geometrically from `first_step`, in parts of `unit`; prices by the same, in parts of their row's largest
    coefficient. No record becomes worth more than its `ceiling`, if there are any. Only arcs of small reduced cost are looked at in most
    passes: the others matter again after the next look at all. O(A) every `pace.every` passes.
    """
    best = look(arcs, terms, start)
    state = _State(start, 1 / terms.largest, pace)
    step, shrink = first_step, pace.fall ** (1 / max(1, passes))
    last, left = pace.fall * first_step, passes
    near, until = best, None if seconds is None else time.monotonic() + seconds
    while passes > 0 and not is_over():
        began = time.monotonic()
        reach = min(_FAR, max(_NEAR, _STEPS * step))
        part = part_of(arcs, np.flatnonzero(near.reduced <= unit * reach))
        count = min(passes, pace.every, max(4, int(reach / (4 * step))))
        passes, left = passes - count, left - count
        within = terms.within(part)
        top, top_at = -np.inf, state.at
        for _ in range(count):
            one = _pass(part.arcs, within, state.at)
            if one.value > top:
                top, top_at = one.value, state.at
            state.move(unit * step, one.worth_slope, one.price_slope, ceiling)
            step *= shrink
        near = look(arcs, terms, top_at)
        if near.value > best.value:
            best = near
        if until is not None:
            # They are faster the fewer arcs are near: how many there is time for is asked again and again.
            now = time.monotonic()
            passes = min(left, max(0, int(count * (until - now) / (now - began))))
            shrink = (last / step) ** (1 / max(1, passes))
    return best


def averaged(
    arcs: Arcs,
    terms: Terms,
    near: DualPoint,
    is_over: Callable[[], bool],
    *,
    unit: float,
    passes: int,
    step: float,
    reach: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of what passes with steps of one length take along each arc, and of which patterns they open.

    The passes begin at the multipliers of `near`, and are over its arcs of reduced cost up to `reach`, in parts of `unit`, as `step` is.
    O(passes x those arcs).
    """
    part = part_of(arcs, np.flatnonzero(near.reduced <= unit * reach))
    within = terms.within(part)
    state = _State(near.at, 1 / terms.largest, STEADY)
    taken = np.zeros(len(part.chosen))
    open_patterns = np.zeros(len(part.patterns))
    done = 0
    while done < passes and not is_over():
        one = _pass(part.arcs, within, state.at)
        taken += one.taken
        open_patterns += one.negative
        state.move(unit * step, one.worth_slope, one.price_slope, None)
        done += 1
    x, y = np.zeros(len(arcs.member)), np.zeros(len(arcs.cost))
    x[part.chosen], y[part.patterns] = taken / max(1, done), open_patterns / max(1, done)
    return x, y


@dataclass(frozen=True, eq=False)
class _Pass:
    """L over some arcs, what is taken and opened for it, and its slopes: by the worth of a copy of each record, by each price."""

    value: float
    taken: NDArray[np.int64]
    negative: NDArray[np.bool_]
    worth_slope: Numbers
    price_slope: Numbers


def _pass(arcs: Arcs, terms: Terms, at: Multipliers) -> _Pass:
    charge, surcharge = terms.charges(at.prices)
    taken = np.zeros(len(arcs.member), dtype=np.int64)
    total, used, negative = terms.kernels.activity(arcs, at.worth, charge, surcharge, taken)
    value = float(_dot(arcs.copies, at.worth) + total - _dot(terms.most, at.prices))
    return _Pass(value, taken, negative, 1 - used / arcs.copies, terms.left_sides(negative, taken) - terms.most)


class _State:
    """Multipliers on their way, with running means of slopes and of their squares (Adam)."""

    def __init__(self, at: Multipliers, scale: Numbers, pace: Pace) -> None:
        self.at = at
        self._keep, self._keep_squares = pace.keep, pace.keep_squares
        self._records = len(at.worth)
        self._scale = np.concatenate([np.ones(self._records), scale])
        self._mean, self._squares = np.zeros(len(self._scale)), np.zeros(len(self._scale))
        self._turn = 0

    def move(self, step: float, worth_slope: Numbers, price_slope: Numbers, ceiling: Numbers | None) -> None:
        self._turn += 1
        slope = np.concatenate([worth_slope, price_slope])
        self._mean += (1 - self._keep) * (slope - self._mean)
        self._squares += (1 - self._keep_squares) * (slope**2 - self._squares)
        mean, squares = self._mean / (1 - self._keep**self._turn), self._squares / (1 - self._keep_squares**self._turn)
        change = step * self._scale * mean / (np.sqrt(squares) + 1e-9)
        worth = self.at.worth + change[: self._records]
        self.at = Multipliers(
            worth if ceiling is None else np.minimum(worth, ceiling),
            np.maximum(0, self.at.prices + change[self._records :]),
        )
