"""Where runs stand that have just begun, on small tables: stages are tried from there, one at a time."""

from __future__ import annotations

from collections.abc import Collection

from anoptima.answer import Budget
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.ascend import Ascend, AscendWorths
from anoptima.solvers.exact.sifting.stages.first_release import FirstRelease, GreedyRelease
from anoptima.solvers.exact.sifting.standing import StandingUnderRules, StandingUnderSize
from anoptima.solvers.ledger import Ledger
from tests.processes import PATIENCE


def ledger_of(problem: CellSuppression, threads: int = 1) -> Ledger[Partition]:
    ledger = Ledger(problem, "sifting", Budget(seconds=PATIENCE, threads=threads))
    ledger.begin(None)
    return ledger


def under_size(problem: CellSuppression, without: Collection[Part] = (), threads: int = 1) -> StandingUnderSize:
    """A run under k-anonymity before its first stage."""
    return StandingUnderSize(instance_of(problem), ledger_of(problem, threads), kernels, without)


def ascended(problem: CellSuppression, without: Collection[Part] = ()) -> StandingUnderSize:
    """The same with a release and multipliers."""
    standing = under_size(problem, without)
    FirstRelease(standing, started=False).run(0.0)
    Ascend(standing, None).run(0.0)
    return standing


def under_rules(problem: CellSuppression, without: Collection[Part] = (), threads: int = 1) -> StandingUnderRules:
    """A run under any principle before its first stage, in plain loops."""
    return StandingUnderRules(instance_of(problem), ledger_of(problem, threads), False, without)


def ascended_worths(problem: CellSuppression, without: Collection[Part] = ()) -> StandingUnderRules:
    """The same with a release and worths."""
    standing = under_rules(problem, without)
    GreedyRelease(standing).run(0.0)
    AscendWorths(standing, None).run(0.0)
    return standing
