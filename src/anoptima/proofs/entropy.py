"""Entropy diversity of a whole l to the checker: more than l values occur in a group, or l of them, each equally often."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anoptima.proofs.views import ROOM, View, Whole


def more_or_alike(
    values: int, distinct: Callable[[int], Callable[[View, Whole], Whole]]
) -> Callable[[View, Whole], Whole]:
    """Return a pricer: the larger of what groups of more values gain, as `distinct` says, and what so many equally frequent ones do."""
    more = distinct(values + 1)

    def price(view: View, least: Whole) -> Whole:
        different = view.total((view.before_of_value(view.copies) == 0).astype(np.int64))
        enough = (different > values) & (view.total(view.copies) >= np.maximum(least, values + 1))
        return np.maximum(np.where(enough, more(view, least), -ROOM), _alike(view, least, values))

    return price


def _alike(view: View, least: Whole, values: int) -> Whole:
    """Return what the best group gains of exactly so many values, each m times, over all m; -ROOM where there is none.

    An m above the rows of each value that gain, and above what the least size needs, adds nothing.
    """
    before = view.before_of_value(view.copies)
    gaining = np.zeros(view.patterns, dtype=np.int64)
    np.maximum.at(gaining, view.owner, np.where(view.gain > 0, before + view.copies, 0))
    first = np.maximum(1, -(-least // values))
    last = np.maximum(first, gaining)
    order = np.lexsort((view.value, view.owner))
    owner, value = view.owner[order], view.value[order]
    starts = np.flatnonzero(np.concatenate([[True], (owner[1:] != owner[:-1]) | (value[1:] != value[:-1])]))
    pattern = owner[starts]
    found = np.full(view.patterns, -ROOM)
    for times in range(int(first.min()), int(last.max()) + 1):
        taken = np.clip(times - before, 0, view.copies)
        gained, rows = (np.add.reduceat(part[order], starts) for part in (view.gain * taken, taken))
        able = np.flatnonzero(rows == times)
        by_gain = able[np.lexsort((-gained[able], pattern[able]))]
        rank = np.arange(len(by_gain)) - np.searchsorted(pattern[by_gain], pattern[by_gain])
        best = by_gain[rank < values]
        number = np.bincount(pattern[best], minlength=view.patterns)
        total = np.zeros(view.patterns, dtype=np.int64)
        np.add.at(total, pattern[best], gained[best])
        some = (number == values) & (first <= times) & (times <= last)
        found = np.where(some, np.maximum(found, total), found)
    return found
