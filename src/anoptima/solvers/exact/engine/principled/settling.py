"""Better releases under equal closeness: let rows go and settle them again, group by group, many times a second.

Rows that are let go are those that one pattern matches and dearer groups hold, or all of one group. Groups that are no longer within t
after that let go of what they have too much of. Then the pattern takes rows that gains most by them, at the worths of the dual, over the
power of how many they are; after each, the next best, until no pattern gains; rows that are left go to the cheapest patterns that can
take them. What comes out is kept if it costs less, or little more for some time; else all is put back.

Most patterns that match loose rows never come to be looked at: each is scored by what it would gain at most, and only the one that
promises most is looked at closely, which is often less; what it takes is worked out then.

A pattern takes the most rows with which its group is within t: of each value what its share allows, then the rows that take least of
what may be over. Compiled where numba is installed; the same code runs, slower, where it is not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.exact.engine.compiling import compiled
from anoptima.solvers.exact.engine.principled.equal import MOST_SIZES, Equal
from anoptima.solvers.exact.engine.principled.rule import Numbers
from anoptima.solvers.exact.engine.principled.setting import Setting
from anoptima.solvers.exact.engine.release import Published

ROWS = 25
"""How many rows are let go at a time, on average."""
HEAT = 1.2
"""How much more than before a change may cost in the beginning, on average, in units of the lightest column."""
LIFT = 0.5
"""How much more rows are worth than the dual says when they are settled, on average, in units of the lightest column."""
GROUPS = 0.5
"""How often whole groups are let go, and not rows of several."""
TRIALS_A_RECORD = 300
"""So many changes are tried for each record, where there is time."""
LOOKED_AT, GROUPS_LOOKED_AT = 20, 4
"""How many records are looked at for each row to be let go, at most."""
SECONDS = 0.3
"""How long changes are tried between looks at the clock."""
_MOST_AT_ONCE = 1 << 12
_DRAWS = 1 << 20
_JOURNAL, _LOOSE, _COST, _DRAW = range(4)


class Board(NamedTuple):
    """Who has what: the arcs, the rule, the release, what changed since it was last whole, and room to work in."""

    start: Any
    member: Any
    pattern: Any
    cost: Any
    least: Any
    value: Any
    record_start: Any
    record_arc: Any
    worth: Any
    whole: Any
    limits: Any
    taken: Any
    counts: Any
    size: Any
    free: Any
    marks: Any
    changed: Any
    change_of: Any
    loose: Any
    is_loose: Any
    place: Any
    chosen: Any
    first: Any
    listed: Any
    score: Any
    fresh: Any
    able: Any
    take: Any
    draws: Any


@compiled
def drawn(board: Any) -> float:
    """Return the next number between 0 and 1."""
    at = board.marks[_DRAW]
    board.marks[_DRAW] = (at + 1) % len(board.draws)
    return float(board.draws[at])


@compiled
def move(board: Any, arc: int, rows: int) -> None:
    """Let a pattern take rows of a record, or give them back if they are negative."""
    p, r = board.pattern[arc], board.member[arc]
    board.taken[arc] += rows
    board.counts[p, board.value[r]] += rows
    board.size[p] += rows
    board.free[r] -= rows
    board.marks[_COST] += rows * board.cost[p]
    if board.free[r] > 0 and not board.is_loose[r]:
        board.is_loose[r] = True
        board.loose[board.marks[_LOOSE]] = r
        board.marks[_LOOSE] += 1
    board.changed[board.marks[_JOURNAL]] = arc
    board.change_of[board.marks[_JOURNAL]] = rows
    board.marks[_JOURNAL] += 1


@compiled
def put_back(board: Any) -> None:
    """Undo all since the release was last whole."""
    last = board.marks[_JOURNAL]
    for i in range(last - 1, -1, -1):
        arc, rows = board.changed[i], board.change_of[i]
        p, r = board.pattern[arc], board.member[arc]
        board.taken[arc] -= rows
        board.counts[p, board.value[r]] -= rows
        board.size[p] -= rows
        board.free[r] += rows
        board.marks[_COST] -= rows * board.cost[p]


@compiled
def forget(board: Any) -> None:
    """Take the release as it is for whole."""
    for i in range(board.marks[_LOOSE]):
        board.is_loose[board.loose[i]] = False
    board.marks[_LOOSE] = 0
    board.marks[_JOURNAL] = 0


@compiled
def excess(board: Any, p: int) -> int:
    """Return d sum_v max(0, n z_v - N N_v) - c n N of a pattern's group: at most 0 if it is within t."""
    c, d, n = board.limits[0], board.limits[1], board.limits[2]
    above = 0
    for v in range(len(board.whole)):
        above += max(0, n * board.counts[p, v] - board.size[p] * board.whole[v])
    return int(d * above - c * n * board.size[p])


@compiled
def trim(board: Any, p: int) -> None:
    """Let rows of the values that are most too frequent go, until the group is within t or empty."""
    d, n = board.limits[1], board.limits[2]
    begin, length = board.start[p], board.start[p + 1] - board.start[p]
    while board.size[p] > 0:
        if board.size[p] < board.least[p]:
            dissolve(board, p)
            return
        over = excess(board, p)
        if over <= 0:
            return
        worst, value = -1, 0
        for v in range(len(board.whole)):
            above = n * board.counts[p, v] - board.size[p] * board.whole[v]
            if above > worst:
                worst, value = above, v
        wanted = max(1, over // (2 * d * n))
        at = int(drawn(board) * length)
        for _ in range(length):
            arc = begin + at
            if board.taken[arc] > 0 and board.value[board.member[arc]] == value:
                rows = min(wanted, board.taken[arc])
                move(board, arc, -rows)
                wanted -= rows
                if wanted == 0:
                    break
            at = at + 1 if at + 1 < length else 0


@compiled
def fits_split(board: Any, p: int, able: Any, size: int) -> bool:
    """Tell whether `size` rows could be within t if rows could be split; if so, fewer could, too."""
    c, d, n = board.limits[0], board.limits[1], board.limits[2]
    own = 0
    for v in range(len(board.whole)):
        own += min(n * (board.counts[p, v] + able[v]), size * board.whole[v])
    return bool(d * own >= (d - c) * n * size)


@compiled
def fitting(board: Any, p: int, able: Any, take: Any) -> int:
    """Fill `take` with how many rows of each value a pattern takes, of `able` at most: as many in all as are within t; return the sum."""
    c, d, n, k = board.limits[0], board.limits[1], board.limits[2], board.limits[3]
    values, most = len(board.whole), 0
    for v in range(values):
        most += able[v]
    have = board.size[p]
    fewest = max(1, k - have, board.least[p] - have if have == 0 else 0)
    if most < fewest or not fits_split(board, p, able, have + fewest):
        return 0
    more = fewest
    while more < most:
        middle = (more + most + 1) // 2
        if fits_split(board, p, able, have + middle):
            more = middle
        else:
            most = middle - 1
    for _ in range(MOST_SIZES):
        if more < fewest:
            break
        size, missing, spent = have + more, more, 0
        for v in range(values):
            held = board.counts[p, v]
            share = size * board.whole[v]
            spent += max(0, n * held - share)
            take[v] = min(missing, min(able[v], max(0, share // n - held)))
            missing -= take[v]
        # Where a value has its share in full, one more takes part of a common slot, each further one a whole one.
        while missing > 0:
            cheapest, value = n, -1
            for v in range(values):
                if take[v] < able[v] and board.counts[p, v] + take[v] == size * board.whole[v] // n:
                    cost = n - size * board.whole[v] % n
                    if cost < cheapest:
                        cheapest, value = cost, v
            if value < 0:
                break
            take[value] += 1
            missing -= 1
            spent += cheapest
        for v in range(values):
            rows = min(missing, able[v] - take[v])
            take[v] += rows
            missing -= rows
            spent += n * rows
        if d * spent <= c * n * size:
            return int(more)
        more -= 1
    return 0


@compiled
def weigh(board: Any, i: int, any_gain: bool, power: float, lift: float) -> int:
    """Score a listed pattern by what it would gain; fills `able` and `take`, and returns how many rows it would take."""
    p = board.chosen[i]
    for v in range(len(board.whole)):
        board.able[v] = 0
    for j in range(board.first[i], board.first[i + 1]):
        r = board.member[board.listed[j]]
        if board.free[r] > 0 and (any_gain or board.worth[r] + lift > board.cost[p]):
            board.able[board.value[r]] += board.free[r]
    rows = fitting(board, p, board.able, board.take)
    if rows == 0:
        board.score[i] = -1e300
        return 0
    if any_gain:
        board.score[i] = -float(board.cost[p]) + 1e-6 * rows
        return rows
    gain = 0.0
    for j in range(board.first[i], board.first[i + 1]):
        r = board.member[board.listed[j]]
        v = board.value[r]
        if board.free[r] > 0 and board.take[v] > 0 and board.worth[r] + lift > board.cost[p]:
            taken = min(board.free[r], board.take[v])
            board.take[v] -= taken
            gain += taken * (board.worth[r] + lift - board.cost[p])
    board.score[i] = gain / rows**power
    return rows


@compiled
def promise(board: Any, i: int, any_gain: bool, power: float, lift: float) -> None:
    """Score a listed pattern by what it would gain at most, if it took all that it gains by, as the fewest rows that it can take."""
    p = board.chosen[i]
    most, gain = 0, 0.0
    for j in range(board.first[i], board.first[i + 1]):
        r = board.member[board.listed[j]]
        by = board.worth[r] + lift - board.cost[p]
        if board.free[r] > 0 and (any_gain or by > 0):
            most += board.free[r]
            gain += board.free[r] * by
    fewest = max(1, board.limits[3] - board.size[p], board.least[p] if board.size[p] == 0 else 0)
    if most < fewest:
        board.score[i] = -1e300
    elif any_gain:
        board.score[i] = -float(board.cost[p]) + 1e-6 * most
    else:
        board.score[i] = gain / fewest**power


@compiled
def list_patterns(board: Any) -> int:
    """List, for every pattern that matches loose records, its arcs to them by falling worth; return how many patterns there are."""
    loose = board.loose[: board.marks[_LOOSE]]
    by_worth = np.argsort(-board.worth[loose])
    count = 0
    for r in loose:
        for j in range(board.record_start[r], board.record_start[r + 1]):
            p = board.pattern[board.record_arc[j]]
            if board.place[p] < 0:
                board.place[p] = count
                board.chosen[count] = p
                board.first[count + 1] = 0
                count += 1
            board.first[board.place[p] + 1] += 1
    board.first[0] = 0
    for i in range(count):
        board.first[i + 1] += board.first[i]
    for i in range(count, 0, -1):
        board.first[i] = board.first[i - 1]
    for i in by_worth:
        r = loose[i]
        for j in range(board.record_start[r], board.record_start[r + 1]):
            arc = board.record_arc[j]
            at = board.place[board.pattern[arc]] + 1
            board.listed[board.first[at]] = arc
            board.first[at] += 1
    for i in range(count):
        board.place[board.chosen[i]] = -1
    return count


@compiled
def settle(board: Any, power: float, noise: float, lift: float) -> bool:
    """Give all loose rows to patterns; tell whether that could be done. What was done is in the journal."""
    count = list_patterns(board)
    noisy = int(drawn(board) * len(board.draws))
    left = 0
    for i in range(board.marks[_LOOSE]):
        left += board.free[board.loose[i]]
    for phase in range(2):
        any_gain = phase == 1
        turn = 0
        for i in range(count):
            promise(board, i, any_gain, power, lift)
            board.score[i] *= 1 + (0.0 if any_gain else noise * board.draws[(noisy + i) % len(board.draws)])
            board.fresh[i] = -1
        while left > 0:
            best = 0
            for i in range(1, count):
                if board.score[i] > board.score[best]:
                    best = i
            if board.score[best] <= -1e299 or (not any_gain and board.score[best] <= 0):
                break
            before = board.score[best]
            rows = weigh(board, best, any_gain, power, lift)
            if rows > 0 and not any_gain:
                board.score[best] *= 1 + noise * board.draws[(noisy + best) % len(board.draws)]
            if board.fresh[best] < turn:
                board.fresh[best] = turn
                if board.score[best] < before * (1 - 1e-9 if before > 0 else 1 + 1e-9):
                    continue
            if rows == 0:
                continue
            fitting(board, board.chosen[best], board.able, board.take)
            p = board.chosen[best]
            for j in range(board.first[best], board.first[best + 1]):
                arc = board.listed[j]
                r = board.member[arc]
                v = board.value[r]
                if board.free[r] > 0 and board.take[v] > 0 and (any_gain or board.worth[r] + lift > board.cost[p]):
                    taken = min(board.free[r], board.take[v])
                    board.take[v] -= taken
                    left -= taken
                    move(board, arc, taken)
            turn += 1
            promise(board, best, any_gain, power, lift)
            board.score[best] *= 1 + (0.0 if any_gain else noise * board.draws[(noisy + best) % len(board.draws)])
        if left == 0:
            return True
    return False


@compiled
def dissolve(board: Any, p: int) -> None:
    """Let all rows of a group go."""
    for arc in range(board.start[p], board.start[p + 1]):
        if board.taken[arc] > 0:
            move(board, arc, -board.taken[arc])


@compiled
def let_go(board: Any, rows: int) -> None:
    """Let about so many rows go: of whole groups around one pattern, or rows that it matches and what others can then not hold."""
    r = int(drawn(board) * len(board.free))
    begin, end = board.record_start[r], board.record_start[r + 1]
    held = begin
    for j in range(begin, end):
        if board.taken[board.record_arc[j]] > 0:
            held = j
    groups = drawn(board) < GROUPS
    # Arcs come by rising cost: groups meet in patterns that cost more than theirs, and rows go to cheaper ones.
    j = held + int(drawn(board) * (end - held)) if groups else begin + int(drawn(board) * (held - begin + 1))
    p = board.pattern[board.record_arc[j]]
    if groups and board.size[board.pattern[board.record_arc[held]]] <= 2 * rows:
        dissolve(board, board.pattern[board.record_arc[held]])
    dearer_only = drawn(board) < 0.7
    length = board.start[p + 1] - board.start[p]
    at, left = int(drawn(board) * length), rows
    for looked in range(length):
        r = board.member[board.start[p] + at]
        at = at + 1 if at + 1 < length else 0
        for j in range(board.record_start[r], board.record_start[r + 1]):
            arc = board.record_arc[j]
            if board.taken[arc] == 0:
                continue
            other = board.pattern[arc]
            if groups:
                if board.size[other] <= left:
                    left -= board.size[other]
                    dissolve(board, other)
            elif not dearer_only or board.cost[other] > board.cost[p]:
                gone = min(left, board.taken[arc])
                move(board, arc, -gone)
                left -= gone
            if left <= 0:
                break
        if left <= 0 or looked > (GROUPS_LOOKED_AT if groups else LOOKED_AT) * rows:
            break
    for i in range(board.marks[_JOURNAL]):
        trim(board, board.pattern[board.changed[i]])


@compiled
def try_often(board: Any, trials: int, rows: float, heat: float, lift: float) -> int:
    """Let rows go and settle them again, `trials` times; return how often that lowered the cost."""
    better = 0
    for _ in range(trials):
        before = board.marks[_COST]
        let_go(board, 2 + int(rows * 2 * drawn(board)))
        power = 0.2 + 0.9 * drawn(board)
        done = settle(board, power, 0.5 * drawn(board), 2 * lift * drawn(board))
        most = before if heat == 0 else before - heat * np.log(1e-12 + drawn(board))
        if not done or board.marks[_COST] > most:
            put_back(board)
        elif board.marks[_COST] < before:
            better += 1
        forget(board)
    return better


class Settling:
    """A release under one rule of equal closeness, with k or without, and the changes that are tried on it."""

    def __init__(self, setting: Setting, worth: Numbers, chance: np.random.Generator, unit: float = 1.0) -> None:
        rule, arcs = setting.rules[0], setting.arcs
        assert isinstance(rule, Equal)
        pattern = setting.patterns.pattern_of_arc
        order = np.lexsort((arcs.cost[pattern], arcs.member))
        records, patterns, rows = len(arcs.copies), len(arcs), int(arcs.copies.sum())
        whole = np.int64
        self._setting = setting
        self._unit = unit
        self.board = Board(
            start=arcs.start,
            member=arcs.member.astype(whole),
            pattern=pattern,
            cost=arcs.cost,
            least=arcs.least,
            value=rule.value.astype(whole),
            record_start=np.searchsorted(arcs.member[order], np.arange(records + 1)).astype(whole),
            record_arc=order.astype(whole),
            worth=worth.copy(),
            whole=rule.whole,
            limits=np.array([rule.c, rule.d, rule.rows, setting.k], dtype=whole),
            taken=np.zeros(len(arcs.member), dtype=whole),
            counts=np.zeros((patterns, rule.values), dtype=whole),
            size=np.zeros(patterns, dtype=whole),
            free=arcs.copies.copy(),
            marks=np.zeros(4, dtype=whole),
            changed=np.zeros(2 * rows + 2, dtype=whole),
            change_of=np.zeros(2 * rows + 2, dtype=whole),
            loose=np.zeros(records, dtype=whole),
            is_loose=np.zeros(records, dtype=np.bool_),
            place=np.full(patterns, -1, dtype=whole),
            chosen=np.zeros(patterns, dtype=whole),
            first=np.zeros(patterns + 2, dtype=whole),
            listed=np.zeros(len(arcs.member), dtype=whole),
            score=np.zeros(patterns),
            fresh=np.zeros(patterns, dtype=whole),
            able=np.zeros(rule.values, dtype=whole),
            take=np.zeros(rule.values, dtype=whole),
            draws=chance.random(_DRAWS),
        )

    @property
    def cost(self) -> int:
        """The scaled cost of what is published."""
        return int(self.board.marks[_COST])

    @property
    def release(self) -> Published:
        """What is published."""
        arc = np.flatnonzero(self.board.taken)
        return Published(arc, self.board.taken[arc])

    def load(self, release: Published) -> None:
        """Take a release over."""
        self._clear()
        for arc, rows in zip(release.arc.tolist(), release.count.tolist(), strict=True):
            move(self.board, arc, rows)
        forget(self.board)

    def improve(self, trials: int, rows: float, heat: float) -> int:
        """Try changes; return how many lowered the cost."""
        return int(try_often(self.board, trials, rows, heat, LIFT * self._unit))

    def run(
        self, release: Published, seconds: float, is_over: Callable[[], bool], offer: Callable[[Published], None]
    ) -> None:
        """Try changes to a release, first such that cost more as well, then fewer and fewer of them; offer what is better."""
        self.load(release)
        best, tried, at_once = self.cost, 0, 1
        wanted = TRIALS_A_RECORD * len(self.board.free)
        began = last = time.monotonic()
        while tried < wanted and last - began < seconds and not is_over():
            done = max(tried / wanted, (last - began) / seconds)
            self.improve(min(at_once, wanted - tried), ROWS, HEAT * self._unit * (1 - done))
            tried += at_once
            if self.cost < best:
                best = self.cost
                offer(self.release)
            now = time.monotonic()
            at_once = min(_MOST_AT_ONCE, 2 * at_once) if now - last < SECONDS else max(1, at_once // 2)
            last = now

    def _clear(self) -> None:
        board = self.board
        for some in (board.taken, board.counts, board.size, board.marks):
            some[:] = 0
        board.free[:] = self._setting.arcs.copies
        board.is_loose[:] = False


def serves(setting: Setting) -> bool:
    """Tell whether there is one rule, and that asks for equal closeness."""
    return len(setting.rules) == 1 and isinstance(setting.rules[0], Equal)
