"""Releases from the linear program: groups of which there is most are taken, and the program is solved again without their rows.

What that leaves is mended in regions: some groups are let go, and their rows are put into others of the program's groups, as an integer
program finds best.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from anoptima.distinct import distinct
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.least_groups.bound import LeastGroups
from anoptima.solvers.exact.least_groups.program import Numbers, Program
from anoptima.table import Counts

MUCH, LITTLE = 0.7, 1e-3
"""So much there must be of a group to be taken with others, and at least to be taken at all."""
SHARE = 0.1
"""At least this share of the groups that are still needed is taken at a time, where there is some of so many."""
ROUNDS, ALL_ROUNDS = 3, 4
"""How often new groups are looked for after each time, at most, and as how many rounds with all rows one round each takes, about: two of
1,000 rows of 60 columns, k = 3, and five of 3,000 sparse rows, k = 5."""
REGION_GROUPS, GROUP_S = 25, 0.04
"""How many groups a region has at first, and the most seconds for each of them."""
FAILURES = 20
"""After so many regions in a row without a gain they are given up, and after fewer larger ones."""

_TINY_S = 1e-9
"""Seconds that have passed at least, so that a rate is finite."""

GroupsOfRows = list[list[int]]


class Releases:
    """Releases over the groups of a linear program that has been solved, or nearly."""

    def __init__(self, least: LeastGroups, chance: np.random.Generator) -> None:
        self._least, self._chance = least, chance
        self._pricing = least.pricing

    def dive(self, seconds: float) -> GroupsOfRows | None:
        """Return groups that hold each row once, after about so many seconds at most; None if rows are left that fit nowhere."""
        least, k = self._least, self._pricing.k
        rows, taken = least.every, list[list[int]]()
        rounds = max(1, int(min(ROUNDS, seconds / (ALL_ROUNDS * max(_TINY_S, least.seconds)))))
        while len(rows) >= 2 * k:
            amount, numbers = self._amounts(rows, rounds)
            is_free = np.ones(self._pricing.rows, dtype=np.bool_)
            wanted, count = max(1, int(SHARE * len(rows) / k)), 0
            for at in np.argsort(-amount, kind="stable").tolist():
                if amount[at] < LITTLE or (amount[at] < MUCH and count >= wanted):
                    break
                group = least.groups.rows[numbers[at]]
                if is_free[group].all():
                    is_free[group] = False
                    taken.append(group.tolist())
                    count += 1
            if count == 0:
                break
            rows = rows[is_free[rows]]
        if len(rows) >= k and len(distinct(self._pricing.kinds[rows])) == len(rows):
            taken.append(rows.tolist())
            rows = rows[:0]
        return taken if all(self._put(row, taken) for row in rows.tolist()) else None

    def _amounts(self, rows: Counts, rounds: int) -> tuple[Numbers, Counts]:
        """Return how much there is of which groups inside some rows, after some rounds of new ones."""
        least = self._least
        for turn in itertools.count(1):
            optimum, numbers, worth = least.solved(rows, is_cover=True)
            if turn > rounds or least.add_gaining(rows, worth) == 0:
                return optimum.amount, numbers
        raise AssertionError("it ends after some rounds")

    def _put(self, row: int, groups: GroupsOfRows) -> bool:
        """Put a row into the group that it makes dearer by least; tell whether it may be in any."""
        pricing = self._pricing
        best: tuple[int, list[int]] | None = None
        for group in groups:
            if pricing.kinds[row] in pricing.kinds[group]:
                continue
            now, then = (int(pricing.costs(np.array([its]))[0]) for its in (group, [*group, row]))
            rise = then - now
            if best is None or rise < best[0]:
                best = rise, group
        if best is not None:
            best[1].append(row)
        return best is not None

    def mended(
        self, partition: Partition, size: int, is_over: Callable[[], bool], offer: Callable[[Partition], object]
    ) -> None:
        """Offer better releases, region by region of `size` groups, until many of those gain nothing."""
        groups = [np.sort(group) for group in map(np.array, partition.groups())]
        seconds, failures = size * GROUP_S, 0
        while failures < FAILURES * REGION_GROUPS / size and not is_over():
            region = self._region(groups, size)
            found = self._best([groups[number] for number in region], seconds)
            failures = failures + 1 if found is None else 0
            if found is not None:
                left = set(region)
                groups = [group for number, group in enumerate(groups) if number not in left] + found
                offer(Partition.from_groups([group.tolist() for group in groups], self._pricing.rows))

    def _region(self, groups: list[Counts], size: int) -> list[int]:
        """Return the numbers of groups that are near each other."""
        first = int(self._chance.integers(len(groups)))
        apart = self._pricing.apart(int(self._chance.choice(groups[first])))
        near = [-1 if number == first else int(apart[group].min()) for number, group in enumerate(groups)]
        nearest: list[int] = np.argsort(near, kind="stable")[:size].tolist()
        return nearest

    def _best(self, region: list[Counts], seconds: float) -> list[Counts] | None:
        """Return better groups for the rows of some, if there are; a group larger than k stays as it is, or its rows join others."""
        pricing, least = self._pricing, self._least
        rows, costs = np.concatenate(region), [int(pricing.costs(group[None, :])[0]) for group in region]
        numbers, places = least.groups.among(rows)
        program = Program(len(rows), least.left_over * len(rows))
        begin = 0
        for group, cost in zip(region, costs, strict=True):
            program.add(np.arange(begin, begin + len(group))[None, :], np.array([cost]))
            begin += len(group)
        program.add(places, least.groups.cost[numbers])
        made, every = [*region, *least.groups.rows[numbers]], np.array([*costs, *least.groups.cost[numbers]])
        taken = program.partition(len(region), seconds)
        return None if every[taken].sum() >= sum(costs) else [made[number] for number in taken]
