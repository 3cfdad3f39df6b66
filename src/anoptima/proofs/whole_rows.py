"""What a group of whole rows of one pattern gains at most under conditions on one column, closeness among them: exactly, size by size.

At size N the distance of a group from the table is a sum over edges, of length d_e times |n S_e - N Q_e|, S_e the group's rows with a
value on one side of the edge and Q_e the table's. Values are gone through so that those below an edge are complete before it is paid for: a
part of a group is known by how many rows and different values it has, what it has paid and what it gains. Of two with as many rows and
values the one that has paid more and gains no more is left out; so is one that even the best other rows do not make better than what is
known. No value has more rows than its share allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from anoptima.deadline import check_time
from anoptima.principles import AtLeastValues, AtMostShare, CloseOnTree, Condition
from anoptima.proofs.reading import TooLarge
from anoptima.proofs.views import Truth, Whole

_MOST_PARTS = 1 << 21
"""How many parts of groups are looked at together, at most."""
_ROOM = 2**62


@dataclass(frozen=True, eq=False)
class _Parts:
    """Parts of groups: rows, different values (up to the number asked for), what they pay and gain, rows of each value."""

    size: Whole
    different: Whole
    paid: Whole
    gain: Whole
    rows: Whole

    def only(self, chosen: Whole | Truth) -> _Parts:
        return _Parts(
            self.size[chosen], self.different[chosen], self.paid[chosen], self.gain[chosen], self.rows[chosen]
        )


class WholeRows:
    """Groups of whole rows under closeness along edges, and perhaps diversity, in one column."""

    def __init__(self, conditions: Sequence[Condition]) -> None:
        (close,) = (condition for condition in conditions if isinstance(condition, CloseOnTree))
        self._whole = np.array([int(count) for count in close.whole], dtype=np.int64)
        self._n, self._limit = int(self._whole.sum()), close.limit * close.scale * int(self._whole.sum())
        self._shares = [condition.share for condition in conditions if isinstance(condition, AtMostShare)]
        self._different = max([c.values for c in conditions if isinstance(c, AtLeastValues)], default=0)
        edges = [
            (int(length), frozenset(np.flatnonzero(side).tolist()))
            for side, length in zip(close.sides, close.lengths, strict=True)
        ]
        # What hangs together so far, by the values below: first the values alone, and in the end one tree. Each edge has those below it.
        roots: list[tuple[frozenset[int], _Node]] = [
            (frozenset([v]), _Node(v, (), 0, 0)) for v in range(len(self._whole))
        ]
        for length, below in sorted(edges, key=lambda edge: len(edge[1])):
            inside = [root for root in roots if root[0] <= below]
            roots = [root for root in roots if not root[0] <= below]
            held = int(self._whole[sorted(below)].sum())
            roots.append((below, _Node(None, tuple(node for _, node in inside), length, held)))
        self._root = _Node(None, tuple(node for _, node in roots), 0, 0)

    def best(
        self, gains: Sequence[Whole], sizes: range, nothing: int, lift: Whole | None = None
    ) -> tuple[int, Whole | None]:
        """Return what a group of one of some `sizes` gains at most, and its rows of each value; `nothing`, and None, where that is more.

        `gains` are those of each value's rows, falling. Sizes whose best rows promise most come first. `lift`, of each value, makes that
        quicker: no satisfying group gains less if all its rows gain that much more.
        """
        lift = np.zeros(len(gains), dtype=np.int64) if lift is None else lift
        lifted = [its + more for its, more in zip(gains, lift, strict=True)]
        everything = _sums(lifted, range(len(gains)))
        found, rows = nothing, None
        for size in sorted((size for size in sizes if size < len(everything)), key=lambda size: -int(everything[size])):
            if everything[size] <= found:
                break
            check_time()
            group = self._of_size(gains, lifted, lift, size, found)
            if group is not None and group[0] > found:
                found, rows = group
        return found, rows

    def _of_size(
        self, gains: Sequence[Whole], lifted: Sequence[Whole], lift: Whole, size: int, known: int
    ) -> tuple[int, Whole] | None:
        """Return what the best group of `size` rows gains, and its rows of each value; None, or less, if none gains more than `known`."""
        room = (self._limit.numerator * size) // self._limit.denominator
        if max(room, self._n * size * int(self._limit.denominator)) >= _ROOM:
            raise TooLarge("the distances")
        most = min([size, *(size * share.numerator // share.denominator for share in self._shares)])

        def parts(node: _Node) -> tuple[_Parts, frozenset[int]]:
            if node.value is not None:
                return self._of_value(node.value, gains[node.value][:most]), frozenset([node.value])
            found, below = _nothing(len(gains)), frozenset[int]()
            for child in node.below:
                its, values = parts(child)
                below |= values
                others = _sums(lifted, (v for v in range(len(gains)) if v not in below))
                found = self._together(found, its, lift, others[: size + 1], size, known)
            paid = found.paid + node.length * np.abs(self._n * found.size - size * node.held)
            found = _Parts(found.size, found.different, paid, found.gain, found.rows)
            return _thinned(found.only(paid <= room)), below

        found, _ = parts(self._root)
        found = found.only((found.size == size) & (found.different >= self._different))
        if not len(found.gain):
            return None
        at = int(np.argmax(found.gain))
        return int(found.gain[at]), found.rows[at]

    def _of_value(self, value: int, gains: Whole) -> _Parts:
        size = np.arange(len(gains) + 1)
        rows = np.zeros((len(size), len(self._whole)), dtype=np.int64)
        rows[:, value] = size
        gained = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(gains)])
        return _Parts(size, np.minimum(size, min(1, self._different)), np.zeros_like(size), gained, rows)

    def _together(self, one: _Parts, two: _Parts, lift: Whole, others: Whole, size: int, known: int) -> _Parts:
        """Return all that two parts of groups make together and the best `others` can make `size` rows that gain more than is `known`."""
        if len(one.size) * len(two.size) > _MOST_PARTS:
            raise TooLarge("the parts of groups")
        i, j = (at.ravel() for at in np.indices((len(one.size), len(two.size))))
        missing = size - one.size[i] - two.size[j]
        fits = (missing >= 0) & (missing < len(others))
        i, j, missing = i[fits], j[fits], missing[fits]
        hopeful = (one.gain + one.rows @ lift)[i] + (two.gain + two.rows @ lift)[j] + others[missing] > known
        i, j = i[hopeful], j[hopeful]
        different = np.minimum(self._different, one.different[i] + two.different[j])
        return _Parts(
            one.size[i] + two.size[j],
            different,
            one.paid[i] + two.paid[j],
            one.gain[i] + two.gain[j],
            one.rows[i] + two.rows[j],
        )


@dataclass(frozen=True, eq=False)
class _Node:
    """A value, or an edge with what is below it: its length, and how many of the table's rows that are."""

    value: int | None
    below: tuple[_Node, ...]
    length: int
    held: int


def _nothing(values: int) -> _Parts:
    one = np.zeros(1, dtype=np.int64)
    return _Parts(one, one, one, one, np.zeros((1, values), dtype=np.int64))


def _sums(gains: Sequence[Whole], values: Iterable[int]) -> Whole:
    """Return what the best rows of some values gain, by how many they are."""
    rows = np.concatenate([np.zeros(0, dtype=np.int64), *(gains[v] for v in values)])
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(-np.sort(-rows))])


def _thinned(parts: _Parts) -> _Parts:
    """Leave out what pays as much or more than another part with as many rows and values, and gains no more."""
    order = np.lexsort((-parts.gain, parts.paid, parts.different, parts.size))
    parts = parts.only(order)
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (np.diff(parts.size) != 0) | (np.diff(parts.different) != 0)
    # What gains most so far among equals: each kind's gains are lifted above those before it.
    lowest = parts.gain.min(initial=0)
    step = int(parts.gain.max(initial=0) - lowest) + 1
    if step * (int(begins.sum()) + 1) >= _ROOM:
        raise TooLarge("the gains")
    lifted = np.maximum.accumulate(parts.gain - lowest + (np.cumsum(begins) - 1) * step)
    better = begins.copy()
    better[1:] |= lifted[1:] > lifted[:-1]
    return parts.only(better)
