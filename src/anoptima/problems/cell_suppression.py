"""Cell suppression: the fewest (or cheapest) stars after which the rows fall into groups that satisfy a principle.

Suppressor view: replace cells by `*` so that all rows with the same published image form a group that satisfies the principle. Partition
view: partition the rows into satisfying groups and star, in every group, the columns on which it is not constant. The optima of the
two are equal: equal images make groups, and a group needs exactly its bad columns starred (Meyerson and Williams 2004). A solution
here is a partition. `cost = sum over groups of |group| * (weight of its bad columns)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.limits import said
from anoptima.packages import pd
from anoptima.problems.base import problem_kinds
from anoptima.problems.levels import least_cost
from anoptima.problems.released import false_cells, released_stars
from anoptima.problems.table_problem import TableProblem, group_text
from anoptima.table import Counts, Groups, fold_codes


@checked
@dataclass(frozen=True, eq=False)
class Partition:
    """Groups of rows: `labels[i]` is the group of row i, numbered 0, 1, ... in order of first appearance.

    >>> Partition.from_groups([[1, 3], [0, 2]], rows=4).labels.tolist()
    [0, 1, 0, 1]
    """

    labels: Counts

    @classmethod
    def from_labels(cls, labels: NDArray[np.integer] | Sequence[int]) -> Partition:
        """Make a partition from any labels, renumbered.

        >>> Partition.from_labels(np.array([7, 3, 7])).labels.tolist()
        [0, 1, 0]
        """
        given = np.asarray(labels)
        if given.ndim != 1:
            raise BadInput(f"labels has {given.ndim} dimensions; it must be a list with one label a row")
        codes, _ = pd.factorize(given)
        return cls(codes.astype(np.int64))

    @classmethod
    def from_groups(cls, groups: list[list[int]], rows: int) -> Partition:
        """Make a partition from lists of row numbers, counted from 0, that cover every row once."""
        labels = np.full(rows, -1, dtype=np.int64)
        for number, group in enumerate(groups):
            for row in group:
                if not 0 <= row < rows:
                    raise BadInput(f"group {number} holds row {row}; rows are numbered from 0 to {rows - 1}")
                if labels[row] >= 0:
                    raise BadInput(f"row {row} is in groups {labels[row]} and {number}")
                labels[row] = number
        if (labels < 0).any():
            raise BadInput(f"row {int((labels < 0).argmax())} is in no group")
        return cls.from_labels(labels)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition) and np.array_equal(self.labels, other.labels)

    def __hash__(self) -> int:
        return hash(self.labels.tobytes())

    def groups(self) -> list[list[int]]:
        """Return the groups as lists of row numbers, in order of their first rows."""
        order = np.argsort(self.labels, kind="stable")
        ends = np.cumsum(np.bincount(self.labels))[:-1]
        return [part.tolist() for part in np.split(order, ends)]


def wrong_labels(partition: Partition, rows: int) -> list[str]:
    """Return why labels are no partition of `rows` rows; empty if they are one.

    >>> wrong_labels(Partition(np.array([0, 2])), 2)
    ['the labels of a partition must be 0, 1, 2, ... without a gap']
    """
    labels = partition.labels
    if labels.shape != (rows,) or labels.dtype.kind not in "iu":
        other = "" if labels.dtype.kind in "iu" else f" and the type {labels.dtype}"
        return [f"a partition of this table has {rows} whole labels, one a row; this has shape {labels.shape}{other}"]
    if labels.min() < 0 or labels.max() >= rows or not np.bincount(labels.astype(np.int64, copy=False)).all():
        return ["the labels of a partition must be 0, 1, 2, ... without a gap"]
    return []


def require_label_each(partition: Partition, rows: int) -> None:
    """Raise `BadInput` unless a partition has a label for each row: with fewer or more, a cost would be of other rows.

    >>> require_label_each(Partition(np.array([0, 0])), 3)
    Traceback (most recent call last):
    anoptima.errors.BadInput: a partition of this table has 3 whole labels, one a row; this has shape (2,)
    """
    if partition.labels.shape != (rows,):
        raise BadInput(wrong_labels(partition, rows)[0])


def every_partition(rows: int) -> Iterator[Partition]:
    """Yield every partition of `rows` rows, by restricted growth.

    >>> [partition.labels.tolist() for partition in every_partition(2)]
    [[0, 0], [0, 1]]
    """
    labels = [0] * rows
    used = [0, *([1] * rows)]  # labels by the rows before each
    place = 0
    while place >= 0:
        yield Partition(np.array(labels, dtype=np.int64))
        place = rows - 1
        while place >= 0 and labels[place] == used[place]:
            place -= 1
        if place >= 0:
            labels[place] += 1
            labels[place + 1 :] = [0] * (rows - place - 1)
            used[place + 1 :] = [max(used[place], labels[place] + 1)] * (rows - place)


@problem_kinds.register
@checked
@dataclass(frozen=True, eq=False)
class CellSuppression(TableProblem[Partition]):
    """Stars of least total weight such that every group of identical released rows satisfies `principle`.

    Examples
    --------
    >>> from anoptima.principles import KAnonymity
    >>> from anoptima.table import Table
    >>> rows = pd.DataFrame([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 0]]).rename(columns=str)
    >>> problem = CellSuppression(Table.from_frame(rows, quasi=["0", "1", "2"]), KAnonymity(2))
    >>> problem.cost(Partition.from_groups([[0, 1, 2], [3, 4]], 5))
    8
    """

    name = "cell-suppression"
    unit = "stars"

    def stars(self, partition: Partition) -> NDArray[np.bool_]:
        """Return which cells the partition stars: rows x quasi-identifying columns. O(n m)."""
        return self._bad(partition)[partition.labels]

    def _bad(self, partition: Partition) -> NDArray[np.bool_]:
        require_label_each(partition, self.table.rows)
        order = np.argsort(partition.labels, kind="stable")
        starts = np.searchsorted(partition.labels[order], np.arange(int(partition.labels.max()) + 1))
        bad = []
        for column in self.table.quasi_columns:
            codes = column.codes[order]
            bad.append(np.minimum.reduceat(codes, starts) != np.maximum.reduceat(codes, starts))
        return np.column_stack(bad)

    def cost(self, solution: Partition) -> Exact:
        """Return the exact weight of all stars. O(n m)."""
        bad = self._bad(solution)
        scaled = np.bincount(solution.labels) @ (bad.astype(np.int64) @ self.table.scaled_weights)
        return self.unscale(int(scaled))

    def is_feasible(self, solution: Partition) -> bool:
        """Ask the principle of every group, and write nothing about those that fail it: brute force asks thousands of times."""
        if type(self).violations is not CellSuppression.violations:
            return super().is_feasible(solution)
        if wrong_labels(solution, self.table.rows):
            return False
        return bool(self.principle.holds_each(self.table.groups(self._asked_about(solution))).all())

    def violations(self, solution: Partition) -> list[str]:
        """Name the groups that fail the principle, or say that the labels are no partition of the rows."""
        wrong = wrong_labels(solution, self.table.rows)
        if wrong:
            return wrong
        labels = self._asked_about(solution)
        groups = self.table.groups(labels)
        failing = np.flatnonzero(~self.principle.holds_each(groups))
        found = (
            f"{group_text(np.flatnonzero(labels == group))}: {self.principle.why_not(groups, int(group))}"
            for group in failing
        )
        return said(found, "groups fail", len(failing))

    def released_classes(self, solution: Partition) -> Counts:
        """Return the classes of rows with one published image: readers of a release see groups with one image as one group.

        Under a merge-closed principle these classes satisfy it if the groups do; otherwise the classes are checked.
        """
        return self._shown_alike(self.stars(solution)).labels

    def _shown_alike(self, stars: NDArray[np.bool_]) -> Partition:
        key = np.zeros(self.table.rows, dtype=np.int64)
        for j, column in enumerate(self.table.quasi_columns):
            key = fold_codes(key, np.where(stars[:, j], 0, column.codes + 1), len(column.values) + 1)
        return Partition.from_labels(key)

    def groups_of(self, solution: Partition) -> Groups:
        """Return the groups that are published."""
        return self.table.groups(self._asked_about(solution))

    def _asked_about(self, solution: Partition) -> Counts:
        return solution.labels if self.is_merge_closed else self.released_classes(solution)

    def trivial(self) -> Partition:
        """Return the whole table as one group, a solution if any is; if the principle is not merge-closed, classes on few columns."""
        self.require_feasible()
        kept = self.kept_at_least
        if kept is None:
            return next(solution for solution in self.solutions() if self.is_feasible(solution))
        return Partition.from_labels(self.table.fold(kept))

    def lower_bound(self) -> Exact:
        """Bound how many rows can pay at most each weight, by the rows they can share a group with and the sizes that groups can have.

        See `problems.levels` for the statement and its proof. Near-linear a set of columns; stops after a fixed amount of work and
        returns what is proved by then. Worked out once for a problem: neither the table nor the principle changes.
        """
        return self._least

    @cached_property
    def _least(self) -> Exact:
        return self.unscale(least_cost(self))

    def solutions(self) -> Iterator[Partition]:
        """Yield every partition of the rows; the Bell number of n counts them."""
        return every_partition(self.table.rows)

    @property
    def out_of(self) -> str:
        """The quasi-identifying cells."""
        return f" of {self.table.cells:,} cells"

    def release(self, solution: Partition) -> pd.DataFrame:
        """Return the published table: `*` in every bad column of every group, everything else as it came in."""
        return self.table.release(self.stars(solution))

    def violations_of_release(self, release: pd.DataFrame) -> list[str]:
        """Say what is wrong with a released table: a cell neither starred nor true, a row too few, a group that fails."""
        return false_cells(self.table, release) or self.violations(self.solution_of_release(release))

    def solution_of_release(self, release: pd.DataFrame) -> Partition:
        """Return the classes of rows that a release publishes with one image; their cost is at most the stars it shows."""
        return self._shown_alike(released_stars(self.table, release))
