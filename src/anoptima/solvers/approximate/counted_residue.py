"""Least residues by counting: t-closeness, or any other principle, within a factor of the number of columns, without a program.

Liang and Yuan (2013, section 7) ask for an approximation of t-closeness. A least residue R is one (`anoptima.solvers.approximate.residue`):
with m columns of equal weight, |R| <= OPT <= m |R| under every merge-closed principle, as t-closeness is for every t and every
distance. It is found in polynomial time in two cases.

*Few sensitive values.* All that a principle sees of a set of rows is how many have each of the M sensitive values (or combinations of them,
with several sensitive columns). What classes of equal rows lose together is a vector of M numbers from 0 to N_v, the rows of value v. Take
the classes in one after another, and keep all vectors that the classes so far can lose: class c, with c_v rows of value v, loses c - a
for a = 0 or an a <= c that satisfies the principle. Of the vectors in the end that are 0 or satisfy the principle, one with the least
sum is a least residue, since a residue is nothing else than such a choice for each class. With A_c = prod_v (c_v + 1) choices for
class c and S_c = prod_v (rows of v in the classes before c, plus 1) vectors before it, that takes

    sum_c A_c S_c <= P sum_c A_c <= 2 P^2 <= 2 (n + 1)^(2 M)    looks, P = prod_v (N_v + 1),

as what the classes before c have, with a choice other than 0 of c, is a different vector for each c and choice: sum_c (A_c - 1) <= P - 1,
and there are at most P - 1 classes. For two values that is 2 (n + 1)^4 at most, and far less where classes are small.

*t = 0.* Then a class keeps a multiple of u = N / gcd(N), the least vector with the table's distribution: min_v floor(c_v / u_v) times u is
most. What is left of N is a multiple of u, too, or nothing. So these rows are a residue, and no residue has fewer, for any number
of values and any distance that is 0 for equal values only. O(n log n).

For any number of values a least residue is NP-hard at t = 1/2 and equal distance (`3-partition-to-t-closeness`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin
from anoptima.deadline import check_time
from anoptima.exact import Exact
from anoptima.principles import Close, Truths
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation
from anoptima.solvers.approximate.classes import weight_ratio
from anoptima.solvers.approximate.residue import least_cost, split_starred
from anoptima.solvers.approximate.residue_phases import ClassCounts
from anoptima.solvers.exact.states import about
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts, Groups

_MOST_LOOKS = 1 << 32
"""Looks at a vector and what a class can lose; some seconds."""
_MOST_KEPT = 1 << 27
"""Vectors kept, a byte each: for each class, those that the classes before it can lose."""
_MOST_ASKED = 1 << 21
"""Sets of rows that the principle is asked of."""
_MOST_APART = 1_000
"""For how many values of a distance that is not known to be equal it is looked whether different values are apart."""


@algorithms.register
class CountedResidue(CellApproximation):
    """A least residue, found by counting the rows of each sensitive value; for few sensitive values, or t-closeness with t = 0.

    For every merge-closed principle. cost <= m OPT for m columns of equal weight. Polynomial for a fixed number M of sensitive values: at
    most 2 (n + 1)^(2 M) looks for n rows, and refused beyond some billions; O(n log n) for t = 0 and any number of values.

    References
    ----------
    H. Liang and H. Yuan: On the complexity of t-closeness anonymization and related problems (2013), section 7, ask for it.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.TCloseness("1/5")), "counted-residue")
    >>> answer.cost, ao.get_solver("counted-residue").ratio(answer.problem), answer.bound.value
    (70, 8, 54)
    """

    name = "counted-residue"
    family = "residues"

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for few sensitive values, and for t = 0."""
        reason = super().why_not(problem)
        if reason is not None or not isinstance(problem, CellSuppression) or _proportional(problem.plain):
            return reason
        looks, kept, asked = _Counted(problem.plain).size()
        if looks > _MOST_LOOKS or kept > _MOST_KEPT or asked > _MOST_ASKED:
            return (
                f"{self.name} takes {about(looks)} looks at what classes of equal rows lose together and at what one of them can, and "
                f"keeps {about(kept)} vectors; {_MOST_LOOKS:,} and {_MOST_KEPT:,} are the most"
            )
        return None

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return the number of columns, or the sum of the weights over the least."""
        assert isinstance(problem, CellSuppression)
        return weight_ratio(problem.table)

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Take a least residue out of the classes."""
        return _published(problem, least_counted(problem), is_over)

    def search(self, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        """Offer the partition, and the bound that each row of a least residue has a star."""
        taken = least_counted(problem)
        ledger.offer(_published(problem, taken, ledger.is_over))
        ledger.raise_bound(least_cost(problem, int(taken.sum())), Origin.THEOREM, self.name)


def least_counted(problem: CellSuppression) -> Truths:
    """Return which rows make a least residue. The problem has a solution.

    >>> import pandas as pd
    >>> from anoptima import TCloseness
    >>> from anoptima.table import Table
    >>> table = Table.from_frame(pd.DataFrame({"zip": [1, 1, 1, 2, 2, 2], "ill": list("xxyyyx")}), ["zip"], "ill")
    >>> [least_counted(CellSuppression(table, TCloseness(t))).tolist().count(True) for t in (0, "1/6")]
    [2, 0]
    """
    if _proportional(problem):
        (close,) = problem.principle.conditions(problem.table)
        counts = ClassCounts(problem.table, *close.columns)
        unit = np.array(close.whole) // math.gcd(*close.whole)  # type: ignore[attr-defined]
        times = np.zeros(len(problem.table.types), dtype=np.int64)
        there = np.bincount(counts.type, minlength=len(times)) == int((unit > 0).sum())
        smallest = np.minimum.reduceat(counts.count // unit[counts.value], counts.ends[:-1])
        times[there] = smallest[there]
        return counts.taken(times[counts.type] * unit[counts.value])
    return _Counted(problem).least()


def _proportional(problem: CellSuppression) -> bool:
    """Tell whether the principle asks of a group no more and no less than the table's distribution."""
    conditions = problem.principle.conditions(problem.table)
    if len(conditions) != 1 or not isinstance(conditions[0], Close) or conditions[0].limit != 0:
        return False
    metric, values = conditions[0].metric, len(conditions[0].whole)
    return metric.is_equal or (values <= _MOST_APART and int((metric.distances() == 0).sum()) == values)


def _published(problem: CellSuppression, taken: Truths, is_over: Callable[[], bool]) -> Partition:
    types = problem.table.type_of_row
    return split_starred(problem, Partition.from_labels(np.where(taken, types.max() + 1, types)), is_over)


class _Counted:
    """Numbers of rows by class and by what the principle sees of a row: its values in the sensitive columns that count."""

    def __init__(self, problem: CellSuppression) -> None:
        self._problem = problem
        table, records = problem.table, problem.table.records
        asked = {name for c in problem.principle.conditions(table) for name in c.columns} or set(table.sensitive)
        columns = [c for c, name in enumerate(table.sensitive) if name in asked]
        _, self._example, value = np.unique(
            records.sensitive[:, columns], axis=0, return_index=True, return_inverse=True
        )
        self._value_of_row: Counts = value.reshape(-1)[records.of_row]
        self._values = len(self._example)
        # Small classes first: what they can lose together are few vectors for long.
        self._order = np.argsort(table.multiplicity, kind="stable")
        held = np.unique(table.type_of_row * self._values + self._value_of_row, return_counts=True)
        self._held: dict[int, dict[int, int]] = {}
        for place, count in zip(*(part.tolist() for part in held), strict=True):
            self._held.setdefault(place // self._values, {})[place % self._values] = count

    def _class(self, c: int) -> Counts:
        counts = np.zeros(self._values, dtype=np.int64)
        for value, count in self._held[c].items():
            counts[value] = count
        return counts

    def size(self) -> tuple[int, int, int]:
        """Return how many looks it takes, how many vectors it keeps, and how many sets of rows the principle is asked of; from above."""
        before = [1] * self._values
        looks = kept = asked = 0
        vectors = 1
        for c in self._order.tolist():
            choices = math.prod(count + 1 for count in self._held[c].values())
            looks, kept, asked = looks + choices * vectors, kept + vectors, asked + choices
            for value, count in self._held[c].items():
                vectors = vectors // before[value] * (before[value] + count)
                before[value] += count
            if max(looks, asked, kept) > 10**100:
                break
        return looks, kept + vectors, asked + vectors

    def least(self) -> Truths:
        """Find what the classes can lose together, choose, and follow back."""
        reached = np.ones((1,) * self._values, dtype=bool)
        history: list[NDArray[np.bool_]] = []
        for c in self._order.tolist():
            history.append(reached)
            own, extent = self._class(c), np.array(reached.shape)
            larger = np.zeros(extent + own, dtype=bool)
            for lost in self._losses(own).tolist():
                check_time()
                larger[tuple(slice(less, less + width) for less, width in zip(lost, extent.tolist(), strict=True))] |= (
                    reached
                )
            reached = larger
        vectors = np.argwhere(reached)
        vectors = vectors[np.argsort(vectors.sum(axis=1), kind="stable")]
        chosen = vectors[int(self._good(vectors).argmax())]
        taken = np.zeros(self._problem.table.rows, dtype=bool)
        for c, earlier in zip(self._order[::-1].tolist(), history[::-1], strict=True):
            losses = self._losses(self._class(c))
            before = chosen - losses
            inside = ((before >= 0) & (before < earlier.shape)).all(axis=1)
            possible = np.flatnonzero(inside)
            found = int(possible[earlier[tuple(before[possible].T)].argmax()])
            for value in np.flatnonzero(losses[found]).tolist():
                rows = np.flatnonzero((self._problem.table.type_of_row == c) & (self._value_of_row == value))
                taken[rows[: losses[found][value]]] = True
            chosen = before[found]
        return taken

    def _losses(self, own: Counts) -> Counts:
        """Return what a class can lose: what is left satisfies the principle, or nothing is left."""
        left = np.indices((own + 1).tolist()).reshape(len(own), -1).T
        losses: Counts = own - left[self._good(left)]
        return losses

    def _good(self, counts: Counts) -> Truths:
        """Tell for each vector whether rows of these numbers are none or satisfy the principle."""
        some: Truths = counts.sum(axis=1) > 0
        good: Truths = ~some
        if some.any():
            good[some] = self._problem.principle.holds_each(self._groups(counts[some]))
        return good

    def _groups(self, counts: Counts) -> Groups:
        table = self._problem.table
        label, value = np.nonzero(counts)
        columns = {name: table.sensitive_column(name) for name in table.sensitive}
        codes = {name: table.records.sensitive[self._example[value], c] for c, name in enumerate(table.sensitive)}
        return Groups(counts.sum(axis=1), columns, label.astype(np.int64), counts[label, value], codes)
