"""The hunter's moves: small changes, doubled rows, planted structure, and two tables combined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from anoptima.experiments.hunting.grids import Grid, Row, below
from anoptima.experiments.hunting.sizes import HuntSizes
from anoptima.instances.drawn import shuffled


def random_grid(sizes: HuntSizes, chance: Random) -> Grid:
    """Draw a table within the sizes: cells at random, or rows planted around a few of them."""
    rows = sizes.least_rows + below(sizes.rows - sizes.least_rows + 1, chance)
    columns = 1 + below(sizes.columns, chance)
    values = 2 + below(max(1, sizes.values - 1), chance)
    drawn = tuple((*(below(values, chance) for _ in range(columns)), *_sensitive(sizes, chance)) for _ in range(rows))
    grid = Grid(drawn, sizes.sensitive > 0)
    return planted(grid, sizes, chance) if below(2, chance) else grid


def child(parents: Sequence[Grid], sizes: HuntSizes, chance: Random) -> Grid:
    """Change the first of two tables once or a few times; now and then, join the second to it."""
    grid = parents[0]
    if len(parents) > 1 and chance.random() < 0.1:
        grid = (stacked if below(2, chance) else side_by_side)(grid, parents[1], sizes)
    for _ in range(1 + below(1 + below(3, chance), chance)):
        grid = MOVES[below(len(MOVES), chance)](grid, sizes, chance)
    return grid


def change_cell(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Give a cell another value: one that the column has, or a new one."""
    i, j = below(len(grid.rows), chance), below(len(grid.rows[0]), chance)
    most = sizes.sensitive if j == grid.columns else sizes.values
    rows = [*grid.rows]
    rows[i] = (*rows[i][:j], below(max(1, most), chance), *rows[i][j + 1 :])
    return Grid(tuple(rows), grid.has_sensitive)


def double_row(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Put a copy of a row in another row's place, or beside them."""
    rows = [*grid.rows]
    copy = rows[below(len(rows), chance)]
    if len(rows) < sizes.rows and below(2, chance):
        rows.insert(below(len(rows) + 1, chance), copy)
    else:
        rows[below(len(rows), chance)] = copy
    return Grid(tuple(rows), grid.has_sensitive)


def drop_row(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Take a row away."""
    if len(grid.rows) <= sizes.least_rows:
        return grid
    i = below(len(grid.rows), chance)
    return Grid((*grid.rows[:i], *grid.rows[i + 1 :]), grid.has_sensitive)


def neighbour(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Add a row that differs from another in one column."""
    if len(grid.rows) >= sizes.rows:
        return grid
    near = _near(grid.rows[below(len(grid.rows), chance)], grid, sizes, chance)
    at = below(len(grid.rows) + 1, chance)
    return Grid((*grid.rows[:at], near, *grid.rows[at:]), grid.has_sensitive)


def add_column(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Add a column: a copy of another, or a drawn one."""
    if grid.columns >= sizes.columns:
        return grid
    j, copy = below(grid.columns, chance), below(2, chance)
    new = [row[j] if copy else below(sizes.values, chance) for row in grid.rows]
    return Grid(tuple((value, *row) for value, row in zip(new, grid.rows, strict=True)), grid.has_sensitive)


def drop_column(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Take a column away."""
    if grid.columns < 2:
        return grid
    j = below(grid.columns, chance)
    return Grid(tuple((*row[:j], *row[j + 1 :]) for row in grid.rows), grid.has_sensitive)


def reorder(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Put rows, columns and values in another order: it decides ties."""
    return grid.reordered(chance)


def planted(grid: Grid, sizes: HuntSizes, chance: Random) -> Grid:
    """Replace rows by near copies of a few of them, so that cheap groups are there to be missed."""
    centres = shuffled(grid.rows, chance)[: 1 + below(3, chance)]
    rows = []
    for row in grid.rows:
        centre = centres[below(len(centres), chance)]
        near = centre if below(3, chance) == 0 else _near(centre, grid, sizes, chance)
        rows.append((*near[: grid.columns], *row[grid.columns :]) if below(3, chance) else row)
    return Grid(tuple(rows), grid.has_sensitive)


def stacked(grid: Grid, other: Grid, sizes: HuntSizes) -> Grid:
    """Put the rows of another table under these, with values of its own as far as there are enough."""
    columns = max(grid.columns, other.columns)
    past = 1 + max(max(row[: grid.columns]) for row in grid.rows)
    rows = [_widened(row, grid, columns, 0) for row in grid.rows]
    rows += [_widened(row, other, columns, past) for row in other.rows]
    rows = [_wrapped(row, columns, sizes) for row in rows]
    return Grid(tuple(rows[: sizes.rows]), grid.has_sensitive)


def side_by_side(grid: Grid, other: Grid, sizes: HuntSizes) -> Grid:
    """Put the columns of another table beside these."""
    wanted = sizes.columns - grid.columns
    rows = []
    for i, row in enumerate(grid.rows):
        beside = other.rows[i % len(other.rows)][: min(wanted, other.columns)]
        rows.append((*row[: grid.columns], *beside, *row[grid.columns :]))
    return Grid(tuple(rows), grid.has_sensitive)


MOVES: tuple[Callable[[Grid, HuntSizes, Random], Grid], ...] = (
    change_cell,
    change_cell,
    change_cell,
    double_row,
    drop_row,
    neighbour,
    add_column,
    drop_column,
    reorder,
    planted,
)
"""The changes; the first three places make a change of one cell the most frequent."""


def _near(row: Row, grid: Grid, sizes: HuntSizes, chance: Random) -> Row:
    j = below(grid.columns, chance)
    return (*row[:j], below(sizes.values, chance), *row[j + 1 :])


def _sensitive(sizes: HuntSizes, chance: Random) -> Row:
    return (below(sizes.sensitive, chance),) if sizes.sensitive else ()


def _widened(row: Row, grid: Grid, columns: int, past: int) -> Row:
    missing = columns - grid.columns
    return (*(value + past for value in row[: grid.columns]), *[past] * missing, *row[grid.columns :])


def _wrapped(row: Row, columns: int, sizes: HuntSizes) -> Row:
    return (*(value % sizes.values for value in row[:columns]), *row[columns:])
