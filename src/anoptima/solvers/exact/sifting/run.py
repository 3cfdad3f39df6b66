"""One run: its stages, one after the other, as the plan has them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import arcs
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.kernels.pricing import is_prepared
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.plan import plan_for_size, plan_under_rules
from anoptima.solvers.exact.sifting.read_back import Earlier, EarlierWorths, read_back, read_back_worths
from anoptima.solvers.exact.sifting.searchers import Searcher
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import Standing, StandingUnderRules, StandingUnderSize
from anoptima.solvers.ledger import Ledger

FIRST_LIMIT_S = 20.0
"""Seconds of the first turn of a stage that could take for ever; each turn is twice as long as the one before."""
IDLE_TURNS = 20
"""Turns in a row that gain nothing after which a run ends: the last one might have taken a million times as long as the first, so whatever
comes back from it early has nothing left to try. Fewer end runs in which a later turn, of more arcs, would have gained."""


def run(
    problem: CellSuppression,
    ledger: Ledger[Partition],
    *,
    started: bool,
    resumed: bool = False,
    without: Collection[Part] = frozenset(),
    searchers: Sequence[Searcher] = (),
) -> None:
    """Run from what the ledger's proof has, if there is one that fits, and from its release, if that is a start.

    `resumed` says that this release comes from an earlier run, with its proof; `searchers` take turns with the run's own search.
    """
    ledger.phase("listing patterns")
    instance = instance_of(problem)
    notes = (
        f"nothing is proved by the condition {condition}: no checker is known for it" for condition in instance.unproved
    )
    ledger.notes += [note for note in notes if note not in ledger.notes]
    patterns, proof = instance.patterns, ledger.proof
    ledger.log(f"{len(patterns):,} closed patterns that can hold a group, {patterns.arcs:,} arcs")
    standing: Standing[Any]
    earlier: Earlier | EarlierWorths | None
    if instance.is_of_size:
        standing = StandingUnderSize(instance, ledger, kernels_here(arcs), without, searchers)
        earlier = read_back(proof, instance)
        stages = plan_for_size(standing, earlier, started=started)
    else:
        standing = StandingUnderRules(instance, ledger, is_prepared(), without, searchers)
        earlier = read_back_worths(proof, instance)
        stages = plan_under_rules(standing, earlier, resumed=resumed)
    if proof is not None and earlier is None:
        ledger.log("the earlier proof is about another table or principle, or of another kind, and is left aside")
    go_through(standing, *stages)


def go_through(standing: Standing[Any], once: Sequence[Stage[Any]], in_turns: Sequence[Stage[Any]]) -> None:
    """Go through the stages until the ledger is over, or nothing is left to try: no stage is for now, or many turns have gained nothing."""

    def is_for_now(stage: Stage[Any]) -> bool:
        is_over = standing.is_done or standing.is_over()
        is_used = stage.part is None or standing.uses(stage.part)
        return is_used and (stage.is_needed or not is_over) and stage.why_not() is None

    limit = FIRST_LIMIT_S
    try:
        for stage in filter(is_for_now, once):
            stage.run(limit)
        idle = 0
        while idle < IDLE_TURNS and not (standing.is_done or standing.is_over()):
            before, is_tried = standing.reached, False
            for stage in filter(is_for_now, in_turns):
                stage.run(limit)
                is_tried = True
            if not is_tried:
                return
            limit *= 2
            idle = idle + 1 if standing.reached == before else 0
    finally:
        standing.stop()
