"""A bound by groups of k rows: groups are added to the linear program until none gains at what rows are worth in it.

Worths are rounded to whole numbers before groups are priced. Rows whose groups gain are made worth less by as much, and what all rows are
worth then is a bound (`proofs.least_groups`): in every round, and whatever the program's floats are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from anoptima.answer import Origin
from anoptima.proofs.worths import WorthEnd, worth_proof
from anoptima.solvers.exact.least_groups.pricing import Found, Pricing
from anoptima.solvers.exact.least_groups.program import Groups, Optimum, Program
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts

NEAR = 1e-6
"""What counts as zero in a linear program; no bound depends on it."""
PARTS = (1, 2, 12, 60, 840, 5_040, 5_040_000)
"""The denominators that worths are written in; groups are priced in the last one that leaves numbers of 64 bits."""
_BITS = 61
FIRST_LOOKS, MORE_LOOKS = 1 << 13, 8
"""How many looks there are for each row in the first rounds, and how many times as many once few groups are found so."""
FEW_NEW = 0.05
"""New groups for each row that are few."""


class LeastGroups:
    """The linear program over groups of k rows, as far as it has been solved."""

    def __init__(self, problem: Any, ledger: Ledger[Any], pricing: Pricing) -> None:
        self._problem, self._ledger, self.pricing = problem, ledger, pricing
        self.groups = Groups(pricing)
        self.groups.add(pricing.near_groups())
        self.every = np.arange(pricing.rows)
        total = int(problem.table.scaled_weights.sum())
        self.left_over = pricing.k * total + 1
        self._parts = [d for d in PARTS if d * pricing.k**2 * (total + 1) < 1 << _BITS]
        self.looks = FIRST_LOOKS
        self.is_solved = False

    def solved(self, rows: Counts) -> tuple[Optimum, Counts, Counts]:
        """Return the optimum over the groups inside some rows, the numbers of those groups, and all rows' worths; 0 for other rows."""
        numbers, places = self.groups.among(rows)
        program = Program(len(rows), self.left_over)
        program.add(places, self.groups.cost[numbers])
        optimum = program.optimum()
        worth = np.zeros(self.pricing.rows)
        worth[rows] = optimum.worth
        return optimum, numbers, worth

    def found(self, rows: Counts, worth: Any) -> Found:
        """Return the groups inside some rows that gain at these worths."""
        d = self._parts[-1]
        return self.pricing.best_groups(rows, np.rint(worth * d).astype(np.int64), d, self.looks)

    def raise_bound(self, is_over: Callable[[], bool]) -> None:
        """Add groups, and prove what follows, until none gains or it is over."""
        d, rounds = self._parts[-1], 0
        while not (self.is_solved or is_over()):
            optimum, _, worth = self.solved(self.every)
            whole = np.rint(worth * d).astype(np.int64)
            found = self.pricing.best_groups(self.every, whole, d, self.looks)
            new = self.groups.add(found.groups)
            corrected = found.corrected(whole)
            rounds += 1
            self._ledger.log(
                f"round {rounds}: {len(self.groups.cost):,} groups, {new:,} of them new, program {optimum.cost:,.2f}, "
                f"proved {corrected.sum() / d:,.2f}"
            )
            wanted = math.ceil(optimum.cost - NEAR)
            self.is_solved = found.is_complete and (new == 0 or -(-int(corrected.sum()) // d) >= wanted)
            if self.is_solved:
                corrected, d = self._shortest(worth, wanted) or (corrected, d)
            self._prove(corrected, d)
            if self.is_solved:
                return
            if not found.is_complete and new <= FEW_NEW * self.pricing.rows:
                self.looks *= MORE_LOOKS

    def _shortest(self, worth: Any, wanted: int) -> tuple[Counts, int] | None:
        """Return worths in the largest parts that prove as much, if some larger ones do."""
        for d in self._parts[:-1]:
            whole = np.floor(worth * d + NEAR).astype(np.int64)
            corrected = self.pricing.best_groups(self.every, whole, d, self.looks).corrected(whole)
            if -(-int(corrected.sum()) // d) >= wanted:
                return corrected, d
        return None

    def _prove(self, worth: Counts, d: int) -> None:
        least, known = -(-int(worth.sum()) // d), self._ledger.proof
        proof = worth_proof(self._problem, least, d, WorthEnd(tuple(worth.tolist())))
        if known is None or proof.value > known.value:
            self._ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)
