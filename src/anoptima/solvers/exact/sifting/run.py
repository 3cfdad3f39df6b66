"""One run: its stages, one after the other, as the plan has them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from anoptima.answer import Certificate
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import arcs, read_back, read_back_under_rules
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.plan import plan_for_size, plan_under_rules
from anoptima.solvers.exact.sifting.question import question_of
from anoptima.solvers.exact.sifting.rules import pricing
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import Standing, StandingUnderSize
from anoptima.solvers.exact.sifting.standing_under_rules import StandingUnderRules
from anoptima.solvers.ledger import Ledger

FIRST_LIMIT_S = 20.0
"""Seconds of the first turn of a stage that could take for ever; of the next one twice as many."""


def run_for_size(
    problem: CellSuppression,
    ledger: Ledger[Partition],
    proof: Certificate | None,
    *,
    started: bool,
    without: Collection[Part] = frozenset(),
) -> None:
    """Run under k-anonymity; from what an earlier `proof` has, if there is one that fits, and from a start, if there is one."""
    ledger.phase("listing patterns")
    question = question_of(problem)
    kernels = kernels_here(arcs)
    ledger.log(f"{len(question.patterns):,} closed patterns, {question.patterns.arcs:,} arcs, {kernels.__name__}")
    standing = StandingUnderSize(question, ledger, kernels, without)
    earlier = read_back.read_back(proof, question) if isinstance(proof, read_back.Written) else None
    if earlier is not None:
        standing.proved = earlier.proved
    _log_unread(ledger, proof, earlier)
    run(standing, *plan_for_size(standing, earlier, started=started))


def run_under_rules(
    problem: CellSuppression,
    ledger: Ledger[Partition],
    proof: Certificate | None,
    *,
    resumed: bool,
    without: Collection[Part] = frozenset(),
) -> None:
    """Run under any principle that rules are known for; from what an earlier `proof` has, if there is one that fits.

    `resumed` says that the ledger's release comes from an earlier run, too.
    """
    ledger.phase("listing patterns")
    instance = instance_of(problem)
    notes = (
        f"nothing is proved by the condition {condition}: no checker is known for it" for condition in instance.unproved
    )
    ledger.notes += [note for note in notes if note not in ledger.notes]
    kernels = kernels_here(pricing)
    patterns = instance.patterns
    ledger.log(f"{len(patterns):,} closed patterns that can hold a group, {patterns.arcs:,} arcs, {kernels.__name__}")
    standing = StandingUnderRules(problem, instance, ledger, kernels, without)
    rules = read_back_under_rules
    earlier = rules.read_back(proof, problem, instance) if isinstance(proof, rules.Written) else None
    _log_unread(ledger, proof, earlier)
    run(standing, *plan_under_rules(standing, earlier, resumed=resumed))


def _log_unread(ledger: Ledger[Partition], proof: Certificate | None, earlier: object) -> None:
    if proof is not None and earlier is None:
        ledger.log("the earlier proof is about another table or principle, or of another kind, and is left aside")


def run(standing: Standing, once: Sequence[Stage[Any]], in_turns: Sequence[Stage[Any]]) -> None:
    """Go through the stages until the ledger is over, or nothing is left to try."""

    def is_for_now(stage: Stage[Any]) -> bool:
        is_over = standing.is_done or standing.is_over()
        is_used = stage.part is None or standing.uses(stage.part)
        return is_used and (stage.is_needed or not is_over) and stage.why_not() is None

    limit = FIRST_LIMIT_S
    try:
        for stage in filter(is_for_now, once):
            stage.run(limit)
        while not (standing.is_done or standing.is_over()):
            for stage in filter(is_for_now, in_turns):
                stage.run(limit)
            limit *= 2
    finally:
        standing.stop()
