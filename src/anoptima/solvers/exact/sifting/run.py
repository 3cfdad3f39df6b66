"""One run: its stages, one after the other, as the plan has them."""

from __future__ import annotations

from collections.abc import Sequence

from anoptima.certificates.multipliers import MultiplierProof
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import arcs
from anoptima.solvers.exact.sifting.plan import plan_for_size
from anoptima.solvers.exact.sifting.question import question_of
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import Standing
from anoptima.solvers.ledger import Ledger

FIRST_LIMIT_S = 20.0
"""Seconds of the first turn of a stage that could take for ever; of the next one twice as many."""


def run_for_size(
    problem: CellSuppression, ledger: Ledger[Partition], proof: MultiplierProof | None, *, started: bool
) -> None:
    """Run under k-anonymity; from the multipliers of an earlier `proof`, if there is one that fits, and from a start, if there is one."""
    ledger.phase("listing patterns")
    question = question_of(problem)
    kernels = kernels_here(arcs)
    ledger.log(f"{len(question.patterns):,} closed patterns, {question.patterns.arcs:,} arcs, {kernels.__name__}")
    standing = Standing(question, ledger, kernels)
    run(standing, *plan_for_size(standing, proof, started=started))


def run(standing: Standing, once: Sequence[Stage], in_turns: Sequence[Stage]) -> None:
    """Go through the stages until the ledger is over, or nothing is left to try."""
    try:
        for stage in once:
            if stage.why_not() is None:
                stage.run(FIRST_LIMIT_S)
        limit = FIRST_LIMIT_S
        while not _is_over(standing):
            for stage in in_turns:
                if not _is_over(standing) and stage.why_not() is None:
                    stage.run(limit)
            limit *= 2
    finally:
        standing.stop()


def _is_over(standing: Standing) -> bool:
    return standing.is_done or standing.is_over()
