"""Diving: groups near each other are let go, and the program over groups says which to take for them (`tree.dive`)."""

from __future__ import annotations

import time

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.solvers.exact.sifting.tree.dive import let_go

ROWS = 100
"""How many rows are let go. Of 300 census rows, tree closeness at 0.2, a minute leaves 893 stars; with 60 or 150 rows 895."""
PATIENCE = 60
"""After so many dives that have gained nothing, other stages have their turn."""


class Dive(Stage[StandingUnderRules]):
    """Dive again and again, from the tree that bounds the whole table."""

    part = Part.DIVING

    def __init__(self, standing: StandingUnderRules, branch: BranchBySize) -> None:
        super().__init__(standing)
        self._branch = branch

    def why_not(self) -> str | None:
        """There is a tree of groups that are priced by value, with a bound of the whole."""
        return self._branch.why_not_dive()

    def run(self, limit: float) -> None:
        """Dive as long as that gains something now and then; equals are taken, for they lead elsewhere."""
        standing, tree = self.standing, self._branch.tree
        standing.ledger.phase("diving")
        until, stale, release = time.monotonic() + standing.seconds(limit), 0, standing.published
        programs = standing.instance.programs
        cost = programs.cost_of(release)
        while stale < PATIENCE and time.monotonic() < until and not standing.is_over():
            stale += 1
            found = tree.dive(until, let_go(standing.instance, release, ROWS, standing.chance))
            its = programs.cost_of(found)
            if its <= cost:
                stale = stale if its == cost else 0
                release, cost = found, its
                standing.take(release)
