"""A bound where patterns cannot be listed: the dual over the patterns that are found to gain, below a ceiling that rises.

At what rows are worth over some patterns, others gain, and the bound is the dual less what they gain in all (`gaining_patterns`). Those are
added, and so on, until hardly any gains: columns of a linear program, generated when they are asked for. How far a walk has to look depends
on what rows are worth, which is far too much at first. So no row is worth more than a ceiling, which rises whenever hardly anything gains
below it; only rows whose k-th neighbour is farther away may be worth as much as that radius. `proofs.near` proves each bound, with a reach
that no worth exceeds.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.near import NearProof
from anoptima.solvers.approximate.near_patterns.gaining_patterns import Gaining, Walk
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.whole_numbers import denominator_of, usual_weight
from anoptima.solvers.ledger import Ledger
from anoptima.table import Counts

NEAR_SHARE, RISE = 0.1, 2
"""The first ceiling is so many times what this part of the radii is at most, and each other one so many times the last one."""
FEW = 0.01
"""What patterns gain is hardly anything if it is at most such a part of the dual."""
PASSES, FIRST_STEP, FALL = 100, 0.1, 0.7
"""Passes of each dual, by steps that begin with this where the ceiling has risen, and get shorter where hardly anything gains."""
LEAST_RISE = 1e-4
"""A bound that rises by no more than such a part from one round to the next does not rise."""


def proof_of_radii(problem: CellSuppression, radius: Counts) -> NearProof:
    """Return the proof that no row pays less than its radius.

    >>> from anoptima import KAnonymity, ten_rows
    >>> proof_of_radii(CellSuppression(ten_rows(), KAnonymity(3)), np.ones(10, np.int64)).value
    10
    """
    k = problem.plain.principle.least_size(problem.table)
    value = problem.unscale(int(radius @ problem.table.multiplicity))
    return NearProof(value, problem.table.digest, k, 1, 0, tuple(radius.tolist()))


class _Found:
    """The patterns found so far."""

    def __init__(self, copies: Counts, k: int) -> None:
        self._copies, self._k = copies, k
        # Patterns are told apart by sums over their members: two that are taken for one make a bound weaker, no more.
        self._names = np.random.default_rng(0).integers(1, 2**62, len(copies))
        self._known = nothing = np.zeros(0, dtype=np.int64)
        self.arcs = self._arcs_of(nothing, nothing.astype(np.int32), nothing)

    def begin(self, arcs: Arcs) -> None:
        """Begin with these."""
        self.arcs, self._known = arcs, self._sums(arcs.start[:-1], arcs.member)

    def add(self, gaining: Gaining) -> bool:
        """Add patterns that are not known yet; tell whether there are any."""
        sums = self._sums(np.cumsum(gaining.length) - gaining.length, gaining.member)
        new = ~np.isin(sums, self._known)
        if new.any():
            self._known = np.concatenate([self._known, sums[new]])
            self.arcs = self._arcs_of(
                np.concatenate([np.diff(self.arcs.start), gaining.length[new]]),
                np.concatenate([self.arcs.member, gaining.member[np.repeat(new, gaining.length)]]),
                np.concatenate([self.arcs.cost, gaining.cost[new]]),
            )
        return bool(new.any())

    def _arcs_of(self, length: Counts, member: NDArray[np.int32], cost: Counts) -> Arcs:
        start = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(length)])
        return Arcs(start, member, cost, self._copies, np.full(len(cost), self._k, dtype=np.int64))

    def _sums(self, start: Counts, member: NDArray[np.int32]) -> Counts:
        return np.add.reduceat(self._names[member], start) if len(member) else np.zeros(0, dtype=np.int64)


class CeilingDual:
    """What row types are worth over the patterns found so far."""

    def __init__(self, problem: CellSuppression, ledger: Ledger[Any], kernels: ModuleType, radius: Counts) -> None:
        """Begin with no pattern, where every row is worth as much as it may be."""
        table = problem.table
        self._problem, self._ledger, self._kernels, self._radius = problem, ledger, kernels, radius
        self._k, self._d = problem.plain.principle.least_size(table), denominator_of(problem)
        self._walk, self._unit = Walk(problem, self._k, ledger.threads), usual_weight(problem)
        self._found = _Found(np.asarray(table.multiplicity, dtype=np.int64), self._k)
        self._most = int(table.scaled_weights.sum())
        self._worth = np.full(len(table.types), float(self._most))

    def begin(self, arcs: Arcs, worth: NDArray[np.float64]) -> None:
        """Begin with some patterns, and what row types are worth over them."""
        self._found.begin(arcs)
        self._worth = worth

    def raise_bound(self, is_over: Callable[[], bool], most_looks: int) -> bool:
        """Raise the bound until time is over, hardly anything is to be had, or a walk looks at more than this; tell whether that is why."""
        ceiling = self._above(int(np.quantile(self._radius, NEAR_SHARE, method="lower")))
        step, best, last = FIRST_STEP, 0, 0
        while not is_over():
            ceilings = np.maximum(ceiling, self._radius)
            self._ascend(ceilings, Course(PASSES, step), is_over)
            worth = np.minimum(np.rint(self._worth * self._d).astype(np.int64), self._d * ceilings)
            gaining = self._walk.gaining(worth, self._d, is_over, most_looks)
            if gaining is None:
                return not is_over()
            dual = int(self._problem.table.multiplicity @ worth)
            value = -(-(dual - gaining.gain) // self._d)
            self._ledger.log(
                f"worth at most {ceiling:,} of {self._most:,}, {len(gaining.cost):,} patterns gain {gaining.gain // self._d:,} "
                f"of {dual // self._d:,}, which proves {value:,}"
            )
            if value > best:
                self._tell(value, worth)
            is_new, rises = self._found.add(gaining), value > last + LEAST_RISE * abs(last)
            is_settled = gaining.gain <= FEW * dual or not (is_new or rises)
            is_last = ceiling == self._most or bool((worth < self._d * ceilings).all())
            best, last = max(best, value), value
            if is_settled and is_last and not rises:
                break
            if is_settled and not is_last:
                ceiling, step = self._above(ceiling), FIRST_STEP
            elif is_settled:
                step *= FALL
        return False

    def _above(self, ceiling: int) -> int:
        return min(self._most, max(self._unit, RISE * ceiling))

    def _ascend(self, ceilings: Counts, course: Course, is_over: Callable[[], bool]) -> None:
        arcs, ceiling = self._found.arcs, ceilings.astype(float)
        is_matched = np.bincount(arcs.member, minlength=len(ceiling)) > 0
        at = Multipliers(np.where(is_matched, np.minimum(self._worth, ceiling), ceiling), np.zeros(0))
        if len(arcs):
            terms = Terms(arcs, self._kernels)
            at = ascend(arcs, terms, at, is_over, course, unit=self._unit, ceiling=ceiling).at
        self._worth = at.worth

    def _tell(self, value: int, worth: Counts) -> None:
        # Rows that are worth no more than their radius have no others near, so they need no reach.
        reach = -(-int(worth[worth > self._d * self._radius].max(initial=0)) // self._d)
        digest = self._problem.table.digest
        proof = NearProof(self._problem.unscale(value), digest, self._k, self._d, reach, tuple(worth.tolist()))
        self._ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)
