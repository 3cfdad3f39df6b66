"""All tables of a size up to symmetry: columns are added one by one, and each table is kept in its canonical form."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from anoptima.experiments.hunting.canonical import Columns, canonical
from anoptima.experiments.hunting.grids import Grid


def partitions(rows: int, values: int) -> list[tuple[int, ...]]:
    """Return every column of `rows` cells with at most `values` different values, named as they appear.

    >>> partitions(3, 2)
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    """
    found: list[tuple[int, ...]] = [(0,)]
    for _ in range(rows - 1):
        found = [(*column, value) for column in found for value in range(min(values, max(column) + 2))]
    return found


@dataclass
class EveryTable:
    """All tables up to a number of rows, columns and values; sizes with the fewest tables come first.

    Columns of one value are left out: they change no cost and no algorithm. Sizes that would take more than `most`
    canonical forms are left out, too; `done` says which (rows, columns) are complete.

    >>> every = EveryTable(rows=4, columns=2, values=2, sensitive=0, most=100)
    >>> sum(1 for grid in every.grids(least_rows=3)), every.done
    (10, [(3, 1), (4, 1), (3, 2), (4, 2)])
    """

    rows: int
    columns: int
    values: int
    sensitive: int
    most: int

    def __post_init__(self) -> None:
        self.done: list[tuple[int, int]] = []

    def grids(self, least_rows: int) -> Iterator[Grid]:
        """Yield the tables of at least `least_rows` rows."""
        levels = {n: self._seeds(n) for n in range(least_rows, self.rows + 1)}
        sizes = [(n, m) for n in levels for m in range(1, self.columns + 1)]
        for n, m in sorted(sizes, key=lambda size: (self._unsorted(*size), size)):
            if (n, m - 1) not in self.done and m > 1:
                continue
            if len(levels[n]) * len(partitions(n, self.values)) > self.most:
                continue
            found: dict[Columns, None] = {}
            for known in levels[n]:
                for form in self._longer(known, n):
                    if form not in found:
                        found[form] = None
                        yield Grid(tuple(zip(*form, strict=True)), self.sensitive > 0)
            levels[n] = list(found)
            self.done.append((n, m))

    def _seeds(self, rows: int) -> list[Columns]:
        """Return what columns are added to: nothing, or each sensitive column up to symmetry."""
        if not self.sensitive:
            return [()]
        return list(dict.fromkeys(canonical([], column) for column in partitions(rows, self.sensitive)))

    def _longer(self, known: Columns, rows: int) -> Iterator[Columns]:
        plain, sensitive = (known[:-1], known[-1]) if self.sensitive else (known, None)
        for column in partitions(rows, self.values):
            if max(column):
                yield canonical([*plain, column], sensitive)

    def _unsorted(self, rows: int, columns: int) -> int:
        """Return about how many sets of columns there are, row orders told apart: the order of sizes is all that depends on it."""
        each = len(partitions(rows, self.values)) if rows <= 8 else self.values**rows
        return math.comb(each + columns - 1, columns)
