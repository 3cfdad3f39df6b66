"""Where a run stands: the best multipliers and release so far, what they prove, and how both are made known.

Under k-anonymity multipliers have prices of cuts, and the search for releases may be on other threads alone; under rules there are worths,
and what the rules ask of single patterns.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from types import ModuleType
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Origin, Proof
from anoptima.deadline import extended
from anoptima.exact import Exact
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.sifting import arcs as plain
from anoptima.solvers.exact.sifting.arcs import TINY
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import DualPoint, Multipliers
from anoptima.solvers.exact.sifting.bound.rule_cuts import TermsUnderRules
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing, rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.outside_searchers import OutsideSearchers
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.proofs import has_room, proof_at, proof_of, proof_with_cuts
from anoptima.solvers.exact.sifting.releases import move_rows, repair
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.annealing import pattern_annealing_of, row_annealing_of
from anoptima.solvers.exact.sifting.releases.background import Background
from anoptima.solvers.exact.sifting.releases.regions import CLOSE_WAYS, WAYS, Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.searchers import Searcher
from anoptima.solvers.exact.sifting.tree.by_pattern import TreeByPattern
from anoptima.solvers.ledger import Ledger

ASKED_AGAIN_S = 0.01
"""Loops ask all the time whether it is over, and the ledger answers in fractions: it is asked again after these seconds."""
PROVING_S = 0.1
"""What has been found when a run is cancelled is proved if that takes no longer: a run that is cancelled ends within 0.2 s."""
LARGE_RECORDS = 100
"""Tables of more records are worth annealing, and a second thread."""
MOST_ROWS = 5_000
"""With more cuts in force, those without a price are let go; with fewer they stay, since the next move may give them one."""
PRICED_UNITS = 1e-3
"""Cuts of a lower price do not guide searches."""
WORTH_IT_UNITS = 1e-3
"""How far above nothing a pattern's best group may cost to be opened all the same."""
S = TypeVar("S", bound=RegionSearch)


class Standing(ABC, Generic[S]):
    """What every run has: the question, the ledger, time, chance, the best point of the dual, and the release that searches share."""

    def __init__(
        self,
        instance: Instance,
        ledger: Ledger[Partition],
        is_compiled: bool,
        without: Collection[Part] = frozenset(),
        searchers: Sequence[Searcher] = (),
    ) -> None:
        self.instance, self.ledger = instance, ledger
        self.is_compiled = is_compiled
        """Whether patterns are priced in compiled loops."""
        self._without = frozenset(without)
        self.chance = np.random.default_rng(ledger.budget.seed)
        of_others = np.random.default_rng([ledger.budget.seed, 1])
        self._outside: OutsideSearchers[S] = OutsideSearchers(instance.asked, instance.patterns, searchers, of_others)
        self.is_done = False
        """Whether nothing is left to try."""
        arcs = instance.arcs
        nothing = Multipliers(np.zeros(len(arcs.copies)), np.zeros(0))
        self.point = DualPoint(nothing, -np.inf, np.zeros(len(arcs)), np.zeros(len(arcs.member)))
        """The best point of the dual."""
        self._shared: Background[S] | None = None
        self._offered: Release | None = None
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

    @property
    def reached(self) -> tuple[Exact | None, float]:
        """The cost and the bound that there are."""
        return self.ledger.cost, self.point.value

    def seconds(self, most: float) -> float:
        """Return the seconds that are left, `most` at most."""
        return min(most, self.share_of_left(1.0))

    def share_of_left(self, share: float, otherwise: float = math.inf) -> float:
        """Return this share of the seconds that are left; `otherwise` where there is no limit."""
        return self.ledger.clock.share_of_left(share, otherwise)

    def share_of_spent(self, share: float, least: float) -> float:
        """Return a share of the seconds that have passed, `least` at least, and no more than are left."""
        return self.seconds(max(least, share * self.ledger.clock.seconds()))

    def enter(self, proof: Proof | None) -> None:
        """Raise the bound to what a proof proves, if there is one."""
        if proof is not None:
            self.ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)

    def claim(self, scaled: int, by: str) -> None:
        """Raise the bound on the word of backends, which leaves in place what is proved."""
        self.ledger.raise_bound(self.instance.asked.unscale(scaled), Origin.BACKEND, by)

    @property
    @abstractmethod
    def guide(self) -> Guide:
        """What guides searches for releases."""

    @abstractmethod
    def _new_search(self, number: int) -> S:
        """Return a search from the best release on, with chances of its own."""

    def _come_to(self, point: DualPoint) -> None:
        """Take a point for the best one, and let it guide the searches."""
        self.point = point
        if self._shared is not None:
            self._shared.guide(self.guide)

    @property
    def published(self) -> Release:
        """The best release: groups may have more in common than the patterns they were found for, and the ledger publishes that."""
        assert self.ledger.solution is not None
        return release_of(self.instance.problem, self.instance.patterns, self.ledger.solution)

    @cached_property
    def search(self) -> S:
        """The search of this thread, from the best release on when it is first asked for."""
        return self._new_search(0)

    @property
    def shared(self) -> Background[S]:
        """The release that searches work at, from the best one on when it is first asked for."""
        if self._shared is None:
            self._shared = Background(self.instance.programs, self.published, self.is_over, self._outside.step)
        return self._shared

    def search_in_background(self, threads: int) -> None:
        """Let `threads` searches work at the release until the run stops, each on a thread of its own."""
        self.shared.start([self._new_search(number) for number in range(threads)])

    def take(self, release: Release) -> None:
        """Take a release in if it is better, and enter it."""
        self.shared.take(release)
        self.offer(self.release)

    @property
    def release(self) -> Release:
        """The best release that a search has come to or that has been taken in."""
        return self.shared.release

    @property
    def cost(self) -> int:
        """The scaled cost of the best release."""
        return self.shared.cost

    def offer(self, release: Release, by: str = "sifting") -> None:
        """Enter a release in the ledger if it is another one than last time."""
        if release is not self._offered:
            self._offered = release
            self.ledger.offer(partition_of(self.instance.patterns, release), by)

    def stop(self) -> None:
        """Stop the searches on other threads, and enter what they have come to."""
        if self._shared is not None:
            self._shared.end()
            self.ledger.notes += [note for note in self._outside.notes if note not in self.ledger.notes]
            self.offer(self._shared.release)


class StandingUnderSize(Standing[AnnealedRegions]):
    """Under k-anonymity: the cuts in force, whose prices the best point of the dual has, and the tree of cases."""

    def __init__(
        self,
        instance: Instance,
        ledger: Ledger[Partition],
        kernels: ModuleType,
        without: Collection[Part] = frozenset(),
        searchers: Sequence[Searcher] = (),
    ) -> None:
        super().__init__(instance, ledger, kernels is not plain, without, searchers)
        self.kernels = kernels
        self.terms = Terms(instance.arcs, kernels)
        """The cuts that the best point's prices are of."""
        self.proved = -1
        """The scaled cost that a proof proves."""
        self.tree: TreeByPattern | None = None
        """The tree of cases, once the table is branched on."""

    @property
    def is_large(self) -> bool:
        """Whether the table is worth annealing, and a second thread."""
        return len(self.instance.arcs.copies) > LARGE_RECORDS

    @property
    def guide(self) -> Guide:
        """Reduced costs, and the cuts that have a price."""
        point = self.point
        return Guide(point.reduced, self.terms.of_price(point.at.prices, PRICED_UNITS * self.instance.unit))

    @extended(PROVING_S)
    def prove(self, found: DualPoint, terms: Terms) -> NDArray[np.int64]:
        """Turn multipliers into a bound if they are the best so far, and return the arcs that a core lacks for them."""
        if found.value > self.point.value:
            if len(terms.rows) > MOST_ROWS:
                terms = terms.of_price(found.at.prices)
                found = replace(found, at=Multipliers(found.at.worth, found.at.prices[found.at.prices > 0]))
            self.terms = terms
            self._come_to(found)
            if math.ceil(found.value) > self.proved:
                self._prove()
        start = self.instance.arcs.start
        return np.flatnonzero(np.repeat(found.values < 0, np.diff(start)) & (found.reduced <= TINY))

    def _prove(self) -> None:
        """Prove in whole numbers what the best multipliers prove."""
        instance, rows = self.instance, self.terms.rows
        whole = self.point.at.in_parts(instance.d)
        scaled = -(-self.terms.exactly(whole, instance.d) // instance.d)
        if scaled > self.proved and has_room(instance, rows, [whole]):
            self.proved = scaled
            self.enter(proof_of(instance, scaled, rows, whole))

    def core(self, is_over: Callable[[], bool], reach: float) -> Core:
        """Return the core program of the arcs of reduced cost up to `reach` units, of those of the release, and of the cuts in force."""
        core = Core(self.instance.catalogue, is_over)
        core.add_arcs(np.flatnonzero(self.point.reduced <= reach * self.instance.unit))
        core.add_arcs(self.release.arc)
        core.add_cuts(self.terms.rows)
        return core

    @property
    def wanted(self) -> int:
        """D times a bound that proves the release: as soon as it is above the next better cost."""
        return (self.cost - self.instance.step_of_cost) * self.instance.d + 1

    def _new_search(self, number: int) -> AnnealedRegions:
        arcs, unit = self.instance.arcs, self.instance.unit
        seed = self.ledger.budget.seed + number
        rows = self.is_large and self.uses(Part.ROW_ANNEALING)
        patterns = self.is_large and self.uses(Part.PATTERN_ANNEALING)
        return AnnealedRegions(
            self.instance.programs,
            self.release,
            self.guide,
            np.random.default_rng(seed + 1),
            row_annealing=row_annealing_of(arcs, unit, seed) if rows else None,
            pattern_annealing=pattern_annealing_of(arcs, unit, seed) if patterns else None,
            share_of_left=self.share_of_left,
        )


class StandingUnderRules(Standing[RegionSearch]):
    """Under any principle: worths by its rules, whose pricing is told here, and the searches at one release."""

    @cached_property
    def pricing(self) -> RulePricing:
        """What groups are worth by the rules."""
        return rule_pricing(self.instance, self.is_compiled, self.ledger.threads)

    @property
    def moves_rows(self) -> bool:
        """Whether single rows are moved. Uncompiled, millions of moves take too long."""
        return self.is_compiled and move_rows.serves(self.instance)

    @property
    def is_repaired(self) -> bool:
        """Whether many small changes are tried: uncompiled, they take too long."""
        return repair.serves(self.instance) and self.is_compiled

    @property
    def guide(self) -> Guide:
        """Reduced costs."""
        return Guide(self.point.reduced)

    @property
    def forced(self) -> Numbers:
        """What a release costs more than the bound, at least, by opening each pattern."""
        return np.maximum(0, self.point.values)

    @property
    def worth_opening(self) -> Numbers:
        """1 for patterns that are worth opening, 0 for others."""
        return (self.point.values < WORTH_IT_UNITS * self.instance.unit).astype(float)

    @extended(PROVING_S)
    def prove(self, found: DualPoint, terms: TermsUnderRules | None = None) -> None:
        """Turn multipliers into a bound and its proof, and let them guide the searches, if they are the best.

        Where there are `terms`, prices are those of their rows.
        """
        if found.value <= self.point.value:
            return
        if terms is None:
            self.enter(proof_at(self.instance, self.pricing, found.at))
        else:
            self.enter(proof_with_cuts(self.instance, terms, found.at))
        self._come_to(found)
        self.ledger.log(f"proved {found.value:,.2f}")

    def _new_search(self, number: int) -> RegionSearch:
        ways = CLOSE_WAYS if self.instance.is_close else WAYS
        return RegionSearch(self.instance.programs, self.published, self.guide, self.chance.spawn(1)[0], ways)
