"""Where a run under rules stands: the best worths so far, what they prove and guide, and the release that searches share."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from types import ModuleType

import numpy as np

from anoptima.answer import Origin
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.bound.dual import DualPoint
from anoptima.solvers.exact.sifting.bound.guides import guides_of, no_guides
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.proofs_under_rules import proof_at
from anoptima.solvers.exact.sifting.releases import repair
from anoptima.solvers.exact.sifting.releases.background import Background
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import CLOSE_WAYS, WAYS, Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from anoptima.solvers.exact.sifting.rules import pricing
from anoptima.solvers.exact.sifting.rules.rule import Numbers
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.exact.sifting.standing import Standing
from anoptima.solvers.ledger import Ledger

FOR_EVER_S = 300.0
"""What shares are taken of where there is no limit on time."""


class StandingUnderRules(Standing):
    """Under any principle: worths, what they guide, and the searches at one release."""

    def __init__(
        self,
        problem: CellSuppression,
        instance: Instance,
        ledger: Ledger[Partition],
        kernels: ModuleType,
        without: Collection[Part] = frozenset(),
    ) -> None:
        super().__init__(ledger, problem, without)
        self.instance = instance
        self.pricing = rule_pricing(instance, kernels, ledger.threads)
        self.lower = -np.inf
        """The bound of the best worths, in floats, which what they guide counts from; cases may prove more."""
        self.near: DualPoint | None = None
        self.guides = no_guides(instance)
        self.programs = Programs(Catalogue(instance.arcs), instance.problem)
        self._shared: Background[RegionSearch] | None = None
        self._offered: Release | None = None

    @property
    def unit(self) -> float:
        """The weight of the lightest column: reaches and steps are counted in it."""
        return float(self.instance.unit)

    @property
    def step_of_cost(self) -> int:
        """What all scaled costs are multiples of."""
        return self.instance.step_of_cost

    @property
    def is_close(self) -> bool:
        """Whether groups must be close to the table, which makes programs large."""
        return any(isinstance(rule, TotalVariation | Tree) for rule in self.instance.rules)

    @property
    def moves_rows(self) -> bool:
        """Whether single rows are moved: uncompiled, millions of moves take too long."""
        return repair.serves(self.instance) and self.pricing.kernels is not pricing

    def share_of_left(self, share: float) -> float:
        """Return this share of the seconds that are left; of a while where there is no limit."""
        left = self.ledger.clock.left()
        return FOR_EVER_S if left is None else share * left

    @property
    def worth(self) -> Numbers | None:
        """The best worths so far, if there are any."""
        return None if self.near is None else self.near.at.worth

    def prove(self, found: DualPoint) -> None:
        """Turn multipliers into a bound and its proof, and let them guide the searches, if they are the best."""
        if found.value <= self.lower:
            return
        self.lower, self.near = found.value, found
        proof = proof_at(self.problem, self.instance, self.pricing, found.at)
        if proof is not None:
            self.ledger.raise_bound(proof.value, Origin.CERTIFICATE, certificate=proof)
        self.guides = guides_of(found, self.unit)
        if self._shared is not None:
            self._shared.guide(Guide(self.guides.reduced))
        self.ledger.log(f"proved {self.lower:,.2f}")

    @property
    def release(self) -> Release:
        """The best release: groups may have more in common than the patterns they were found for, and the ledger publishes that."""
        assert self.ledger.solution is not None
        return release_of(self.instance.problem, self.instance.patterns, self.ledger.solution)

    def offer(self, release: Release, by: str = "sifting") -> None:
        """Enter a release in the ledger if it is another one than last time."""
        if release is not self._offered:
            self._offered = release
            self.ledger.offer(partition_of(self.instance.patterns, release), by)

    @cached_property
    def search(self) -> RegionSearch:
        """The search of this thread, from the best release on when it is first asked for."""
        return self._new_search()

    @property
    def shared(self) -> Background[RegionSearch]:
        """The release that searches work at, from that of this thread's search on."""
        if self._shared is None:
            self._shared = Background(self.programs, self.search.release, self.is_over)
        return self._shared

    def search_beside(self, threads: int) -> None:
        """Let so many other searches work at the release until the run stops, each on a thread of its own."""
        self.shared.start([self._new_search() for _ in range(threads)])

    def _new_search(self) -> RegionSearch:
        """Return a search from the best release on, with chances of its own."""
        ways = CLOSE_WAYS if self.is_close else WAYS
        return RegionSearch(self.programs, self.release, Guide(self.guides.reduced), self.chance.spawn(1)[0], ways)

    def stop(self) -> None:
        """Stop the other searches, and enter what they have come to."""
        if self._shared is not None:
            self._shared.stop()
            self.offer(self._shared.release)
