"""The subset dynamic programme: the cheapest partition of every part of the table, the whole table last. Exact under any principle.

With f(U) the least cost of partitioning part U of the rows into groups that satisfy the principle, f of nothing is 0, and

    f(U) = min over groups A in U of cost(A) + f(U - A).

Groups are taken in one after another; each looks at all parts that hold it at once, in one operation on arrays. Where the principle lets
groups split (k-anonymity, frequency l-diversity with l whole), those of less than twice the least size are enough. Where the principle
is not merge-closed, no two groups may be published alike (`groups_apart`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.answer import Origin
from anoptima.deadline import check_time
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.proofs.all_partitions import MOST_LOOKS, AllPartitions, looks_at
from anoptima.solvers import algorithms
from anoptima.solvers.exact.algorithm import ExactAlgorithm
from anoptima.solvers.exact.groups_apart import cheapest_apart, images
from anoptima.solvers.exact.states import NEVER, Candidates, States, about
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts

_MOST_STATES = 1 << 24
_MOST_LOOKS = 1 << 32
"""Looks at a part and a group in it; a minute or two."""
_MOST_KINDS = 32
"""How many axes an array may have in every version of NumPy that is allowed."""
_LOOKS_A_GROUP = 2_000
"""What it takes to begin with a group, in looks."""


@algorithms.register
class SubsetDp(ExactAlgorithm):
    """Dynamic programming over all subsets of rows, for any principle; for small tables, or few kinds of rows.

    O(3^n) looks for n rows that all differ and any principle, O(2^n n^(2k - 1)) where groups of less than 2k rows are enough; with equal
    rows, the number of (part, part of it) pairs, `prod C(n_r + 2, 2)` over the kinds of rows. Refuses what would take minutes.

    References
    ----------
    H. Liang and H. Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 8, has the bound 2^O(n).

    Examples
    --------
    >>> import anoptima as ao
    >>> ao.solve(ao.CellSuppression(ao.ten_rows(), ao.TCloseness("0.1")), "subset-dp").cost
    64
    """

    name = "subset-dp"
    problems = (CellSuppression, DiameterSum)
    family = "dynamic-programs"
    uses_seed = False
    uses_limit = False

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for partitions of few kinds of rows."""
        if not isinstance(problem, CellSuppression | DiameterSum):
            return super().why_not(problem)
        candidates = Candidates(problem)
        states = candidates.states
        if len(states.rows) > _MOST_KINDS or states.count > _MOST_STATES:
            return (
                f"{self.name} keeps a number for each part of the table, {about(states.count)} of them for these "
                f"{len(states.rows):,} kinds of rows; {_MOST_STATES:,} are the most"
            )
        looks = min(states.inclusions, candidates.most * states.count) + candidates.most * _LOOKS_A_GROUP
        if looks > _MOST_LOOKS:
            return f"{self.name} takes {about(looks)} looks at a part of the table and a group in it; {_MOST_LOOKS:,} are the most"
        return None

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Offer the optimum; the proof of a small table's is that every partition can be tried again."""
        super().search(problem, ledger, start)
        if (
            (isinstance(problem, DiameterSum) or (isinstance(problem, CellSuppression) and problem.is_merge_closed))
            and looks_at(problem) <= MOST_LOOKS
            and ledger.cost is not None
        ):
            proof = AllPartitions(ledger.cost)
            ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)

    def optimum(self, problem: Problem[Any], ledger: Ledger[Any]) -> Partition:
        """Fill in the array, then follow it back."""
        assert isinstance(problem, CellSuppression | DiameterSum)
        candidates = Candidates(problem)
        states = candidates.states
        groups, costs = candidates.groups()
        if isinstance(problem, CellSuppression) and not problem.is_merge_closed:
            return states.partition(cheapest_apart(states, groups, costs, images(problem.table, groups)))
        least = _least_costs(states, groups, costs)
        return states.partition(_followed(least, states, groups, costs))


def _least_costs(states: States, groups: Counts, costs: Counts) -> Counts:
    """Return f, flat; what no partition makes costs more than anything."""
    least = np.full(states.shape, NEVER, dtype=np.int64)
    least[(0,) * least.ndim] = 0
    for group, cost in zip(groups.tolist(), costs.tolist(), strict=True):
        check_time()
        if least[tuple(group)] <= cost:
            # Smaller groups, all of which came before it, already make as good a partition of these rows.
            continue
        target = tuple(slice(copies, None) for copies in group)
        source = tuple(slice(None, -copies if copies else None) for copies in group)
        # Once for each time that the group could be there: what it is added to may hold it already.
        for _ in range(min(int(rows) // copies for rows, copies in zip(states.rows, group, strict=True) if copies)):
            np.minimum(least[target], least[source] + cost, out=least[target])
    return least.reshape(-1)


def _followed(least: Counts, states: States, groups: Counts, costs: Counts) -> list[Counts]:
    """Return the groups of a cheapest partition, one after another."""
    numbers = groups @ states.strides
    left, found = states.rows.copy(), []
    while left.any():
        here = int(left @ states.strides)
        fits = np.flatnonzero((groups <= left).all(axis=1))
        chosen = fits[int((least[here - numbers[fits]] + costs[fits]).argmin())]
        found.append(groups[chosen])
        left -= groups[chosen]
    return found
