"""Cover by all sets of k to 2k - 1 rows: k-anonymity within a factor of order k log k (Meyerson and Williams 2004, Theorem 4.1).

While rows are uncovered, take the set S of k to 2k - 1 rows with the least diam(S) / |S & U|, U the uncovered rows; then Reduce. With D*
the optimum of the diameter sum and OPT that of cell suppression,

    sum diam <= H_{2k-1} D*,    k D* <= OPT,    cost(S) <= |S|^2 diam(S) / 2,

    cost <= ((2k - 1)^2 / (2k)) H_{2k-1} OPT <= 3k (1 + ln 2k) OPT,        H_x = 1 + 1/2 + ... + 1/x.

(The paper has C(|S|, 2) diam(S) in place of |S|^2 diam(S) / 2, which is wrong for two rows already; its final figure, 3k (1 + ln 2k),
stands.) Equal rows are interchangeable, so the sets are multisets of row types. Their number is of order n^(2k-1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.errors import ModelTooLarge
from anoptima.exact import Exact, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.anonymity import AnonymityApproximation, harmonic, least_size
from anoptima.solvers.approximate.approximation import merge_until_it_holds
from anoptima.solvers.approximate.cover_groups import CoverGroups
from anoptima.solvers.approximate.distances import Distances
from anoptima.table import Counts, Table

_MOST_MEMBERS = 20_000_000
"""How many members all sets may have together: some 200 MiB, and a second each time that a set is chosen."""


@algorithms.register
class Cover(AnonymityApproximation):
    """Greedy cover by sets of k to 2k - 1 rows, smallest diameter per new row first, then Reduce.

    cost <= ((2k - 1)^2 / (2k)) H_{2k-1} OPT, with any weights. n^O(k): it looks at each of up to C(n, k) + ... + C(n, 2k - 1) sets once a
    set that it chooses. Of sets with equal ratios it takes the one with the fewest stars for each new row.

    References
    ----------
    A. Meyerson and R. Williams: On the complexity of optimal k-anonymity (PODS 2004), Theorem 4.1.

    Examples
    --------
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "cover")
    >>> answer.cost, ao.get_solver("cover").ratio(answer.problem)
    (54, Fraction(33, 8))
    """

    name = "cover"
    family = "covers"

    def ratio(self, problem: Problem[Any]) -> Exact:
        """Return ((2k - 1)^2 / (2k)) H_{2k-1}; 1 for k = 1."""
        k = least_size(problem)
        return max(1, simplest(Fraction((2 * k - 1) ** 2, 2 * k) * harmonic(2 * k - 1)))

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """List the sets, cover, reducing as it goes."""
        labels = cover_by_sets(problem.table, least_size(problem), is_over)
        if (labels < 0).any():
            rest = int(labels.max()) + 1
            labels[labels < 0] = rest
            return merge_until_it_holds(problem, labels, rest)
        return Partition.from_labels(labels)


def cover_by_sets(table: Table, k: int, is_over: Callable[[], bool]) -> Counts:
    """Return the group of each row, of k to 2k - 1 rows each; -1 for rows that are not covered when `is_over` says so."""
    sets = SmallSets(table, k, 2 * k - 1)
    groups = CoverGroups(table.multiplicity, k)
    while groups.unpublished.any() and not is_over():
        chosen = sets.cheapest(groups.unpublished)
        new = {t: min(count, int(groups.unpublished[t])) for t, count in chosen.items()}
        groups.publish({t: count for t, count in new.items() if count}, chosen)
    return groups.labels(table.type_of_row)


class SmallSets:
    """All multisets of `least` to `most` rows, as sorted copies of row types, with diameters and stars.

    A copy is a type and which of its rows it is; a multiset with c rows of a type has its copies 0 to c - 1.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": list("xxyz")}), quasi=["a"])
    >>> sets = SmallSets(table, 2, 2)
    >>> [sorted(set_.tolist()) for size in sets.members for set_ in size]
    [[0, 1], [0, 2], [0, 3], [2, 3]]
    >>> sets.cheapest(np.array([1, 1, 1]))
    {0: 2}
    """

    def __init__(self, table: Table, least: int, most: int) -> None:
        most = min(most, table.rows)
        _refuse_too_many(table, least, most)
        self._type = np.repeat(np.arange(len(table.types)), table.multiplicity)
        self._rank = np.arange(table.rows) - np.repeat(
            np.cumsum(table.multiplicity) - table.multiplicity, table.multiplicity
        )
        # Multiples of 1 / unit hold every ratio of a diameter, or of stars, to a number of new rows.
        self._unit = math.lcm(*range(1, most + 1))
        self.members = [size for size in self._list(most) if size.shape[1] >= least]
        between = Distances(table).among(np.arange(len(table.types))).astype(np.int64)
        wide = int(table.scaled_weights.sum()) * most * self._unit >= 2**62
        # What a set of diameter 1 costs each of its new rows, by how many these are.
        self._share = np.array(
            [0, *(self._unit // new for new in range(1, most + 1))], dtype=object if wide else np.int64
        )
        self._diameters, self._stars = [], []
        for size in self.members:
            check_time()
            types = self._type[size]
            diameter = np.zeros(len(size), dtype=np.int64)
            for i in range(types.shape[1]):
                for j in range(i):
                    np.maximum(diameter, between[types[:, i], types[:, j]], out=diameter)
            bad = np.zeros(len(size), dtype=np.int64)
            for j, weight in enumerate(table.scaled_weights.tolist()):
                codes = table.types[types, j]
                bad += weight * (codes != codes[:, :1]).any(axis=1)
            self._diameters.append(diameter.astype(object) if wide else diameter)
            self._stars.append(bad * size.shape[1])

    def _list(self, most: int) -> list[Counts]:
        """Return the multisets of 1, 2, ..., `most` rows, each from those of one row less, by adding a later copy."""
        copies = np.arange(len(self._type), dtype=np.int32)
        sizes = [copies[self._rank == 0][:, None]]
        for _ in range(1, most):
            check_time()
            last = sizes[-1][:, -1]
            longer = []
            for copy in copies.tolist():
                # The first copy of a type follows any earlier one, another copy only the one before it.
                able = last < copy if self._rank[copy] == 0 else last == copy - 1
                longer.append(np.column_stack([sizes[-1][able], np.full(int(able.sum()), copy, dtype=np.int32)]))
            sizes.append(np.concatenate(longer))
        return sizes

    def cheapest(self, unpublished: Counts) -> dict[int, int]:
        """Return the set of the least diameter for each unpublished row, as counts of types; of equal ones the one with fewest stars."""
        fresh = self._rank < unpublished[self._type]
        best: tuple[Any, Any, int, int] | None = None
        for number, size in enumerate(self.members):
            check_time()
            new = fresh[size].sum(axis=1)
            useful = np.flatnonzero(new)
            if not len(useful):
                continue
            price = self._diameters[number][useful] * self._share[new[useful]]
            least = useful[price == price.min()]
            stars = self._stars[number][least]
            at = min(range(len(least)), key=lambda i: Fraction(int(stars[i]), int(new[least[i]])))
            found = price.min(), Fraction(int(stars[at]), int(new[least[at]])), number, int(least[at])
            best = found if best is None else min(best, found)
        assert best is not None, "every row is in some set"
        types, counts = np.unique(self._type[self.members[best[2]][best[3]]], return_counts=True)
        return dict(zip(types.tolist(), counts.tolist(), strict=True))


def _refuse_too_many(table: Table, least: int, most: int) -> None:
    """Raise `ModelTooLarge`, with the number of members that all multisets have, if they are too many to list."""
    # All sets of `least` different types are among them; that alone is too many most of the time, and quickly said.
    members = least * math.comb(len(table.types), least)
    if members <= _MOST_MEMBERS:
        members = sum(
            size * number for size, number in enumerate(number_of_multisets(table.multiplicity.tolist(), most))
        )
    if members > _MOST_MEMBERS:
        said = f"{members:,}" if members < 10**15 else f"10^{math.floor((members.bit_length() - 1) * math.log10(2))}"
        raise ModelTooLarge(
            f"the sets of {least} to {most} of {table.rows:,} rows have {said} members and more; {_MOST_MEMBERS:,} are allowed: "
            f"take fewer rows or 'truncated-balls', which is polynomial for every k"
        )


def number_of_multisets(multiplicity: list[int], most: int) -> list[int]:
    """Return how many multisets of 0, 1, ..., `most` rows there are, equal rows counted as one. O(types * most).

    >>> number_of_multisets([2, 1, 1], 2)
    [1, 3, 4]
    """
    numbers = [1] + [0] * most
    for count in multiplicity:
        check_time()
        ahead = list(accumulate(numbers, initial=0))
        numbers = [ahead[size + 1] - ahead[max(0, size - count)] for size in range(most + 1)]
    return numbers
