"""A bound where patterns cannot be listed: the dual over the patterns of few stars, with ceilings that make the others harmless.

A pattern can be worth less than nothing only if a row that it matches is worth more than its stars. So let no row type be worth more than
the larger of a reach and its radius (`near_patterns.nearest_types`): then all patterns that cost `reach` or more are worth nothing or more,
and the dual over those that cost less is a bound. `proofs.near` proves it. The reach rises as far as time allows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.near import NearProof
from anoptima.solvers.approximate.near_patterns.nearest_types import nearest
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.whole_numbers import denominator_of
from anoptima.table import Counts

_FEW = 16
"""From one reach to the next the number of column sets grows by about this factor."""


def reaches(weights: Sequence[int], most: int) -> list[int]:
    """Return reaches, rising, below each of which there are at most `most` column sets. O(m most) for m columns.

    >>> reaches([1] * 20, 5000)
    [1, 3, 4]
    """
    positions, position = [], 1
    while position < most:
        positions.append(position)
        position *= _FEW
    sums = np.zeros(1, dtype=np.int64 if sum(weights) < 2**62 else object)
    for weight in weights:
        # Two sorted runs, which a stable sort merges; what is beyond the cheapest sets of some columns is beyond those of more.
        sums = np.sort(np.concatenate([sums, sums + weight]), kind="stable")[: most + 1]
    if len(sums) <= most:
        return [sum(weights) + 1]
    return sorted({int(sums[p]) for p in [*positions, most]} - {0})


def patterns_below(
    types: NDArray[np.int32],
    copies: Counts,
    radius: Counts,
    weights: Sequence[int],
    k: int,
    reach: int,
    is_over: Callable[[], bool],
) -> Arcs | None:
    """Return all closed patterns that cost less than `reach` and match k rows or more; None if there was not enough time.

    Exact: classes are refined column by column. O(S R log R) for S column sets and the R row types whose radius is below the reach.

    >>> types = np.array([[0, 0], [0, 1], [2, 1]], np.int32)
    >>> found = patterns_below(types, np.array([1, 1, 1]), np.array([1, 1, 1]), [1, 1], 2, 2, lambda: False)
    >>> found.cost.tolist(), found.start.tolist(), found.member.tolist()
    ([1, 1], [0, 2, 4], [1, 2, 0, 1])
    """
    walk = _Walk(types, copies, radius, weights, k, reach)
    lengths: list[Counts] = []
    members: list[Counts] = []
    costs: list[Counts] = []
    for rows, labels, starred in walk.classes():
        if is_over():
            return None
        found = walk.closed(rows, labels, starred)
        members.append(found[0])
        lengths.append(found[1])
        costs.append(np.full(len(found[1]), walk.weigh(starred), dtype=np.int64))
    start = np.concatenate([np.zeros(1, dtype=np.int64), *lengths]).cumsum()
    member = np.concatenate([np.zeros(0, dtype=np.int64), *members]).astype(np.int32)
    cost = np.concatenate([np.zeros(0, dtype=np.int64), *costs])
    return Arcs(start, member, cost, copies, np.full(len(cost), k, dtype=np.int64))


class _Walk:
    """Column sets and their classes."""

    def __init__(
        self, types: NDArray[np.int32], copies: Counts, radius: Counts, weights: Sequence[int], k: int, reach: int
    ) -> None:
        widths = types.max(axis=0).astype(np.int64) + 1
        # Columns that tell apart most come first, so that classes become small early, and are left out.
        self._order = np.argsort(-widths, kind="stable")
        self._codes = [types[:, j].astype(np.int64) for j in self._order]
        self._widths = widths[self._order].tolist()
        self._weights = [weights[j] for j in self._order]
        self._copies, self._radius, self._k, self._reach = copies, radius, k, reach
        self._types = len(types)
        self._from = [np.zeros(self._types, dtype=np.int64)]
        for codes, width in zip(reversed(self._codes), reversed(self._widths), strict=True):
            self._from.append(_numbered(self._from[-1] * width + codes))
        self._from.reverse()

    def weigh(self, starred: tuple[int, ...]) -> int:
        """Return what a row pays."""
        return sum(self._weights[j] for j in starred)

    def classes(self) -> Iterator[tuple[Counts, Counts, tuple[int, ...]]]:
        """Yield every set of starred columns below the reach, row types that may be in a class of k rows, and a key of their class."""
        rows = np.flatnonzero(self._radius < self._reach)
        yield from self._below(0, rows, np.zeros(len(rows), dtype=np.int64), ())

    def _below(
        self, first: int, rows: Counts, labels: Counts, starred: tuple[int, ...]
    ) -> Iterator[tuple[Counts, Counts, tuple[int, ...]]]:
        paid = self.weigh(starred)
        near = self._radius[rows] <= paid
        yield rows[near], labels[near] * self._types + self._from[first][rows[near]], starred
        for column in range(first, len(self._codes)):
            if paid + min(self._weights[column:]) >= self._reach or not len(rows):
                return
            if paid + self._weights[column] < self._reach:
                yield from self._below(column + 1, rows, labels, (*starred, column))
            labels = _numbered(labels * self._widths[column] + self._codes[column][rows])
            large = np.bincount(labels, self._copies[rows])[labels] >= self._k
            rows, labels = rows[large], labels[large]

    def closed(self, rows: Counts, keys: Counts, starred: tuple[int, ...]) -> tuple[Counts, Counts]:
        """Return the row types of the closed classes of at least k rows, class by class, and how many each has."""
        order = np.argsort(keys, kind="stable")
        rows, keys = rows[order], keys[order]
        begins = np.ones(len(rows), dtype=np.bool_)
        begins[1:] = keys[1:] != keys[:-1]
        start = np.flatnonzero(begins)
        if not len(start):
            return rows, start
        lengths = np.diff(np.append(start, len(rows)))
        alive = np.add.reduceat(self._copies[rows], start) >= self._k
        rows, lengths = rows[np.repeat(alive, lengths)], lengths[alive]
        if not len(lengths):
            return rows, lengths
        start = np.cumsum(lengths) - lengths
        alive = np.ones(len(lengths), dtype=np.bool_)
        for column in starred:
            codes = self._codes[column][rows]
            alive &= np.minimum.reduceat(codes, start) != np.maximum.reduceat(codes, start)
        return rows[np.repeat(alive, lengths)], lengths[alive]


class CeilingDual:
    """Proves bounds by the patterns of few stars: lists them, ascends, rounds."""

    def __init__(self, kernels: ModuleType, course: Course, log: Callable[[str], None]) -> None:
        self._kernels, self._course, self._log = kernels, course, log

    def proof(
        self, problem: CellSuppression, radius: Counts, reach: int, is_over: Callable[[], bool]
    ) -> NearProof | None:
        """Return what the patterns of fewer stars than `reach` prove; None if there was not enough time to list them."""
        began = time.monotonic()
        table, k = problem.table, problem.plain.principle.least_size(problem.table)
        weights: list[int] = table.scaled_weights.tolist()
        arcs = patterns_below(table.types, table.multiplicity, radius, weights, k, reach, is_over)
        if arcs is None:
            return None
        ceiling = np.maximum(reach, radius).astype(float)
        terms = Terms(arcs, self._kernels)
        at = Multipliers(np.minimum(first_multipliers(arcs).worth, ceiling), np.zeros(0))
        if len(arcs.cost):
            unit = min((weight for weight in weights if weight), default=1)
            at = ascend(arcs, terms, at, is_over, self._course, unit=unit, ceiling=ceiling).at
        proof = proof_within(problem, arcs, terms, at, reach, radius)
        self._log(
            f"{len(arcs.cost):,} patterns and {len(arcs.member):,} arcs that cost less than {reach} of {len(weights)} columns "
            f"prove {proof.value}: {time.monotonic() - began:.0f} s"
        )
        return proof

    def whole_proof(self, problem: CellSuppression, is_over: Callable[[], bool]) -> NearProof:
        """Return what the patterns that may be worth anything prove, or what radii prove if there is not enough time for more.

        A row is hardly ever worth more than the largest radius, so the patterns that cost that or less are listed.
        """
        table, k = problem.table, problem.plain.principle.least_size(problem.table)
        weights: list[int] = table.scaled_weights.tolist()
        radius = nearest(table.types, table.multiplicity, weights, k, k, is_over).radius
        reach = min(sum(weights), int(radius.max())) + 1
        found = self.proof(problem, radius, reach, is_over) or self.proof(problem, radius, 0, lambda: False)
        assert found is not None
        return found


def proof_within(
    problem: CellSuppression, arcs: Arcs, terms: Terms, at: Multipliers, reach: int, radius: Counts
) -> NearProof:
    """Round multipliers to parts of a denominator, below the ceilings, and return what they prove. One pass, in whole numbers."""
    d = denominator_of(problem)
    worth = np.minimum(np.rint(at.worth * d).astype(np.int64), d * np.maximum(reach, radius))
    whole = Multipliers(worth, np.zeros(0, dtype=np.int64))
    least = terms.exactly(whole, d) if len(arcs) else int(arcs.copies @ worth)
    value = problem.unscale(-(-least // d))
    k = problem.plain.principle.least_size(problem.table)
    return NearProof(value, problem.table.digest, k, d, reach, tuple(map(int, worth)))


def _numbered(keys: Counts) -> Counts:
    return np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)
