"""Records of many patterns at once, as arrays: what the checkers of groups count on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import BadInput

Whole = NDArray[np.int64]
Truth = NDArray[np.bool_]

ROOM = 2**62
"""What sums must stay below, so that 64-bit integers hold them."""


@dataclass(frozen=True, eq=False)
class View:
    """Records of the patterns to be priced, by pattern and then by falling gain, with `owner` from 0 on; none is without records."""

    owner: Whole
    gain: Whole
    copies: Whole
    value: Whole
    patterns: int

    def total(self, amounts: Whole) -> Whole:
        """Sum by pattern."""
        sums = np.zeros(self.patterns, dtype=np.int64)
        np.add.at(sums, self.owner, amounts)
        return sums

    def before(self, amounts: Whole) -> Whole:
        """Return what comes before each record in its own pattern."""
        running = np.cumsum(amounts) - amounts
        return running - running[np.searchsorted(self.owner, np.arange(self.patterns))][self.owner]

    def before_of_value(self, amounts: Whole) -> Whole:
        """Return what comes before each record, of its own value in its own pattern."""
        order = np.lexsort((self.value, self.owner))
        owner, value, amount = self.owner[order], self.value[order], amounts[order]
        begins = np.ones(len(order), dtype=np.bool_)
        begins[1:] = (owner[1:] != owner[:-1]) | (value[1:] != value[:-1])
        running = np.cumsum(amount) - amount
        result = np.empty(len(order), dtype=np.int64)
        result[order] = running - running[np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))]
        return result

    def only(self, chosen: Truth) -> View:
        """Keep some of the patterns."""
        stays = chosen[self.owner]
        number = np.cumsum(chosen) - 1
        return View(
            number[self.owner[stays]], self.gain[stays], self.copies[stays], self.value[stays], int(chosen.sum())
        )

    def again(self, patterns: Whole) -> tuple[View, Whole]:
        """Return the records of some patterns, one after the other, each as often as it is named; and where they stand here."""
        start = np.searchsorted(self.owner, np.arange(self.patterns + 1))
        length = (start[1:] - start[:-1])[patterns]
        owner = np.repeat(np.arange(len(patterns)), length)
        at = np.arange(len(owner)) + np.repeat(start[patterns] - (np.cumsum(length) - length), length)
        return View(owner, self.gain[at], self.copies[at], self.value[at], len(patterns)), at


def whole_numbers(found: Whole, patterns: int) -> Whole:
    """Return what a condition says of patterns; refuse anything but a whole number for each, since a proof would rest on it.

    >>> whole_numbers(np.array([3, 2]), 2).tolist()
    [3, 2]
    """
    if np.dtype(np.int64) == np.asarray(found).dtype and np.shape(found) == (patterns,):
        return found
    raise BadInput(
        f"a condition returned {type(found).__name__} of {np.asarray(found).dtype}, shape {np.shape(found)}, where the checker asks for "
        f"an array of 64-bit whole numbers, one for each of {patterns} patterns"
    )
