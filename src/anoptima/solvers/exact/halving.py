"""Liang and Yuan's recursion: either a partition has a group of more than half of the rows, or its groups divide into two balanced sides.

With f(S) the least cost of partitioning s rows S, f of nothing is 0, and f(S) is the least of

    (1) f(A) + f(S - A)      over A in S with s / 3 <= |A| <= 2 s / 3,
    (2) cost(A) + f(S - A)   over groups A in S, allowed by the principle, with |A| > s / 2.

For if no group of an optimal partition has more than s / 2 rows, its groups go onto two sides of at most 2 s / 3 each.

The theorem has two forms here, which differ in what they remember of f. `halving` finds f for every part of the table, smaller parts first:
3^n looks. `halving-without-memory` does what the paper says and calls itself: with T(s) calls for s rows,

    T(s) = 1 + sum over s/3 <= a <= s/2 of C(s, a) (T(a) + T(s - a)) + sum over a > s/2 of C(s, a) T(s - a),

where of A and S - A in (1) one is enough. As C(s, a) <= 2^s and T never falls, T(s) <= 2^(s + 1) T(2 s / 3) + 2^s T(s / 2) + 1, which is
at most 8^s up to lower-order factors, since 1 + 2/3 + 4/9 + ... = 3. From 4 to 20 rows T(n)^(1/n) is between 2.1 and 4.4.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.exact.algorithm import ExactAlgorithm
from anoptima.solvers.exact.states import NEVER, States, about, all_parts, states_of
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts

_MOST_STATES = 1 << 18
_MOST_LOOKS = 1 << 29
"""Looks at a part and a part of it; a minute or so."""
_MOST_CALLS = 1 << 21
"""Calls of the recursion without memory; some ten seconds."""
_MOST_COUNTED_ROWS = 64
"""For how many rows these are counted."""


@algorithms.register
class Halving(ExactAlgorithm):
    """The 2^O(n) recursion of Liang and Yuan over balanced halves, for any principle; a second opinion on tiny tables.

    O(3^n) looks and O(2^n) memory for n rows that all differ; with equal rows `prod C(n_r + 2, 2)` and `prod (n_r + 1)` over the kinds of
    rows. Refuses what would take minutes.

    References
    ----------
    H. Liang and H. Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 8.

    Examples
    --------
    >>> import anoptima as ao
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)), "halving").cost
    64
    """

    name = "halving"
    problems = (CellSuppression,)
    joins_groups = True
    family = "dynamic-programs"
    uses_seed = False
    uses_limit = False

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression in tables with few kinds of rows."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, CellSuppression):
            return other
        states = states_of(problem)
        if states.count > _MOST_STATES or states.inclusions > _MOST_LOOKS:
            return (
                f"{self.name} takes {about(states.inclusions)} looks at two parts of the table, one in the other, and keeps "
                f"{about(states.count)} numbers; {_MOST_LOOKS:,} and {_MOST_STATES:,} are the most"
            )
        return None

    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Partition:
        """Find f for all parts, each after the parts in it, then unfold how it came about."""
        assert isinstance(problem, CellSuppression)
        return _partition(problem, _Remembering)


@algorithms.register
class HalvingWithoutMemory(ExactAlgorithm):
    """The recursion of `halving` as printed, which does not remember the least cost of a part of the table. For comparison with `halving`.

    T(n) calls for n rows, 8^n up to lower-order factors, each of which looks at all parts of some rows; the bound is the theorem's. What
    each part costs as one group is found once. Tables of twelve rows or more are refused.

    References
    ----------
    H. Liang and H. Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 8.

    Examples
    --------
    >>> import anoptima as ao
    >>> table = ao.Table.from_frame(ao.ten_rows().frame.head(6), ao.ten_rows().quasi)
    >>> [ao.solve(ao.CellSuppression(table, ao.KAnonymity(3)), name).cost for name in ("halving", "halving-without-memory")]
    [33, 33]
    """

    name = "halving-without-memory"
    problems = (CellSuppression,)
    joins_groups = True
    family = "dynamic-programs"
    uses_seed = False
    uses_limit = False
    for_study = True

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression in tables of a few rows."""
        other = super().why_not(problem)
        if other is not None or not isinstance(problem, CellSuppression):
            return other
        most = calls(problem.table.rows) if problem.table.rows <= _MOST_COUNTED_ROWS else None
        if most is None or most > _MOST_CALLS:
            said = f"up to {most:,} times" if most else "too often to count"
            return f"{self.name} calls itself {said} for {problem.table.rows:,} rows; {_MOST_CALLS:,} are the most"
        return None

    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Partition:
        """Find f for the table, then for the parts that it came about by, anew."""
        assert isinstance(problem, CellSuppression)
        return _partition(problem, _Forgetting)


def calls(rows: int) -> int:
    """Return T, the most calls that the recursion without memory makes for a number of rows, the first call included.

    >>> [calls(n) for n in (1, 2, 3, 8, 10)]
    [1, 3, 16, 16151, 228698]
    """
    counted = [1, 1]
    for s in range(2, rows + 1):
        sides = sum(
            math.comb(s, a) * (counted[a] + counted[s - a]) // (2 if 2 * a == s else 1)
            for a in range(-(-s // 3), s // 2 + 1)
        )
        counted.append(1 + sides + sum(math.comb(s, a) * counted[s - a] for a in range(s // 2 + 1, s)))
    return counted[rows]


def _partition(problem: CellSuppression, recursion: type[_Recursion]) -> Partition:
    states = states_of(problem)
    counts, alone = all_parts(problem, states)
    return states.partition(recursion(states, counts, alone).groups(states.count - 1))


class _Recursion(ABC):
    """f(S) for parts S, by their numbers; `alone[S]` is what S costs as one group, too much if it may not be one."""

    def __init__(self, states: States, counts: Counts, alone: Counts) -> None:
        self._strides = states.strides
        self._counts = counts
        self._sizes = counts.sum(axis=1)
        self._alone = alone

    @abstractmethod
    def _least(self, parts: Counts) -> Counts:
        """Return f of each of some parts."""

    def _inside(self, part: int) -> Counts:
        """Return the numbers of all parts of a part. They are sums of what each kind may add."""
        inside = np.zeros(1, dtype=np.int64)
        for kind in np.flatnonzero(self._counts[part]):
            steps = np.arange(self._counts[part, kind] + 1) * self._strides[kind]
            inside = (inside[:, None] + steps[None, :]).reshape(-1)
        return inside

    def _best(self, part: int) -> tuple[int, int]:
        """Return the A that f(S) is reached with, negative - 1 if by (2), and f(S)."""
        size = int(self._sizes[part])
        inside = self._inside(part)
        sizes = self._sizes[inside]
        large = inside[2 * sizes > size]
        # Of two sides the smaller one, or the one with the smaller number, stands for both.
        split = inside[(3 * sizes >= size) & ((2 * sizes < size) | ((2 * sizes == size) & (2 * inside <= part)))]
        by_group = self._alone[large] + self._least(part - large)
        value, chosen = int(by_group.min()), -1 - int(large[by_group.argmin()])
        if len(split):
            by_sides = self._least(split) + self._least(part - split)
            if by_sides.min() < value:
                value, chosen = int(by_sides.min()), int(split[by_sides.argmin()])
        return chosen, min(value, NEVER)

    def groups(self, part: int) -> list[Counts]:
        """Return the groups of a cheapest partition of a part, as numbers of rows of each kind."""
        found, waiting = [], [part]
        while waiting:
            here = waiting.pop()
            if here:
                chosen, _ = self._best(here)
                if chosen < 0:
                    found.append(self._counts[-1 - chosen])
                    waiting.append(here + 1 + chosen)
                else:
                    waiting += [chosen, here - chosen]
        return found


class _Remembering(_Recursion):
    """With a number for each part, found once."""

    def __init__(self, states: States, counts: Counts, alone: Counts) -> None:
        super().__init__(states, counts, alone)
        self._known = np.zeros(states.count, dtype=np.int64)
        for part in range(1, states.count):
            if part % 256 == 1:
                check_time()
            _, value = self._best(part)
            self._known[part] = value

    def _least(self, parts: Counts) -> Counts:
        return self._known[parts]


class _Forgetting(_Recursion):
    """With a call for each part, each time."""

    calls = 0

    def _least(self, parts: Counts) -> Counts:
        return np.array([self._found(part) for part in parts.tolist()], dtype=np.int64)

    def _found(self, part: int) -> int:
        if part == 0:
            return 0
        self.calls += 1
        if self.calls % 256 == 1:
            check_time()
        return int(self._alone[part]) if self._sizes[part] == 1 else self._best(part)[1]
