"""The stages of a run, in order: those that are gone through once, and those that take turns, each time for twice as long."""

from __future__ import annotations

from anoptima.certificates.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.stages.ascend import Ascend
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.stages.close import Close
from anoptima.solvers.exact.sifting.stages.core_rounds import CoreRounds
from anoptima.solvers.exact.sifting.stages.first_release import FirstRelease
from anoptima.solvers.exact.sifting.stages.rounds import Rounds
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import Standing


def plan_for_size(
    standing: Standing, proof: MultiplierProof | None, *, started: bool
) -> tuple[list[Stage], list[Stage]]:
    """Return the stages under k-anonymity: first a release and multipliers, then bound and releases until nothing is left."""
    core = CoreRounds(standing)
    branch = Branch(standing)
    once = [FirstRelease(standing, started=started), Ascend(standing, proof)]
    return once, [core, Rounds(standing, core), branch, Close(standing, branch)]
