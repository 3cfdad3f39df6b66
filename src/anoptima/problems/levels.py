"""The cheap bound of cell suppression: at each weight, how many rows can pay that or less.

Let every satisfying group that is not the whole table have at least s rows (`least_group`), and let the rows that pay w or less in some
solution be y. All rows of a group pay the same, the weight of the group's bad columns, so those y rows are a union of groups, and so are
the other n - y. Hence

1. such a row's group lies in its *class* on the columns that the group keeps, the columns outside a set of weight w or less. So the row
   has a class of s rows or more that could hold a satisfying group. Let h be the number of rows that have one, and c the size of the
   largest: y <= h, and no group among the y rows has more than c rows.
2. the y rows are g groups, s g <= y <= c g. Since g <= y / s, with x any bound on y: y <= min(x, floor(x / s) c) =: cap(x).
3. the other rows are none, or s at least: y = n or y <= n - s.

So y <= cap(h), and if that leaves 1 to s - 1 rows, y <= cap(n - s). Each of the n - y rows pays the next larger weight of a set of
columns at least. With w_0 = 0 < w_1 < ... the weights of the sets, y_i the bound on y at w_i, a solution costs

    sum_i (w_{i+1} - w_i) (n - y_i)

or more, whatever the principle. With s = 1 and c = n this is the sum over the rows of what each pays at least on its own. A table that
cannot be divided into two satisfying groups has s = n, and the sum is its optimum: n times the weight of the columns that vary. If n
leaves a remainder on division by s, and no class has more than s rows, then s rows and the remainder pay more.

The same holds on any *part* of the columns, where a solution's groups pay what they pay in those columns: bounds of disjoint parts add up.
And it holds with *balls* in place of classes, as the class of a row at w lies in the ball of the rows whose distance to it, the weight of
the columns where they differ, is w or less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anoptima.packages import pd
from anoptima.principles import AtLeastValues, CloseOnTree, Condition, LimitedShares
from anoptima.problems.columns import cheapest_sets, keys_without
from anoptima.table import Counts, Table

if TYPE_CHECKING:
    from anoptima.problems.cell_suppression import CellSuppression

WORK = 10_000_000
"""The most cells that each bound looks at; about half a second."""

CELLS_A_SET = 10_000
"""Looking at a set of columns takes as long as looking at so many cells, if few: 20 rows of 24 columns have 2^24 sets, which took 2 s of
every run, and the first thousand of them, 0.1 s, prove the same 217 stars."""

AT_ONCE = 1 << 17
"""The most triples of a set of columns and two records that go into one array; ten rows of eight columns have 25,600."""

MOST_DIVIDED = 1_024
"""The most rows for which the bound tries all group sizes to find the least possible one."""

Level = tuple[int, int, int]
"""A weight, how many rows have a class that could hold a group at that weight or less, and the size of the largest."""


def least_cost(problem: CellSuppression) -> int:
    """Return what no solution is below, in the cost unit: the largest of what all columns, each on its own, and balls prove.

    Sets of columns are looked at lightest first, O(n m) each, and single columns in O(n m) in all. Balls, O(R^2 m) for R records, are
    looked at where there are too many sets.

    >>> import pandas as pd
    >>> from anoptima import CellSuppression, KAnonymity, Table
    >>> frame = pd.DataFrame({"a": [0, 0, 1], "b": [0, 1, 1]})
    >>> least_cost(CellSuppression(Table.from_frame(frame, ["a", "b"]), KAnonymity(2)))
    6
    """
    table, least = problem.table, least_group(problem)
    weights: list[int] = table.scaled_weights.tolist()
    if len(table.records) ** 2 << len(weights) <= AT_ONCE:
        whole, complete = bound_of_levels(table.rows, least, _levels_at_once(problem, least), sum(weights)), True
    else:
        whole, complete = by_sets(problem, least)
    found = max(whole, by_single_columns(problem, least))
    if not complete and len(table.records) ** 2 * len(weights) <= WORK:
        found = max(found, bound_of_levels(table.rows, least, levels_of_balls(table, least), sum(weights)))
    return found


def most_below(rows: int, least: int, served: int, largest: int) -> int:
    """Return y: how many of `rows` rows can be in groups of `least` to `largest` rows, if `served` can and the others are none or `least`.

    >>> most_below(7, 3, 6, 3), most_below(7, 3, 5, 4), most_below(7, 3, 6, 4), most_below(5, 3, 5, 4), most_below(6, 3, 6, 3)
    (3, 4, 4, 0, 6)
    """

    def cap(most: int) -> int:
        return min(most, most // least * largest)

    found = cap(served)
    return found if found == rows or rows - found >= least else cap(max(0, rows - least))


def bound_of_levels(rows: int, least: int, levels: Iterable[Level], end: int) -> int:
    """Return the sum over the levels, by rising weight, up to the weight `end`.

    >>> bound_of_levels(5, 2, [(0, 2, 2), (1, 4, 2)], 3)  # 3 rows pay 1 at least, and then, as 1 row cannot be alone, 3 rows pay 3
    9
    """
    total, paid, below = 0, 0, 0
    for weight, served, largest in levels:
        total += (min(weight, end) - paid) * (rows - below)
        paid, below = min(weight, end), most_below(rows, least, served, largest)
    return total + (end - paid) * (rows - below)


def least_group(problem: CellSuppression) -> int:
    """Return s: in a solution of several groups none has fewer than s rows; n if no solution has several.

    Take a group of a solution and the union of the others. Both satisfy every condition that groups satisfy together, so the size of the
    smaller, at most n / 2, is one that no condition rules out (`_sizes_of`). O(1) under k-anonymity; otherwise sizes are tried from the
    principle's least size on, each in O(values), if the table is not too large.

    >>> from anoptima import CellSuppression, KAnonymity, TCloseness, ten_rows
    >>> [least_group(CellSuppression(ten_rows(), rule)) for rule in (KAnonymity(3), KAnonymity(6), TCloseness("1/10"))]
    [3, 10, 3]
    """
    rows, size = problem.table.rows, problem.principle.least_size(problem.table)
    if 2 * size > rows:
        return rows
    if rows > MOST_DIVIDED:
        return size
    tests = [_sizes_of(condition, problem.table) for condition in problem.principle.conditions(problem.table)]
    return next((s for s in range(size, rows // 2 + 1) if all(allows(s) for allows in tests)), rows)


def _sizes_of(condition: Condition, table: Table) -> Callable[[int], bool]:
    """Return a test: can a given number of rows be a group under `condition`, beside all others? False only if they cannot.

    A value that occurs once cannot be on both sides. Of the most frequent value, each side holds its share at most, rounded down. On an
    edge of a tree of values, a group of N rows is at least as far from the table as N times the table's share is from a whole number.
    """
    rows = table.rows
    if isinstance(condition, AtLeastValues):
        enough = int(np.minimum(table.sensitive_column(condition.column).counts, 2).sum()) >= 2 * condition.values
        return lambda size: enough
    if isinstance(condition, LimitedShares):
        up, down = condition.share.numerator, condition.share.denominator
        counts = table.sensitive_column(condition.column).counts
        most = int(counts[condition.limits(len(counts))].max())
        return lambda size: most <= size * up // down + (rows - size) * up // down
    if isinstance(condition, CloseOnTree):
        return condition.could_be
    return lambda size: True


def by_sets(problem: CellSuppression, least: int) -> tuple[int, bool]:
    """Return the bound by classes, and whether all sets of columns that matter were looked at."""
    table = problem.table
    weights: list[int] = table.scaled_weights.tolist()
    keys = keys_without(table.types[table.records.type], [len(column.values) for column in table.quasi_columns])
    levels: list[Level] = []
    waiting = np.ones(len(table.records), dtype=bool)
    largest = work = reached = 0
    for weight, starred in cheapest_sets(weights):
        reached = int(weight)
        could, size = _company(problem, least, pd.factorize(keys(starred))[0])
        waiting &= ~could
        largest = max(largest, size)
        served = table.rows - int(table.records.multiplicity[waiting].sum())
        levels.append((reached, served, largest))
        if most_below(table.rows, least, served, largest) == table.rows:
            return bound_of_levels(table.rows, least, levels, sum(weights)), True
        work += max(CELLS_A_SET, len(table.records) * (len(weights) - len(starred) + 1))
        if work > WORK:
            return bound_of_levels(table.rows, least, levels, reached), False
    return bound_of_levels(table.rows, least, levels, reached), True


def by_single_columns(problem: CellSuppression, least: int) -> int:
    """Return the sum over the columns of what each costs on its own: one level below its weight, the classes of its values."""
    table, total = problem.table, 0
    for j, weight in enumerate(table.scaled_weights.tolist()):
        labels = pd.factorize(table.types_by_column[j][table.records.type])[0]
        could, largest = _company(problem, least, labels)
        served = int(table.records.multiplicity[could].sum())
        total += weight * (table.rows - most_below(table.rows, least, served, largest))
    return total


def _company(problem: CellSuppression, least: int, labels: Counts) -> tuple[NDArray[np.bool_], int]:
    """Tell which records have a class that could hold a group, and return the size of the largest such class."""
    groups = problem.table.groups_of_records(labels)
    could = problem.principle.could_hold_each(groups) & (groups.sizes >= least)
    return could[labels], int(groups.sizes[could].max(initial=0))


def _levels_at_once(problem: CellSuppression, least: int) -> Iterator[Level]:
    """Yield the levels of all sets of columns, from one array over sets and pairs of records."""
    records, columns = problem.table.records, len(problem.table.quasi)
    types, sets = problem.table.types[records.type], np.arange(1 << columns)
    differ = ((types[:, np.newaxis] != types) << np.arange(columns)).sum(axis=2)
    alike = (differ & ~sets[:, np.newaxis, np.newaxis]) == 0
    group, member = np.nonzero(alike.reshape(-1, len(types)))
    groups = problem.table.groups_of_records(group, member)
    could = (problem.principle.could_hold_each(groups) & (groups.sizes >= least)).reshape(len(sets), -1)
    sizes = np.where(could, groups.sizes.reshape(len(sets), -1), 0).max(axis=1)
    weight = (sets[:, np.newaxis] >> np.arange(columns) & 1) @ problem.table.scaled_weights
    order = np.argsort(weight, kind="stable")
    served = np.logical_or.accumulate(could[order], axis=0) @ records.multiplicity
    yield from zip(weight[order].tolist(), served.tolist(), np.maximum.accumulate(sizes[order]).tolist(), strict=True)


def levels_of_balls(table: Table, least: int) -> Iterator[Level]:
    """Yield the levels at all distances of row types, balls in place of classes. O(T^2 (m + log T)) for T row types."""
    types, copies = table.types, table.multiplicity
    distances = np.zeros((len(types), len(types)), dtype=np.int64)
    for column, weight in zip(types.T, table.scaled_weights.tolist(), strict=True):
        distances += weight * (column[:, np.newaxis] != column)
    order = np.argsort(distances, axis=1, kind="stable")
    far, held = np.take_along_axis(distances, order, axis=1), np.cumsum(copies[order], axis=1)
    # From this distance on a type has company; and how large a ball is at a distance, its last row tells.
    near = far[np.arange(len(types)), (held >= least).argmax(axis=1)]
    by_distance = np.argsort(far, axis=None, kind="stable")
    largest = np.maximum.accumulate(np.where(held >= least, held, 0).reshape(-1)[by_distance])
    weights, first = np.unique(far.reshape(-1)[by_distance], return_index=True)
    last = np.append(first[1:], len(largest)) - 1
    served = np.cumsum(copies[np.argsort(near, kind="stable")])
    reached = np.searchsorted(np.sort(near), weights, side="right")
    for weight, count, at in zip(weights.tolist(), reached.tolist(), last.tolist(), strict=True):
        yield weight, int(served[count - 1]) if count else 0, int(largest[at])
