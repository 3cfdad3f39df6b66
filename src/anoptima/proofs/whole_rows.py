"""What groups of whole rows gain at most under conditions on one column, closeness among them: exactly, size by size.

At size N the distance of a group from the table is a sum over edges, of length d_e times |n S_e - N Q_e|, S_e the group's rows with a
value on one side of the edge and Q_e the table's. Values are gone through so that those below an edge are complete before it is paid for: a
part of a group is known by how many rows and different values it has, what it has paid and what it gains. Of two with as many rows and
values the one that has paid more and gains no more is left out; so is one that even the best other rows do not make better than what is
known. No value has more rows than its share allows. Many patterns and sizes are looked at together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anoptima.deadline import check_time
from anoptima.principles import AtLeastValues, CloseOnTree, Condition, LimitedShares
from anoptima.proofs.reading import TooLarge
from anoptima.proofs.views import Truth, View, Whole

_MOST_PAIRS = 1 << 21
"""How many pairs of parts of groups are looked at together, at most: some 200 MB."""
_TOGETHER = 64
"""Where fewer patterns are left than that, several sizes of each are looked at together."""
_ROOM = 2**62


@dataclass(frozen=True, eq=False)
class _Parts:
    """Parts of groups, by task: rows, different values (up to the number asked for), what they pay and gain."""

    task: Whole
    size: Whole
    different: Whole
    paid: Whole
    gain: Whole

    def only(self, chosen: Whole | Truth) -> _Parts:
        return _Parts(
            self.task[chosen], self.size[chosen], self.different[chosen], self.paid[chosen], self.gain[chosen]
        )


@dataclass(frozen=True, eq=False)
class _Tasks:
    """Patterns with a size each, what is known of the pattern, and what groups of that size may pay."""

    pattern: Whole
    size: Whole
    known: Whole
    room: Whole

    def only(self, chosen: slice) -> _Tasks:
        return _Tasks(self.pattern[chosen], self.size[chosen], self.known[chosen], self.room[chosen])


@dataclass(frozen=True, eq=False)
class _Sums:
    """What the best 0, 1, 2, ... rows of each pattern gain, one after the other; where each pattern's begin, and how many rows it has."""

    gained: Whole
    start: Whole
    rows: Whole

    @classmethod
    def of(cls, owner: Whole, gain: Whole, patterns: int) -> _Sums:
        """Sum gains that come by pattern and fall within."""
        rows = np.bincount(owner, minlength=patterns)
        start = np.cumsum(rows) - rows + np.arange(patterns)
        # Each pattern begins with nothing: its first number takes all before it off again.
        steps = np.zeros(len(gain) + patterns, dtype=np.int64)
        steps[np.arange(len(gain)) + owner + 1] = gain
        gained = np.cumsum(steps)
        return cls(gained - np.repeat(gained[start], rows + 1), start, rows)


class WholeRows:
    """Groups of whole rows under closeness along edges, and perhaps diversity, in one column."""

    def __init__(self, conditions: Sequence[Condition]) -> None:
        (close,) = (condition for condition in conditions if isinstance(condition, CloseOnTree))
        whole = np.array([int(count) for count in close.whole], dtype=np.int64)
        self._n, self._limit = int(whole.sum()), close.limit * close.scale * int(whole.sum())
        self._longest = sum(map(int, close.lengths))
        self._shares = [(c.share, c.limits(len(whole))) for c in conditions if isinstance(c, LimitedShares)]
        self.different = max([c.values for c in conditions if isinstance(c, AtLeastValues)], default=0)
        """How many different values a group must have."""
        edges = [
            (int(length), frozenset(np.flatnonzero(side).tolist()))
            for side, length in zip(close.sides, close.lengths, strict=True)
        ]
        # What hangs together so far, by the values below: first the values alone, and in the end one tree. Each edge has those below it.
        roots: list[tuple[frozenset[int], _Node]] = [(frozenset([v]), _Node(v, (), 0, 0)) for v in range(len(whole))]
        for length, below in sorted(edges, key=lambda edge: len(edge[1])):
            inside = [root for root in roots if root[0] <= below]
            roots = [root for root in roots if not root[0] <= below]
            held = int(whole[sorted(below)].sum())
            roots.append((below, _Node(None, tuple(node for _, node in inside), length, held)))
        self.root = _Node(None, tuple(node for _, node in roots), 0, 0)

    def best(self, view: View, least: Whole, most: Whole, nothing: Whole) -> Whole:
        """Return what groups of `least` to `most` rows gain at most, pattern by pattern, or `nothing` where that is more.

        Sizes whose best rows promise most come first.
        """
        looked = _Looked(self, view)
        promised, found = looked.sums, nothing.astype(np.int64)
        most = np.minimum(most, promised.rows)
        count = np.maximum(0, most - least + 1)
        pattern = np.repeat(np.arange(view.patterns), count)
        first = np.cumsum(count) - count
        size = np.arange(len(pattern)) - first[pattern] + least[pattern]
        gain = promised.gained[promised.start[pattern] + size]
        order = np.lexsort((-gain, pattern))
        size, gain = size[order], gain[order]
        place, end = first.copy(), first + count
        while True:
            check_time()
            # What the next size promises says whether any that is left can be better.
            left = np.flatnonzero(place < end)
            left = left[gain[place[left]] > found[left]]
            if not len(left):
                return found
            some = np.minimum(max(1, _TOGETHER // len(left)), (end - place)[left])
            own = np.repeat(left, some)
            at = np.repeat(place[left] - (np.cumsum(some) - some), some) + np.arange(len(own))
            hopeful = gain[at] > found[own]
            own, at = own[hopeful], at[hopeful]
            np.maximum.at(found, own, looked.of_sizes(self.tasks(own, size[at], found[own])))
            place[left] += some

    def tasks(self, pattern: Whole, size: Whole, known: Whole) -> _Tasks:
        """Return tasks with what groups of their sizes may pay."""
        largest = int(size.max())
        # What a group may pay, times the limit's denominator, and what one pays if all its rows have to cross every edge.
        most_paid = max(self._limit.numerator, self._n * self._limit.denominator, self._n * self._longest)
        if most_paid * largest >= _ROOM:
            raise TooLarge("the distances")
        return _Tasks(pattern, size, known, size * self._limit.numerator // self._limit.denominator)

    def most(self, value: int, size: Whole) -> Whole:
        """Return how many rows of a value groups of given sizes may have."""
        shares = [share for share, limited in self._shares if limited[value]]
        found: Whole = np.min([size, *(size * share.numerator // share.denominator for share in shares)], axis=0)
        return found

    def paid(self, node: _Node, parts: _Parts, size: Whole) -> Whole:
        """Return what parts of groups of given sizes have paid once the edge above a node is paid, too."""
        paid: Whole = parts.paid + node.length * np.abs(self._n * parts.size - size * node.held)
        return paid


class _Looked:
    """Patterns that are looked at: their rows by value, and what their best rows gain without some values."""

    def __init__(self, asked: WholeRows, view: View) -> None:
        self._asked, self._patterns = asked, view.patterns
        self._owner, self._gain, self._value = (
            np.repeat(its, view.copies) for its in (view.owner, view.gain, view.value)
        )
        self._known: dict[tuple[bool, frozenset[int]], _Sums] = {}
        self.sums = self._sums_of(frozenset(), inside=False)

    def _sums_of(self, values: frozenset[int], *, inside: bool) -> _Sums:
        """Return what the best rows gain that have one of some values, or none of them."""
        key = inside, values
        if key not in self._known:
            chosen = np.isin(self._value, sorted(values)) == inside
            self._known[key] = _Sums.of(self._owner[chosen], self._gain[chosen], self._patterns)
        return self._known[key]

    def of_sizes(self, tasks: _Tasks) -> Whole:
        """Return what the best group of each task gains, or what is known where that is more."""
        try:
            parts, _ = self._parts(self._asked.root, tasks)
        except TooLarge:
            if len(tasks.size) == 1:
                raise
            half = len(tasks.size) // 2
            return np.concatenate([self.of_sizes(tasks.only(its)) for its in (slice(half), slice(half, None))])
        whole = (parts.size == tasks.size[parts.task]) & (parts.different >= self._asked.different)
        found = tasks.known.copy()
        np.maximum.at(found, parts.task[whole], parts.gain[whole])
        return found

    def _parts(self, node: _Node, tasks: _Tasks) -> tuple[_Parts, frozenset[int]]:
        if node.value is not None:
            return self._of_value(node.value, tasks), frozenset([node.value])
        nothing = np.zeros(len(tasks.size), dtype=np.int64)
        found, below = _Parts(np.arange(len(tasks.size)), nothing, nothing, nothing, nothing), frozenset[int]()
        for child in node.below:
            its, values = self._parts(child, tasks)
            below |= values
            found = _thinned(self._together(found, its, self._sums_of(below, inside=False), tasks))
        paid = self._asked.paid(node, found, tasks.size[found.task])
        found = _Parts(found.task, found.size, found.different, paid, found.gain)
        return found.only(paid <= tasks.room[found.task]), below

    def _of_value(self, value: int, tasks: _Tasks) -> _Parts:
        sums = self._sums_of(frozenset([value]), inside=True)
        count = np.minimum(sums.rows[tasks.pattern], self._asked.most(value, tasks.size)) + 1
        task = np.repeat(np.arange(len(count)), count)
        size = np.arange(len(task)) - np.repeat(np.cumsum(count) - count, count)
        gain = sums.gained[sums.start[tasks.pattern[task]] + size]
        return _Parts(task, size, np.minimum(size, min(1, self._asked.different)), np.zeros_like(size), gain)

    def _together(self, one: _Parts, two: _Parts, others: _Sums, tasks: _Tasks) -> _Parts:
        """Return all that two parts of groups make together and the best `others` can make a group that gains more than is known."""
        count = np.bincount(two.task, minlength=len(tasks.size))
        first = np.cumsum(count) - count
        each = count[one.task]
        if each.sum() > _MOST_PAIRS:
            raise TooLarge("the parts of groups")
        i = np.repeat(np.arange(len(one.task)), each)
        j = np.arange(len(i)) - np.repeat(np.cumsum(each) - each - first[one.task], each)
        pattern = tasks.pattern[one.task[i]]
        missing = tasks.size[one.task[i]] - one.size[i] - two.size[j]
        fits = (missing >= 0) & (missing <= others.rows[pattern])
        i, j, pattern, missing = i[fits], j[fits], pattern[fits], missing[fits]
        gain = one.gain[i] + two.gain[j]
        hopeful = gain + others.gained[others.start[pattern] + missing] > tasks.known[one.task[i]]
        i, j, gain = i[hopeful], j[hopeful], gain[hopeful]
        different = np.minimum(self._asked.different, one.different[i] + two.different[j])
        return _Parts(one.task[i], one.size[i] + two.size[j], different, one.paid[i] + two.paid[j], gain)


@dataclass(frozen=True, eq=False)
class _Node:
    """A value, or an edge with what is below it: its length, and how many of the table's rows that are."""

    value: int | None
    below: tuple[_Node, ...]
    length: int
    held: int


def _thinned(parts: _Parts) -> _Parts:
    """Leave out what pays as much or more than another part with as many rows and values, and gains no more."""
    order = np.lexsort((-parts.gain, parts.paid, parts.different, parts.size, parts.task))
    parts = parts.only(order)
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (np.diff(parts.size) != 0) | (np.diff(parts.different) != 0) | (np.diff(parts.task) != 0)
    # What gains most so far among equals: each kind's gains are lifted above those before it.
    lowest = parts.gain.min(initial=0)
    step = int(parts.gain.max(initial=0) - lowest) + 1
    if step * (int(begins.sum()) + 1) >= _ROOM:
        raise TooLarge("the gains")
    lifted = np.maximum.accumulate(parts.gain - lowest + (np.cumsum(begins) - 1) * step)
    better = begins.copy()
    better[1:] |= lifted[1:] > lifted[:-1]
    return parts.only(better)
