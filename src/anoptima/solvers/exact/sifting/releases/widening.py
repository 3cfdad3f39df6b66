"""Rows that no group takes are taken in by groups that give up some columns for them.

A greedy choice of groups leaves rows whose values are too frequent where they are alike. Such a row, in a pattern that it matches, and a
group inside that pattern may be legal together: that stars the group's rows in the columns that it gives up, and the row as the pattern
says. Column set by column set, the cheapest first, each pattern in which a row is left takes the group in that loses least. Groups that
lose much come later, in rounds of rising `most`, so that cheap ones are found first.

Every round looks once at the records of each column set and at the groups: O(2^m (R + G)) for R records and G groups.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.patterns import spans
from anoptima.solvers.exact.sifting.arcs import owners
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.releases.release import Release, gathered
from anoptima.solvers.exact.sifting.rules.rule import Counts

MOST = (1.0, 1.5, 3.0)
"""What a row may cost in each round, its own stars among it, in stars of a row of which nothing is kept. Of 30,162 census rows, l = 2,
these rounds leave 13,298 stars after 2 s, and one of the last 16,269; k = 3 and l = 2, 17,779 and 18,119."""
TRIES = 3
"""So many groups of a pattern are asked whether they are legal with a row: of 30,162 census rows, l = 2, one leaves 13,701 stars, three
13,298, and eight 13,282; t = 0.3, 60,525 (the widest group is as good then), 57,360 and 57,318."""


class Widening:
    """The open groups of a release that some rows are missing from, as lists: records with counts and groups, groups with patterns."""

    def __init__(self, instance: Instance, release: Release) -> None:
        self._instance = instance
        arcs, patterns = instance.arcs, instance.patterns
        self._pattern, self._group = np.unique(arcs.patterns_of(release.arc), return_inverse=True)
        self._record, self._count = arcs.member[release.arc].astype(np.int64), release.count
        columns = patterns.kept.shape[1]
        bits = 1 << np.arange(columns)
        sets, first = np.unique(patterns.family, return_index=True)
        self._keeps = (patterns.kept[first] @ bits | 1 << columns)[np.searchsorted(sets, patterns.family)]
        """The columns that each pattern keeps, as bits, and one bit more."""
        self._kept = self._keeps[self._pattern]
        """The same of each group; 0 of one that has become part of another."""
        self._first = np.zeros(len(self._pattern), dtype=np.int64)
        self._first[self._group] = self._record
        self._size = np.rint(np.bincount(self._group, self._count)).astype(np.int64)
        entries = self._group, self._record, self._count, len(self._pattern)
        self._held = [rule.counts(*entries) for rule in instance.rules]

    def take(self, left: Counts) -> None:
        """Take in what can be taken of what is `left` of each record, which is less afterwards."""
        arcs, family = self._instance.arcs, self._instance.patterns.family
        by_set = np.argsort(family, kind="stable")
        sets = np.split(by_set, np.flatnonzero(np.diff(family[by_set])) + 1)
        sets.sort(key=lambda patterns: int(arcs.cost[patterns[0]]))
        place = np.full(len(left), -1, dtype=np.int64)
        for share in MOST:
            asked = np.zeros(len(arcs), dtype=np.bool_)
            asked[arcs.patterns_of(np.flatnonzero(left[arcs.member]))] = True
            for patterns in sets:
                check_time()
                some = patterns[asked[patterns]]
                if len(some):
                    self._serve(some, left, share * float(arcs.cost.max()), place)

    def release(self) -> Release:
        """Return the groups."""
        return gathered(self._instance.arcs, self._pattern[self._group], self._record, self._count)

    def _serve(self, patterns: Counts, left: Counts, most: float, place: Counts) -> None:
        """Let groups inside the patterns of one column set take rows in, as long as some do."""
        arcs = self._instance.arcs
        owner = owners(arcs.start, patterns)
        record = arcs.member[spans(arcs.start, patterns)].astype(np.int64)
        place[record] = owner
        while self._take_one_each(patterns, record, owner, left, most, place):
            pass
        place[record] = -1

    def _take_one_each(
        self, patterns: Counts, record: Counts, owner: Counts, left: Counts, most: float, place: Counts
    ) -> bool:
        """Let each pattern take one row in; tell whether any did."""
        arcs, rules = self._instance.arcs, self._instance.rules
        cost, keeps = int(arcs.cost[patterns[0]]), int(self._keeps[patterns[0]])
        waiting = left[record] > 0
        if not waiting.any() or cost > most:
            return False
        # One record of each pattern and value.
        values = rules[0].values
        asking, at = np.unique(owner[waiting] * values + rules[0].value[record[waiting]], return_index=True)
        its_record, its_place = record[waiting][at], asking // values
        inside = np.flatnonzero((self._kept & keeps) == keeps)
        where = place[self._first[inside]]
        loss = self._size[inside] * (cost - arcs.cost[self._pattern[inside]])
        some = (where >= 0) & (loss + cost <= most)
        inside, where, loss = inside[some], where[some], loss[some]
        order = np.lexsort((loss, where))
        inside, where, loss = inside[order], where[order], loss[order]
        begin, end = np.searchsorted(where, its_place), np.searchsorted(where, its_place, side="right")
        # A pattern that has a group already takes others into that.
        there = np.full(len(patterns), -1, dtype=np.int64)
        is_there = self._kept[inside] == keeps
        there[where[is_there]] = inside[is_there]
        found = np.full(len(its_record), -1, dtype=np.int64)
        for rank in range(TRIES):
            trying = np.flatnonzero((found < 0) & (begin + rank < end))
            group = inside[begin[trying] + rank]
            found[trying] = np.where(self._are_legal(group, there[its_place[trying]], its_record[trying]), group, -1)
        taken = np.flatnonzero(found >= 0)
        taken = taken[np.unique(its_place[taken], return_index=True)[1]]
        self._merge(found[taken], there[its_place[taken]], patterns[its_place[taken]], its_record[taken])
        left[its_record[taken]] -= 1
        return len(taken) > 0

    def _are_legal(self, group: Counts, base: Counts, record: Counts) -> NDArray[np.bool_]:
        """Tell of groups whether they are legal with a record each, and with the groups that their patterns have, if any."""
        legal = np.ones(len(group), dtype=np.bool_)
        is_other = (base >= 0) & (base != group)
        for rule, held in zip(self._instance.rules, self._held, strict=True):
            counts = held[group]
            counts[is_other] += held[base[is_other]]
            counts[np.arange(len(group)), rule.value[record]] += 1
            legal &= rule.lacking(counts) == 0
        return legal

    def _merge(self, group: Counts, base: Counts, pattern: Counts, record: Counts) -> None:
        """Let groups have a record each and, where their patterns have groups, become part of these. No group is there twice."""
        into = np.where(base >= 0, base, group)
        moved = group != into
        for rule, held in zip(self._instance.rules, self._held, strict=True):
            held[into[moved]] += held[group[moved]]
            held[into, rule.value[record]] += 1
        self._size[into[moved]] += self._size[group[moved]]
        self._size[into] += 1
        self._pattern[into] = pattern
        self._kept[into] = self._keeps[pattern]
        self._kept[group[moved]] = 0
        number = np.arange(len(self._pattern))
        number[group] = into
        self._group = np.concatenate([number[self._group], into])
        self._record = np.concatenate([self._record, record])
        self._count = np.concatenate([self._count, np.ones(len(record), dtype=np.int64)])
