"""Patterns on demand, for tables whose patterns cannot be listed: what rows have in common with their neighbours.

Take a row type and its nearest ones. From each pair of them grows a pattern: as long as fewer than k rows match it, the neighbour joins
that it loses least weight to. What a group publishes is such a chain of common parts, so good groups of near rows are among them.
Sets of columns are bit masks, of as many words as they need. Whom a pattern matches is looked up among the neighbours that it was found
with; that may miss some, which costs choice and never correctness, as releases are checked by the problem.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.patterns import Patterns
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.table import Counts, Table

Masks = NDArray[np.int64]

_WORD = 64
"""How many columns a word of a mask has room for."""
_PIECE = 16
"""Weights of masks are looked up so many columns at a time."""
_BLOCK = 256
"""How many row types are looked around at a time."""


def masks_of(kept: NDArray[np.bool_]) -> Masks:
    """Return the masks, along the last axis, of the columns that are kept.

    >>> masks_of(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    columns = kept.shape[-1]
    whole = np.zeros((*kept.shape[:-1], columns + -columns % _WORD), dtype=np.bool_)
    whole[..., :columns] = kept
    return np.packbits(whole, axis=-1, bitorder="little").view("<i8")


def kept_by(masks: Masks, columns: int) -> NDArray[np.bool_]:
    """Return which columns masks keep, along the last axis."""
    bytes_of = np.ascontiguousarray(masks, dtype="<i8").view(np.uint8)
    return np.unpackbits(bytes_of, axis=-1, count=columns, bitorder="little").view(np.bool_)


class Weigher:
    """The weight of the columns in each mask, from tables of 16 columns each.

    >>> Weigher([3, 1, 1])(np.array([[0b001], [0b110]])).tolist()
    [3, 2]
    """

    def __init__(self, weights: list[int]) -> None:
        self._tables = []
        for first in range(0, len(weights), _PIECE):
            total = np.zeros(1, dtype=np.int64)
            for weight in weights[first : first + _PIECE]:
                total = np.concatenate([total, total + weight])
            self._tables.append(total)

    def __call__(self, masks: Masks) -> Counts:
        """Return the weights. O(masks m / 16)."""
        sums = np.zeros(masks.shape[:-1], dtype=np.int64)
        for number, table in enumerate(self._tables):
            word, shift = divmod(number * _PIECE, _WORD)
            sums += table[masks[..., word] >> shift & (len(table) - 1)]
        return sums


class GeneratedPatterns:
    """Patterns found so far, each with the row types that it is known to match, and whatever a release needs."""

    def __init__(self, problem: CellSuppression, k: int, seed: int, copies: Counts | None = None) -> None:
        """Begin with no pattern; `copies` are the rows that there are of each row type, if not all."""
        self._table: Table = problem.table
        self._types = problem.table.types
        self._copies = problem.table.multiplicity if copies is None else copies
        self._k = k
        self._weigh = Weigher(problem.table.scaled_weights.tolist())
        self._chance = np.random.default_rng(seed)
        # A pattern is known by a random sum over what it keeps: two that are taken for one make a release dearer, no more.
        self._names = [
            self._chance.integers(1, 2**62, len(column.values), dtype=np.int64)
            for column in problem.table.quasi_columns
        ]
        self._found: list[tuple[Masks, Counts, Counts, NDArray[np.int32]]] = []
        """By batch: what patterns keep, their names, how many row types each matches, and those."""

    def look_around(self, near: NDArray[np.int32], starts: int, is_over: Callable[[], bool]) -> int:
        """Grow patterns from the rows of `near`, sets of neighbours with their centre first, with `starts` of them each. O(R N^2 k).

        Rows are taken in a random order, so that whatever there was time for is spread over the table; returns how many those were.
        """
        order = self._chance.permutation(len(near))
        for first in range(0, len(near), _BLOCK):
            if first and is_over():
                return first
            self._grow(near[order[first : first + _BLOCK]], starts)
        return len(near)

    def _grow(self, near: NDArray[np.int32], starts: int) -> None:
        codes = self._types[near]
        agree = masks_of(codes == codes[:, :1])
        copies = self._copies[near]
        rows = np.repeat(np.arange(len(near)), min(starts, near.shape[1]))
        masks = agree[:, :starts].reshape(len(rows), -1)
        found: list[tuple[Counts, Masks]] = []
        while len(rows):
            inside = _have(agree[rows], masks)
            enough = np.where(inside, copies[rows], 0).sum(axis=1) >= self._k
            found.append((rows[enough], masks[enough]))
            rows, masks, inside = rows[~enough], masks[~enough], inside[~enough]
            alone = inside.all(axis=1)
            rows, masks, inside = rows[~alone], masks[~alone], inside[~alone]
            if not len(rows):
                break
            left = np.where(inside, -1, self._weigh(masks[:, None] & agree[rows]))
            masks = masks & agree[rows, left.argmax(axis=1)]
            rows, masks = _distinct(rows, masks)
        for rows, masks in found:
            self._keep(near, agree, *_distinct(rows, masks))

    def _keep(self, near: NDArray[np.int32], agree: Masks, rows: Counts, masks: Masks) -> None:
        inside = _have(agree[rows], masks)
        # What all its rows agree on is the pattern.
        masks = np.bitwise_and.reduce(np.where(inside[..., None], agree[rows], -1), axis=1)
        self.add(masks, near[rows][inside], inside.sum(axis=1))

    def add(self, masks: Masks, members: NDArray[np.int32], lengths: Counts) -> None:
        """Add patterns that keep the columns of `masks`, with the row types that they match, one after the other."""
        if not len(masks):
            return
        first = self._types[members[np.cumsum(lengths) - lengths]]
        kept = kept_by(masks, len(self._names))
        key = masks.sum(axis=1)
        for j, names in enumerate(self._names):
            key += np.where(kept[:, j], names[first[:, j]], 0)
        self._found.append((masks, key, lengths, members.astype(np.int32)))

    def add_groups(self, problem: CellSuppression, partition: Partition) -> None:
        """Add what the groups of a release publish. O(n m)."""
        table = self._table
        pairs = distinct(partition.labels * len(self._types) + table.type_of_row)
        members = (pairs % len(self._types)).astype(np.int32)
        lengths = np.bincount(pairs // len(self._types))
        _, first = np.unique(partition.labels, return_index=True)
        self.add(masks_of(~problem.stars(partition)[first]), members, lengths)

    def patterns(self) -> Patterns:
        """Return all patterns, each once, with everything that it is known to match."""
        masks, keys, lengths, members = (np.concatenate(batches) for batches in zip(*self._found, strict=True))
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        check_time()
        owner = np.repeat(number.reshape(-1), lengths)
        arcs = distinct(owner * len(self._types) + members)
        check_time()
        pattern, member = arcs // len(self._types), arcs % len(self._types)
        masks = masks[first]
        kept = kept_by(masks, len(self._names))
        start = np.searchsorted(pattern, np.arange(len(first) + 1))
        cost = int(self._table.scaled_weights.sum()) - self._weigh(masks)
        self._found = [(masks, keys[first], np.diff(start), member.astype(np.int32))]
        return Patterns(self._table, kept, cost, start.astype(np.int64), member.astype(np.int32))

    def __len__(self) -> int:
        return sum(len(masks) for masks, *_ in self._found)


def _have(agree: Masks, masks: Masks) -> NDArray[np.bool_]:
    """Tell which of the neighbours of each row agree with it on all columns of its mask."""
    return np.asarray(((agree & masks[:, None]) == masks[:, None]).all(axis=-1))


def _distinct(rows: Counts, masks: Masks) -> tuple[Counts, Masks]:
    order = np.lexsort((*masks.T, rows))
    rows, masks = rows[order], masks[order]
    new = np.ones(len(rows), dtype=np.bool_)
    new[1:] = (rows[1:] != rows[:-1]) | (masks[1:] != masks[:-1]).any(axis=1)
    return rows[new], masks[new]
