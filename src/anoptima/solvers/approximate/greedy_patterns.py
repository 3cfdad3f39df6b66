"""Greedy cover by patterns: k-anonymity within a factor of order log k (the idea of Park and Shim 2007; theory and proof repaired)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.exact import Exact, simplest
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import Splitting
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers import algorithms
from anoptima.solvers.approximate.approximation import CellApproximation, merge_until_it_holds


@algorithms.register
class GreedyPatterns(CellApproximation):
    """Weighted set cover over all patterns, then a reduction of the cover to a partition.

    Repeatedly take the pattern with the least price a new row: stars * max(k, u) / u for u unpublished matches; ties to the larger u.
    At least k unpublished matches make a group. Fewer are padded with published ones: from groups that can spare rows, or else by
    joining a group of k that shares a match. Guarantee: cost <= ((2k - 1) / k) H_{2k-1} OPT < 2 (1 + ln 2k) OPT, where
    H_x = 1 + 1/2 + ... + 1/x. The number of patterns is exponential in the number of columns.
    """

    name = "greedy-patterns"
    quick = 1

    def why_not(self, problem: Problem[Any]) -> str | None:
        """It is for cell suppression under k-anonymity alone."""
        reason = super().why_not(problem)
        if (
            reason is None
            and isinstance(problem, CellSuppression)
            and problem.principle.splitting is not Splitting.ANYWHERE
        ):
            return f"{self.name} is for k-anonymity alone, not for {problem.principle}"
        return reason

    def ratio(self, problem: Problem[Partition]) -> Exact | None:
        """Return ((2k - 1) / k) H_{2k-1}."""
        assert isinstance(problem, CellSuppression)
        k = problem.principle.least_size(problem.table)
        harmonic = sum((Fraction(1, i) for i in range(1, 2 * k)), start=Fraction(0))
        return simplest(Fraction(2 * k - 1, k) * harmonic)

    def partition(self, problem: CellSuppression, is_over: Callable[[], bool]) -> Partition:
        """Cover, reducing as it goes. Prices only rise, so a heap with stale entries finds the least."""
        patterns = closed_patterns(problem)
        cover = _Cover(patterns, problem.principle.least_size(problem.table))
        heap: list[tuple[Fraction, int, int]] = []
        for p in np.argsort(patterns.cost, kind="stable").tolist():
            u = int(patterns.support[p])
            heap.append((cover.price(p, u), -u, p))
        heapq.heapify(heap)
        while cover.unpublished.any() and heap and not is_over():
            price, negative, p = heapq.heappop(heap)
            u = cover.matches(p)
            if not u:
                continue
            if cover.price(p, u) != price or u != -negative:
                heapq.heappush(heap, (cover.price(p, u), -u, p))
                continue
            cover.publish(p, u)
        labels = cover.labels()
        if (labels < 0).any():
            labels[labels < 0] = len(cover.groups)
            return merge_until_it_holds(problem, labels, len(cover.groups))
        return Partition.from_labels(labels)


class _Cover:
    """Groups of record copies, at least k each, and what is not published yet."""

    def __init__(self, patterns: Patterns, k: int) -> None:
        self.patterns = patterns
        self.k = k
        self.unpublished = patterns.table.records.multiplicity.copy()
        self.groups: list[dict[int, int]] = []
        self._holders: dict[int, set[int]] = {}

    def price(self, p: int, u: int) -> Fraction:
        """What a new row costs if pattern p publishes u of them."""
        return Fraction(int(self.patterns.cost[p]) * max(self.k, u), u)

    def matches(self, p: int) -> int:
        """How many unpublished rows pattern p matches."""
        return int(self.unpublished[self._members(p)].sum())

    def publish(self, p: int, u: int) -> None:
        """Publish all of pattern p's unpublished matches; there are u > 0."""
        members = self._members(p)
        new = {int(r): int(self.unpublished[r]) for r in members if self.unpublished[r]}
        self.unpublished[members] = 0
        if u >= self.k:
            self._add(new)
            return
        spared = self._spare(members, self.k - u)
        if spared is None:
            self._join(next(iter(self._holders_of(members))), new)
            return
        for group, record, count in spared:
            self._move(group, record, -count)
            new[record] = new.get(record, 0) + count
        self._add(new)

    def _members(self, p: int) -> Any:
        return self.patterns.member[self.patterns.start[p] : self.patterns.start[p + 1]]

    def _holders_of(self, members: Any) -> dict[int, None]:
        return {group: None for r in members.tolist() for group in sorted(self._holders.get(r, ()))}

    def _spare(self, members: Any, wanted: int) -> list[tuple[int, int, int]] | None:
        """Find `wanted` published matches in groups that stay at k or more without them; None if there are not so many."""
        found: list[tuple[int, int, int]] = []
        spare: dict[int, int] = {}
        for record in members.tolist():
            for group in sorted(self._holders.get(record, ())):
                left = spare.setdefault(group, sum(self.groups[group].values()) - self.k)
                count = min(left, self.groups[group][record], wanted)
                if count > 0:
                    found.append((group, record, count))
                    spare[group] -= count
                    wanted -= count
                if not wanted:
                    return found
        return None

    def _add(self, group: dict[int, int]) -> None:
        self.groups.append(group)
        for record in group:
            self._holders.setdefault(record, set()).add(len(self.groups) - 1)

    def _join(self, group: int, new: dict[int, int]) -> None:
        for record, count in new.items():
            self._move(group, record, count)

    def _move(self, group: int, record: int, count: int) -> None:
        held = self.groups[group]
        held[record] = held.get(record, 0) + count
        if held[record]:
            self._holders.setdefault(record, set()).add(group)
        else:
            del held[record]
            self._holders[record].discard(group)

    def labels(self) -> Any:
        """Return one group a row; -1 for rows that are not published."""
        records = self.patterns.table.records
        of_copy = np.full(len(records.of_row), -1, dtype=np.int64)
        ends = np.cumsum(records.multiplicity)
        filled = ends - records.multiplicity
        for number, group in enumerate(self.groups):
            for record, count in group.items():
                of_copy[filled[record] : filled[record] + count] = number
                filled[record] += count
        labels = np.empty_like(of_copy)
        labels[np.argsort(records.of_row, kind="stable")] = of_copy
        return labels
