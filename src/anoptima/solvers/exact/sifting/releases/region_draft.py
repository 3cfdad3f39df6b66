"""A program of a region while it is written: which patterns its arcs lead to, what those hold already, columns and rows so far."""

from __future__ import annotations

from collections.abc import Callable

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.models.matrix import MatrixForm
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers

INFINITY = highspy.kHighsInf


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
        self._rows: list[tuple[Counts, Counts, Numbers]] = []
        self._limits: list[tuple[Numbers, Numbers]] = []
        self._columns: list[tuple[Numbers, Numbers, Numbers, bool]] = []
        self._fills: list[Callable[[Numbers, Numbers], None]] = []
        self.columns = self.rows = 0
        self.x = self.add_columns(cost, demand, whole=whole)
        self.y = np.full(len(held.size), -1, dtype=np.int64)

    def add_columns(self, cost: Numbers, upper: Numbers, *, whole: bool, lower: Numbers | None = None) -> Counts:
        """Add columns; return their numbers."""
        self._columns.append((cost, np.zeros(len(cost)) if lower is None else lower, upper, whole))
        added = self.columns + np.arange(len(cost))
        self.columns += len(cost)
        return added

    def add_rows(self, parts: list[tuple[Counts, Counts, Numbers]], lower: Numbers, upper: Numbers) -> None:
        """Add rows: sums of the parts (row, column, value), rows counted from 0, are between `lower` and `upper`."""
        self._rows += [(row + self.rows, column, value) for row, column, value in parts]
        self._limits.append((lower, upper))
        self.rows += len(lower)

    def above(self, parts: list[tuple[Counts, Counts, Numbers]], lower: Numbers) -> None:
        """Add rows: sums of the parts are at least `lower`."""
        self.add_rows(parts, lower, np.full(len(lower), INFINITY))

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
        row, column, value = (np.concatenate([part[i] for part in self._rows]) for i in range(3))
        place = row * self.columns + column
        order = np.argsort(place, kind="stable")
        place, value = place[order], value[order]
        once = np.ones(len(place), dtype=np.bool_)
        once[1:] = place[1:] != place[:-1]
        if not once.all():
            place, value = place[once], np.add.reduceat(value, np.flatnonzero(once))
        cost, lower, upper = (np.concatenate([part[i] for part in self._columns]) for i in range(3))
        return MatrixForm(
            objective=cost,
            constant=0.0,
            lower=lower,
            upper=upper,
            integer=np.concatenate([np.full(len(part[0]), part[3]) for part in self._columns]),
            implied=np.zeros(self.columns, dtype=np.bool_),
            row_start=np.searchsorted(place, np.arange(self.rows + 1) * self.columns).astype(np.int32),
            column=(place % self.columns).astype(np.int32),
            coefficient=value,
            row_lower=np.concatenate([low for low, _ in self._limits]),
            row_upper=np.concatenate([high for _, high in self._limits]),
        )
