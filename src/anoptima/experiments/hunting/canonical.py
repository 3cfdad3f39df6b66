"""One form for all tables that are the same up to the order of rows and columns and the names of values.

Given the order of the rows, name the values of each column 0, 1, 2, ... as they appear, and sort the columns: the table is settled. So
the form is the least table over the orders of the rows that a search tries. Rows are told apart by how they share values with others
(colour refinement), a row is singled out where that leaves a choice, and rows that are equal, or that an automorphism carries to each
other, are tried once (McKay 1981). The search looks at a bounded number of orders. Within the bound two tables have one form exactly if
they are the same; beyond it equal forms still mean equal tables, and one table may be met in two forms.
"""

from __future__ import annotations

from collections.abc import Sequence

Column = tuple[int, ...]
Columns = tuple[Column, ...]

_Kind = tuple[tuple[bool, tuple[Column, ...]], Column]
"""What a row shares in one column: how the column's values part the rows, by colour, and the row's own part."""

MOST_ORDERS = 500
"""Orders of the rows that are looked at for one table. Tables of up to six rows never reach this limit."""


def canonical(columns: Sequence[Sequence[int]], sensitive: Sequence[int] | None = None) -> Columns:
    """Return the form of a table given by its columns; a sensitive column keeps its part and is the last one of the form.

    >>> canonical([(0, 0, 1), (5, 7, 7)]) == canonical([(2, 1, 1), (9, 8, 9)][::-1])
    True
    >>> canonical([(0, 0, 1)], (1, 2, 2)) == canonical([(1, 2, 2)], (0, 0, 1))
    True
    >>> canonical([(0, 0, 1)], (1, 2, 2)) == canonical([(0, 0, 1)], (1, 1, 2))
    False
    """
    return _Search(columns, sensitive).form()


def named(column: Sequence[int]) -> Column:
    """Name the values of a column 0, 1, 2, ... as they appear.

    >>> named((7, 7, 3, 7))
    (0, 0, 1, 0)
    """
    names: dict[int, int] = {}
    return tuple(names.setdefault(value, len(names)) for value in column)


class _Search:
    """The search for the least order of rows."""

    def __init__(self, columns: Sequence[Sequence[int]], sensitive: Sequence[int] | None) -> None:
        self._plain = [tuple(column) for column in columns]
        self._sensitive = None if sensitive is None else tuple(sensitive)
        self._all = [*self._plain, *([] if self._sensitive is None else [self._sensitive])]
        self._rows = len(self._all[0]) if self._all else 0
        self._best: tuple[Columns, list[int]] | None = None
        self._first: tuple[Columns, list[int]] | None = None
        self._first_path: list[int] = []
        self._symmetries: list[list[int]] = []
        self._orders = 0

    def form(self) -> Columns:
        """Search, and return the least form."""
        self._descend([0] * self._rows, [])
        assert self._best is not None
        return self._best[0]

    def _refined(self, colours: list[int]) -> list[int]:
        """Split classes of rows by what they share with others, until nothing splits."""
        while True:
            kinds: list[list[_Kind]] = [[] for _ in range(self._rows)]
            for column in self._all:
                shares: dict[int, list[int]] = {}
                for row, value in enumerate(column):
                    shares.setdefault(value, []).append(colours[row])
                parts = {value: tuple(sorted(share)) for value, share in shares.items()}
                whole = (column is self._sensitive, tuple(sorted(parts.values())))
                for row, value in enumerate(column):
                    kinds[row].append((whole, parts[value]))
            keys = [(colour, tuple(sorted(kind))) for colour, kind in zip(colours, kinds, strict=True)]
            # By colour first, so that classes are split and never reordered.
            numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
            finer = [numbers[key] for key in keys]
            if len(numbers) == len(set(colours)):
                return finer
            colours = finer

    def _descend(self, colours: list[int], path: list[int]) -> int:
        """Look at all orders below a choice of rows; return how many of the choices stand: fewer if this part is like the first one."""
        colours = self._refined(colours)
        classes: dict[int, list[int]] = {}
        for row, colour in enumerate(colours):
            classes.setdefault(colour, []).append(row)
        undecided = [rows for _, rows in sorted(classes.items()) if len(set(map(self._row, rows))) > 1]
        if not undecided:
            return self._leaf([row for _, rows in sorted(classes.items()) for row in rows], path)
        tried: list[int] = []
        for row in min(undecided, key=len):
            if self._orders >= MOST_ORDERS and self._best is not None:
                break
            if self._is_like(row, tried, path):
                continue
            tried.append(row)
            apart = [2 * colour for colour in colours]
            apart[row] -= 1
            stands = self._descend(apart, [*path, row])
            if stands < len(path):
                return stands
        return len(path)

    def _row(self, row: int) -> Column:
        return tuple(column[row] for column in self._all)

    def _is_like(self, row: int, tried: list[int], path: list[int]) -> bool:
        """Tell whether a symmetry that leaves the choices as they are carries a row that was tried to this one."""
        if any(self._row(row) == self._row(other) for other in tried):
            return True
        able = [symmetry for symmetry in self._symmetries if all(symmetry[chosen] == chosen for chosen in path)]
        orbit, new = set(tried), list(tried)
        while new:
            reached = new.pop()
            for symmetry in able:
                if symmetry[reached] not in orbit:
                    orbit.add(symmetry[reached])
                    new.append(symmetry[reached])
        return row in orbit

    def _leaf(self, order: list[int], path: list[int]) -> int:
        self._orders += 1
        columns = sorted(named([column[row] for row in order]) for column in self._plain)
        last = [] if self._sensitive is None else [named([self._sensitive[row] for row in order])]
        form = (*columns, *last)
        if self._first is None:
            self._first = self._best = (form, order)
            self._first_path = path
            return len(path)
        for known in (self._first, self._best):
            if known is not None and known[0] == form:
                self._note(known[1], order)
        if self._best is None or form < self._best[0]:
            self._best = (form, order)
        if form == self._first[0]:
            # This part is the image of one that was searched: go back to where the two part.
            return next((i for i, (a, b) in enumerate(zip(self._first_path, path, strict=False)) if a != b), len(path))
        return len(path)

    def _note(self, known: list[int], order: list[int]) -> None:
        symmetry = list(range(self._rows))
        for row, image in zip(known, order, strict=True):
            symmetry[row] = image
        if symmetry not in self._symmetries and symmetry != list(range(self._rows)):
            self._symmetries.append(symmetry)
            inverse = list(range(self._rows))
            for row, image in enumerate(symmetry):
                inverse[image] = row
            self._symmetries.append(inverse)
