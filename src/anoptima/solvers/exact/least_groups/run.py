"""One run: the bound, then a release from the program, moves of single rows and regions, again and again while there is time."""

from __future__ import annotations

import numpy as np

from anoptima.answer import Budget
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.local_search import LocalSearch
from anoptima.solvers.exact.least_groups.bound import LeastGroups
from anoptima.solvers.exact.least_groups.release import ALL_ROUNDS, REGION_GROUPS, Releases
from anoptima.solvers.ledger import Ledger

FOR_THE_BOUND, FOR_A_RELEASE, FOR_MOVES = 0.5, 0.6, 0.3
"""Parts of the time that is left."""
SPARE = 1.5
"""A release is begun while there is so many times as much time as it takes with one round each."""
LARGER = 2
"""How many times as large regions become once neither they nor moves of single rows have gained anything."""
UNHURRIED = 4
"""How many times as large as at first they become where there is no time limit."""


def run(problem: CellSuppression, ledger: Ledger[Partition], least: LeastGroups, *, is_first: bool) -> None:
    """Raise the bound, take a release from the program, and improve it, until they meet or nothing is left to try.

    Where this `is_first`, and cases come after it, the release is improved as long as that takes no time to speak of.
    """
    releases = Releases(least, np.random.default_rng(ledger.budget.seed))
    ledger.phase("raising the bound")
    is_late = ledger.until(FOR_THE_BOUND)
    least.raise_bound(lambda: is_late() or ledger.clock.share_of_left(1.0) < SPARE * ALL_ROUNDS * least.seconds)
    ledger.phase("looking for a release")
    groups = None if ledger.is_over() else releases.dive(ledger.clock.share_of_left(FOR_A_RELEASE))
    if groups is not None:
        found = Partition.from_groups(groups, problem.table.rows)
        ledger.log(f"a release from the program: {problem.cost(found)}")
        ledger.offer(found)
    if not ledger.is_over():
        least.raise_bound(ledger.until(FOR_THE_BOUND))
    size, most = REGION_GROUPS, UNHURRIED * REGION_GROUPS
    ledger.phase("improving the release")
    while not ledger.is_over():
        before = ledger.cost
        left = ledger.clock.left()
        budget = Budget(None if left is None else FOR_MOVES * left, seed=ledger.budget.seed)
        moved = LocalSearch(not is_first and left is not None).solve(
            problem, budget, ledger.solution, lambda _: ledger.is_over()
        )
        ledger.offer(moved.require_solution())
        if is_first:
            return
        releases.mended(moved.require_solution(), size, ledger.is_over, ledger.offer)
        if ledger.cost == before:
            if size >= (most if left is None else problem.table.rows):
                return
            size *= LARGER
            ledger.log(f"regions of {size} groups")
