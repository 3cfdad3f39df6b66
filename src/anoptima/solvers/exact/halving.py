"""Liang and Yuan's recursion: either a partition has a group of more than half of the rows, or its groups divide into two balanced sides.

With f(S) the least cost of partitioning s rows S, f of nothing is 0, and f(S) is the least of

    (1) f(A) + f(S - A)      over A in S with s / 3 <= |A| <= 2 s / 3,
    (2) cost(A) + f(S - A)   over groups A in S, allowed by the principle, with |A| > s / 2.

For if no group of an optimal partition has more than s / 2 rows, its groups go onto two sides of at most 2 s / 3 each. Without memory
that takes 8^n steps up to lower-order factors; here f is remembered for every part of the table, which leaves 3^n.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.exact.algorithm import ExactAlgorithm
from anoptima.solvers.exact.states import NEVER, States, about, all_parts, states_of
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.merging import why_not_merging
from anoptima.table import Counts

_MOST_STATES = 1 << 18
_MOST_LOOKS = 1 << 29
"""Looks at a part and a part of it; a minute or so."""


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

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression in tables with few kinds of rows."""
        if not isinstance(problem, CellSuppression):
            return f"{self.name} is for cell-suppression, not for {problem.name}"
        states = states_of(problem)
        if states.count > _MOST_STATES or states.inclusions > _MOST_LOOKS:
            return (
                f"{self.name} takes {about(states.inclusions)} looks at two parts of the table, one in the other, and keeps "
                f"{about(states.count)} numbers; {_MOST_LOOKS:,} and {_MOST_STATES:,} are the most"
            )
        return why_not_merging(problem, self.name)

    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Partition:
        """Find f for all parts, each after the parts in it, then unfold how it came about."""
        assert isinstance(problem, CellSuppression)
        states = states_of(problem)
        counts, alone = all_parts(problem, states)
        recursion = _Recursion(states, counts, alone)
        return states.partition(recursion.groups(states.count - 1))


class _Recursion:
    """f(S) for all parts S, by their numbers; `alone[S]` is what S costs as one group, too much if it may not be one."""

    def __init__(self, states: States, counts: Counts, alone: Counts) -> None:
        self._strides = states.strides
        self._counts = counts
        self._sizes = counts.sum(axis=1)
        self._alone = alone
        self._least = np.zeros(states.count, dtype=np.int64)
        for part in range(1, states.count):
            if part % 256 == 1:
                check_time()
            _, value = self._best(part)
            self._least[part] = value

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
        split = inside[(3 * sizes >= size) & (3 * sizes <= 2 * size)]
        by_group = self._alone[large] + self._least[part - large]
        value, chosen = int(by_group.min()), -1 - int(large[by_group.argmin()])
        if len(split):
            by_sides = self._least[split] + self._least[part - split]
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
