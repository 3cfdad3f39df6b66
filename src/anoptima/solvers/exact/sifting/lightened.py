"""Heavy weights: the engine counts in floating point, and finds its way where the weights are no more than some thousand apart.

So it works on lighter weights first, rounded down to multiples of a unit (`proofs.rounded`): what is proved there is proved of the
weights themselves, and a release is a release at any weights. Then it goes on with the weights as they are, for as long again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from anoptima.answer import BoundRaised, Event, Incumbent, Origin
from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.near import NearProof
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.rounded import Lighter, RoundedProof, lighter, weighed
from anoptima.solvers.exact.sifting.whole_numbers import why_too_heavy
from anoptima.solvers.ledger import Ledger

Engine = Callable[[CellSuppression, Ledger[Partition]], None]
"""A run on a problem that begins with the ledger's solution."""

HEAVY = 2**24
"""Weights are taken as they are as long as the mean of them is no larger: the engine takes steps of the smallest."""

LIGHT = 2**12
"""The mean of the lighter weights, unless a common factor of the weights is all that makes them heavy."""

LEAST_SECONDS = 2.0
"""For how long the engine goes on with the weights themselves, at least."""


def unit_of(problem: CellSuppression) -> int:
    """Return what weights are to be rounded down to multiples of; 1 where they are light enough.

    >>> from anoptima import KAnonymity, ten_rows
    >>> table = ten_rows().restricted(("zip1", "age1"), (10**15, 3 * 10**15))
    >>> unit_of(CellSuppression(ten_rows(), KAnonymity(2))), unit_of(CellSuppression(table, KAnonymity(2)))
    (1, 1000000000000000)
    """
    weights = [int(weight) for weight in problem.table.scaled_weights]
    total, common, columns = sum(weights), math.gcd(*weights), len(weights)
    if total <= columns * HEAVY and why_too_heavy(problem) is None:
        return 1
    return common if total <= common * columns * HEAVY else common * -(-total // (common * columns * LIGHT))


def sift_lightened(problem: CellSuppression, unit: int, ledger: Ledger[Partition], engine: Engine) -> None:
    """Run the engine on the lighter weights, and on the weights themselves if that leaves a gap, or once something is proved of them."""
    began, seconds = ledger.clock.seconds(), ledger.clock.left()
    if _proof_at(ledger, 1) is None:
        light = lighter(problem, unit)
        least = RoundedProof.of(problem, unit, OwnBound(light.lower_bound()))
        ledger.raise_bound(least.value, Origin.PROOF, proof=least)
        _run(light, unit, ledger, seconds, engine)
        if ledger.is_over():
            return
        left, spent = ledger.clock.left(), max(LEAST_SECONDS, ledger.clock.seconds() - began)
        seconds = spent if left is None else min(left, spent)
    if why_too_heavy(problem) is None:
        _run(problem, 1, ledger, seconds, engine)
    if not ledger.is_closed():
        ledger.notes.append(
            f"weights were rounded down to multiples of {problem.unscale(unit)} to be searched and proved with, so cost and bound may "
            "be that far apart for each star"
        )


def _proof_at(ledger: Ledger[Partition], unit: int) -> Lighter | None:
    """Return what is proved at the weights in whole numbers of `unit`, from which a run at these can go on."""
    known: object = ledger.proof
    if isinstance(known, RoundedProof):
        known = known.proof if known.unit == unit else None
    elif unit > 1:
        known = None
    return known if isinstance(known, Lighter) and not isinstance(known, OwnBound | NearProof) else None


def _run(problem: CellSuppression, unit: int, ledger: Ledger[Partition], seconds: float | None, engine: Engine) -> None:
    """Run the engine on `problem`, and pass on to `ledger` what it finds, and `unit` times what it proves."""
    asked: CellSuppression = ledger.problem  # type: ignore[assignment]

    def hear(event: Event) -> bool:
        if isinstance(event, Incumbent):
            ledger.offer(event.solution, "sifting")
        elif isinstance(event, BoundRaised):
            proof = event.proof
            if unit == 1:
                origin = Origin.BACKEND if proof is None else Origin.PROOF
                ledger.raise_bound(event.bound, origin, proof=proof)
            elif isinstance(proof, Lighter):
                rounded = RoundedProof.of(asked, unit, proof)
                ledger.raise_bound(rounded.value, Origin.PROOF, proof=rounded)
            else:
                ledger.raise_bound(weighed(asked, unit, event.bound), Origin.BACKEND)
        return ledger.is_over()

    own = Ledger(problem, ledger.solver, replace(ledger.budget, seconds=seconds), hear)
    own.begin(None)
    earlier = _proof_at(ledger, unit)
    if earlier is not None:
        # It has been checked: `ledger` has it.
        own.raise_bound(earlier.value, Origin.PROOF, proof=earlier)
    assert ledger.solution is not None
    own.offer(ledger.solution)
    if not own.is_over():
        try:
            with within(own.is_over):
                engine(problem, own)
        except OutOfTime:
            pass
        ledger.compiled = own.compiled
        ledger.prepare_seconds += own.prepare_seconds
        ledger.notes += [note for note in own.notes if note not in ledger.notes]
