"""Passes over all patterns under rules: worths from the cheapest patterns on, then by shorter and shorter steps."""

from __future__ import annotations

from anoptima.solvers.exact.sifting.bound.ascent import FIRST_STEP, Course, ascend
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.read_back import EarlierWorths
from anoptima.solvers.exact.sifting.releases import repair
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

SHARE = 0.3
"""The part of the time that the first ascent may take."""
FURTHER_SHARE, SHORTER = 0.1, 0.3
"""The part of what is left that each further one may take, and how much shorter its first step is than that of the one before."""
FAR, FARTHEST = 3, 6
"""Under closeness worths are far from the first ones: steps are so many times as long on trees, and at equal distance."""
WHILE_S = 300.0
"""What a further one, or a program of the whole table, may take where there is no limit on time."""
ENOUGH_STEPS = 0.25
"""An ascent that gains less, in steps of cost, is the last."""


def first_step_of(standing: StandingUnderRules) -> float:
    """Return the length of the first step, in units."""
    if repair.serves(standing.instance):
        return FARTHEST * FIRST_STEP
    return FAR * FIRST_STEP if standing.is_close else FIRST_STEP


class AscendWorths(Stage[StandingUnderRules]):
    """Raise the bound from the costs of the cheapest patterns on, or from the worths of an `earlier` run, by shorter steps."""

    def __init__(self, standing: StandingUnderRules, earlier: EarlierWorths | None) -> None:
        super().__init__(standing)
        self._earlier = earlier

    @property
    def is_needed(self) -> bool:
        """There is no other bound."""
        return True

    def run(self, limit: float) -> None:
        """Go through all passes for which there is time."""
        standing = self.standing
        standing.ledger.phase("raising the bound")
        arcs, pricing = standing.instance.arcs, standing.pricing
        start, step = first_multipliers(arcs, len(pricing.steps)), first_step_of(standing)
        if self._earlier is not None:
            start, step = self._earlier.multipliers(pricing), SHORTER * step
        course = Course(first_step=step, pace=pricing.pace, seconds=standing.share_of_left(SHARE))
        standing.prove(ascend(arcs, pricing, start, standing.is_over, course, unit=standing.instance.unit))


class AscendFurther(Stage[StandingUnderRules]):
    """Raise the bound from the best worths on, as long as that gains something."""

    part = Part.FURTHER_ASCENTS

    def why_not(self) -> str | None:
        """Where there is diversity alone, `whole_groups` raises the bound further in between."""
        return None if self.standing.is_close else "whole groups raise the bound further"

    def run(self, limit: float) -> None:
        """Ascend again and again, by shorter steps each time."""
        standing, instance, pricing = self.standing, self.standing.instance, self.standing.pricing
        step = first_step_of(standing)

        def is_over() -> bool:
            standing.offer(standing.shared.release)
            return standing.is_over()

        while not is_over():
            before, step = standing.point.value, SHORTER * step
            seconds = standing.share_of_left(FURTHER_SHARE, WHILE_S)
            course = Course(first_step=step, pace=pricing.pace, seconds=seconds)
            standing.prove(ascend(instance.arcs, pricing, standing.point.at, is_over, course, unit=instance.unit))
            if standing.point.value < before + ENOUGH_STEPS * instance.step_of_cost:
                return
