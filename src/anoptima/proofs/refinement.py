"""A walk through all closed patterns, by refining classes of rows column by column.

Columns are added in one order. A class that is constant on a column which was passed over is reached with that column, too, and so is
whatever refines it; so it is left out at once, and each closed pattern is reached once (as in LCM: Uno, Kiyomi and Arimura, FIMI 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of at least k rows on the columns `kept`: row types, class by class, and where each class starts and how long it is."""

    kept: frozenset[int]
    types: Whole
    start: Whole
    length: Whole

    @cached_property
    def owner(self) -> Whole:
        """The class of each of `types`, by its place."""
        return np.repeat(np.arange(len(self.start)), self.length)

    def only(self, chosen: NDArray[np.bool_]) -> Classes:
        """Return some of the classes."""
        if chosen.all():
            return self
        length = self.length[chosen]
        return Classes(self.kept, self.types[chosen[self.owner]], np.cumsum(length) - length, length)

    def sums(self, amounts: Whole) -> Whole:
        """Return the sum of each class, of one amount for each of `types`."""
        return sums(amounts, self.start)

    def starred(self, weights: Sequence[int]) -> int:
        """Return what a row of these classes pays: the weight of the columns that are not kept."""
        return sum(weight for column, weight in enumerate(weights) if column not in self.kept)

    def vary(self, codes: Whole, columns: Sequence[int]) -> NDArray[np.bool_]:
        """Tell of each class whether its row types differ in every one of some columns that is not kept."""
        found = np.ones(len(self.start), dtype=np.bool_)
        for column in columns:
            if column not in self.kept and len(found):
                own = codes[:, column][self.types]
                found &= np.maximum.reduceat(own, self.start) != np.minimum.reduceat(own, self.start)
        return found


def walk(
    codes: Whole,
    copies: Whole,
    k: int,
    top: Whole | None = None,
    weights: Sequence[int] = (),
    together: int = 1,
) -> Iterator[Classes]:
    """Yield the closed patterns of at least k rows, those that keep the same columns together: m columns and P of them take O(m^2 P).

    Classes of fewer rows are left out at once: refined, they only become smaller. With `top`, a number for each row type, so are those in
    which so many rows together, at most k, have no more than what they pay for the columns that were passed over; those yielded have more
    than what they pay for all that they star.
    """
    types, codes = len(copies), np.asfortranarray(codes)
    # Columns of many values come first: they tell apart most.
    order = sorted(range(codes.shape[1]), key=lambda j: -int(codes[:, j].max()))

    def above(on: Classes, passed: Sequence[int]) -> Classes:
        if top is None:
            return on
        paid = sum(weights[column] for column in passed if column not in on.kept)
        return on.only(_largest(on, together, top, copies) > together * paid)

    def refined(first: int, on: Classes) -> Iterator[Classes]:
        on = above(on, order[:first])
        on = on.only(on.vary(codes, order[:first]))
        closed = above(on, order)
        closed = closed.only(closed.vary(codes, order[first:]))
        if len(closed.start):
            yield closed
        for place in range(first, len(order)):
            column, on = order[place], on if place == first else above(on, order[:place])
            if not len(on.start):
                return
            own = codes[:, column][on.types]
            key = np.repeat(np.arange(len(on.start)), on.length) * (int(own.max()) + 1) + own
            by_key = np.argsort(key, kind="stable")
            found, key = on.types[by_key], key[by_key]
            start = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
            length = np.diff(start, append=len(found))
            enough = sums(copies[found], start) >= k
            if enough.any():
                length, found = length[enough], found[np.repeat(enough, length)]
                yield from refined(place + 1, Classes(on.kept | {column}, found, np.cumsum(length) - length, length))

    if copies.sum() >= k:
        # By falling numbers, within every class.
        every = np.arange(types) if top is None else np.argsort(-top, kind="stable")
        yield from refined(0, Classes(frozenset(), every, np.array([0]), np.array([types])))


def _largest(on: Classes, count: int, top: Whole, copies: Whole) -> Whole:
    """Return what the first `count` rows of each class have in all; row types come by falling numbers, and each class has so many rows."""
    own = top[on.types]
    if count == 1:
        return own[on.start]
    rows = copies[on.types]
    held, sums_to = np.cumsum(rows), np.cumsum(own * rows)
    before = held[on.start] - rows[on.start]
    last = np.searchsorted(held, before + count)
    largest: Whole = sums_to[last] - (held[last] - before - count) * own[last] - (sums_to - own * rows)[on.start]
    return largest


def sums(amounts: Whole, start: Whole) -> Whole:
    """Return the sums of stretches that begin at `start`, none of them empty."""
    return np.add.reduceat(amounts, start) if len(start) else np.zeros(0, dtype=np.int64)
