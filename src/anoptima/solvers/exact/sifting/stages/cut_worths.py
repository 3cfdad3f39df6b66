"""Under rules: cuts that averaged passes violate, priced together with the worths of rows, round after round.

The cuts are those of k-anonymity, with the least size that the rules allow the groups of each pattern in the place of k.
"""

from __future__ import annotations

import time

import numpy as np

from anoptima.solvers.compiling.loops import is_ready
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers
from anoptima.solvers.exact.sifting.bound.rule_cuts import TermsUnderRules
from anoptima.solvers.exact.sifting.kernels.cut_search import best_term, grow
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.read_back import EarlierWorths
from anoptima.solvers.exact.sifting.stages.separate import averaged_rounds
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

SHARE, WHILE_S = 0.15, 300.0
"""The part of what is left that rounds may take at a time, and the seconds where there is no limit."""
LITTLE_UNITS, LITTLE_SHARE, PATIENCE = 0.02, 1e-4, 2
"""Rounds have come to rest after `PATIENCE` rounds in a row that each gain fewer units, or less than this share of the gap: where a column
weighs a millionth of the others, units say nothing, and rounds of six rows went on for minutes."""


class CutWorths(Stage[StandingUnderRules]):
    """Raise the bound by cuts, from the best worths on, or from those and the cuts of an `earlier` run."""

    part = Part.CUTS

    def __init__(self, standing: StandingUnderRules, earlier: EarlierWorths | None) -> None:
        super().__init__(standing)
        self._earlier = earlier
        self.reached: tuple[DualPoint, TermsUnderRules] | None = None
        """What the rounds have come to, and for which rows."""
        self._rests = False

    def why_not(self) -> str | None:
        """There is nothing to round, or no checker that prices groups and cuts together."""
        standing, instance = self.standing, self.standing.instance
        if not standing.is_compiled or not is_ready(grow, best_term):
            return "passes and searches in plain loops take too long"
        if instance.is_close:
            return "under closeness they raise the bound by next to nothing"
        if instance.unproved:
            return "the checker prices cuts where it knows the sizes of groups"
        if instance.arcs.k < 2:
            return "groups may be single rows"
        return "rounds have come to rest" if self._rests else None

    def run(self, limit: float) -> None:
        """Go round after round, as long as there is time for it and some are worth it."""
        standing, instance = self.standing, self.standing.instance
        standing.ledger.phase("cuts")
        until = time.monotonic() + standing.share_of_left(SHARE, WHILE_S)

        def is_over() -> bool:
            return time.monotonic() >= until or standing.is_over()

        point, terms = self.reached or self._begun()
        rounds = averaged_rounds(standing, is_over)
        stale = 0
        while not is_over() and stale < PATIENCE:
            one = rounds.go_round(point, terms)
            little = max(LITTLE_UNITS * instance.unit, LITTLE_SHARE * (standing.cost - point.value))
            stale = 0 if one.look.value > point.value + little else stale + 1
            assert isinstance(one.terms, TermsUnderRules)
            point, terms = one.look, one.terms
            self.reached = point, terms
            standing.ledger.log(f"{one.found:,} new cuts, {len(terms.rows):,} in force")
            standing.prove(point, terms)
            standing.offer(standing.shared.release)
        self._rests = stale >= PATIENCE

    def _begun(self) -> tuple[DualPoint, TermsUnderRules]:
        """Return the best worths with no cuts, or what an earlier run came to if that is better."""
        standing, arcs = self.standing, self.standing.instance.arcs
        nothing = TermsUnderRules(arcs, standing.pricing)
        point = nothing.look(arcs, Multipliers(standing.point.at.worth, np.zeros(0)))
        if self._earlier is None or not self._earlier.rows:
            return point, nothing
        terms = nothing.of(self._earlier.rows)
        known = terms.look(arcs, Multipliers(self._earlier.worth, self._earlier.prices))
        if known.value <= point.value:
            return point, nothing
        standing.prove(known, terms)
        return known, terms
