"""A first release under rules: column set by column set, cheapest first, every pattern takes a large legal group of what is left.

Patterns that keep the same columns match different records, so all of one column set are served at once; where some values are scarce,
first with groups of no more than their rows need. Rows that are left over join open groups that stay legal. What is left then goes to
the widest group, which is made legal by dissolving others into it: that ends, at the latest, with the whole table as one group. Or it is
taken in by groups that give up columns for it (`releases.widening`), and only the rest goes to the widest.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anoptima.deadline import check_time
from anoptima.distinct import distinct
from anoptima.patterns import spans
from anoptima.solvers.exact.sifting.arcs import owners
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.releases.release import NOBODY, Release, legal_groups, together
from anoptima.solvers.exact.sifting.releases.widening import Widening
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers

MOST_ROUNDS = 30
"""Rows that are left join open groups in at most this many rounds; what is left then goes to the widest group."""
MOST_LEFT = 10_000
"""Where more rows are left, groups are not widened: of 200,000 rows, t = 0.2, that takes 2.7 s for 7,843 of 28,859, and gains 67 stars."""


def greedy_release(
    instance: Instance, favoured: Numbers, chance: np.random.Generator, begun: Release | None = None
) -> Release:
    """Return the cheaper of `greedy_releases`."""
    return min(greedy_releases(instance, favoured, chance, begun), key=instance.programs.cost_of)


def greedy_releases(
    instance: Instance, favoured: Numbers, chance: np.random.Generator, begun: Release | None = None
) -> Iterator[Release]:
    """Yield a release, and another if rows are left by the first: patterns with a higher `favoured` number are served first.

    Among equal ones the cheaper column sets are. It goes on from what is `begun`: legal groups, of some of the rows.
    """
    return _Greedy(instance, chance, begun).run(favoured)


def legal_part(instance: Instance, groups: Release) -> Release:
    """Return those of some groups that are legal."""
    arc, count = groups.arc, groups.count
    patterns, label = np.unique(instance.arcs.patterns_of(arc), return_inverse=True)
    record = instance.arcs.member[arc].astype(np.int64)
    legal = legal_groups(instance.problem, label, record, count, len(patterns))[label]
    return Release(arc[legal], count[legal])


class _Greedy:
    def __init__(self, instance: Instance, chance: np.random.Generator, begun: Release | None) -> None:
        self._instance = instance
        self._chance = chance
        self._arcs = instance.arcs
        self._pieces = [NOBODY if begun is None else begun]
        """What groups take, piece by piece: less than a number for each arc would be."""
        self._left = self._all_but(self._pieces[0])
        self._one_column = len({rule.column for rule in instance.rules}) == 1
        self._spares = self._one_column and any(rule.spares for rule in instance.rules)
        self._widest = int(np.argmax(instance.patterns.support))

    def run(self, favoured: Numbers) -> Iterator[Release]:
        """Serve all column sets, then see to what is left."""
        masks = self._instance.patterns.family
        for level in distinct(favoured)[::-1]:
            chosen = np.flatnonzero(favoured == level)
            cost = self._arcs.cost + 0.5 * self._chance.random(int(masks.max()) + 1)[masks]
            by_set = chosen[np.argsort(masks[chosen], kind="stable")]
            sets, first = np.unique(masks[by_set], return_index=True)
            patterns_of = dict(zip(sets.tolist(), np.split(by_set, first[1:]), strict=True))
            # Rows of values that may not be frequent go first, for they need others.
            for is_sparing in (True, False) if self._spares else (False,):
                for mask in dict.fromkeys(masks[chosen[np.argsort(cost[chosen], kind="stable")]].tolist()):
                    check_time()
                    self._serve(patterns_of[mask], is_sparing)
        self._join()
        # To the rules, which count in floats or ask for less than conditions, more may seem legal.
        begun = self._go_on_from(legal_part(self._instance, self._release()))
        left = self._left.copy()
        self._gather()
        yield self._release()
        if len(begun.arc) and 0 < left.sum() <= MOST_LEFT:
            widening = Widening(self._instance, begun)
            widening.take(left)
            self._go_on_from(legal_part(self._instance, widening.release()))
            self._gather()
            yield self._release()

    def _release(self) -> Release:
        """Return the groups so far."""
        self._pieces = [together(*self._pieces)]
        return self._pieces[0]

    def _go_on_from(self, begun: Release) -> Release:
        """Have these groups, and no others."""
        self._pieces, self._left = [begun], self._all_but(begun)
        return begun

    def _all_but(self, release: Release) -> Counts:
        """Return how many copies of each record are not in a release."""
        left = self._arcs.copies.copy()
        np.subtract.at(left, self._arcs.member[release.arc], release.count)
        return left

    def _take(self, arc: Counts, count: Counts) -> None:
        """Let groups take copies that are left."""
        some = count > 0
        self._pieces.append(Release(arc[some], count[some]))
        np.subtract.at(self._left, self._arcs.member[arc[some]], count[some])

    def _serve(self, patterns: Counts, is_sparing: bool) -> None:
        start = self._arcs.start
        arcs, owner = spans(start, patterns), owners(start, patterns)
        some = self._left[self._arcs.member[arcs]] > 0
        arcs, owner = arcs[some], owner[some]
        record = self._arcs.member[arcs].astype(np.int64)
        count = self._left[record]
        if self._one_column:
            rule = self._instance.rules[0]
            counts = rule.counts(owner, record, count, len(patterns))
            for _ in range(4 if len(self._instance.rules) > 1 else 1):
                for rule in self._instance.rules:
                    counts = rule.cut_down(counts, self._arcs.least[patterns])
                    counts = rule.spared(counts, self._arcs.least[patterns]) if is_sparing and rule.spares else counts
            place = owner * rule.values + rule.value[record]
            order = np.argsort(place, kind="stable")
            before = np.cumsum(count[order]) - count[order]
            begun = before[np.searchsorted(place[order], place[order])] if len(order) else before
            take = np.empty_like(count)
            take[order] = np.clip(counts.ravel()[place[order]] - (before - begun), 0, count[order])
            count = take
        count = np.where(legal_groups(self._instance.problem, owner, record, count, len(patterns))[owner], count, 0)
        self._take(arcs, count)

    def _counts(self, groups: Counts) -> list[Counts]:
        """Return, for each rule, the counts of the open groups of these patterns."""
        number = np.full(len(self._arcs), -1, dtype=np.int64)
        number[groups] = np.arange(len(groups))
        now = self._release()
        place = number[self._arcs.patterns_of(now.arc)]
        some = place >= 0
        entries = place[some], self._arcs.member[now.arc[some]], now.count[some], len(groups)
        return [rule.counts(*entries) for rule in self._instance.rules]

    def _join(self) -> None:
        """Let rows that are left join open groups that stay legal with them, one row a group and round."""
        groups = distinct(self._arcs.patterns_of(self._release().arc))
        if not self._left.any() or not len(groups):
            return
        by_cost = np.argsort(self._arcs.cost[groups], kind="stable")
        arcs, place = spans(self._arcs.start, groups[by_cost]), by_cost[owners(self._arcs.start, groups[by_cost])]
        counts = self._counts(groups)
        for _ in range(MOST_ROUNDS):
            check_time()
            is_left = self._left[self._arcs.member[arcs]] > 0
            arcs, place = arcs[is_left], place[is_left]
            legal = np.ones(len(arcs), dtype=np.bool_)
            for rule, count in zip(self._instance.rules, counts, strict=True):
                pair = place * rule.values + rule.value[self._arcs.member[arcs]]
                asked = np.flatnonzero(np.bincount(pair, minlength=count.size))
                with_one = count[asked // rule.values]
                with_one[np.arange(len(asked)), asked % rule.values] += 1
                able = np.zeros(count.size, dtype=np.bool_)
                able[asked] = rule.lacking(with_one) == 0
                legal &= able[pair]
            # The cheapest group for each record, then the first of the records for each group.
            chosen = np.flatnonzero(legal)
            chosen = chosen[np.unique(self._arcs.member[arcs[chosen]], return_index=True)[1]]
            chosen = chosen[np.unique(place[chosen], return_index=True)[1]]
            if not len(chosen):
                return
            self._take(arcs[chosen], np.ones(len(chosen), dtype=np.int64))
            record = self._arcs.member[arcs[chosen]]
            for rule, count in zip(self._instance.rules, counts, strict=True):
                count[place[chosen], rule.value[record]] += 1

    def _gather(self) -> None:
        """Put what is left into the widest group, and dissolve others into it until it is legal."""
        own = np.arange(self._arcs.start[self._widest], self._arcs.start[self._widest + 1])
        if not self._left.any():
            return
        place = np.full(len(self._left), -1, dtype=np.int64)
        place[self._arcs.member[own]] = own
        left = np.flatnonzero(self._left)
        self._take(place[left], self._left[left])
        now = self._release()
        groups = distinct(self._arcs.patterns_of(now.arc))
        others = groups[groups != self._widest]
        size = np.bincount(self._arcs.patterns_of(now.arc), now.count, len(self._arcs))[others]
        dearer = size * (self._arcs.cost[self._widest] - self._arcs.cost[others]) + 1e-9
        counts, widest = self._counts(others), self._counts(np.array([self._widest]))
        while not self._is_legal(self._widest):
            check_time()
            gained, lacking = np.zeros(len(others)), 0.0
            for rule, theirs, ours in zip(self._instance.rules, counts, widest, strict=True):
                missing = float(rule.lacking(ours)[0])
                gained += missing - rule.lacking(theirs + ours)
                lacking += missing
            best = np.argsort(np.where(gained > 0, -gained / dearer, 1e9 - gained), kind="stable")
            # Half of what is lacking at once: what a group brings depends on those before it.
            bringing = np.cumsum(gained[best[: int((gained > 0).sum())]])
            count = max(1, int(np.searchsorted(bringing, lacking / 2)))
            now = self._release()
            joins = np.isin(self._arcs.patterns_of(now.arc), others[best[:count]])
            self._pieces = [
                Release(now.arc[~joins], now.count[~joins]),
                Release(place[self._arcs.member[now.arc[joins]]], now.count[joins]),
            ]
            for theirs, ours in zip(counts, widest, strict=True):
                ours += theirs[best[:count]].sum(axis=0)
            others, dearer = np.delete(others, best[:count]), np.delete(dearer, best[:count])
            counts = [np.delete(theirs, best[:count], axis=0) for theirs in counts]

    def _is_legal(self, pattern: int) -> bool:
        now = self._release()
        own = slice(*np.searchsorted(now.arc, self._arcs.start[pattern : pattern + 2]))
        return len(legal_part(self._instance, Release(now.arc[own], now.count[own])).arc) > 0
