"""One run of `sifting`: what is done in which order, and when it ends."""

from __future__ import annotations

import math
import time
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin
from anoptima.machine import is_installed
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.approximate.greedy_patterns import GreedyPatterns
from anoptima.solvers.exact.engine import kernels
from anoptima.solvers.exact.engine.core import Core, Relaxed
from anoptima.solvers.exact.engine.cuts import Catalogue, Cut, Row, Terms
from anoptima.solvers.exact.engine.dual import Multipliers, ascend, first_multipliers
from anoptima.solvers.exact.engine.kernels import Arcs, Numbers
from anoptima.solvers.exact.engine.programs import Region, improve
from anoptima.solvers.exact.engine.proving import bound_in_integers, proof_of
from anoptima.solvers.exact.engine.release import partition_of, published
from anoptima.solvers.exact.engine.search import SECONDS, Search
from anoptima.solvers.ledger import Ledger
from anoptima.table import Table

CORE = 0.1
"""The core begins with the arcs of so much reduced cost, in units of the lightest column's weight."""
ENOUGH = 1e-3
TINY = 1e-6
FEW, SHORT = 150, 0.03
"""Passes, and their first step, from the core's duals on, while arcs are missing."""
FEW_HALF_OPEN = 200
PATIENCE = 4


def without_sensitive(problem: CellSuppression) -> CellSuppression:
    """Return the same question on the same rows without sensitive columns, so that records are row types."""
    table = problem.table
    if not table.sensitive:
        return problem
    weights = dict(zip(table.quasi, table.weights, strict=True))
    return CellSuppression(
        Table.from_frame(table.frame[list(table.quasi)], table.quasi, weights=weights), problem.principle
    )


def kernels_here() -> ModuleType:
    """Return the compiled kernels if the extra `fast` is installed, the others if not."""
    if not is_installed("numba"):
        return kernels
    from anoptima.solvers.exact.engine import kernels_compiled

    return kernels_compiled


class Run:
    """One run: arcs, the best multipliers and release so far, and the ledger."""

    def __init__(self, problem: CellSuppression, ledger: Ledger[Partition]) -> None:
        assert isinstance(problem.principle, KAnonymity)
        self._problem = problem
        self._ledger = ledger
        self._plain = without_sensitive(problem)
        self._patterns: Patterns = closed_patterns(self._plain)
        copies = self._patterns.table.records.multiplicity.astype(np.int64)
        self._arcs = Arcs(self._patterns.start, self._patterns.member, self._patterns.cost, copies, problem.principle.k)
        self._catalogue = Catalogue(self._arcs)
        self._kernels = kernels_here()
        self._chance = np.random.default_rng(ledger.budget.seed)
        weights = [int(weight) for weight in problem.table.scaled_weights if weight]
        self._unit = min(weights, default=1)
        self._step_of_cost = math.gcd(*weights) or 1
        self._lower = -np.inf
        self._reduced: Numbers = np.zeros(len(self._arcs.member))
        self._search: Search | None = None
        ledger.log(f"{len(self._patterns):,} closed patterns, {self._patterns.arcs:,} arcs, {self._kernels.__name__}")

    def run(self, started: bool) -> None:
        """Go on until the ledger is over, or nothing is left to try."""
        if not started:
            self._ledger.offer(GreedyPatterns().partition(self._plain, self._ledger.is_over), "greedy-patterns")
        terms = Terms(self._arcs, self._kernels)
        _, best = ascend(self._arcs, terms, first_multipliers(self._arcs), self._ledger.is_over)
        self._prove(terms, best, [])
        assert self._ledger.solution is not None
        release = published(self._plain, self._patterns, self._ledger.solution)
        self._search = Search(self._catalogue, release, self._reduced, self._chance)
        self._sift()
        self._close()

    def _sift(self) -> None:
        """Solve the core again and again, with more arcs and cuts, as long as that raises the bound."""
        assert self._search is not None
        core = Core(self._catalogue, self._ledger.is_over)
        core.add_arcs(np.flatnonzero(self._reduced <= CORE * self._unit))
        core.add_arcs(self._search.release.arc)
        stale = 0
        while not self._ledger.is_over() and stale < PATIENCE:
            began, lower = time.monotonic(), self._lower
            relaxed = core.solve(self._ledger.clock.left())
            if relaxed is None:
                return
            terms = Terms(self._arcs, self._kernels, core.rows)
            cuts = [row.cut for row in core.rows]
            missing = self._prove(terms, relaxed.multipliers, cuts)
            if relaxed.value > self._lower + ENOUGH * self._unit:
                _, better = ascend(
                    self._arcs, terms, relaxed.multipliers, self._ledger.is_over, passes=FEW, first_step=SHORT
                )
                missing = np.union1d(missing, self._prove(terms, better, cuts))
            added = core.add_arcs(missing)
            self._ledger.log(
                f"core of {core.size:,} arcs and {len(core.rows):,} cuts: {relaxed.value:,.2f}, {added:,} arcs were missing; "
                f"proved {self._lower:,.2f}, {int((relaxed.y % 1 > ENOUGH).sum()):,} patterns half open"
            )
            self._improve_release(core, relaxed, time.monotonic() - began)
            core.add_arcs(self._search.release.arc)
            rows = self._violated(relaxed)
            core.drop_slack(relaxed.x, relaxed.y)
            core.add_cuts(rows)
            stale = 0 if self._lower > lower + ENOUGH * self._unit or added else stale + 1
            if not rows and not added:
                return

    def _violated(self, relaxed: Relaxed) -> list[Row]:
        if self._kernels is kernels:
            return []
        from anoptima.solvers.exact.engine.separation import violated

        return violated(self._catalogue, relaxed.x, relaxed.y, self._chance, self._ledger.is_over)

    def _prove(self, terms: Terms, at: Multipliers, cuts: list[Cut]) -> NDArray[np.int64]:
        """Turn multipliers into a bound, keep their reduced costs if they are the best, and return the arcs that the core lacks."""
        charge, surcharge = terms.charges(at.prices)
        values, least = self._kernels.opened(self._arcs, at.worth, charge, surcharge)
        lower = float(self._arcs.copies @ at.worth + np.minimum(0, values).sum() - terms.most @ at.prices)
        lengths = np.diff(self._arcs.start)
        gain = at.worth[self._arcs.member] - np.repeat(self._arcs.cost, lengths)
        if surcharge is not None:
            gain -= surcharge
        reduced = np.repeat(np.maximum(values, 0), lengths)
        reduced += np.maximum(0, np.repeat(np.minimum(least, 0), lengths) - gain)
        if lower > self._lower:
            self._lower, self._reduced = lower, reduced
            if self._search is not None:
                self._search.guide(reduced)
            scaled, whole = bound_in_integers(self._arcs, terms, at)
            proof = proof_of(self._problem, self._patterns, self._arcs.k, scaled, cuts, whole)
            self._ledger.raise_bound(proof.value, Origin.CERTIFICATE, certificate=proof)
        return np.flatnonzero(np.repeat(values < 0, lengths) & (reduced <= TINY))

    def _improve_release(self, core: Core, relaxed: Relaxed, seconds: float) -> None:
        """Search for as long as the bound has just been worked at; then see what the core itself holds if its solution is nearly whole."""
        assert self._search is not None
        half_open = int((np.abs(relaxed.y - np.rint(relaxed.y)) > ENOUGH).sum())
        if half_open <= FEW_HALF_OPEN:
            region = Region(np.flatnonzero(core.chosen()), self._arcs.copies, rows=core.rows)
            found, _ = improve(self._catalogue, region, self._search.release, self._seconds(60.0), self._ledger.is_over)
            if found is not None:
                self._search.take(found)
        until = time.monotonic() + seconds
        self._step()
        while time.monotonic() < until and not self._ledger.is_over():
            self._step()
        self._offer()

    def _step(self) -> None:
        assert self._search is not None
        if self._search.step(self._seconds(SECONDS), self._ledger.is_over):
            self._offer()

    def _offer(self) -> None:
        assert self._search is not None
        self._ledger.offer(partition_of(self._patterns, self._search.release), "sifting")

    def _close(self) -> None:
        """Search the arcs that can still be part of something better: all whose reduced cost is at most what is left of the gap.

        Restricted to reduced costs up to d, an optimum UB_d is the optimum as soon as L + d >= UB_d - 1.
        """
        assert self._search is not None
        reach = float(self._unit)
        while not self._ledger.is_over():
            gap = self._search.cost - self._lower
            reach = min(reach, gap)
            arcs = np.union1d(np.flatnonzero(self._reduced <= reach + TINY), self._search.release.arc)
            self._ledger.log(
                f"a search over {len(arcs):,} arcs of reduced cost up to {reach:,.2f}, with {gap:,.2f} to close"
            )
            region = Region(arcs, self._arcs.copies)
            left = self._ledger.clock.left()
            found, done = improve(
                self._catalogue,
                region,
                self._search.release,
                left if left is not None else np.inf,
                self._ledger.is_over,
                careful=True,
            )
            if found is not None:
                self._search.take(found)
                self._offer()
            if not done:
                return
            if self._lower + reach >= self._search.cost - self._step_of_cost - TINY:
                self._ledger.raise_bound(self._problem.unscale(self._search.cost), Origin.BACKEND, "highs")
                return
            reach *= 2

    def _seconds(self, most: float) -> float:
        left = self._ledger.clock.left()
        return most if left is None else min(most, left)
