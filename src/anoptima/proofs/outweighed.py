"""Recursive diversity to the checker: what the best group gains whose most frequent value is outweighed, over all levels and caps.

With c = a / b and l, a group is legal exactly if for some level y and cap C no value is in more than C rows, and there are

    (l - 1) y + floor((b C + a) / a)      rows or more that are among the first y of their value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anoptima.proofs.views import ROOM, View, Whole


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
        size = view.total(_up_to(view, before, self._largest_cap(view, before)))
        return np.where(size >= wanted, wanted, 0)

    def _largest_cap(self, view: View, before: Whole) -> Whole:
        """Return the largest C for which there is a group at the level that leaves most, C or the l-th largest count: smaller C do, too."""
        largest = np.zeros(view.patterns, dtype=np.int64)
        np.maximum.at(largest, view.owner, before + view.copies)
        level = self._levels(view, before, largest)
        low, high = np.zeros_like(largest), largest
        while (low < high).any():
            middle = (low + high + 1) // 2
            enough = self.a * self._spare(view, before, np.minimum(level, middle)) > self.b * middle
            low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
        return low

    def _levels(self, view: View, before: Whole, most: Whole) -> Whole:
        """Return the l-th largest count of a value in each pattern: the largest y that so many values reach."""
        low, high = np.zeros_like(most), most
        while (low < high).any():
            middle = (low + high + 1) // 2
            reach = (before < middle[view.owner]) & (before + view.copies >= middle[view.owner])
            enough = view.total(reach.astype(np.int64)) >= self.first
            low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
        return low

    def _spare(self, view: View, before: Whole, level: Whole) -> Whole:
        return view.total(_up_to(view, before, level)) - (self.first - 1) * level

    def price(self, view: View, least: Whole) -> Whole:
        """Return the most that a group gains, over all levels and caps; among caps that are the same modulo a it is found by bisection."""
        before, least = view.before_of_value(view.copies), np.maximum(least, self.different)
        largest, gaining = (np.zeros(view.patterns, dtype=np.int64) for _ in range(2))
        np.maximum.at(largest, view.owner, before + view.copies)
        np.maximum.at(gaining, view.owner, np.where(view.gain > 0, before + view.copies, 0))
        levels = self._levels(view, before, largest)
        # A cap that is higher than all that gains, and than the least size, adds nothing.
        largest = np.minimum(largest, np.maximum(gaining, least))
        low, high = np.zeros_like(largest), largest
        while (low < high).any():
            middle = (low + high) // 2
            enough = view.total(_up_to(view, before, middle)) >= least
            low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
        smallest = np.maximum(1, low)
        found = np.full(view.patterns, -ROOM)
        for level in range(1, int(np.minimum(levels, largest).max(initial=0)) + 1):
            some = levels >= level
            part, its = view.only(some), before[some[view.owner]]
            spare = self._spare(part, its, np.full(part.patterns, level))
            most = largest[some] if not self.b else np.minimum(largest[some], (self.a * spare - 1) // self.b)
            most = np.where(spare > 0, most, 0)
            best = self._at(part, its, level, np.maximum(smallest[some], level), most, least[some])
            found[some] = np.maximum(found[some], best)
        return found

    def _at(self, view: View, before: Whole, level: int, smallest: Whole, largest: Whole, least: Whole) -> Whole:
        """Return the most that a group of a level gains, over caps between two numbers."""
        found, a = np.full(view.patterns, -ROOM), self.a
        for rest in range(a):
            low, high = -(-(smallest - rest) // a), (largest - rest) // a
            some = low <= high
            while (low < high).any():
                open_ = low < high
                part, its = view.only(open_), before[open_[view.owner]]
                j = (low[open_] + high[open_]) // 2
                here = self._best(part, its, level, rest + a * j, least[open_])
                rises = self._best(part, its, level, rest + a * (j + 1), least[open_]) > here
                low[open_], high[open_] = np.where(rises, j + 1, low[open_]), np.where(rises, high[open_], j)
            value = self._best(view, before, level, np.where(some, rest + a * low, 0), least)
            found = np.where(some, np.maximum(found, value), found)
        return found

    def _best(self, view: View, before: Whole, level: int, cap: Whole, least: Whole) -> Whole:
        """Return what the best group gains that has no value above the cap, enough rows up to the level, and `least` rows."""
        room = _up_to(view, before, cap)
        low = np.minimum(room, np.clip(level - before, 0, view.copies))
        gains = view.gain > 0
        missing = (self.first - 1) * level + (self.b * cap + self.a) // self.a - view.total(np.where(gains, low, 0))
        rest = np.where(gains, 0, low)
        taken = np.where(gains, room, np.clip(missing[view.owner] - view.before(rest), 0, rest))
        missing = least - view.total(taken)
        rest = room - taken
        taken = taken + np.clip(missing[view.owner] - view.before(rest), 0, rest)
        return view.total(view.gain * taken)


def _up_to(view: View, before: Whole, cap: Whole) -> Whole:
    """Return how many copies of each record are among the first `cap` of their value."""
    room: Whole = np.clip(cap[view.owner] - before, 0, view.copies)
    return room
