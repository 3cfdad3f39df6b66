"""Where a run stands: the best multipliers and release so far, what they prove, and how both are made known.

Under k-anonymity multipliers have prices of cuts, and the search for releases may be on a thread of its own; `standing_under_rules` has
worths alone, and a release that several searches share.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.proofs import bound_in_integers, has_room, proof_of
from anoptima.solvers.exact.sifting.question import Question
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.background import Background
from anoptima.solvers.exact.sifting.releases.regions import Guide
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.solvers.exact.sifting.tree.by_pattern import TreeByPattern
from anoptima.solvers.ledger import Ledger

ASKED_AGAIN_S = 0.01
"""Loops ask all the time whether it is over, and the ledger answers in fractions: it is asked again after so many seconds."""
MOST_ROWS = 5_000
"""With more cuts in force, those without a price are let go; with fewer they stay, since the next move may give them one."""
PRICED_UNITS = 1e-3
"""Cuts of a lower price do not guide searches."""
TINY = 1e-6


class Standing:
    """What every run has: the ledger, the time, chance, and whether something is left to try."""

    def __init__(
        self, ledger: Ledger[Partition], problem: CellSuppression, without: Collection[Part] = frozenset()
    ) -> None:
        self.ledger = ledger
        self._without = frozenset(without)
        self.problem = problem
        self.chance = np.random.default_rng(ledger.budget.seed)
        self.is_done = False
        """Whether nothing is left to try."""
        self._over, self._asked = False, -math.inf

    def uses(self, part: Part) -> bool:
        """Tell whether a part of the method is used: all are, unless a study leaves one out."""
        return part not in self._without

    def is_over(self) -> bool:
        """Tell whether the ledger is over; it stays so."""
        now = time.monotonic()
        if not self._over and now > self._asked + ASKED_AGAIN_S:
            self._over, self._asked = self.ledger.is_over(), now
        return self._over

    def seconds(self, most: float) -> float:
        """Return the seconds that are left, `most` at most."""
        left = self.ledger.clock.left()
        return most if left is None else min(most, left)

    def share_of_spent(self, share: float, least: float) -> float:
        """Return a share of the seconds that have passed, `least` at least, and no more than are left."""
        return self.seconds(max(least, share * self.ledger.clock.seconds()))

    def claim(self, scaled: int, by: str) -> None:
        """Raise the bound on the word of backends, which leaves in place what is proved."""
        self.ledger.raise_bound(self.problem.unscale(scaled), Origin.BACKEND, by)

    def stop(self) -> None:
        """Stop what goes on in the background, and enter what it has found."""


class StandingUnderSize(Standing):
    """Under k-anonymity: the best point of the dual with the cuts in force, the search for releases, and the tree of cases."""

    def __init__(
        self,
        question: Question,
        ledger: Ledger[Partition],
        kernels: ModuleType,
        without: Collection[Part] = frozenset(),
    ) -> None:
        super().__init__(ledger, question.problem, without)
        self.question = question
        self.kernels = kernels
        self.terms = Terms(question.arcs, kernels)
        nothing = Multipliers(np.zeros(len(question.arcs.copies)), np.zeros(0))
        self.point = DualPoint(nothing, -np.inf, np.zeros(0), np.zeros(0))
        """The best point of the dual; `terms` has the cuts that its prices are of."""
        self.proved = -1
        """The scaled cost that a certificate proves."""
        self.tree: TreeByPattern | None = None
        """The tree of cases, once the table is branched on."""
        self._search: AnnealedRegions | Background[AnnealedRegions] | None = None
        self._offered = -1

    @property
    def search(self) -> AnnealedRegions | Background[AnnealedRegions]:
        """The search for releases, once there is one to begin with; on a thread of its own where two may be used."""
        assert self._search is not None
        return self._search

    @search.setter
    def search(self, search: AnnealedRegions | Background[AnnealedRegions]) -> None:
        self._search = search

    @property
    def background(self) -> Background[AnnealedRegions] | None:
        """The search, if it is on a thread of its own."""
        return self._search if isinstance(self._search, Background) else None

    @property
    def guide(self) -> Guide:
        """What guides searches for releases: reduced costs, and the cuts that have a price."""
        point = self.point
        return Guide(point.reduced, self.terms.of_price(point.at.prices, PRICED_UNITS * self.question.unit))

    def prove(self, found: DualPoint, terms: Terms) -> NDArray[np.int64]:
        """Turn multipliers into a bound if they are the best so far, and return the arcs that a core lacks for them."""
        if found.value > self.point.value:
            if len(terms.rows) > MOST_ROWS:
                terms = terms.of_price(found.at.prices)
                found = replace(found, at=Multipliers(found.at.worth, found.at.prices[found.at.prices > 0]))
            self.point, self.terms = found, terms
            if self._search is not None:
                self._search.guide(self.guide)
            if math.ceil(found.value) > self.proved:
                self._certify()
        start = self.question.arcs.start
        return np.flatnonzero(np.repeat(found.values < 0, np.diff(start)) & (found.reduced <= TINY))

    def _certify(self) -> None:
        """Prove in whole numbers what the best multipliers prove."""
        question, rows = self.question, self.terms.rows
        scaled, whole = bound_in_integers(question.arcs, self.terms, self.point.at, question.d)
        if scaled > self.proved and has_room(question.plain, rows, [whole], question.d):
            self.proved = scaled
            proof = proof_of(question.problem, question.patterns, question.d, scaled, rows, whole)
            self.ledger.raise_bound(proof.value, Origin.CERTIFICATE, certificate=proof)

    def core(self, is_over: Callable[[], bool], reach: float) -> Core:
        """Return the core program of the arcs of reduced cost up to `reach` units, of those of the release, and of the cuts in force."""
        core = Core(self.question.catalogue, is_over)
        core.add_arcs(np.flatnonzero(self.point.reduced <= reach * self.question.unit))
        core.add_arcs(self.search.release.arc)
        core.add_cuts(self.terms.rows)
        return core

    def offer(self) -> None:
        """Enter the search's release in the ledger if it is another one than last time."""
        release = self.search.release
        cost = self.question.cost_of(release)
        if cost != self._offered:
            self._offered = cost
            self.ledger.offer(partition_of(self.question.patterns, release), "sifting")

    def take(self, release: Release) -> None:
        """Take a release in, and enter it."""
        self.search.take(release)
        self.ledger.offer(partition_of(self.question.patterns, release), "sifting")

    @property
    def release(self) -> Release:
        """The best release that the search has come to or that has been taken in."""
        return self.search.release

    @property
    def cost(self) -> int:
        """The scaled cost of the best release."""
        return self.search.cost

    @property
    def wanted(self) -> int:
        """D times a bound that proves the release: as soon as it is above the next better cost."""
        return (self.cost - self.question.step_of_cost) * self.question.d + 1

    def stop(self) -> None:
        """Stop what goes on in the background, and enter what it has found."""
        if self.background is not None:
            self.background.stop()
            self.offer()
