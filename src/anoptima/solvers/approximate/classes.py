"""Classes of equal rows: k-anonymity within a factor of the number of columns (Liang and Yuan 2013, Theorem 10, case 3 repaired).

Let C_1, C_2, ... be the classes of equal rows with k rows or more, the largest first, L the number of the other rows, and m the number
of columns.

- L = 0: the classes, at no cost.
- L >= k: the big classes, and all other rows together. Cost <= m L, and OPT >= L: each of those rows has a star.
- L < k, and the big classes together can spare k - L rows: those rows join the others. Cost <= m k, and OPT >= k: some group has a star.
- Otherwise the smallest big class joins the others. Cost <= m (L + |C_r|), and OPT >= L + |C_r|: in each feasible partition some big
  class has a star in all of its rows. Else each keeps a group of k rows or more without stars, and at most L + sum(|C_i| - k) < k rows,
  and at least the L > 0, are left for the groups with stars. (The paper has one class that does so in every partition. There is no such
  class for the rows a, a, b, b, c and k = 2.)

With weights, a star costs at least the least of them and a row at most their sum: the factor is their sum over the least.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.exact import Exact, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.anonymity import AnonymityApproximation, least_size
from anoptima.solvers.approximate.chop import chop
from anoptima.table import Counts, Table


@algorithms.register
class Classes(AnonymityApproximation):
    """Large classes of equal rows stay; all other rows form one group, which is chopped into groups of close rows.

    cost <= m OPT for m columns of equal weight; the sum of the weights over the least in general. O(n log n), and O(L^2 m / k) to chop L
    rows in small classes.

    References
    ----------
    H. Liang and H. Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 10.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "classes")
    >>> answer.cost, ao.get_solver("classes").ratio(answer.problem)
    (61, 8)
    """

    name = "classes"
    family = "trees-and-classes"

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return the number of columns, or the sum of the weights over the least."""
        assert isinstance(problem, CellSuppression)
        return weight_ratio(problem.table)

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Tell the cases apart, and chop."""
        k = least_size(problem)
        return chop(problem, by_classes(problem.table, k), k, is_over)


def by_classes(table: Table, k: int) -> Partition:
    """Return the partition of Theorem 10, before it is chopped. The table has at least k rows.

    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": list("aabbc")}), quasi=["a"])
    >>> by_classes(table, 2).groups()
    [[0, 1], [2, 3, 4]]
    """
    return Partition.from_labels(np.where(least_residue(table, k), len(table.multiplicity), table.type_of_row))


def least_residue(table: Table, k: int) -> NDArray[np.bool_]:
    """Return the rows that the theorem puts together. No fewer rows, k of them or none, leave each class with k rows or none.

    >>> import pandas as pd
    >>> least_residue(Table.from_frame(pd.DataFrame({"a": list("aaabc")}), quasi=["a"]), 3).tolist()
    [True, True, True, True, True]
    """
    sizes = table.multiplicity
    labels, rest = table.type_of_row.copy(), len(sizes)
    small, big = sizes < k, np.flatnonzero(sizes >= k)
    lacking = k - int(sizes[small].sum())
    labels[small[labels]] = rest
    if small.any() and lacking > 0:
        if int((sizes[big] - k).sum()) >= lacking:
            labels[_spared(table, big, lacking, k)] = rest
        else:
            # Of equal classes the last, as in the paper's order.
            labels[labels == big[::-1][sizes[big[::-1]].argmin()]] = rest
    together: NDArray[np.bool_] = labels == rest
    return together


def _spared(table: Table, big: Counts, lacking: int, k: int) -> Counts:
    """Return `lacking` rows of big classes that keep k rows, from as few classes as can be: equal rows cost no stars."""
    chosen: list[Counts] = []
    for t in big[np.argsort(-table.multiplicity[big], kind="stable")].tolist():
        count = min(lacking, int(table.multiplicity[t]) - k)
        chosen.append(np.flatnonzero(table.type_of_row == t)[:count])
        lacking -= count
        if not lacking:
            break
    return np.concatenate(chosen)


def weight_ratio(table: Table) -> Exact:
    """Return what a fully starred row costs over what the cheapest star costs: the number of columns where all weigh the same.

    >>> from anoptima import ten_rows
    >>> weight_ratio(ten_rows())
    8
    """
    return simplest(Fraction(sum(table.weights)) / min(table.weights))
