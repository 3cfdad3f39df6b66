"""A bound by groups of k rows: groups are added to the linear program until none gains at what rows are worth in it.

Worths are rounded to whole numbers before groups are priced. Rows whose groups gain are made worth less by as much, and what all rows are
worth then is a bound (`proofs.least_groups`): in every round, and whatever the program's floats are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from anoptima.answer import Origin
from anoptima.models.group_lists import kinds_of
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.worths import WorthEnd, worth_proof
from anoptima.solvers.exact.least_groups.pricing import Pricing
from anoptima.solvers.exact.least_groups.program import Groups, Optimum, Program
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts

NEAR = 1e-6
"""What counts as zero in a linear program; no bound depends on it."""
PARTS = (1, 2, 12, 60, 840, 5_040, 5_040_000)
"""The denominators that worths are written in; groups are priced in the last one that leaves numbers of 64 bits."""
_BITS = 61
FIRST_LOOKS, MORE_LOOKS = 1 << 26, 8
"""How many looks there are in each of the first rounds, at most, and how many times as many once few groups are found so: the first
number takes a second or two."""
FEW_NEW = 0.2
"""New groups for each row that are few."""


class LeastGroups:
    """The linear program over groups of k rows, as far as it has been solved: at first over those of near rows, and of a partition."""

    def __init__(self, problem: CellSuppression, ledger: Ledger[Partition], pricing: Pricing) -> None:
        self._problem, self._ledger, self.pricing = problem, ledger, pricing
        self.every, self.left_over = np.arange(pricing.rows), pricing.k * int(problem.table.scaled_weights.sum()) + 1
        self._parts = [d for d in PARTS if d * pricing.k * self.left_over < 1 << _BITS]
        self.groups = Groups(pricing)
        self.groups.add(pricing.near_groups())
        self.looks = FIRST_LOOKS // pricing.rows
        self.is_solved = False
        self.seconds = 0.0
        """How long the last round took."""
        self._is_cover = True
        self._rounds = 0

    def add(self, partition: Partition) -> None:
        """Add what groups of a partition can be cut into."""
        k, kinds = self.pricing.k, kinds_of(self._problem)
        assert kinds is not None
        parts = [part for group in partition.groups() for part in kinds.cut(group)]
        made = [rows for part in parts for rows in (part[:k], part[-k:])]
        self.groups.add(np.sort(np.array(made, dtype=np.int64), axis=1))

    def solved(self, rows: Counts, is_cover: bool = False) -> tuple[Optimum, Counts, Any]:
        """Return the optimum over the groups inside some rows, the numbers of those groups, and all rows' worths; 0 for other rows."""
        numbers, places = self.groups.among(rows)
        program = Program(len(rows), self.left_over)
        program.add(places, self.groups.cost[numbers])
        optimum = program.optimum(is_cover)
        worth = np.zeros(self.pricing.rows)
        # Whatever a solver's floats are, whole numbers of them must fit.
        worth[rows] = np.clip(np.nan_to_num(optimum.worth), -self.left_over, self.left_over)
        return optimum, numbers, worth

    def add_gaining(self, rows: Counts, worth: Any) -> int:
        """Add groups inside some rows that gain at these worths; return how many were not there."""
        d = self._parts[-1]
        found = self.pricing.best_groups(rows, np.rint(worth * d).astype(np.int64), d, FIRST_LOOKS // self.pricing.rows)
        return self.groups.add(found.groups)

    def raise_bound(self, is_over: Callable[[], bool]) -> None:
        """Add groups, and prove what follows, until none gains or it is over."""
        while not (self.is_solved or is_over()):
            self._go_round()

    def _go_round(self) -> None:
        """Add groups that gain at what rows are worth, and prove what they are worth at least.

        At first rows may be in several groups, so that none is worth less than nothing: then the first programs are soon solved.
        """
        d, began = self._parts[-1], time.monotonic()
        optimum, _, worth = self.solved(self.every, self._is_cover)
        whole = np.rint(worth * d).astype(np.int64)
        found = self.pricing.best_groups(self.every, whole, d, self.looks)
        new, corrected = self.groups.add(found.groups), found.corrected(whole)
        self._rounds += 1
        self._ledger.log(
            f"round {self._rounds}: {len(self.groups.cost):,} groups, {new:,} of them new, program {optimum.cost:,.2f}, "
            f"proves {corrected.sum() / d:,.2f}"
        )
        wanted = math.ceil(optimum.cost - NEAR)
        is_reached = new == 0 or -(-int(corrected.sum()) // d) >= wanted
        self.is_solved = found.is_complete and not self._is_cover and is_reached
        if found.is_complete and is_reached:
            corrected, d = self._shortest(worth, wanted) or (corrected, d)
        self._prove(corrected, d)
        if new <= FEW_NEW * self.pricing.rows:
            self._is_cover = False
            self.looks *= 1 if found.is_complete else MORE_LOOKS
        self.seconds = time.monotonic() - began

    def _shortest(self, worth: Any, wanted: int) -> tuple[Counts, int] | None:
        """Return worths in the largest parts that prove as much, if some larger ones do."""
        for d in self._parts[:-1]:
            whole = np.floor(worth * d + NEAR).astype(np.int64)
            if -(-int(whole.sum()) // d) < wanted:
                continue
            corrected = self.pricing.best_groups(self.every, whole, d, self.looks).corrected(whole)
            if -(-int(corrected.sum()) // d) >= wanted:
                return corrected, d
        return None

    def _prove(self, worth: Counts, d: int) -> None:
        least, known = -(-int(worth.sum()) // d), self._ledger.proof
        proof = worth_proof(self._problem, least, d, WorthEnd(tuple(worth.tolist())))
        if least >= 0 and (known is None or proof.value > known.value):
            self._ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)
