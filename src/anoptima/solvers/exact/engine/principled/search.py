"""Better releases under rules: let the groups of a region go and solve it again over the arcs that are worth it; others may take rows.

A region grows from a group to those that its records could as well be published with, over arcs of small reduced cost, until it has a
budget of copies. The budget grows while regions are solved quickly and shrinks where the time runs out, so it finds its own size.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.engine.neighbours import joined
from anoptima.solvers.exact.engine.principled.greedy import legal_groups
from anoptima.solvers.exact.engine.principled.programs import Program, Region
from anoptima.solvers.exact.engine.principled.rule import Counts, Numbers
from anoptima.solvers.exact.engine.principled.setting import Setting
from anoptima.solvers.exact.engine.release import Published

FIRST_BUDGET, LEAST_BUDGET = 150, 30
SECONDS = 4.0
QUICK = 1.0
MOST_ARCS = 30_000


@dataclass
class Search:
    """A search from one release on, guided by the reduced costs of all arcs."""

    setting: Setting
    release: Published
    reduced: Numbers
    chance: np.random.Generator
    cheap: float
    """Up to which reduced cost arcs are worth it."""
    budget: float = FIRST_BUDGET
    _failures: Numbers = field(init=False)

    def __post_init__(self) -> None:
        self._failures = np.zeros(len(self.setting.arcs))
        self.guide(self.reduced)

    @property
    def cost(self) -> int:
        """The scaled cost of the release."""
        return self.cost_of(self.release)

    def cost_of(self, release: Published) -> int:
        """Return the scaled cost of a release."""
        return int(self.setting.arcs.cost[self.setting.patterns.pattern_of_arc[release.arc]] @ release.count)

    def guide(self, reduced: Numbers) -> None:
        """Take other reduced costs."""
        self.reduced = reduced
        member = self.setting.arcs.member
        cheap = np.flatnonzero(reduced <= self.cheap)
        self._by_record = cheap[np.argsort(member[cheap], kind="stable")]
        self._start = np.searchsorted(member[self._by_record], np.arange(len(self.setting.arcs.copies) + 1))
        self._cheap = cheap
        self._cheap_start = np.searchsorted(cheap, self.setting.arcs.start)

    def take(self, release: Published) -> bool:
        """Go on from another release if it is legal and better."""
        if self.cost_of(release) >= self.cost or not self._is_legal(release):
            return False
        self.release = release
        return True

    def _is_legal(self, release: Published) -> bool:
        member, pattern = self.setting.arcs.member, self.setting.patterns.pattern_of_arc
        groups, label = np.unique(pattern[release.arc], return_inverse=True)
        record = member[release.arc].astype(np.int64)
        published = np.bincount(record, release.count, len(self.setting.arcs.copies))
        return bool((published == self.setting.arcs.copies).all()) and bool(
            legal_groups(self.setting, label, record, release.count, len(groups)).all()
        )

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        """Let one region go and solve it; tell whether the release has become better."""
        setting, release = self.setting, self.release
        pattern_of = setting.patterns.pattern_of_arc
        groups, label = np.unique(pattern_of[release.arc], return_inverse=True)
        freed = self._grow(groups, label)
        let_go = freed[label]
        current = Published(release.arc[let_go], release.count[let_go])
        staying = Published(release.arc[~let_go], release.count[~let_go])
        demand = np.bincount(setting.arcs.member[current.arc], current.count, len(setting.arcs.copies)).astype(np.int64)
        arcs = self._by_record[joined(self._start, np.flatnonzero(demand))]
        amount = np.bincount(pattern_of[arcs], demand[setting.arcs.member[arcs]], len(setting.arcs))
        useful = amount >= setting.arcs.least
        useful[groups[~freed]] = True
        arcs = np.union1d(arcs[useful[pattern_of[arcs]]], current.arc)
        if len(arcs) > MOST_ARCS:
            self.budget = max(LEAST_BUDGET, self.budget * 0.8)
        program = Program(setting, Region(arcs, demand, staying))
        began = time.monotonic()
        found = program.solve(min(SECONDS, seconds), is_over, current)
        spent = time.monotonic() - began
        if spent < QUICK:
            self.budget = min(float(setting.arcs.copies.sum()), self.budget * 1.07 + 1)
        elif not found.done:
            self.budget = max(LEAST_BUDGET, self.budget * 0.92)
        better = False
        if found.release is not None:
            merged = _merged(staying, found.release)
            better = self.cost_of(merged) < self.cost and self.take(merged)
        self._failures[groups[freed]] = 0 if better else self._failures[groups[freed]] + 1
        return better

    def _grow(self, groups: Counts, label: Counts) -> np.ndarray:
        """Return which groups the region takes in."""
        setting, release = self.setting, self.release
        member = setting.arcs.member[release.arc]
        size = np.bincount(label, release.count, len(groups))
        freed = np.zeros(len(groups), dtype=np.bool_)
        group_arcs, by_group = _index(label, len(groups))
        record_arcs, by_record = _index(member, len(setting.arcs.copies))
        weight = (0.05 + setting.arcs.cost[groups]) * 0.7 ** self._failures[groups]
        held = 0.0
        waiting: list[int] = []
        seen = np.zeros(len(setting.arcs), dtype=np.bool_)
        while held < self.budget and not freed.all():
            if not waiting:
                chances = np.where(freed, 0, weight)
                waiting.append(int(self.chance.choice(len(groups), p=chances / chances.sum())))
            g = waiting.pop(0)
            if freed[g]:
                continue
            freed[g] = True
            held += size[g]
            own = member[group_arcs[joined(by_group, np.array([g]))]]
            near = np.unique(setting.patterns.pattern_of_arc[self._by_record[joined(self._start, own)]])
            near = near[~seen[near]]
            seen[near] = True
            reached = setting.arcs.member[self._cheap[joined(self._cheap_start, near)]]
            others = np.unique(label[record_arcs[joined(by_record, np.unique(reached))]])
            others = others[~freed[others]]
            waiting.extend(self.chance.permutation(others)[: 3 + len(own)].tolist())
        return freed


def _index(keys: NDArray[Any], count: int) -> tuple[Counts, Counts]:
    """Return positions sorted by key, and where each key's begin."""
    order = np.argsort(keys, kind="stable")
    return order, np.searchsorted(keys[order], np.arange(count + 1))


def _merged(first: Published, second: Published) -> Published:
    arc, inverse = np.unique(np.concatenate([first.arc, second.arc]), return_inverse=True)
    count = np.bincount(inverse, np.concatenate([first.count, second.count]), len(arc))
    return Published(arc, count.astype(np.int64))
