"""The stages of a run, in order: those that are gone through once, and those that take turns, each time for twice as long."""

from __future__ import annotations

from typing import Any

from anoptima.certificates.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.stages.ascend import Ascend
from anoptima.solvers.exact.sifting.stages.ascend_worths import AscendFurther, AscendWorths
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.close import Close
from anoptima.solvers.exact.sifting.stages.close_patterns import ClosePatterns
from anoptima.solvers.exact.sifting.stages.core_program import CoreProgram
from anoptima.solvers.exact.sifting.stages.core_rounds import CoreRounds
from anoptima.solvers.exact.sifting.stages.first_release import FirstRelease
from anoptima.solvers.exact.sifting.stages.greedy_release import GreedyRelease
from anoptima.solvers.exact.sifting.stages.move_rows import MoveRows
from anoptima.solvers.exact.sifting.stages.regions import Regions
from anoptima.solvers.exact.sifting.stages.rounds import Rounds
from anoptima.solvers.exact.sifting.stages.search_beside import SearchBeside
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.stages.whole_groups import WholeGroups
from anoptima.solvers.exact.sifting.standing import StandingUnderSize
from anoptima.solvers.exact.sifting.standing_under_rules import StandingUnderRules


def plan_for_size(
    standing: StandingUnderSize, proof: MultiplierProof | None, *, started: bool
) -> tuple[list[Stage[Any]], list[Stage[Any]]]:
    """Return the stages under k-anonymity: first a release and multipliers, then bound and releases until nothing is left."""
    core = CoreRounds(standing)
    branch = Branch(standing)
    once = [FirstRelease(standing, started=started), Ascend(standing, proof)]
    return once, [core, Rounds(standing, core), branch, Close(standing, branch)]


def plan_under_rules(standing: StandingUnderRules) -> tuple[list[Stage[Any]], list[Stage[Any]]]:
    """Return the stages under any principle: bound and releases as far as they lead, then regions and what is left, in turns."""
    further = AscendFurther(standing)
    once = [
        GreedyRelease(standing),
        AscendWorths(standing),
        GreedyRelease(standing),
        MoveRows(standing),
        BranchBySize(standing),
        SearchBeside(standing),
        WholeGroups(standing, further),
        CoreProgram(standing),
        further,
    ]
    return once, [Regions(standing), ClosePatterns(standing)]
