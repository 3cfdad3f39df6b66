"""The stages of a run, in order: those that run once, and those that take turns, each turn twice as long as the one before."""

from __future__ import annotations

from typing import Any

from anoptima.solvers.exact.sifting.read_back import Earlier, EarlierWorths
from anoptima.solvers.exact.sifting.stages.ascend import Ascend, AscendWorths
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize, BranchSoon, Dive
from anoptima.solvers.exact.sifting.stages.close import Close, CloseUnderRules
from anoptima.solvers.exact.sifting.stages.core_rounds import CoreRounds
from anoptima.solvers.exact.sifting.stages.cut_worths import CutWorths
from anoptima.solvers.exact.sifting.stages.first_release import FirstRelease, GreedyRelease
from anoptima.solvers.exact.sifting.stages.move_rows import MoveRows
from anoptima.solvers.exact.sifting.stages.regions import Regions, SearchInBackground
from anoptima.solvers.exact.sifting.stages.rounds import Rounds
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderRules, StandingUnderSize


def plan_for_size(
    standing: StandingUnderSize, earlier: Earlier | None, *, started: bool
) -> tuple[list[Stage[Any]], list[Stage[Any]]]:
    """Return the stages under k-anonymity: first a release and multipliers, then bound and releases until nothing is left.

    Where an `earlier` run had begun to branch, so does this one, at once: cuts from the core are behind it.
    """
    core = CoreRounds(standing)
    branch = Branch(standing, earlier)
    once: list[Stage[Any]] = [FirstRelease(standing, started=started), Ascend(standing, earlier)]
    if earlier is not None and earlier.has_cases:
        once.append(branch)
    return once, [Rounds(standing, core), core, branch, Close(standing, branch)]


def plan_under_rules(
    standing: StandingUnderRules, earlier: EarlierWorths | None, *, resumed: bool
) -> tuple[list[Stage[Any]], list[Stage[Any]]]:
    """Return the stages under any principle: bound and releases as far as they lead, then regions and what is left, in turns.

    Worths and cases of an `earlier` run are gone on from, and so is its release where this one is `resumed` from it.
    """
    cuts, branch = CutWorths(standing, earlier), BranchBySize(standing, earlier)
    moves, by_value = MoveRows(standing, resumed=resumed), standing.instance.is_by_value
    once = [
        GreedyRelease(standing),
        AscendWorths(standing, earlier),
        GreedyRelease(standing),
        BranchSoon(standing, branch),
        # The tree along edges soon leads to better releases than single rows do.
        *((branch, moves) if by_value else (moves, branch)),
        SearchInBackground(standing, branch),
        cuts,
    ]
    return once, [Dive(standing, branch), Regions(standing), cuts, CloseUnderRules(standing, branch)]
