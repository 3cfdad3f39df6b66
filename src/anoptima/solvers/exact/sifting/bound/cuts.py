"""Rounding cuts: inequalities that hold for every release and cut off fractional openings of patterns, and what pricing sees of them.

Take a set W of records, with s(W) = q d + r rows, for a divisor d in 2..k and 1 <= r <= d - 1. Bound what each pattern p takes of W
from below by one of

- *together*, a set S of records in W and M(p): x_p(W) >= s(S) y_p - sum_S (s_t y_p - x_pt);
- *outside*, a set O of records in M(p) and not in W: x_p(W) >= (k - s(O)) y_p - sum of x_pt over M(p) minus W minus O;

that is, by a_p y_p - e_p with a_p whole and e_p >= 0. All of them sum to at most s(W), and mixed-integer rounding of that gives

    sum_p [ F(a_p) y_p - e_p / (d - r) ] <= q,     F(a) = floor(a / d) + max(0, a mod d - r) / (d - r).

It is kept times d - r, in whole numbers. A pattern without a named term takes *outside* with all that it matches outside W: e_p = 0
and a_p = k - s(M(p) minus W), where that is positive. Each term speaks of one pattern, so k may be the least size of its own groups,
which under principles depends on the pattern. With d = k and nothing named this is the packing cut: the patterns inside W make groups
of at least k rows each, so at most floor(s(W) / k) of them are open.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import union
from anoptima.patterns import spans
from anoptima.solvers.exact.sifting.arcs import Arcs, Numbers, Part, sums
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers, Pass, dot

LEAST_VIOLATION = 0.03
"""By how much a solution violates a cut that is worth its row, in parts of an open pattern."""
SOME_CUTS = 400
"""Cuts from one solution of a core."""


@dataclass(frozen=True)
class Named:
    """The term of one pattern: the set S of `together` if `inside`, or the set O of `outside`."""

    pattern: int
    inside: bool
    records: tuple[int, ...]


@dataclass(frozen=True)
class Cut:
    """A set of records, a divisor, and the terms of the patterns that have one of their own."""

    records: tuple[int, ...]
    divisor: int
    named: tuple[Named, ...] = ()


@dataclass(frozen=True, eq=False)
class Row:
    """A cut as an inequality in whole numbers: sum `on_pattern` y_p + sum `on_arc` x_pt <= `most`."""

    cut: Cut
    patterns: NDArray[np.int64]
    on_pattern: NDArray[np.int64]
    arcs: NDArray[np.int64]
    on_arc: NDArray[np.int64]
    most: int

    def slack(self, x: Numbers, y: Numbers) -> float:
        """Return `most` minus the left side."""
        return float(self.most - self.on_pattern @ y[self.patterns] - self.on_arc @ x[self.arcs])


def rounded(amount: NDArray[np.int64], divisor: int, rest: int) -> NDArray[np.int64]:
    """Return (d - r) F(a) for every a.

    >>> rounded(np.arange(7), 3, 1).tolist()
    [0, 0, 1, 2, 2, 3, 4]
    """
    return (divisor - rest) * (amount // divisor) + np.maximum(0, amount % divisor - rest)


def _among(members: NDArray[np.int32], records: Sequence[int]) -> NDArray[np.bool_]:
    """Tell of each member whether it is one of the few records: `np.isin`, without its cost of a call."""
    if not records:
        return np.zeros(len(members), dtype=np.bool_)
    ordered = np.sort(np.array(records))
    return np.asarray(ordered[np.minimum(np.searchsorted(ordered, members), len(ordered) - 1)] == members)


class Catalogue:
    """Writes cuts out over all arcs: which patterns meet a set of records is looked up, not searched."""

    def __init__(self, arcs: Arcs) -> None:
        self.arcs = arcs
        self.size = np.add.reduceat(arcs.copies[arcs.member], arcs.start[:-1])

    def row(self, cut: Cut) -> Row | None:
        """Write a cut out; None if rounding gains nothing because d divides s(W). O(arcs of W and of the named patterns)."""
        arcs, d = self.arcs, cut.divisor
        whole, rest = divmod(int(arcs.copies[list(cut.records)].sum()), d)
        if rest == 0:
            return None
        order, start = arcs.by_record
        touched = order[spans(start, np.array(cut.records, dtype=np.int64))]
        met, place = np.unique(self.arcs.pattern_of[touched], return_inverse=True)
        within = np.bincount(place.reshape(-1), weights=arcs.copies[arcs.member[touched]], minlength=len(met))
        amount = np.maximum(0, arcs.least[met] - (self.size[met] - np.rint(within).astype(np.int64)))
        named = {term.pattern for term in cut.named}
        free = (amount > 0) & ~np.isin(met, list(named))
        patterns, coefficients = [met[free]], [rounded(amount[free], d, rest)]
        places, charges = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for term in cut.named:
            p = term.pattern
            own = np.arange(arcs.start[p], arcs.start[p + 1])
            members = arcs.member[own]
            chosen = _among(members, term.records)
            amount_of = int(arcs.copies[members[chosen]].sum())
            if term.inside:
                # e_p = sum_S (s_t y_p - x_pt): the y part goes to the pattern, the x part to the arcs.
                charged, sign, paid = chosen, 1, amount_of
            else:
                charged, sign, paid = ~chosen & ~_among(members, cut.records), -1, 0
                amount_of = max(0, int(arcs.least[p]) - amount_of)
            coefficient = int(rounded(np.array([amount_of]), d, rest)[0]) - paid
            places.append(own[charged])
            charges.append(np.full(int(charged.sum()), sign))
            patterns.append(np.array([p]))
            coefficients.append(np.array([coefficient]))
        of, on_pattern = np.concatenate(patterns), np.concatenate(coefficients)
        use = on_pattern != 0
        return Row(cut, of[use], on_pattern[use], np.concatenate(places), np.concatenate(charges), (d - rest) * whole)


class Terms:
    """The rows in force, as pricing sees them: one sparse matrix over patterns, and one over arcs.

    Row i says: sum `on_pattern` y_p + sum `on_arc` x_pt <= `most[i]`.
    """

    def __init__(self, arcs: Arcs, kernels: ModuleType, rows: Iterable[Row] = ()) -> None:
        self.kernels = kernels
        self.rows = list(rows)
        self.most = np.array([row.most for row in self.rows], dtype=np.int64)
        self._all = arcs
        self._on_patterns = _Sparse([(row.patterns, row.on_pattern) for row in self.rows], len(arcs))
        self._on_arcs = _Sparse([(row.arcs, row.on_arc) for row in self.rows], len(arcs.member))

    def within(self, part: Part) -> Terms:
        """Return the same rows over a part of the arcs. O(terms)."""
        found = copy.copy(self)
        found._on_patterns = self._on_patterns.renumbered(part.patterns)
        found._on_arcs = self._on_arcs.renumbered(part.chosen)
        return found

    def charges(self, prices: Numbers) -> tuple[Numbers, Numbers | None]:
        """Return what prices of the rows charge patterns, and arcs (None for nothing). O(terms)."""
        return self._on_patterns.columns(prices), self._on_arcs.columns(prices) if len(self._on_arcs.row) else None

    def look(self, arcs: Arcs, at: Multipliers) -> DualPoint:
        """Look at all patterns: one pass."""
        charge, surcharge = self.charges(at.prices)
        values, least = self.kernels.opened(arcs, at.worth, charge, surcharge)
        value = float(dot(arcs.copies, at.worth) + np.minimum(0, values).sum() - dot(self.most, at.prices))
        return DualPoint(at, value, values, self.kernels.reduced_costs(arcs, at.worth, surcharge, values, least))

    def go(self, arcs: Arcs, at: Multipliers) -> Pass:
        """Price the patterns that may be worth anything."""
        charge, surcharge = self.charges(at.prices)
        taken = np.zeros(len(arcs.member), dtype=np.int64)
        total, used, negative = self.kernels.activity(arcs, at.worth, charge, surcharge, taken)
        value = float(dot(arcs.copies, at.worth) + total - dot(self.most, at.prices))
        return Pass(at, value, taken, negative, 1 - used / arcs.copies, self.left_sides(negative, taken) - self.most)

    def exactly(self, at: Multipliers, d: int) -> int:
        """Return D times the bound that multipliers in parts of D = `d` prove. Exact as long as 64 bits hold the sums. One pass."""
        total, _, _ = self.kernels.activity(self._all.times(d), at.worth, *self.charges(at.prices))
        return int(self._all.copies @ at.worth) + int(total) - int(self.most @ at.prices)

    def of_price(self, prices: Numbers, least: float = 0.0) -> Terms:
        """Return the rows of a price above `least` alone. O(terms)."""
        return self.of([row for row, price in zip(self.rows, prices, strict=True) if price > least])

    def of(self, rows: Iterable[Row]) -> Terms:
        """Return other rows over the same arcs."""
        return Terms(self._all, self.kernels, rows)

    def rows_at(self, patterns: NDArray[np.int64], arcs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which rows have a term of some of these patterns or arcs (rising). O(terms log)."""
        return union(self._on_patterns.renumbered(patterns).row, self._on_arcs.renumbered(arcs).row)

    def left_sides(self, y: Numbers, x: Numbers) -> Numbers:
        """Return the left side of every row at y (over patterns) and x (over arcs). O(terms)."""
        return self._on_patterns.rows(y) + self._on_arcs.rows(x)

    def left_sides_of(
        self, open_patterns: NDArray[np.int64], arcs: NDArray[np.int64], taken: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the left side of every row with these patterns open, and these amounts taken along these arcs (rising). O(terms log)."""
        on_patterns, on_arcs = self._on_patterns.renumbered(open_patterns), self._on_arcs.renumbered(arcs)
        found: Numbers = on_patterns.rows(np.ones(len(open_patterns))) + on_arcs.rows(taken)
        return np.rint(found).astype(np.int64)

    @cached_property
    def steps(self) -> NDArray[np.float64]:
        """How far each price moves, in steps of a worth: 1 over the row's largest coefficient."""
        largest = np.ones(len(self.rows))
        for terms in (self._on_patterns, self._on_arcs):
            np.maximum.at(largest, terms.row, np.abs(terms.value))
        return 1 / largest


class _Sparse:
    """A sparse matrix in whole numbers, entry by entry; given are, of each row, the columns of its entries and how much they are."""

    def __init__(self, entries: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], width: int) -> None:
        nothing = np.zeros(0, dtype=np.int64)
        self._height, self._width = len(entries), width
        self.row = np.repeat(np.arange(len(entries)), [len(columns) for columns, _ in entries])
        self.column = np.concatenate([nothing, *(columns for columns, _ in entries)])
        self.value = np.concatenate([nothing, *(values for _, values in entries)])

    def renumbered(self, kept: NDArray[np.int64]) -> _Sparse:
        """Return the columns `kept` (rising), by their places there."""
        found = copy.copy(self)
        place = np.searchsorted(kept, self.column)
        use = place < len(kept)
        use[use] = kept[place[use]] == self.column[use]
        found.row, found.column, found.value, found._width = self.row[use], place[use], self.value[use], len(kept)
        return found

    def columns(self, prices: Numbers) -> Numbers:
        """Return the sum of each column's entries, at the prices of rows."""
        return sums(self.column, prices[self.row] * self.value, self._width)

    def rows(self, at: Numbers) -> Numbers:
        """Return the sum of each row's entries, at the amounts of columns."""
        return sums(self.row, at[self.column] * self.value, self._height)
