"""A tree of a small table before anything that takes longer, under diversity and under equal closeness.

Cuts, and moves of single rows, take a second or more however few rows there are; a tree of a few cases proves most such optima in a
fraction of one. Where it gets nowhere it loses about as much time as has passed.
"""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

TURN_SHARE, TURN_LEAST_S, MOST_SHARE = 1.0, 1.0, 0.3
"""A turn takes this share of the seconds that have passed, and these at least, but no more than the last share of what is left."""
MOST_ARCS, MOST_ARCS_OF_CLOSE = 20_000, 5_000
"""Of tables of more arcs, other stages prove more in the time: `docs/figures.md`, "A tree first". The second number is for closeness."""


class BranchSoon(Stage[StandingUnderRules]):
    """Let the tree of `branch` grow as long as each turn closes half of what the bound lacked."""

    part = Part.TREE

    def __init__(self, standing: StandingUnderRules, branch: BranchBySize) -> None:
        super().__init__(standing)
        self._branch = branch

    def why_not(self) -> str | None:
        """A tree is grown soon anyway, or takes too long, or there are no proofs by cases of what is asked for."""
        standing, instance = self.standing, self.standing.instance
        if instance.is_by_value:
            return "its tree is grown before rows are moved anyway"
        if not standing.is_compiled:
            return "plain loops take too long"
        if instance.patterns.arcs > (MOST_ARCS_OF_CLOSE if instance.is_close else MOST_ARCS):
            return "a turn that leads nowhere would take too long"
        return self._branch.why_not_settle()

    def run(self, limit: float) -> None:
        """Grow, turn after turn."""
        standing, branch, lacking = self.standing, self._branch, np.inf
        while lacking > 0 and not (standing.is_over() or branch.tree.is_done or branch.tree.is_full):
            before = branch.proved
            branch.grow(min(standing.share_of_spent(TURN_SHARE, TURN_LEAST_S), standing.share_of_left(MOST_SHARE)))
            lacking = standing.cost - standing.instance.step_of_cost - branch.proved
            if lacking > branch.proved - before:
                return
