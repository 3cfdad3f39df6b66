"""The Lagrangian dual over all patterns: multipliers that prove a bound, and passes that make it better.

Let rows be worth pi_t a copy, and price every cut i, a valid inequality "sum of its y and x terms <= q_i", at sigma_i >= 0. Then

    L(pi, sigma) = sum_t s_t pi_t + sum_p min(0, v_p) - sum_i sigma_i q_i   <=   OPT (scaled)

for any multipliers at all, where v_p is what the best group of pattern p is worth (`kernels`) with the cuts' terms as charges. The best
L is the optimum of the linear program of all patterns and these cuts. It is sought by diagonally scaled subgradient steps (Adam): one
pass over the arcs each, no linear program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anoptima.solvers.exact.engine.cuts import Terms
from anoptima.solvers.exact.engine.kernels import Arcs, Numbers

PASSES = 600
FIRST_STEP = 0.1
LAST_STEP = 1e-4
_KEEP, _KEEP_SQUARES = 0.9, 0.99


@dataclass(frozen=True, eq=False)
class Multipliers:
    """What a copy of each record is worth, and the price of each cut."""

    worth: Numbers
    prices: Numbers


def first_multipliers(arcs: Arcs) -> Multipliers:
    """Let every record be worth what its cheapest pattern costs. O(A)."""
    worth = np.full(len(arcs.copies), np.inf)
    np.minimum.at(worth, arcs.member, np.repeat(arcs.cost.astype(float), np.diff(arcs.start)))
    return Multipliers(worth, np.zeros(0))


def value_of(arcs: Arcs, terms: Terms, at: Multipliers) -> float:
    """Return L at these multipliers. One pass."""
    charge, surcharge = terms.charges(at.prices)
    total, _, _ = terms.kernels.activity(arcs, at.worth, charge, surcharge)
    return float(arcs.copies @ at.worth + total - terms.most @ at.prices)


def ascend(
    arcs: Arcs,
    terms: Terms,
    start: Multipliers,
    is_over: Callable[[], bool],
    *,
    enough: float = np.inf,
    passes: int = PASSES,
    first_step: float = FIRST_STEP,
    ceiling: Numbers | None = None,
    on_better: Callable[[float, Multipliers], None] | None = None,
) -> tuple[float, Multipliers]:
    """Raise L from `start`, the cuts' prices kept, until `passes` are done, `is_over()`, or L reaches `enough`; return the best.

    No record becomes worth more than its `ceiling`, if there are any. The steps fall geometrically from `first_step` to `LAST_STEP` of
    it. O(A) a pass.
    """
    worth = start.worth.astype(float).copy()
    charge, surcharge = terms.charges(start.prices)
    paid = float(terms.most @ start.prices)
    mean, squares = np.zeros_like(worth), np.zeros_like(worth)
    best, best_worth = -np.inf, worth.copy()
    shrink = (LAST_STEP / FIRST_STEP) ** (1 / passes)
    step = first_step
    for turn in range(1, passes + 1):
        if turn > 1 and is_over():
            break
        total, used, _ = terms.kernels.activity(arcs, worth, charge, surcharge)
        value = float(arcs.copies @ worth + total - paid)
        if value > best:
            best, best_worth = value, worth.copy()
            if on_better is not None:
                on_better(best, Multipliers(best_worth, start.prices))
            if best >= enough:
                break
        slope = 1 - used / arcs.copies
        mean = _KEEP * mean + (1 - _KEEP) * slope
        squares = _KEEP_SQUARES * squares + (1 - _KEEP_SQUARES) * slope**2
        direction = mean / (1 - _KEEP**turn) / (np.sqrt(squares / (1 - _KEEP_SQUARES**turn)) + 1e-9)
        worth = worth + step * direction
        if ceiling is not None:
            worth = np.minimum(worth, ceiling)
        step *= shrink
    return best, Multipliers(best_worth, start.prices)
