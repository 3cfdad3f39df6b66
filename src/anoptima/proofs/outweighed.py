"""Recursive diversity to the checker: what the best group gains whose most frequent value is outweighed, over all levels and caps.

With c = a / b and l, a group is legal exactly if for some level y and cap C no value is in more than C rows, and there are

    (l - 1) y + floor((b C + a) / a)      rows or more that are among the first y of their value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from anoptima.bisection import largest_where, least_where
from anoptima.proofs.caps import Capped, best_of_caps, up_to
from anoptima.proofs.views import ROOM, Truth, View, Whole


@dataclass(frozen=True, eq=False)
class OutweighedMost:
    """The most frequent value in fewer rows than a / b times those of the values from number `first` on; `different` values must occur."""

    a: int
    b: int
    first: int
    different: int

    def smallest(self, view: View, least: Whole) -> Whole:
        """Return how many rows a group must have; 0 where there is no such group."""
        before = view.before_of_value(view.copies)
        wanted = np.maximum(least, self.different)
        size = view.total(up_to(view, before, self._largest_cap(view, before)))
        return np.where(size >= wanted, wanted, 0)

    def _largest_cap(self, view: View, before: Whole) -> Whole:
        """Return the largest C for which there is a group at the level that leaves most, C or the l-th largest count: smaller C do, too."""
        largest = np.zeros(view.patterns, dtype=np.int64)
        np.maximum.at(largest, view.owner, before + view.copies)
        level = self._levels(view, before, largest)
        return largest_where(
            lambda cap: self.a * self._spare(view, before, np.minimum(level, cap)) > self.b * cap, largest
        )

    def _levels(self, view: View, before: Whole, most: Whole) -> Whole:
        """Return the l-th largest count of a value in each pattern: the largest y that so many values reach."""

        def many_reach(level: Whole) -> Truth:
            reach = (before < level[view.owner]) & (before + view.copies >= level[view.owner])
            return view.total(reach.astype(np.int64)) >= self.first

        return largest_where(many_reach, most)

    def _spare(self, view: View, before: Whole, level: Whole) -> Whole:
        return view.total(up_to(view, before, level)) - (self.first - 1) * level

    def price(self, view: View, least: Whole) -> Whole:
        """Return the most that a group gains, over all levels and caps; among caps that are the same modulo a it is found by bisection."""
        before, least = view.before_of_value(view.copies), np.maximum(least, self.different)
        largest, gaining = (np.zeros(view.patterns, dtype=np.int64) for _ in range(2))
        np.maximum.at(largest, view.owner, before + view.copies)
        np.maximum.at(gaining, view.owner, np.where(view.gain > 0, before + view.copies, 0))
        levels = self._levels(view, before, largest)
        # A cap that is higher than all that gains, and than the least size, adds nothing.
        largest = np.minimum(largest, np.maximum(gaining, least))
        smallest = np.maximum(1, least_where(lambda cap: view.total(up_to(view, before, cap)) >= least, largest))
        found = np.full(view.patterns, -ROOM)
        for level in range(1, int(np.minimum(levels, largest).max(initial=0)) + 1):
            some = levels >= level
            part, its = view.only(some), before[some[view.owner]]
            spare = self._spare(part, its, np.full(part.patterns, level))
            most = largest[some] if not self.b else np.minimum(largest[some], (self.a * spare - 1) // self.b)
            most = np.where(spare > 0, most, 0)
            capped = Capped(part, its, least[some])
            at_level = partial(self._best, level=level)
            best = best_of_caps(at_level, capped, self.a, np.maximum(smallest[some], level), most)
            found[some] = np.maximum(found[some], best)
        return found

    def _best(self, groups: Capped, cap: Whole, *, level: int) -> Whole:
        """Return what the best group gains that has no value above the cap, enough rows up to the level, and `least` rows."""
        view, before, least = groups.view, groups.before, groups.least
        room = up_to(view, before, cap)
        low = np.minimum(room, np.clip(level - before, 0, view.copies))
        gains = view.gain > 0
        missing = (self.first - 1) * level + (self.b * cap + self.a) // self.a - view.total(np.where(gains, low, 0))
        rest = np.where(gains, 0, low)
        taken = np.where(gains, room, np.clip(missing[view.owner] - view.before(rest), 0, rest))
        missing = least - view.total(taken)
        rest = room - taken
        taken = taken + np.clip(missing[view.owner] - view.before(rest), 0, rest)
        return view.total(view.gain * taken)
