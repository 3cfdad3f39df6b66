"""Single rows move, through groups that are not legal for a while, under diversity and equal closeness; then many small changes."""

from __future__ import annotations

from dataclasses import dataclass

from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases import move_rows, repair
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

MOVE_SHARE, REPAIR_SHARE = 0.3, 0.9
"""The parts of what is left then that moves of single rows may take, and small changes after them. Of 30,162 census rows, t = 0.3, 60 s
leave 44,992 stars with 0.1 for the first, 43,258 with 0.2 and 43,266 with 0.3; of 3,000 rows, 10 s leave 6,322 with 0.2 and 6,298 with 0.3
(`benchmarks.tuned`)."""


@dataclass(eq=False)
class MoveRows(Stage[StandingUnderRules]):
    """Move single rows, then change a dozen rows at once. Where the run is `resumed`, from the release as it is, which heat would melt."""

    resumed: bool

    def why_not(self) -> str | None:
        """Other principles have other ways, and uncompiled moves take too long."""
        if self.standing.is_repaired or self.standing.moves_rows:
            return None
        return "it is for diversity, for equal closeness, and for closeness on a tree, with k or l at most; in compiled loops"

    def run(self, limit: float) -> None:
        """Move rows as long as that serves, then repair."""
        standing = self.standing
        if standing.moves_rows and standing.uses(Part.MOVING_ROWS):
            self._move()
        if standing.is_repaired and standing.uses(Part.REPAIR):
            self._repair()

    def _repair(self) -> None:
        standing = self.standing
        seconds, worth = standing.share_of_left(REPAIR_SHARE), standing.point.at.worth
        boards = repair.boards_for(standing.instance, worth, standing.chance, standing.ledger.threads)
        repair.improve(boards, standing.published, seconds, standing.is_over, standing.offer, standing.chance)
        standing.ledger.log(f"repaired to {standing.ledger.cost}")

    def _move(self) -> None:
        standing = self.standing
        instance = standing.instance
        forced = standing.forced[instance.arcs.pattern_of] if instance.is_close else standing.point.reduced
        moves = move_rows.RowMoves(instance, standing.published, forced)
        seconds, begun = standing.share_of_left(MOVE_SHARE), move_rows.WARM if self.resumed else 0.0
        release = moves.anneal(seconds, standing.ledger.threads, standing.is_over, standing.chance, begun)
        if release is not None:
            standing.offer(release)
            standing.ledger.log(f"rows moved to {standing.ledger.cost}")
