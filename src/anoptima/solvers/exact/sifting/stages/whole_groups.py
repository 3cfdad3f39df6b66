"""Under diversity: the core as a linear program, again with the arcs that it lacks; what comes out whole is a release to begin with."""

from __future__ import annotations

import time

import numpy as np

from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers
from anoptima.solvers.exact.sifting.kernels.pricing import TINY
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.region_program import Region, RegionProgram, Relaxed
from anoptima.solvers.exact.sifting.releases.regions import SECONDS
from anoptima.solvers.exact.sifting.releases.whole_group_dive import dive, not_in
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules

ROUNDS, ENOUGH_STEPS = 8, 0.25
"""So often at most the core is solved again with the arcs that it lacked, and how many steps of cost that could prove to be worth it."""
WHILE_S = 300.0
"""What a program of the whole table may take where there is no limit on time."""
REACH_UNITS, WIDE_UNITS = 0.3, 0.6
"""Up to which reduced cost arcs are in the core program, and in that of what does not come out whole."""
RELAXED_SHARE, WHOLE_SHARE = 0.3, 0.3
"""The parts of what is left that a linear relaxation may take, and a program of the whole table."""
ENOUGH_UNITS = 0.25
"""A relaxation must be lower by this for another release to begin with."""
ALONE_SHARE = 0.5
"""A release that is begun with may take this part of the seconds that have passed to become better than another one."""
FEW_SHARE, WHOLE_REACHES_UNITS = 0.02, (REACH_UNITS, WIDE_UNITS, 1.05)
"""If no more than this part of the rows is not in whole groups, cores are solved as a whole, up to these reduced costs."""


class WholeGroups(Stage[StandingUnderRules]):
    """Raise the bound by linear programs, and begin anew with the whole groups of their solutions."""

    part = Part.WHOLE_GROUPS

    def why_not(self) -> str | None:
        """Under closeness relaxations are large and come out with hardly any whole groups."""
        return "it is for diversity alone" if self.standing.instance.is_close else None

    def run(self, limit: float) -> None:
        """Solve the core as long as that could prove more; if hardly any rows are left, solve it as an integer program, too."""
        standing = self.standing
        standing.ledger.phase("bound and releases")
        core = np.union1d(
            np.flatnonzero(standing.point.reduced <= REACH_UNITS * standing.instance.unit), standing.search.release.arc
        )
        rounded, rest = np.inf, np.inf
        for _ in range(ROUNDS):
            relaxed = self._relaxed(Region(core, standing.instance.arcs.copies))
            if relaxed is None:
                break
            point = self._proved(core, relaxed)
            if relaxed.value < rounded - ENOUGH_UNITS * standing.instance.unit:
                rounded, rest = relaxed.value, self._dive(core, relaxed.x)
            if (
                standing.is_over()
                or relaxed.value < standing.point.value + ENOUGH_STEPS * standing.instance.step_of_cost
            ):
                break
            missing = np.setdiff1d(np.flatnonzero(point.reduced <= TINY), core)
            if not len(missing):
                break
            core = np.union1d(core, missing)
        if rest < FEW_SHARE * standing.instance.problem.table.rows:
            self._solve_whole()

    def _relaxed(self, region: Region) -> Relaxed | None:
        """Return a solution of a linear program, or None if there is none in the time that it may take."""
        standing = self.standing
        seconds = standing.share_of_left(RELAXED_SHARE, WHILE_S)
        return RegionProgram(standing.instance.programs, region).relax(seconds, standing.is_over)

    def _proved(self, core: Counts, relaxed: Relaxed) -> DualPoint:
        """Return the core's worths over all arcs, and prove what they are worth."""
        standing = self.standing
        worth = standing.point.at.worth.copy()
        worth[relaxed.records] = relaxed.worth
        point = standing.pricing.look(standing.instance.arcs, Multipliers(worth, standing.point.at.prices))
        standing.ledger.log(f"a core of {len(core):,} arcs: {relaxed.value:,.2f}, and {point.value:,.2f} over all")
        standing.prove(point)
        return point

    def _dive(self, core: Counts, x: Numbers) -> float:
        """Begin anew with the whole groups of a fractional release; return how many rows are in none of them.

        The new release has some time to become better than that of the others by itself: those rows are badly placed at first, and regions
        find room for them quickly.
        """
        standing, search, shared = self.standing, self.standing.search, self.standing.shared
        others = np.flatnonzero(standing.point.reduced <= WIDE_UNITS * standing.instance.unit)
        begun = dive(standing.instance, core, x, others, self._relaxed, standing.ledger.log)
        release = greedy_release(standing.instance, standing.worth_opening, standing.chance, begun)
        standing.ledger.log(
            f"from whole groups: {standing.instance.programs.cost_of(release):,}, and by regions {shared.cost:,}"
        )
        search.take(release)
        until = time.monotonic() + ALONE_SHARE * standing.ledger.clock.seconds()
        while search.cost > shared.cost and time.monotonic() < until and not standing.is_over():
            search.step(standing.seconds(SECONDS), standing.is_over)
        standing.offer(shared.meet(search))
        return float(not_in(standing.instance, begun).sum())

    def _solve_whole(self) -> None:
        """Solve cores of the whole table as integer programs, each with more arcs, as far as time allows."""
        standing, search = self.standing, self.standing.search
        everything = np.ones(len(standing.instance.arcs.copies), dtype=np.bool_)
        for reach in WHOLE_REACHES_UNITS:
            seconds = standing.share_of_left(WHOLE_SHARE, WHILE_S)
            done = standing.shared.turn(
                search,
                lambda: search.again(everything, reach, seconds, standing.is_over),  # noqa: B023 - called at once
            )
            standing.offer(search.release)
            standing.ledger.log(
                f"arcs of reduced cost up to {reach} as a whole: {search.cost:,}, {'' if done else 'not '}to the end"
            )
            if standing.is_over() or not done:
                return
