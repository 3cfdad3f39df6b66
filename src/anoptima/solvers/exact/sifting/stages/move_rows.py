"""Under equal closeness: single rows move, through groups that are not legal for a while; many small changes after that."""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases import move_rows, repair
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing_under_rules import StandingUnderRules

MOVE_SHARES, REPAIR_SHARE = (0.1, 0.5), 0.9
"""The parts of what is left then that moves of single rows may take, a short time first, and small changes after them."""


class MoveRows(Stage[StandingUnderRules]):
    """Move single rows, then change a dozen rows at once. Where the run is `resumed`, from the release as it is, which heat would melt."""

    def __init__(self, standing: StandingUnderRules, *, resumed: bool) -> None:
        super().__init__(standing)
        self._resumed = resumed

    def why_not(self) -> str | None:
        """Other principles have other ways, and uncompiled moves take too long."""
        return None if self.standing.moves_rows else "it is for equal closeness alone, in compiled loops"

    def run(self, limit: float) -> None:
        """Move rows as long as that serves, then repair."""
        standing = self.standing
        if standing.uses(Part.MOVING_ROWS):
            self._move()
        if standing.uses(Part.REPAIR):
            self._repair()

    def _repair(self) -> None:
        standing = self.standing
        assert standing.worth is not None
        boards = repair.boards_for(
            standing.instance, standing.worth, standing.chance, standing.unit, standing.ledger.threads
        )
        repair.settle(
            boards, standing.release, self._share(REPAIR_SHARE), standing.is_over, standing.offer, standing.chance
        )
        standing.ledger.log(f"settled at {standing.ledger.cost}")

    def _move(self) -> None:
        standing = self.standing
        for share in MOVE_SHARES:
            release = move_rows.shift(
                standing.instance,
                standing.release,
                standing.guides.forced,
                standing.unit,
                self._share(share),
                standing.ledger.threads,
                standing.is_over,
                standing.chance,
                begun=move_rows.WARM if self._resumed else 0.0,
            )
            if release is None:
                return
            standing.offer(release)
            standing.ledger.log(f"shifted to {standing.ledger.cost}")

    def _share(self, share: float) -> float:
        left = self.standing.ledger.clock.left()
        return np.inf if left is None else share * left
