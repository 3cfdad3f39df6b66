"""The three phases of Xiao, Yi and Tao (2010), which find a small residue under l-diversity in polynomial time.

A class of equal rows *stays* with some of its rows, the others make up the residue. In l-diversity with l = a / b in lowest terms, a set of
s rows, h of them of its most frequent value, is good if a h <= b s. The *excess* of a value v in the residue R is e_v = a R_v - b |R|; R is
good if none is positive. The values with h rows are a set's *pillars*.

*Phase 1* takes from each class what every residue takes from it, value by value. Hence, with H the most rows of one value taken so far,
every residue has at least |R| and at least ceil(a H / b) rows (`Phased.least`). If R is good, it is a least residue.

*Phase 2*. A class with b s - a h >= b stays good without any one of its rows, and has more than l values. Fewer than l values are pillars
of an R that is not good. So the class has a row whose value is no pillar of R. That row is taken; H stays the same. If R gets good on
the way, |R| = ceil(a H / b), and R is a least residue.

*Phase 3*. Now 0 <= d < b for d = b s - a h in each class. Parts of y rows with at most x of a value are taken from classes so that at
most h - x rows of each value are left, where a x <= b y and a (h - x) <= b (s - y). Part and rest are good. No excess rises, since
e_v changes by a (rows of v in the part) - b y <= 0. Let e_p > 0. There is a part of at most a rows that lowers e_p:

- p is no pillar of some class with h >= b: x = b and y = a, with fewer than b rows of p. With g(x) = sum_v min(c_v, x), which is concave,
  g(h) = s = (a h + d) / b, so g(b) >= a + d / h, and g(h - b) >= s - a - d / h > s - a - 1: there are parts like that. If p had to have
  b rows in each, then g(b) = a, so g would be linear from 0 to h, and every value a pillar.
- h < b: the whole class, which has at most a rows, if d > 0 or p is no pillar.
- p is a pillar and d > 0: the x from 1 to b - 1 with b | a x + d, and y = (a x + d) / b. Concavity gives the part in the same way.
- If p is a pillar in all classes, each with d = 0, then a N_p - b n = e_p > 0 for the N_p rows of p among all n: the table has no release.

For whole l (b = 1) every part has l rows of different values, so e_v changes by 0 or -l, and the number of parts is at most
sum_p ceil(e_p / l) over the P < l values p with e_p > 0. With r = |R| and f = floor(r / l) before this phase, the residue ends with

    |R| <= r + l sum_p (R_p - f).

If f = 0, this is at most (l + 1) r <= l^2 - 1. If f >= 1, it is at most l f + l - 1 + l (l - 1) (H - f) <= l (l - 1) H + l - 1. Every
residue has l H rows or more, so in both cases

    |R| <= (l - 1 / l) * least.

For other l, an excess falls by 1 or more with each part: |R| <= r + a P (a H - b r) <= a (a - 1) * least.

Afterwards rows go back to classes where they are no pillars, as long as R stays good. Each step looks at one class and, in phase 3, at one
number of each class: O(n V + n C / l) for n rows, C classes and V values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.principles import AtLeastRows, AtLeastValues, AtMostShare, Condition
from anoptima.table import Counts, Table


class ClassCounts:
    """How many rows of each sensitive value each class of equal rows has: an entry for each class and value in it.

    Attributes
    ----------
    type, value, count : arrays (E,)
        Class, value and number of rows of each entry, in the order of classes.
    ends : array (C + 1,)
        Class c has the entries from `ends[c]` to before `ends[c + 1]`.
    """

    def __init__(self, table: Table, column: str | None) -> None:
        """Count by the values of `column`; all rows are alike if there is none."""
        codes = np.zeros(table.rows, dtype=np.int64) if column is None else table.sensitive_column(column).codes
        self._order = np.lexsort((codes, table.type_of_row))
        types, values = table.type_of_row[self._order], codes[self._order]
        first = np.ones(table.rows, dtype=bool)
        first[1:] = (np.diff(types) != 0) | (np.diff(values) != 0)
        starts = np.flatnonzero(first)
        self.type: Counts = types[starts].astype(np.int64)
        self.value: Counts = values[starts].astype(np.int64)
        self.count: Counts = np.diff(np.append(starts, table.rows))
        self.ends: Counts = np.searchsorted(self.type, np.arange(len(table.types) + 1))
        self._rank = np.arange(table.rows) - np.repeat(starts, self.count)

    def taken(self, left: Counts) -> NDArray[np.bool_]:
        """Return which rows of the table are taken where `left` rows of each entry stay: the last ones of each."""
        taken = np.empty(len(self._order), dtype=bool)
        taken[self._order] = self._rank >= np.repeat(left, self.count)
        return taken


@dataclass(frozen=True)
class Phased:
    """What the phases end in.

    Attributes
    ----------
    left : array (E,)
        How many rows of each entry stay.
    least : int
        No residue has fewer rows.
    """

    left: Counts
    least: int


def phase_1(counts: ClassCounts, conditions: Sequence[Condition]) -> Counts:
    """Return how many rows of each entry stay, the most with which each class satisfies the conditions or is empty. O(E log n).

    Values are capped: with c_v rows of value v in a class and a largest share s, the most rows are left by the largest h such that
    h <= s * sum_v min(c_v, h). No value vanishes unless all do.

    >>> from anoptima import LDiversity
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"zip": [1, 1, 1, 2], "ill": list("aabb")})
    >>> table = Table.from_frame(frame, ["zip"], "ill")
    >>> phase_1(ClassCounts(table, "ill"), LDiversity(2).conditions(table)).tolist()
    [1, 1, 0]
    """
    left = np.empty_like(counts.count)
    for low, high in zip(counts.ends[:-1].tolist(), counts.ends[1:].tolist(), strict=True):
        own = counts.count[low:high]
        left[low:high] = np.minimum(own, _cap(own.tolist(), conditions))
    return left


def _cap(counts: list[int], conditions: Sequence[Condition]) -> int:
    """Return how many rows of each value may stay in a class, 0 if none can."""
    shares = [c.share for c in conditions if isinstance(c, AtMostShare)]
    cap = max(counts)
    for share in shares:
        # sum_v min(c_v, h) / h falls as h grows, so what holds for h holds for any smaller one.
        low, high = 0, cap
        while low < high:
            middle = (low + high + 1) // 2
            left = sum(min(count, middle) for count in counts)
            low, high = (middle, high) if middle * share.denominator <= share.numerator * left else (low, middle - 1)
        cap = low
    left = sum(min(count, cap) for count in counts)
    for c in conditions:
        if isinstance(c, AtLeastRows) and left < c.rows:
            return 0
        if isinstance(c, AtLeastValues) and len(counts) < c.values:
            return 0
    return cap


def by_phases(counts: ClassCounts, share: Fraction) -> Phased | None:
    """Return a residue under the largest share that one value may have, 1 / l; None if the table has no release."""
    phases = _Phases(counts, share)
    least = phases.least
    phases.take_spare_rows(least)
    while phases.excessive.any():
        if not phases.take_a_part():
            return None
    phases.put_back()
    return Phased(phases.left, least)


class _Phases:
    """The state of the phases, after phase 1: what is left of each entry, and what has been taken of each value."""

    def __init__(self, counts: ClassCounts, share: Fraction) -> None:
        self._counts, self._a, self._b = counts, share.denominator, share.numerator
        self.left = phase_1(counts, [AtMostShare("", share)])
        values = int(counts.value.max()) + 1
        self._taken = np.zeros(values, dtype=np.int64)
        np.add.at(self._taken, counts.value, counts.count - self.left)
        self._size = np.add.reduceat(self.left, counts.ends[:-1])
        self._most = np.maximum.reduceat(self.left, counts.ends[:-1])
        self._conflicts: Counts = np.zeros(0, dtype=np.int64)
        self.excessive = self._excesses() > 0

    @property
    def least(self) -> int:
        """What no residue is smaller than, by what phase 1 took."""
        return max(int(self._taken.sum()), -(-self._a * int(self._taken.max()) // self._b))

    def _excesses(self) -> Counts:
        excesses: Counts = self._a * self._taken - self._b * int(self._taken.sum())
        return excesses

    # ---- phase 2 ------------------------------------------------------------------------------------------------------------------

    def take_spare_rows(self, enough: int) -> None:
        """Take rows that their classes can spare, none of a pillar of the residue, until it has `enough` rows."""
        highest, total = int(self._taken.max()), int(self._taken.sum())
        for c in np.flatnonzero(self._b * (self._size - 1) >= self._a * self._most).tolist():
            check_time()
            low, high = self._counts.ends[c : c + 2].tolist()
            values, left = self._counts.value[low:high], self.left[low:high]
            while total < enough and self._b * (int(left.sum()) - 1) >= self._a * int(left.max()):
                # Of the most frequent values that may go: a class whose pillars fall can spare more.
                chosen = int(np.where(self._taken[values] < highest, left, 0).argmax())
                left[chosen] -= 1
                self._taken[values[chosen]] += 1
                total += 1
            self._count(c)
        self.excessive = self._excesses() > 0

    # ---- phase 3 ------------------------------------------------------------------------------------------------------------------

    def take_a_part(self) -> bool:
        """Take a part of the class that lowers the excess of the most values; False if no class lowers any."""
        check_time()
        if not len(self._conflicts):
            pillar = (self.left == self._most[self._counts.type]) & self.excessive[self._counts.value]
            self._conflicts = np.bincount(self._counts.type[pillar], minlength=len(self._size))
            self._conflicts[self._size == 0] = len(self.excessive) + 1
        number = int(self.excessive.sum())
        c = int(self._conflicts.argmin())
        if self._conflicts[c] >= number:
            # Each excessive value is a pillar everywhere: only what a class has beyond l times its pillars helps.
            c = int((self._b * self._size - self._a * self._most).argmax())
            if self._b * self._size[c] == self._a * self._most[c]:
                return False
        self._take(c, *self._shape(c))
        before, self.excessive = number, self._excesses() > 0
        if self.excessive.sum() < before:
            self._conflicts = np.zeros(0, dtype=np.int64)
        return True

    def _shape(self, c: int) -> tuple[int, int]:
        """Return x and y of the part to take from a class."""
        a, b, most, size = self._a, self._b, int(self._most[c]), int(self._size[c])
        if most <= b:
            return most, size
        if self._conflicts[c] < self.excessive.sum():
            return b, a
        spare = b * size - a * most
        x = -spare * pow(a, -1, b) % b
        return x, (a * x + spare) // b

    def _take(self, c: int, x: int, y: int) -> None:
        """Take y rows of a class, at most x of each value, and leave no more than its most - x; as few as can be of excessive values."""
        low, high = self._counts.ends[c : c + 2].tolist()
        values, left = self._counts.value[low:high], self.left[low:high]
        part = np.maximum(left - (int(self._most[c]) - x), 0)
        room, lacking = np.minimum(left, x) - part, y - int(part.sum())
        for entry in np.argsort(self._excesses()[values], kind="stable").tolist():
            more = min(lacking, int(room[entry]))
            part[entry] += more
            lacking -= more
        left -= part
        self._taken[values] += part
        self._count(c)
        pillars = values[left == self._most[c]]
        self._conflicts[c] = self.excessive[pillars].sum() if self._size[c] else len(self.excessive) + 1

    def _count(self, c: int) -> None:
        low, high = self._counts.ends[c : c + 2].tolist()
        self._size[c], self._most[c] = self.left[low:high].sum(), self.left[low:high].max()

    # ---- afterwards ---------------------------------------------------------------------------------------------------------------

    def put_back(self) -> None:
        """Put back rows that neither raise the pillars of their classes nor are missed in the residue."""
        spare = int(self._taken.sum()) - -(-self._a * int(self._taken.max()) // self._b)
        room = np.minimum(self._counts.count, self._most[self._counts.type]) - self.left
        before = np.cumsum(room) - room
        self.left += np.clip(spare - before, 0, room)
