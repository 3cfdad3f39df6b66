"""Better releases under rules: regions as under k-anonymity (`releases.regions`), each solved as a program that knows the rules.

Groups outside of a region stay as they are but for rows that they take in, which they may as far as that leaves them legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.releases.greedy import legal_groups
from anoptima.solvers.exact.sifting.releases.region_graph import RegionGraph
from anoptima.solvers.exact.sifting.releases.region_program import Region
from anoptima.solvers.exact.sifting.releases.region_program_under_rules import Program
from anoptima.solvers.exact.sifting.releases.region_program_under_rules import Region as RuledRegion
from anoptima.solvers.exact.sifting.releases.regions import WAYS
from anoptima.solvers.exact.sifting.releases.regions import Search as PlainSearch
from anoptima.solvers.exact.sifting.releases.release import Release
from anoptima.solvers.exact.sifting.rules.rule import Numbers

ABSORBING = 0.6
"""Up to which reduced cost, in units, groups outside may take rows of a region: each of them makes its program larger."""
_CLOSE_WAYS = ((0.6, 4.0),)
"""Where the bound is far below, reduced costs tell less."""


class Search(PlainSearch):
    """A search from one release on, guided by the reduced costs of all arcs."""

    def __init__(
        self,
        instance: Instance,
        release: Release,
        reduced: Numbers,
        chance: np.random.Generator,
        ways: Sequence[tuple[float, float]] = WAYS,
    ) -> None:
        super().__init__(Catalogue(instance.arcs), release, reduced, chance, ways)
        self._instance = instance

    def take(self, release: Release) -> None:
        """Go on from another release if it is legal and better."""
        if self.is_legal(release):
            super().take(release)

    def is_legal(self, release: Release) -> bool:
        """Tell whether every copy is published once, in groups that satisfy the principle."""
        return self._fits(release, self._arcs.copies, Release(release.arc[:0], release.count[:0]))

    def _solve(
        self, region: Region, let_go: NDArray[np.bool_], seconds: float, is_over: Callable[[], bool]
    ) -> tuple[Release | None, bool]:
        release, pattern_of = self.release, self._catalogue.pattern_of
        current = Release(release.arc[let_go], release.count[let_go])
        staying = Release(release.arc[~let_go], release.count[~let_go])
        # A pattern that is too small here opens in no solution.
        amount = np.bincount(
            pattern_of[region.arcs], region.demand[self._arcs.member[region.arcs]], len(self._arcs.cost)
        )
        own = region.arcs[(amount >= self._instance.arcs.least)[pattern_of[region.arcs]]]
        absorbers = region.absorbers[self.reduced[region.absorbers] <= ABSORBING * self._unit]
        arcs = np.unique(np.concatenate([own, absorbers, current.arc]))
        found = Program(self._instance, RuledRegion(arcs, region.demand, staying)).solve(seconds, is_over, current)
        if found.release is None or not self._fits(found.release, region.demand, staying):
            return None, found.done
        return found.release, found.done

    def _fits(self, found: Release, demand: NDArray[np.int64], staying: Release) -> bool:
        """Tell whether a region's records are all published, in groups that are legal with what others of their pattern hold."""
        member, pattern_of = self._arcs.member, self._catalogue.pattern_of
        if (np.bincount(member[found.arc], found.count, len(demand)) != demand).any():
            return False
        touched = np.zeros(len(self._arcs.cost), dtype=np.bool_)
        touched[pattern_of[found.arc]] = True
        also = touched[pattern_of[staying.arc]]
        arc = np.concatenate([found.arc, staying.arc[also]])
        count = np.concatenate([found.count, staying.count[also]])
        groups, label = np.unique(pattern_of[arc], return_inverse=True)
        return bool(legal_groups(self._instance, label, member[arc].astype(np.int64), count, len(groups)).all())


class CloseSearch(Search):
    """A search under closeness to the table: groups are large, so a region grows by whole groups, up to so many rows."""

    def __init__(self, instance: Instance, release: Release, reduced: Numbers, chance: np.random.Generator) -> None:
        super().__init__(instance, release, reduced, chance, _CLOSE_WAYS)

    def _grow(
        self, seed: int, groups: NDArray[np.int64], group: NDArray[np.int64], neighbours: RegionGraph, budget: int
    ) -> NDArray[np.bool_]:
        member = self._arcs.member[self.release.arc]
        size = np.bincount(group, self.release.count)
        freed = np.zeros(len(groups), dtype=np.bool_)
        waiting = [seed]
        while size[freed].sum() < budget and not freed.all():
            next_ = waiting.pop(0) if waiting else int(self._chance.choice(np.flatnonzero(~freed)))
            if freed[next_]:
                continue
            freed[next_] = True
            own = member[group == next_].astype(np.int64)
            near = np.zeros(len(self._arcs.copies), dtype=np.bool_)
            near[neighbours.beside(own)] = True
            others = np.unique(group[near[member]])
            waiting.extend(self._chance.permutation(others[~freed[others]])[: 3 + len(own)].tolist())
        return freed
