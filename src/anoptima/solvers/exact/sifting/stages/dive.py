"""Diving: groups near each other are let go, and the program over groups says which to take for them (`tree.dive`)."""

from __future__ import annotations

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules


class Dive(Stage[StandingUnderRules]):
    """Dive again and again, from the tree that bounds the whole table."""

    part = Part.DIVING

    def __init__(self, standing: StandingUnderRules, branch: BranchBySize) -> None:
        super().__init__(standing)
        self._branch = branch

    def why_not(self) -> str | None:
        """There is a tree of whole groups, with a bound of the whole."""
        return self._branch.why_not_dive()

    def run(self, limit: float) -> None:
        """Dive as long as that gains something."""
        self.standing.ledger.phase("diving")
        self._branch.dive(limit)
