"""The changes that `settling` tries: rows let go and settled again, group by group, many times a second.

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

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.exact.engine.compiling import compiled
from anoptima.solvers.exact.engine.principled.equal import MOST_SIZES

GROUPS = 0.5
"""How often whole groups are let go, and not rows of several."""
LOOKED_AT, GROUPS_LOOKED_AT = 20, 4
"""How many records are looked at for each row to be let go, at most."""
MARKS = 5
_JOURNAL, _LOOSE, COST, _OWN, _DRAW = range(MARKS)


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
    record_pattern: Any
    position: Any
    worth: Any
    whole: Any
    limits: Any
    own: Any
    has: Any
    taken: Any
    first_of_record: Any
    next_of_record: Any
    first_of_pattern: Any
    next_of_pattern: Any
    last_of_pattern: Any
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
    listed_record: Any
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
def change(board: Any, arc: int, p: int, r: int, rows: int) -> None:
    """Change how many rows of a record a pattern has, and the lists of arcs that have rows: a record's, and a pattern's both ways."""
    before = board.taken[arc]
    board.taken[arc] = before + rows
    board.counts[p, board.value[r]] += rows
    board.size[p] += rows
    board.marks[COST] += rows * board.cost[p]
    if before == 0:
        board.next_of_record[arc] = board.first_of_record[r]
        board.first_of_record[r] = arc
        following = board.first_of_pattern[p]
        board.next_of_pattern[arc], board.last_of_pattern[arc] = following, -1
        board.first_of_pattern[p] = arc
        if following >= 0:
            board.last_of_pattern[following] = arc
    elif before + rows == 0:
        if board.first_of_record[r] == arc:
            board.first_of_record[r] = board.next_of_record[arc]
        else:
            other = board.first_of_record[r]
            while board.next_of_record[other] != arc:
                other = board.next_of_record[other]
            board.next_of_record[other] = board.next_of_record[arc]
        last, following = board.last_of_pattern[arc], board.next_of_pattern[arc]
        if last >= 0:
            board.next_of_pattern[last] = following
        else:
            board.first_of_pattern[p] = following
        if following >= 0:
            board.last_of_pattern[following] = last


@compiled
def move(board: Any, arc: int, rows: int) -> None:
    """Let a pattern take rows of a record, or give them back if they are negative."""
    p, r = board.pattern[arc], board.member[arc]
    change(board, arc, p, r, rows)
    board.free[r] -= rows
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
        r = board.member[arc]
        change(board, arc, board.pattern[arc], r, -rows)
        board.free[r] += rows


@compiled
def take_over(board: Any, arcs: Any, rows: Any) -> None:
    """Hold these rows of these arcs and nothing else."""
    board.taken[:] = 0
    board.counts[:] = 0
    board.size[:] = 0
    board.marks[:_DRAW] = 0
    board.is_loose[:] = False
    board.free[:] = 0
    board.has[:] = 0
    board.first_of_record[:] = -1
    board.first_of_pattern[:] = -1
    for i in range(len(arcs)):
        r = board.member[arcs[i]]
        change(board, arcs[i], board.pattern[arcs[i]], r, rows[i])
        board.has[r] += rows[i]
    count = 0
    for r in range(len(board.has)):
        if board.has[r] > 0:
            board.own[count] = r
            count += 1
    board.marks[_OWN] = count


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
        skipped = int(drawn(board) * board.counts[p, value])
        for _ in range(2):
            arc = board.first_of_pattern[p]
            while arc >= 0 and wanted > 0:
                following = board.next_of_pattern[arc]
                if board.value[board.member[arc]] == value:
                    rows = min(wanted, board.taken[arc] - skipped)
                    if rows > 0:
                        move(board, arc, -rows)
                        wanted -= rows
                        skipped = 0
                    else:
                        skipped -= board.taken[arc]
                arc = following


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
        r = board.listed_record[j]
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
        r = board.listed_record[j]
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
        r = board.listed_record[j]
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
            p = board.record_pattern[j]
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
            at = board.place[board.record_pattern[j]] + 1
            board.listed[board.first[at]] = board.record_arc[j]
            board.listed_record[board.first[at]] = r
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
                r = board.listed_record[j]
                v = board.value[r]
                if board.free[r] > 0 and board.take[v] > 0 and (any_gain or board.worth[r] + lift > board.cost[p]):
                    taken = min(board.free[r], board.take[v])
                    board.take[v] -= taken
                    left -= taken
                    move(board, board.listed[j], taken)
            turn += 1
            promise(board, best, any_gain, power, lift)
            board.score[best] *= 1 + (0.0 if any_gain else noise * board.draws[(noisy + best) % len(board.draws)])
        if left == 0:
            return True
    return False


@compiled
def dissolve(board: Any, p: int) -> None:
    """Let all rows of a group go."""
    while board.first_of_pattern[p] >= 0:
        arc = board.first_of_pattern[p]
        move(board, arc, -board.taken[arc])


@compiled
def let_go(board: Any, rows: int) -> None:
    """Let about so many rows go: of whole groups around one pattern, or rows that it matches and what others can then not hold."""
    r = board.own[int(drawn(board) * board.marks[_OWN])]
    begin, end = board.record_start[r], board.record_start[r + 1]
    held = begin
    arc = board.first_of_record[r]
    while arc >= 0:
        held = max(held, board.position[arc])
        arc = board.next_of_record[arc]
    groups = drawn(board) < GROUPS
    # Arcs come by rising cost: groups meet in patterns that cost more than theirs, and rows go to cheaper ones.
    j = held + int(drawn(board) * (end - held)) if groups else begin + int(drawn(board) * (held - begin + 1))
    p = board.record_pattern[j]
    if groups and board.size[board.record_pattern[held]] <= 2 * rows:
        dissolve(board, board.record_pattern[held])
    dearer_only = drawn(board) < 0.7
    length = board.start[p + 1] - board.start[p]
    at, left = int(drawn(board) * length), rows
    for looked in range(length):
        r = board.member[board.start[p] + at]
        at = at + 1 if at + 1 < length else 0
        arc = board.first_of_record[r]
        while arc >= 0 and left > 0:
            here, other = arc, board.pattern[arc]
            arc = board.next_of_record[arc]
            if groups:
                if board.size[other] <= left:
                    left -= board.size[other]
                    dissolve(board, other)
            elif not dearer_only or board.cost[other] > board.cost[p]:
                gone = min(left, board.taken[here])
                move(board, here, -gone)
                left -= gone
        if left <= 0 or looked > (GROUPS_LOOKED_AT if groups else LOOKED_AT) * rows:
            break
    for i in range(board.marks[_JOURNAL]):
        trim(board, board.pattern[board.changed[i]])


@compiled
def try_often(board: Any, trials: int, rows: float, heat: float, lift: float) -> int:
    """Let rows go and settle them again, `trials` times; return how often that lowered the cost."""
    better = 0
    for _ in range(trials):
        before = board.marks[COST]
        let_go(board, 2 + int(rows * 2 * drawn(board)))
        power = 0.2 + 0.9 * drawn(board)
        done = settle(board, power, 0.5 * drawn(board), 2 * lift * drawn(board))
        most = before if heat == 0 else before - heat * np.log(1e-12 + drawn(board))
        if not done or board.marks[COST] > most:
            put_back(board)
        elif board.marks[COST] < before:
            better += 1
        forget(board)
    return better
