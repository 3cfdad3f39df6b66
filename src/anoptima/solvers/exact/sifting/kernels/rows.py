"""What the loops over one pattern work on: what its rows gain, and how many they are where values are capped."""

from __future__ import annotations

from typing import Any, NamedTuple

from anoptima.solvers.compiling.loops import part


class Rows(NamedTuple):
    """The records that a pattern matches, by falling gain: what a copy gains, how many there are, and their value; how many records."""

    gain: Any
    copies: Any
    value: Any
    records: int


class Tallies(NamedTuple):
    """Room to count and to mark values, and which of them are `limited` to a cap.

    What a loop has not written of a value is left from other patterns; marks are all False before and after.
    """

    have: Any
    got: Any
    best: Any
    seen: Any
    limited: Any


@part
def gain_along(a: int, member: Any, price: Any, worth: Any, more: Any) -> Any:
    """Return what a copy gains along an arc of a pattern of this price; `more` is what arcs are charged, if anything."""
    gain = worth[member[a]] - price
    return gain - more[a] if len(more) else gain


@part
def sum_of_capped(rows: Any, cap: int, tallies: Any) -> int:
    """Return how many rows there are, of those that values `have`, if each limited value is taken `cap` times at most."""
    value, count, have, seen, limited = rows.value, rows.records, tallies.have, tallies.seen, tallies.limited
    total = 0
    for i in range(count):
        v = value[i]
        if not seen[v]:
            seen[v] = True
            total += min(have[v], cap) if limited[v] else have[v]
    for i in range(count):
        seen[value[i]] = False
    return total


@part
def smallest_cap(rows: Any, largest: int, least: int, tallies: Any) -> int:
    """Return the smallest cap at which there are `least` rows; one more than the `largest` if there are fewer even at that."""
    low, high = 0, largest + 1
    while low < high:
        middle = (low + high) // 2
        if sum_of_capped(rows, middle, tallies) >= least:
            high = middle
        else:
            low = middle + 1
    return low
