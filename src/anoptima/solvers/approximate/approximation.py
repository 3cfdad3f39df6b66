"""What approximations of cell suppression share: one step that finds a partition, and the bound that its ratio proves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

import numpy as np

from anoptima.exact import floor_within
from anoptima.principles import AtMostShare
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts


class CellApproximation(Algorithm[Partition]):
    """An approximation of cell suppression; subclasses say what they are for and find a partition.

    >>> import anoptima as ao
    >>> class OneGroup(ao.CellApproximation):
    ...     name = "one-group"
    ...
    ...     def partition(self, problem, is_over):
    ...         return problem.trivial()
    >>> print(ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), OneGroup()).cost)
    70
    """

    kind = Kind.APPROXIMATE
    problems = (CellSuppression,)
    joins_groups = True

    # `partition` is told neither.
    uses_seed = False
    uses_limit = False

    @abstractmethod
    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Return a feasible partition; once `is_over()` is true, the quickest that can be made of what there is."""

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Enter the partition in the ledger, and the bound that the ratio proves if the run came to its end."""
        found = self.partition(problem, ledger.is_over)
        cut_short = ledger.is_over()
        if not self.joins_groups and isinstance(found, Partition) and not problem.is_feasible(found):
            return  # groups that are published alike fail together, and the ledger has the trivial solution
        ledger.offer(found)
        if not cut_short:
            self.raise_by_ratio(problem, ledger, problem.cost(found))


def merge_until_it_holds(problem: CellSuppression, labels: Counts, group: int) -> Partition:
    """Merge groups into `group` until every group satisfies the principle.

    Only `group` may fail, and the principle is merge-closed. Those go first that lose least for what they bring: a group starred in most
    columns has little to lose, and where a value is too frequent, only groups in which it is rarer bring anything. Twice as many are merged
    each time; with all of them the whole table is one group, which holds whenever anything does.
    """
    partition = Partition.from_labels(labels)
    number = int(partition.labels[int((labels == group).argmax())])
    sizes = np.bincount(partition.labels)
    stars = problem.stars(partition) @ problem.table.scaled_weights
    per_row = np.zeros(len(sizes), dtype=np.int64)
    per_row[partition.labels] = stars
    loss = sizes * (problem.table.scaled_weights.sum() - per_row)
    brings = _brings(problem, partition.labels, number, sizes)
    price = np.where(brings > 0, loss / np.maximum(brings, 1), loss + float(loss.sum() + 1))
    price[number] = -1
    order = np.argsort(price, kind="stable")
    taken = 1
    while True:
        merged = np.isin(partition.labels, order[:taken])
        candidate = np.where(merged, len(sizes), partition.labels)
        whole = Partition.from_labels(candidate)
        if problem.principle.holds(problem.table.groups(whole.labels)):
            return whole
        taken = min(2 * taken, len(order))


def _brings(problem: CellSuppression, labels: Counts, number: int, sizes: Counts) -> Counts:
    """Return how many rows each group could take of the value that is most too frequent in group `number`; 1 if none is."""
    table = problem.table
    for condition in problem.principle.conditions(table):
        if isinstance(condition, AtMostShare):
            codes = table.sensitive_column(condition.column).codes
            value = int(np.bincount(codes[labels == number]).argmax())
            share = floor_within(condition.share, table.rows)
            room = share.numerator * sizes - share.denominator * np.bincount(
                labels[codes == value], minlength=len(sizes)
            )
            if room[number] < 0:
                return room
    return np.ones_like(sizes)
