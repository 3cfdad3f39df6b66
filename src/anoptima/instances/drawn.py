"""Tables drawn at random, the same ones for the same seed in every version of Python: families with one knob each.

Only `random.Random.random` is used, whose sequence Python promises to keep. Columns are q0, q1, ...; values are v0, v1, ...
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

from anoptima.packages import pd
from anoptima.table import Table

Rows = list[list[str | None]]

T = TypeVar("T")

SENSITIVE = "s"
"""The sensitive column's name, where there is one."""


def uniform(rows: int, columns: int, values: int, seed: int) -> Table:
    """Return a table whose cells are drawn evenly: the hardest tables, since rows are alike only by chance.

    >>> uniform(20, 3, 2, 1)
    Table(20 rows, 8 row types, quasi q0, q1, q2)
    """
    draw = Random(seed)
    return _table([[_value(draw, values) for _ in range(columns)] for _ in range(rows)])


def skewed(rows: int, columns: int, values: int, skew: float, seed: int, diseases: int = 0) -> Table:
    """Return a table in whose columns the i-th value has a share like 1 / i^skew; `diseases` values in a sensitive column, if any."""
    draw = Random(seed)
    shares = [1 / (i + 1) ** skew for i in range(values)]
    cells: Rows = [[_chosen(draw, shares) for _ in range(columns)] for _ in range(rows)]
    return _table(cells, [_value(draw, diseases) for _ in range(rows)] if diseases else None)


def clustered(rows: int, columns: int, values: int, size: int, noise: float, seed: int) -> Table:
    """Return a table of clusters of `size` equal rows, each cell of which is then drawn anew with probability `noise`.

    Without noise, no star is needed up to k = `size`, as long as that divides `rows`: the last cluster has the rest. With noise 1 it is a
    uniform table.
    """
    draw = Random(seed)
    cells: Rows = []
    while len(cells) < rows:
        middle = [_value(draw, values) for _ in range(columns)]
        for _ in range(min(size, rows - len(cells))):
            cells.append([_value(draw, values) if draw.random() < noise else value for value in middle])
    return _table(shuffled(cells, draw))


def planted(groups: int, k: int, columns: int, differing: int, seed: int) -> Table:
    """Return a table of `groups` groups of k rows that agree but in `differing` columns of each group's own, where all k differ.

    Starring those is a release with groups · k · differing stars; the values of a group are in no other group.
    """
    draw = Random(seed)
    cells: Rows = []
    for group in range(groups):
        apart = set(shuffled(range(columns), draw)[:differing])
        for row in range(k):
            cells.append([f"g{group}r{row}" if j in apart else f"g{group}" for j in range(columns)])
    return _table(shuffled(cells, draw))


def near_duplicates(pairs: int, columns: int, values: int, distance: int, seed: int) -> Table:
    """Return a table of pairs of rows that differ in `distance` columns."""
    draw = Random(seed)
    cells: Rows = []
    for _ in range(pairs):
        row: list[str | None] = [_value(draw, values) for _ in range(columns)]
        twin = list(row)
        for j in shuffled(range(columns), draw)[:distance]:
            twin[j] = f"{row[j]}x"
        cells += [row, twin]
    return _table(shuffled(cells, draw))


def thin(sets: int, surplus: int, l: int, values: int, seed: int) -> Table:  # noqa: E741
    """Return a table of one column with two values, whose classes of equal rows can spare no row under l-diversity.

    Class i has `sets` times value i and l - 1 different ones of the `values` from the third on, and `surplus` more rows of value i. Under
    l-diversity those have to go, and where l > 2 they are not l-diverse together: sets of the other class have to go with them.

    >>> thin(4, 3, 3, 4, 1)
    Table(30 rows, 2 row types, quasi q0, sensitive s)
    """
    draw = Random(seed)
    others = [f"v{number}" for number in range(2, 2 + values)]
    rows: list[tuple[str, str]] = []
    for own in ("v0", "v1"):
        for _ in range(sets):
            rows += [(own, value) for value in (own, *shuffled(others, draw)[: l - 1])]
        rows += [(own, own)] * surplus
    cells: Rows = [[own] for own, _ in rows]
    return _table(cells, [value for _, value in rows])


def with_weights(table: Table, weights: Sequence[str]) -> Table:
    """Return a table with these weights on its columns, in turn."""
    each = dict(zip(table.quasi, itertools.cycle(weights), strict=False))
    return Table.from_frame(table.frame, table.quasi, table.sensitive, weights=each)


def with_missing(table: Table, share: float, seed: int) -> Table:
    """Return a table in which a share of the quasi-identifying cells is missing."""
    draw = Random(seed)
    frame = table.frame.astype(object).copy()
    for row in range(len(frame)):
        for column in table.quasi:
            if draw.random() < share:
                frame.loc[row, column] = None
    return Table.from_frame(frame, table.quasi, table.sensitive)


def sampled(table: Table, rows: int, seed: int = 0) -> Table:
    """Return some rows of a table in their order."""
    chosen = sorted(shuffled(range(table.rows), Random(seed))[:rows])
    return Table.from_frame(table.frame.iloc[chosen].reset_index(drop=True), table.quasi, table.sensitive)


def points(number: int, dimension: int, side: float, seed: int) -> list[tuple[str, ...]]:
    """Return points drawn evenly from a cube, with coordinates of two decimals, as texts."""
    draw = Random(seed)
    return [tuple(f"{int(draw.random() * side * 100)}/100" for _ in range(dimension)) for _ in range(number)]


def _table(cells: Rows, sensitive: Sequence[str] | None = None) -> Table:
    frame = pd.DataFrame(cells, columns=[f"q{j}" for j in range(len(cells[0]))])
    quasi = list(frame.columns)
    if sensitive is None:
        return Table.from_frame(frame, quasi)
    return Table.from_frame(frame.assign(**{SENSITIVE: list(sensitive)}), quasi, SENSITIVE)


def _value(draw: Random, values: int) -> str:
    return f"v{int(draw.random() * values)}"


def _chosen(draw: Random, shares: Sequence[float]) -> str:
    place, sum_so_far = draw.random() * sum(shares), 0.0
    for number, share in enumerate(shares):
        sum_so_far += share
        if place < sum_so_far:
            return f"v{number}"
    return f"v{len(shares) - 1}"


def shuffled(things: Iterable[T], draw: Random) -> list[T]:
    """Return things in a random order, by `Random.random` alone, whose sequence Python promises to keep."""
    return sorted(things, key=lambda _: draw.random())
