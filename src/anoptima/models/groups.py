"""Set partition over all groups: for cell suppression under k-anonymity, and under frequency l-diversity with l whole.

Sets: groups G that may be, as multisets of kinds of rows (`group_lists`), with cost c_G = |G| * weight of the columns on which G is
not constant, and a_Gr rows of kind r; n_r rows of kind r in the table. Variables: u_G, how many groups of the partition are like G.

    minimise    sum c_G u_G
    (cover)     sum_G a_Gr u_G = n_r             every row is in one group
    u_G >= 0 whole

The program is built on a `GroupList`, whichever groups that holds: on a part of them it is a restricted master problem, whose dual
prices say which groups to add. Its size grows with n^(2k - 1).

Its relaxation is worth exactly what the pattern program's is. Fractions of groups add up to x and z of their patterns, at no higher cost.
Conversely, the x_pr / z_p of an open pattern satisfy 0 <= x <= s_r and sum x >= k, whose corners are whole: x_p is a mixture of groups
that p matches, and none of them costs more than p. Under l-diversity the corners are groups of l rows with l values.

Size: a variable for each group in the list, a row for each kind of row, a coefficient for each kind in each group.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.group_lists import GroupList, Members, RowKinds, count_groups, kinds_of, list_groups
from anoptima.models.languages import pyo, weighted_sum
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.table import Counts, Table

_BYTES_A_VARIABLE = 1100
_BYTES_A_ROW = 900
_BYTES_A_COEFFICIENT = 150
"""As in the pattern model; a variable is dearer by the group that it stands for."""

_BLOCK = 1 << 20
"""How many entries of a list are priced at once."""


@models.register
class GroupsModel(Model[Partition]):
    """All groups, used or not; for cell suppression under k-anonymity, and frequency l-diversity with l whole."""

    name = "groups"
    language = Language.PYOMO
    problems: ClassVar[tuple[type[Problem[Any]], ...]] = (CellSuppression,)

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression where groups of less than twice the least size are enough."""
        reason = super().why_not(problem)
        if reason is None and isinstance(problem, CellSuppression) and kinds_of(problem) is None:
            return (
                "the groups model is for k-anonymity, and for frequency l-diversity with l whole, where groups split; "
                f"not for {problem.principle}"
            )
        return reason

    def kinds(self, problem: Problem[Partition]) -> RowKinds:
        """Return which rows are alike and which may be grouped."""
        assert isinstance(problem, CellSuppression)
        kinds = kinds_of(problem)
        assert kinds is not None
        return kinds

    def costs(self, problem: Problem[Partition], groups: GroupList) -> Counts:
        """Return the scaled cost of each group."""
        assert isinstance(problem, CellSuppression)
        return star_costs(problem.table, groups)

    def estimate(self, problem: Problem[Partition]) -> ModelSize:
        """Count the groups; in closed form, so the number is exact up to 2^40 and from below beyond that."""
        kinds = self.kinds(problem)
        counts = count_groups(kinds)
        groups, entries = sum(counts.values()), sum(size * count for size, count in counts.items())
        memory = groups * _BYTES_A_VARIABLE + len(kinds) * _BYTES_A_ROW + entries * _BYTES_A_COEFFICIENT
        return ModelSize(groups, len(kinds), entries, memory, {"groups": groups, "kinds of rows": len(kinds)})

    def build_unchecked(self, problem: Problem[Partition], size: ModelSize) -> BuiltGroups:
        """List the groups and build the program. O(coefficients)."""
        problem.require_feasible()
        groups = list_groups(self.kinds(problem))
        return BuiltGroups(problem, size, groups, self.costs(problem, groups))


class BuiltGroups(BuiltModel[Partition]):
    """The program on a list of groups; columns are the groups in the list's order."""

    language = Language.PYOMO

    def __init__(self, problem: Problem[Partition], size: ModelSize, groups: GroupList, costs: Counts) -> None:
        program = pyo.ConcreteModel(name=f"{problem.name}, set partition")
        super().__init__(problem, program, size)
        self.groups = groups
        kinds = groups.kinds
        group, kind, copies = groups.entries
        most = np.full(len(groups), np.iinfo(np.int64).max)
        np.minimum.at(most, group, kinds.rows[kind] // copies)
        program.used = pyo.Var(range(len(groups)), domain=pyo.NonNegativeIntegers)
        check_time()
        used = list(program.used.values())
        for variable, limit in zip(used, most.tolist(), strict=True):
            variable.setub(limit)
        order = np.argsort(kind, kind="stable")
        ends = np.searchsorted(kind[order], np.arange(len(kinds) + 1))
        by_kind, factors = group[order].tolist(), copies[order].tolist()

        def cover(_: Any, r: int) -> Any:
            check_time()
            part = slice(ends[r], ends[r + 1])
            return weighted_sum(factors[part], [used[g] for g in by_kind[part]]), int(kinds.rows[r])

        program.cover = pyo.Constraint(range(len(kinds)), rule=cover)
        program.cost = pyo.Objective(expr=weighted_sum(costs.tolist(), used))

    def encode(self, solution: Partition) -> Values:
        """Cut groups that are not listed for their size, which never costs more, and count the groups of each sort."""
        kinds = self.groups.kinds
        values = np.zeros(len(self.groups))
        for group in solution.groups():
            for part in kinds.cut(group):
                values[self.groups.find(sorted(kinds.of_row[part].tolist()))] += 1
        return values

    def decode(self, values: Values) -> Partition:
        """Deal the rows of each kind out to the groups that are used, in the order of rows and groups."""
        kinds = self.groups.kinds
        times = np.rint(values[: len(self.groups)]).astype(np.int64)
        group, kind, copies = self.groups.entries
        repeated = times[group]
        first_label = np.cumsum(times) - times
        entry = np.repeat(np.arange(len(group)), repeated)
        label = first_label[group[entry]] + np.arange(len(entry)) - np.repeat(np.cumsum(repeated) - repeated, repeated)
        label, held = np.repeat(label, copies[entry]), np.repeat(kind[entry], copies[entry])
        labels = np.empty(len(kinds.of_row), dtype=np.int64)
        labels[np.argsort(kinds.of_row, kind="stable")] = label[np.argsort(held, kind="stable")]
        return Partition.from_labels(labels)


def star_costs(table: Table, groups: GroupList) -> Counts:
    """Return, for each group, its size times the scaled weight of the columns on which it is not constant. O(entries m)."""
    costs = []
    for types in _types(groups):
        check_time()
        weight = np.zeros(len(types), dtype=np.int64)
        for c, scaled in enumerate(table.scaled_weights.tolist()):
            codes = table.types[:, c][types]
            weight += scaled * (codes.min(axis=1) != codes.max(axis=1))
        costs.append(types.shape[1] * weight)
    return np.concatenate(costs)


def diameters(distances: Counts, groups: GroupList) -> Counts:
    """Return, for each group, the largest of the `distances` of its row types. O(entries x size)."""
    found = []
    for types in _types(groups):
        check_time()
        widest = np.zeros(len(types), dtype=np.int64)
        for second in range(types.shape[1]):
            for first in range(second):
                np.maximum(widest, distances[types[:, first], types[:, second]], out=widest)
        found.append(widest)
    return np.concatenate(found)


def _types(groups: GroupList) -> Iterator[NDArray[np.int64]]:
    """Yield the row types of the groups, groups of one size at a time and not too many."""
    for block in groups.members:
        step = max(1, _BLOCK // block.shape[1])
        for start in range(0, len(block), step):
            members: Members = block[start : start + step]
            yield groups.kinds.type[members]
