"""The core program of a whole table and its cuts, solved again and again as long as that closes some of the gap."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from anoptima.distinct import union
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.core import Core, Relaxed
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.portfolio import Portfolio
from anoptima.solvers.exact.sifting.stages.searching import BOUND, both_sides, search_a_turn
from anoptima.solvers.exact.sifting.stages.separate import violated
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize

REACH_UNITS = 0.1
"""The core begins with the arcs of at most this reduced cost."""
WHOLE_RECORDS, WHOLE_RECORDS_PAIRS = 4_000, 50_000
"""Tables of at most this many records have a core program; larger ones have only rounds of passes. The second number is for k = 2, whose
core programs are solved in seconds."""
ENOUGH_UNITS = 1e-3
"""What counts as a gain; and how far from whole a value is that counts as whole."""
COURSE = Course(passes=150, first_step=0.01)
"""The passes from a core's duals on."""
PATIENCE = 4
"""After this many rounds without a gain the core rests."""
GAIN_SHARE, SETTLED_SHARE = 0.01, 0.002
"""What share of the gap a round of cuts must close to be worth another, unless more than this share of the core's arcs were missing."""
FEW_ARCS, GAIN_SHARE_OF_FEW = 5_000, 0.1
"""Of a table of at most this many arcs a tree soon comes to its end: the core rests after one round that closes less than this share of the
gap, unless k = 2, whose cuts mostly need no tree.

`python -m benchmarks.ablation --rows 30 60 100 --questions k3 k5 --seconds 15 --seeds 1 2 3 4 --parts repair`: 24 runs took 117 s and
proved 18 optima before, 86 s and 23 optima since.
"""


class CoreRounds(Stage[StandingUnderSize]):
    """Solve the core, prove what its duals are worth over all arcs, add arcs that are missing and cuts that are violated."""

    part = Part.CORE

    def __init__(self, standing: StandingUnderSize) -> None:
        super().__init__(standing)
        self._core: Core | None = None

    @property
    def is_too_large(self) -> bool:
        """Whether the table has too many records for a core program."""
        arcs = self.standing.instance.arcs
        return len(arcs.copies) > (WHOLE_RECORDS_PAIRS if arcs.k == 2 else WHOLE_RECORDS)

    def why_not(self) -> str | None:
        """The table is too large for a core, or is branched on."""
        if self.is_too_large:
            return "its core program would be too large"
        return "it is branched on" if self.standing.tree is not None else None

    def run(self, limit: float) -> None:
        """Go round after round."""
        standing, unit = self.standing, self.standing.instance.unit
        standing.ledger.phase("core and cuts")
        if self._core is None:
            self._core = standing.core(standing.is_over, REACH_UNITS)
        core, stale, sides = self._core, 0, both_sides()
        patience, least_share = PATIENCE, GAIN_SHARE
        if len(standing.instance.arcs.member) <= FEW_ARCS and standing.instance.arcs.k > 2:
            patience, least_share = min(1, PATIENCE), GAIN_SHARE_OF_FEW
        while not standing.is_over() and stale < patience:
            began, lower = time.monotonic(), standing.point.value
            relaxed = core.solve(standing.ledger.clock.left())
            if relaxed is None:
                return
            added = core.add_arcs(self._proved(core, relaxed))
            standing.ledger.log(
                f"core of {core.size:,} arcs and {len(core.rows):,} cuts: {relaxed.value:,.2f}, {added:,} arcs were missing; "
                f"proved {standing.point.value:,.2f}, {int((relaxed.y % 1 > ENOUGH_UNITS).sum()):,} patterns half open"
            )
            sides.note(BOUND, standing.point.value - lower, time.monotonic() - began)
            core.add_arcs(self._improved(relaxed, sides))
            rows = violated(standing, relaxed.x, relaxed.y, thorough=stale > 0)
            core.drop_slack(relaxed.x, relaxed.y)
            core.add_cuts(rows)
            gap = standing.cost - standing.point.value
            gained = standing.point.value - lower > max(ENOUGH_UNITS * unit, least_share * gap)
            stale = 0 if gained or added > SETTLED_SHARE * core.size else stale + 1
            if not rows and not added and stale > 1:
                return

    def _proved(self, core: Core, relaxed: Relaxed) -> NDArray[np.int64]:
        """Prove what the core's duals are worth over all arcs, and what passes from there on are; return the arcs that the core lacks."""
        standing, instance = self.standing, self.standing.instance
        terms = Terms(instance.arcs, standing.kernels, core.rows)
        missing = standing.prove(terms.look(instance.arcs, relaxed.multipliers), terms)
        if relaxed.value <= standing.point.value + ENOUGH_UNITS * instance.unit:
            return missing
        better = ascend(instance.arcs, terms, relaxed.multipliers, standing.is_over, COURSE, unit=instance.unit)
        return union(missing, standing.prove(better, terms))

    def _improved(self, relaxed: Relaxed, sides: Portfolio[str]) -> NDArray[np.int64]:
        """Search until the bound is next; return the arcs of the release."""
        standing = self.standing
        if standing.uses(Part.PROGRAM_NEAR):
            standing.shared.hint(relaxed.x)
        standing.offer(standing.release)
        while not standing.shared.is_in_background and sides.next() != BOUND and not standing.is_over():
            search_a_turn(standing, sides)
        return standing.release.arc
