"""A program of a region while it is written: which patterns its arcs lead to, what those hold already, columns and rows so far."""

from __future__ import annotations

from collections.abc import Callable

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.models.matrix import MatrixForm
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers

INFINITY = highspy.kHighsInf

Amounts = Numbers | float
"""A number for each column, row or entry, or one for all."""
Part = tuple[NDArray[np.integer], Counts, Amounts]
"""Entries of rows: which row, counted from the first that is added, which column, and the coefficient."""


class Held:
    """What the patterns of a program hold of groups that stay: copies of a record each, and the pattern's place."""

    def __init__(self, place: Counts, record: NDArray[np.integer], amount: Counts, patterns: int) -> None:
        self._place, self._record, self._amount, self._patterns = place, record, amount, patterns
        self.size = np.bincount(place, amount, patterns).astype(np.int64)

    def by_value(self, codes: Counts, width: int) -> Counts:
        """Return patterns x values."""
        place = self._place * width + codes[self._record]
        return np.bincount(place, self._amount, self._patterns * width).astype(np.int64).reshape(self._patterns, width)


class Draft:
    """Columns x, one an arc, and whatever conditions add.

    Attributes
    ----------
    x
        The columns of the arcs.
    y
        The columns that open patterns, by the pattern's place; -1 for one that has none.
    of_arc, record, demand
        The place of each arc's pattern, its record, and how many copies of that there are.
    held
        What the patterns hold of groups that stay.
    """

    def __init__(
        self, of_arc: Counts, record: NDArray[np.integer], demand: Numbers, cost: Numbers, held: Held, *, whole: bool
    ) -> None:
        self.of_arc, self.record, self.demand, self.held = of_arc, record, demand, held
        self._entries: list[tuple[NDArray[np.integer], Counts, Numbers]] = []
        self._limits: list[tuple[Numbers, Numbers]] = []
        self._columns: list[tuple[Numbers, ...]] = []
        self._fills: list[Callable[[Numbers, Numbers], None]] = []
        self.columns = self.rows = 0
        self.x = self.add_columns(len(cost), cost, upper=demand, whole=whole)
        self.y = np.full(len(held.size), -1, dtype=np.int64)

    def add_columns(
        self, count: int, cost: Amounts = 0.0, *, lower: Amounts = 0.0, upper: Amounts = INFINITY, whole: bool = False
    ) -> Counts:
        """Add columns; return their numbers."""
        self._columns.append(tuple(np.broadcast_to(each, count) for each in (cost, lower, upper, whole)))
        self.columns += count
        return np.arange(self.columns - count, self.columns)

    def add_rows(self, count: int, parts: list[Part], *, lower: Amounts = -INFINITY, upper: Amounts = INFINITY) -> None:
        """Add rows: sums of the parts are between `lower` and `upper`."""
        self._entries += [(row + self.rows, column, np.broadcast_to(by, len(row))) for row, column, by in parts]
        self._limits.append((np.broadcast_to(lower, count), np.broadcast_to(upper, count)))
        self.rows += count

    def on_start(self, fill: Callable[[Numbers, Numbers], None]) -> None:
        """Note what writes columns' values, given those of x, where a search has a release to begin with."""
        self._fills.append(fill)

    def values(self, x: Numbers) -> Numbers:
        """Return the values of all columns that go with x, but for flows, which the solver finds."""
        values = np.zeros(self.columns)
        values[self.x] = x
        for fill in self._fills:
            fill(x, values)
        return values

    def form(self) -> MatrixForm:
        """Return the program as arrays, every entry once."""
        row, column, value = map(np.concatenate, zip(*self._entries, strict=True))
        place, entry = np.unique(row * self.columns + column, return_inverse=True)
        cost, lower, upper, integer = map(np.concatenate, zip(*self._columns, strict=True))
        coefficient: Numbers = np.bincount(entry, value)
        row_lower, row_upper = map(np.concatenate, zip(*self._limits, strict=True))
        return MatrixForm(
            objective=cost,
            constant=0.0,
            lower=lower,
            upper=upper,
            integer=integer,
            implied=np.zeros(self.columns, dtype=np.bool_),
            row_start=np.searchsorted(place, np.arange(self.rows + 1) * self.columns).astype(np.int32),
            column=(place % self.columns).astype(np.int32),
            coefficient=coefficient,
            row_lower=row_lower,
            row_upper=row_upper,
        )
