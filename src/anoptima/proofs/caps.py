"""What groups gain at most in which no value comes more often than a cap, over many caps: what prices shares and outweighed values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anoptima.proofs.views import ROOM, Truth, View, Whole


@dataclass(frozen=True, eq=False)
class Capped:
    """Records of patterns, how many copies of its value come before each record, and how many rows a group must have."""

    view: View
    before: Whole
    least: Whole

    def only(self, chosen: Truth) -> Capped:
        """Keep some of the patterns."""
        return Capped(self.view.only(chosen), self.before[chosen[self.view.owner]], self.least[chosen])


def up_to(view: View, before: Whole, cap: Whole) -> Whole:
    """Return how many copies of each record are among the first `cap` of their value."""
    room: Whole = np.clip(cap[view.owner] - before, 0, view.copies)
    return room


def best_of_caps(
    best: Callable[[Capped, Whole], Whole], groups: Capped, step: int, smallest: Whole, largest: Whole
) -> Whole:
    """Return the most of `best(groups, cap)` over the caps between two numbers, in each pattern; -ROOM where there is none.

    Among caps that are the same modulo `step` it must be concave, so that a bisection on best(cap + step) > best(cap) finds the largest.
    """
    found = np.full(groups.view.patterns, -ROOM)
    for rest in range(step):
        low, high = -(-(smallest - rest) // step), (largest - rest) // step
        some = low <= high
        while (low < high).any():
            open_ = low < high
            part, j = groups.only(open_), (low[open_] + high[open_]) // 2
            rises = best(part, rest + step * (j + 1)) > best(part, rest + step * j)
            low[open_], high[open_] = np.where(rises, j + 1, low[open_]), np.where(rises, high[open_], j)
        value = best(groups, np.where(some, rest + step * low, 0))
        found = np.where(some, np.maximum(found, value), found)
    return found
