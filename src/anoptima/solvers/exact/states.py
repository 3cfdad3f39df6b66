"""Parts of a table as numbers, and what each could cost as one group: the basis of exact searches over all parts.

Rows that are alike to a problem are of one kind; a *part* of the table is how many rows it has of each. Kind r has n_r rows, so there are
`prod (n_r + 1)` parts, 2^n if no two rows are alike and far fewer if many are. A part is a place in an array of that shape, and its number
is the place's in C order; a part that lies in another one has a smaller number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anoptima.deadline import check_time
from anoptima.models.group_lists import RowKinds, count_groups, kinds_by_type, kinds_of, list_groups
from anoptima.models.groups import diameters, star_costs
from anoptima.principles import AtLeastRows
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.diameter_sum import DiameterSum, scaled_distances
from anoptima.table import Counts, Groups, Table

_BLOCK = 1 << 16
"""How many parts are looked at together."""


NEVER = 1 << 61
"""What costs more than anything: twice it still fits 63 bits."""

MOST_COUNTED = 10**100
"""Counting stops here: a table of a million rows has 2^1000000 parts, and whoever asks only wants to know that these are too many."""


@dataclass(frozen=True, eq=False)
class States:
    """Which rows are alike, and the groups that an optimal partition may consist of.

    Attributes
    ----------
    of_row : array (n,)
        The kind of each row.
    rows : array (K,)
        How many rows are of each kind.
    """

    of_row: Counts
    rows: Counts

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an array with a place for each part."""
        return tuple((self.rows + 1).tolist())

    @property
    def strides(self) -> Counts:
        """What one row more of each kind adds to a part's number."""
        return np.cumprod([1, *self.shape[:0:-1]])[::-1].astype(np.int64)

    @property
    def count(self) -> int:
        """How many parts there are; `MOST_COUNTED` stands for as many or more."""
        return _product(self.rows + 1)

    @property
    def inclusions(self) -> int:
        """How many pairs there are of a part and a part of it: `prod C(n_r + 2, 2)`, 3^n if no two rows are alike; up to `MOST_COUNTED`."""
        return _product((self.rows + 2) * (self.rows + 1) // 2)

    def partition(self, groups: list[Counts]) -> Partition:
        """Deal the rows of each kind out to groups, given by their numbers of rows of each kind."""
        labels = np.empty(len(self.of_row), dtype=np.int64)
        order = np.argsort(self.of_row, kind="stable")
        dealt = [np.repeat(np.arange(len(groups)), [group[kind] for group in groups]) for kind in range(len(self.rows))]
        labels[order] = np.concatenate(dealt)
        return Partition.from_labels(labels)


def states_of(problem: CellSuppression) -> States:
    """Return the states on which every principle can be asked: by row types where sensitive values do not matter, or by records."""
    table = problem.table
    conditions = problem.plain.principle.conditions(table)
    if all(isinstance(condition, AtLeastRows) for condition in conditions):
        return States(table.type_of_row, table.multiplicity)
    return States(table.records.of_row, table.records.multiplicity)


class Candidates:
    """Groups that are enough for an optimal partition, and the states that they are parts of.

    Where groups split (k-anonymity, frequency l-diversity with l whole, diameter sums), those of less than twice the least size; otherwise
    all that satisfy the principle. Nothing is listed before it is asked for.
    """

    def __init__(self, problem: CellSuppression | DiameterSum) -> None:
        self._problem = problem
        self._kinds: RowKinds | None
        if isinstance(problem, DiameterSum):
            self._kinds = kinds_by_type(problem.table, problem.k)
        else:
            self._kinds = kinds_of(problem)
        if self._kinds is not None:
            self.states = States(self._kinds.of_row, self._kinds.rows)
        else:
            assert isinstance(problem, CellSuppression)
            self.states = states_of(problem)

    @property
    def most(self) -> int:
        """How many groups there are, from above; in closed form."""
        return self.states.count if self._kinds is None else sum(count_groups(self._kinds).values())

    def groups(self) -> tuple[Counts, Counts]:
        """Return the groups as numbers of rows of each kind, and their scaled costs. O(groups (K + m)), or O(parts K m)."""
        problem = self._problem
        if self._kinds is None:
            assert isinstance(problem, CellSuppression)
            return _all_groups(problem, self.states)
        listed = list_groups(self._kinds)
        group, kind, copies = listed.entries
        counts = np.zeros((len(listed), len(self._kinds)), dtype=np.int64)
        counts[group, kind] = copies
        if isinstance(problem, CellSuppression):
            return counts, star_costs(problem.table, listed)
        return counts, diameters(scaled_distances(problem.table, np.arange(len(problem.table.types))), listed)


def _all_groups(problem: CellSuppression, states: States) -> tuple[Counts, Counts]:
    counts, alone = all_parts(problem, states)
    allowed = alone < NEVER
    allowed[0] = False
    return counts[allowed], alone[allowed]


def all_parts(problem: CellSuppression, states: States) -> tuple[Counts, Counts]:
    """Return every part as numbers of rows of each kind, and what it costs as one group: `NEVER` if it may not be one.

    Nothing at all costs 0. O(parts K m).
    """
    counts = np.column_stack(np.unravel_index(np.arange(states.count), states.shape)).astype(np.int64)
    costs = np.zeros(states.count, dtype=np.int64)
    by_record = len(states.rows) == len(problem.table.records)
    for start in range(1, states.count, _BLOCK):
        check_time()
        block = counts[start : start + _BLOCK]
        groups = groups_of_counts(problem.table, block) if by_record else _without_values(block)
        costs[start : start + _BLOCK] = np.where(
            problem.principle.holds_each(groups), _stars(problem.table, block, by_record), NEVER
        )
    return counts, costs


def groups_of_counts(table: Table, counts: Counts) -> Groups:
    """Return the groups with the given numbers of rows of each record type, one row of `counts` each."""
    label, record = np.nonzero(counts)
    codes = {name: table.records.sensitive[record, c] for c, name in enumerate(table.sensitive)}
    columns = {name: table.sensitive_column(name) for name in table.sensitive}
    return Groups(counts.sum(axis=1), columns, label.astype(np.int64), counts[label, record], codes)


def _without_values(counts: Counts) -> Groups:
    """Return the groups of this number of rows, without regard to sensitive values."""
    nothing = np.zeros(0, dtype=np.int64)
    return Groups(counts.sum(axis=1), {}, nothing, nothing, {})


def _stars(table: Table, counts: Counts, by_record: bool) -> Counts:
    """Return what it costs to star the columns on which the kinds of each part differ."""
    held = counts > 0
    weight = np.zeros(len(counts), dtype=np.int64)
    codes = table.types[table.records.type] if by_record else table.types
    for column, scaled in zip(codes.T, table.scaled_weights.tolist(), strict=True):
        first = column[held.argmax(axis=1)]
        weight += scaled * (held & (column[None, :] != first[:, None])).any(axis=1)
    costs: Counts = counts.sum(axis=1) * weight
    return costs


def _product(factors: Counts) -> int:
    """Multiply, exactly up to `MOST_COUNTED`."""
    few = np.log10(factors.astype(float)).sum() < math.log10(MOST_COUNTED) + 1
    return min(math.prod(factors.tolist()), MOST_COUNTED) if few else MOST_COUNTED


def about(number: int) -> str:
    """Write a number that may be huge.

    >>> about(12345), about(3**60), about(10**100)
    ('12,345', '4e28', '1e100 or more')
    """
    if number < 10**12:
        return f"{number:,}"
    if number >= MOST_COUNTED:
        return "1e100 or more"
    digits = len(str(number)) - 1
    return f"{round(Fraction(number, 10**digits))}e{digits}"
