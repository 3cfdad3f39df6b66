"""Grids: tables of whole numbers as the hunter changes them, with what describes them and how they become smaller."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from anoptima.errors import BadInput
from anoptima.experiments.hunting.canonical import Columns, canonical
from anoptima.instances.drawn import shuffled
from anoptima.instances.numbered import numbered_table
from anoptima.table import Table

Row = tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """Rows of whole numbers; the last number of each is the sensitive value, if there is a sensitive column.

    The order of rows, columns and values is part of a grid, since algorithms break ties by it. `key` is the same for all orders.

    >>> grid = Grid(((0, 0), (0, 0), (1, 0), (1, 1)))
    >>> grid.key == Grid(((5, 2), (5, 3), (4, 3), (4, 3))).key
    True
    >>> grid.features()
    {'rows': 4, 'columns': 2, 'values': 2, 'row types': 3}
    """

    rows: tuple[Row, ...]
    has_sensitive: bool = False

    @property
    def columns(self) -> int:
        """The number of quasi-identifying columns."""
        return len(self.rows[0]) - self.has_sensitive

    @cached_property
    def key(self) -> Columns:
        """The table up to the order of rows and columns and the names of values."""
        by_column = list(zip(*self.rows, strict=True))
        return canonical(by_column[: self.columns], by_column[-1] if self.has_sensitive else None)

    def features(self) -> dict[str, int]:
        """Return what tells one sort of table from another."""
        quasi = [row[: self.columns] for row in self.rows]
        found = {
            "rows": len(quasi),
            "columns": self.columns,
            "values": max((len(set(column)) for column in zip(*quasi, strict=True)), default=0),
            "row types": len(set(quasi)),
        }
        if self.has_sensitive:
            found["sensitive values"] = len({row[-1] for row in self.rows})
        return found

    def data(self) -> Table:
        """Return the table: columns c0, c1, ..., and s for the sensitive one, in the grid's order."""
        return numbered_table(self.rows, self.has_sensitive)

    def as_json(self) -> dict[str, Any]:
        """Return the grid as plain data."""
        return {"rows": [list(row) for row in self.rows], "sensitive": self.has_sensitive}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Grid:
        """Return the grid that `as_json` wrote; `BadInput` for anything else."""
        try:
            rows = tuple(tuple(int(value) for value in row) for row in data["rows"])
            grid = cls(rows, bool(data["sensitive"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no table of a hunt: {error}") from None
        if not rows or len({len(row) for row in rows}) > 1 or grid.columns < 1:
            raise BadInput("a table of a hunt needs rows of one length and a column")
        return grid

    def smaller(self) -> Iterator[Grid]:
        """Yield the grids with a row or a column less, or with two values of a column made one."""
        for i in range(len(self.rows)):
            if len(self.rows) > 1:
                yield Grid((*self.rows[:i], *self.rows[i + 1 :]), self.has_sensitive)
        for j in range(self.columns):
            if self.columns > 1:
                yield Grid(tuple((*row[:j], *row[j + 1 :]) for row in self.rows), self.has_sensitive)
        for j in range(len(self.rows[0])):
            values = sorted({row[j] for row in self.rows})
            for a, b in itertools.pairwise(values):
                yield Grid(
                    tuple((*row[:j], a if row[j] == b else row[j], *row[j + 1 :]) for row in self.rows),
                    self.has_sensitive,
                )

    def reordered(self, chance: Random) -> Grid:
        """Return the same table with rows, columns and values in another order."""
        columns = shuffled(range(self.columns), chance)
        places = [*columns, self.columns] if self.has_sensitive else columns
        renamed = []
        for j in places:
            values = sorted({row[j] for row in self.rows})
            names = dict(zip(values, shuffled(range(len(values)), chance), strict=True))
            renamed.append([names[row[j]] for row in self.rows])
        return Grid(tuple(shuffled(zip(*renamed, strict=True), chance)), self.has_sensitive)


def below(most: int, chance: Random) -> int:
    """Draw a whole number from 0 to `most` - 1, by draws that are the same in every version of Python."""
    return min(most - 1, int(chance.random() * most))
