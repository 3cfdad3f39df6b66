"""The small changes of local search: the first that pays is made, and changes that do not pay alone are tried together.

Five changes, each priced against all rows and groups at once (`grouping.py`):

- move: a row goes to another group. Where its own group cannot spare it, a row that its group can spare takes the place (a chain).
- swap: two rows of different groups change places.
- merge: two groups become one.
- split: a group becomes two.
- re-open: some groups near each other lose their rows, which then form groups anew, or go to others; kept if it pays after all.

The first four are made whenever they pay. Re-opening gets the search out of partitions where none of them pays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from anoptima.distinct import distinct
from anoptima.principles import Truths
from anoptima.solvers.approximate.grouping import IMPOSSIBLE, NEW, Change, Grouping
from anoptima.solvers.approximate.remembered import Rows
from anoptima.table import Counts

_TRIED = 12
"""How many of the changes that would pay are held against the principle before the others are let go."""
_TOGETHER = 16
"""How many rows of a group are looked at together."""
_SEEDS = 8
"""Around how many rows a group is split."""
_NEAR = 8
"""With how many groups near it a group is re-opened at most."""
_POOL = 12
"""At most this multiple of a group's least size, and this number of rows more, are regrouped at once."""
_HOPELESS = 2
"""A rebuilt group that costs more than before by one part in this many has never paid in the end."""

_Found = tuple[int, int, str, int, int]
"""A change that pays: by how much, the place of the row, the kind, the row in its place and the group it goes to (-1: none)."""


class Descent:
    """Changes a grouping for the better, and calls `look` before it looks at another row or group; `look` may raise to end it.

    `trying` tells whether a change is on trial that may be taken back; `stop` takes it back. What is not on trial is feasible.
    """

    def __init__(self, grouping: Grouping, chance: np.random.Generator, look: Callable[[], None]) -> None:
        self._now = grouping
        self._chance = chance
        self._look = look
        self.trying = False

    def stop(self) -> None:
        """Take back what is on trial."""
        if self.trying:
            self._now.back()
            self.trying = False

    def shuffled(self, groups: Counts) -> list[int]:
        """Return groups in a random order."""
        order: list[int] = self._chance.permutation(groups).tolist()
        return order

    def descend(self, groups: Iterable[int] | None = None) -> None:
        """Make every change that pays around these groups, or all, and around those that it touches."""
        queue = deque(self.shuffled(self._now.costly()) if groups is None else groups)
        queued = set(queue)
        while queue:
            group = queue.popleft()
            queued.discard(group)
            for touched in self._improve(group):
                if touched not in queued and self._now.groups.cost[touched]:
                    queued.add(touched)
                    queue.append(touched)

    def _improve(self, group: int) -> set[int]:
        """Make what pays for one group; return the groups that have changed."""
        touched: set[int] = set()
        waiting = self._different(self._now.rows[group])
        while len(waiting) and self._now.groups.cost[group]:
            self._look()
            changed = self._make(self._changes_of_rows(group, waiting[:_TOGETHER]))
            touched.update(changed)
            waiting = self._different(self._now.rows[group]) if group in changed else waiting[_TOGETHER:]
        if self._now.groups.cost[group]:
            self._look()
            touched.update(self._make(self._mergers(group)))
        if self._now.groups.cost[group] and self._now.size[group] >= 2 * self._now.least:
            touched.update(self._make(self._splits(group)))
        return touched

    def _different(self, rows: Rows) -> Rows:
        """Return one row of each record among `rows`."""
        _, first = np.unique(self._now.records(rows), return_index=True)
        return rows[first]

    def _make(self, changes: Iterable[Change]) -> list[int]:
        """Make the first change that the principle allows; return the groups that it touches."""
        for change in changes:
            if self._now.hold([rows for _, rows in change]):
                return self._now.put(change)
        return []

    def _changes_of_rows(self, group: int, rows: Rows) -> Iterator[Change]:
        """Yield moves, swaps and chains of some rows of a group that pay, those that pay most first."""
        now = self._now
        members = now.rows[group]
        rests = [members[members != row] for row in rows]
        can_go = now.hold_each(rests)
        entering = now.entering(rows)
        gains = now.groups.cost[group] - now.without.cost[rows]
        found: list[_Found] = []
        moves = np.where(can_go[:, None], entering - gains[:, None], IMPOSSIBLE)
        for place in _least(moves.reshape(-1), 0):
            r, other = divmod(place, moves.shape[1])
            found.append((int(moves[r, other]), r, "move", -1, other))
        if len(members) > 1:
            instead = now.replacing(rows)
            swaps = instead + now.replaced(rows)
            swaps[:, members] = IMPOSSIBLE
            for place in _least(swaps.reshape(-1), 0):
                r, partner = divmod(place, swaps.shape[1])
                found.append((int(swaps[r, partner]), r, "swap", partner, -1))
            found += self._chains(group, entering, instead, can_go)
        for _, r, kind, other, target in sorted(found):
            yield self._change(group, int(rows[r]), rests[r], kind, other, target)

    def _chains(self, group: int, entering: Counts, instead: Counts, can_go: Truths) -> list[_Found]:
        """Find chains that pay: a row goes to another group, and a row that a third group can spare takes its place."""
        now = self._now
        spare = np.flatnonzero((now.size[now.group] > now.least) & (now.group != group))
        best = entering.min(axis=1)
        able = np.flatnonzero(~can_go & (best < IMPOSSIBLE))
        if not len(spare) or not len(able):
            return []
        prices = instead[np.ix_(able, spare)] + (now.without.cost[spare] - now.groups.cost[now.group[spare]])
        found: list[_Found] = []
        for place in _least((prices + best[able, None]).reshape(-1), 0):
            at, third = divmod(place, len(spare))
            r, source = int(able[at]), int(now.group[spare[third]])
            # A chain that ends where it came from would be a swap.
            targets = np.where(np.arange(entering.shape[1]) == source, IMPOSSIBLE, entering[r])
            target = int(targets.argmin())
            change = int(prices[at, third] + targets[target])
            if change < 0:
                found.append((change, r, "chain", int(spare[third]), target))
        return found

    def _change(self, group: int, row: int, rest: Rows, kind: str, other: int, target: int) -> Change:
        """Write out a change: the row goes to `target`; but for a move, row `other` of another group takes its place."""
        now = self._now
        if kind == "move":
            return [(group, rest), (target, np.append(now.rows[target], row))]
        source = int(now.group[other])
        without = now.rows[source][now.rows[source] != other]
        if kind == "swap":
            return [(group, np.append(rest, other)), (source, np.append(without, row))]
        return [(group, np.append(rest, other)), (source, without), (target, np.append(now.rows[target], row))]

    def _mergers(self, group: int) -> Iterator[Change]:
        """Yield mergers that pay. What merges needs no look at the principle, but gets one: a new principle may not survive it."""
        now = self._now
        none = np.zeros(0, dtype=np.int64)
        for other in _least(now.merging(group), 0):
            yield [(group, np.concatenate([now.rows[group], now.rows[other]])), (other, none)]

    def _splits(self, group: int) -> Iterator[Change]:
        """Yield the rows nearest to some row, as few as may be or half of them, against the rest, where that costs less."""
        now = self._now
        rows = now.rows[group]
        seeds = self._different(rows)
        if len(seeds) > _SEEDS:
            seeds = self._chance.choice(seeds, _SEEDS, replace=False)
        found = []
        for seed in seeds.tolist():
            self._look()
            apart = now.weigh(now.codes[:, rows] != now.codes[:, seed, None])
            by = rows[np.argsort(apart, kind="stable")]
            equal = int(np.count_nonzero(apart == 0))
            for cut in {now.least, len(rows) // 2, equal}:
                if now.least <= cut <= len(rows) - now.least and cut < len(rows):
                    found.append((now.cost_of(by[:cut]) + now.cost_of(by[cut:]), seed, cut, by))
        for cost, _, cut, by in sorted(found, key=lambda entry: entry[:3]):
            if cost < now.groups.cost[group]:
                yield [(group, by[:cut]), (NEW, by[cut:])]

    # ---- what may pay later -----------------------------------------------------------------------------------------------------

    def reopen_all(self) -> None:
        """Re-open every group that has stars, in a random order."""
        for group in self.shuffled(self._now.costly()):
            if self._now.groups.cost[group]:
                self.reopen(group)

    def reopen(self, group: int) -> None:
        """Take a group apart, alone or with some near it, put its rows together anew, descend, and go back if it did not pay."""
        now, before = self._now, self._now.total
        taken = self._neighbourhood(group)
        if not taken:
            return
        pool = np.concatenate([now.rows[other] for other in taken])
        allowed = sum(int(now.groups.cost[other]) for other in taken) // _HOPELESS
        now.begin()
        self.trying = True
        done = self._scatter(group) if len(taken) == 1 else self._rebuild(taken, self._chance.permutation(pool))
        if done and now.total <= before + allowed:
            self.descend(distinct(now.group[pool]).tolist())
        self.trying = False
        if done and now.total <= before:
            now.keep()
        else:
            now.back()

    def _neighbourhood(self, group: int) -> list[int]:
        """Return a group and a random number of those it would be merged with most cheaply; nothing if that is too many rows."""
        now = self._now
        wanted = int(self._chance.integers(_NEAR + 1))
        merging = now.merging(group)
        near = [other for other in np.argsort(merging, kind="stable")[:wanted].tolist() if merging[other] < IMPOSSIBLE]
        taken, rows = [], 0
        for other in [group, *near]:
            rows += int(now.size[other])
            if rows > _POOL * now.least + _POOL:
                break
            taken.append(other)
        return taken

    def _scatter(self, group: int) -> bool:
        """Let each row of a group go where it costs least; tell whether that could be done."""
        now = self._now
        for row in self._chance.permutation(now.rows[group]).tolist():
            self._look()
            rest = now.rows[group][now.rows[group] != row]
            entering = now.entering(np.array([row]))[0]
            for other in _least(entering, IMPOSSIBLE // 2):
                joined = np.append(now.rows[other], row)
                if now.hold([joined]):
                    now.put([(group, rest), (other, joined)])
                    break
            else:
                return False
        return True

    def _rebuild(self, taken: list[int], pool: Rows) -> bool:
        """Make groups of `pool`, the rows of the groups `taken`, from its first row on, nearest rows first; tell if that could be done."""
        now, made = self._now, []
        left = pool
        while len(left) >= now.least:
            self._look()
            grown, left = left[:1], left[1:]
            while len(left) and not now.hold([grown]):
                place = int(now.weigh(now.codes[:, left] != now.pattern_of(grown)[:, None]).argmin())
                grown, left = np.append(grown, left[place]), np.delete(left, place)
            if not now.hold([grown]):
                left = np.append(grown, left)
                break
            made.append(grown)
        for row in left.tolist():
            if not made:
                return False
            rises = [now.cost_of(np.append(rows, row)) - now.cost_of(rows) for rows in made]
            place = rises.index(min(rises))
            made[place] = np.append(made[place], row)
        if not now.hold(made):
            return False
        now.replace(taken, made)
        return True


def _least(changes: Counts, below: int) -> list[int]:
    """Return the places of the least of some changes, below a value, the least first and not too many.

    >>> _least(np.array([3, -1, -5, 0]), 1)
    [2, 1, 3]
    """
    paying = np.flatnonzero(changes < below)
    if len(paying) > _TRIED:
        paying = np.sort(paying[np.argpartition(changes[paying], _TRIED)[:_TRIED]])
    chosen: list[int] = paying[np.argsort(changes[paying], kind="stable")].tolist()
    return chosen
