"""The changes that `repair` tries: rows let go and given out again, group by group, many times a second.

A change frees the rows that one pattern matches and dearer groups hold, or all rows of one group. Groups that are then no longer within
t free what they have too much of. Next, patterns take rows, one pattern after the other: first the one that gains most at the worths of
the dual, divided by a power of the number of rows that it takes; until none gains. Rows that are left go to the cheapest patterns that
can take them. The outcome is kept if it costs less, or, for some time, little more; otherwise all is put back.

Most patterns that match free rows are never examined: each is scored by an upper bound on its gain, and only the one that promises
most is examined. Its true gain is often less, and only then are the rows that it takes worked out.

A pattern takes the most rows with which its group is within t: of each value what its share allows, then the rows that take least of
what may be over. On a tree of values it leaves rows out one by one, each where that takes the group nearest to the table. Beside closeness
no value may have more than a share of a group, where that is asked. The same code runs, slower, while it is being compiled.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import WHOLE, loop, part
from anoptima.solvers.exact.sifting.kernels.copying import copy_to
from anoptima.solvers.exact.sifting.kernels.repair_board import (
    COST,
    JOURNAL,
    LOOSE,
    OWN,
    SHARE,
    SHARE_OF,
    board_of_types,
    dissolve,
    drawn,
    farthest,
    forget,
    move,
    put_back,
    take_over,
    too_frequent,
    trim,
)
from anoptima.solvers.exact.sifting.kernels.sorting import sort_falling
from anoptima.solvers.exact.sifting.rules.total_variation import MOST_SIZES

GROUPS = 0.5
"""How often whole groups are let go, and not rows of several."""
LOOKED_AT, GROUPS_LOOKED_AT = 20, 4
"""How many records are looked at for each row to be let go, at most."""
LISTED_SIZES = 256
"""For groups below this size the table's part in them is listed."""
NONE = -1e300
"""The score of patterns that can take nothing."""


class Asked(NamedTuple):
    """What groups are held against: fields of the board, which each look into it would count references of."""

    whole: Any
    limits: Any
    shares: Any
    parts: Any
    edges: Any


class Offer(NamedTuple):
    """What patterns choose from: the `free` rows of each record, what one is worth, and its value; and what gains they look for.

    Rows are worth `lift` more than that, and a gain is divided by the rows to the `power`; or else rows are taken whatever they gain.
    """

    free: Any
    worth: Any
    value: Any
    any_gain: bool
    power: float
    lift: float


@part
def fits_split(held: Any, able: Any, asked: Any, size: int) -> bool:
    """Tell whether `size` rows could be within t, and no value too frequent, if rows could be split; if so, fewer could, too."""
    whole, limits = asked.whole, asked.limits
    c, d, n, a, b = limits[0], limits[1], limits[2], limits[SHARE], limits[SHARE_OF]
    own = shared = 0
    for v in range(len(whole)):
        own += min(n * (held[v] + able[v]), size * whole[v])
        shared += min(b * (held[v] + able[v]), a * size)
    return bool(d * own >= (d - c) * n * size and shared >= b * size)


@part
def write_share(asked: Any, size: int) -> int:
    """Write what the table's part in a large group is to the last place of `shares` and `parts`; return which that is."""
    at = len(asked.shares) - 1
    for v in range(len(asked.whole)):
        asked.shares[at, v], asked.parts[at, v] = divmod(size * asked.whole[v], asked.limits[2])
    return at


@part
def fitting(held: Any, have: int, least: int, able: Any, take: Any, asked: Any) -> int:
    """Fill `take` with how many rows of each value a group takes, of `able` at most: as many in all as are legal; return the sum.

    `able` is lowered to what no value is too frequent with. The group has `have` rows, `held` of each value. At a fixed size value v has
    floor(N N_v / n) rows for nothing; the first one more takes a part of a common slot, each further one a whole one; cheapest first.
    """
    whole, limits, shares, parts, edges = asked
    c, d, n, k = limits[0], limits[1], limits[2], limits[3]
    values, most = len(whole), int(able.sum())
    fewest = max(1, k - have, least if have == 0 else 0)
    if edges.shape[1]:
        return fitting_tree(held, fewest, able, take, limits, edges)
    if most < fewest or not fits_split(held, able, asked, have + fewest):
        return 0
    more = fewest
    while more < most:
        middle = (more + most + 1) // 2
        if fits_split(held, able, asked, have + middle):
            more = middle
        else:
            most = middle - 1
    for _ in range(MOST_SIZES):
        if more < fewest:
            break
        size, missing, spent = have + more, more, 0
        room = c * n * size // d
        at = size if size < len(shares) - 1 else write_share(asked, size)
        for v in range(values):
            able[v] = min(able[v], max(0, limits[SHARE] * size // limits[SHARE_OF] - held[v]))
            spent += max(0, n * (held[v] - shares[at, v]) - parts[at, v])
            take[v] = min(missing, min(able[v], max(0, shares[at, v] - held[v])))
            missing -= take[v]
        while missing > 0 and spent <= room:
            cheapest, value = n, -1
            for v in range(values):
                is_next = take[v] < able[v] and held[v] + take[v] == shares[at, v]
                if is_next and n - parts[at, v] < cheapest:
                    cheapest, value = n - parts[at, v], v
            if value < 0:
                break
            take[value] += 1
            missing -= 1
            spent += cheapest
        if spent + n * missing <= room:
            for v in range(values):
                rows = min(missing, able[v] - take[v])
                take[v] += rows
                missing -= rows
            if missing == 0:
                return int(more)
        more -= 1
    return 0


@part
def fitting_tree(held: Any, fewest: int, able: Any, take: Any, limits: Any, edges: Any) -> int:
    """Do the same on a tree, for `fewest` rows at least: leave rows out one by one until the group is legal."""
    c, d, n = limits[0], limits[1], limits[2]
    counts = held + able
    size, more = counts.sum(), able.sum()
    copy_to(take, able, len(take))
    while more >= fewest:
        apart, value = farthest(counts, size, edges, n, take)
        frequent = too_frequent(counts, size, limits)
        if frequent >= 0:
            value = frequent
        elif d * apart <= c * n * size:
            return int(more)
        if take[value] == 0:
            return 0
        counts[value] -= 1
        take[value] -= 1
        size, more = size - 1, more - 1
    return 0


@part
def weigh(
    records: Any, offer: Any, cost: int, held: Any, have: int, least: int, able: Any, take: Any, asked: Any
) -> Any:
    """Return how many of the loose rows of some records a pattern would take, and what it scores by that; `take` says of which values."""
    free, worth, value, any_gain, power, lift = offer
    able[:] = 0
    for r in records:
        if free[r] > 0 and (any_gain or worth[r] + lift > cost):
            able[value[r]] += free[r]
    rows = fitting(held, have, least, able, take, asked)
    if rows == 0 or any_gain:
        return rows, -float(cost) + 1e-6 * rows
    gain = 0.0
    copy_to(able, take, len(able))
    for r in records:
        v = value[r]
        if free[r] > 0 and able[v] > 0 and worth[r] + lift > cost:
            taken = min(free[r], able[v])
            able[v] -= taken
            gain += taken * (worth[r] + lift - cost)
    return rows, gain / rows**power


@part
def promise(records: Any, offer: Any, cost: int, have: int, least: int, k: int) -> float:
    """Score a pattern by what it would gain at most, if it took all that it gains by, as the fewest rows that it can take."""
    free, worth, _, any_gain, power, lift = offer
    most, gain = 0, 0.0
    for r in records:
        by = worth[r] + lift - cost
        if free[r] > 0 and (any_gain or by > 0):
            most += free[r]
            gain += free[r] * by
    fewest = max(1, k - have, least if have == 0 else 0)
    if most < fewest:
        return NONE
    if any_gain:
        return -float(cost) + 1e-6 * most
    return float(gain / fewest**power)


@part
def list_patterns(board: Any) -> int:
    """List, for every pattern that matches loose records, its arcs to them by falling worth; return how many patterns there are."""
    # By names of their own: each look into the board counts its references.
    loose, start, pattern_of, arc_of = board.loose, board.record_start, board.record_pattern, board.record_arc
    place, patterns, first, arcs, records = board.place, board.chosen, board.first, board.listed, board.listed_record
    loose = loose[: board.marks[LOOSE]]
    by_worth, spare = np.empty(len(loose), dtype=np.int64), np.empty(len(loose), dtype=np.int64)
    sort_falling(by_worth, len(loose), board.worth[loose], spare)
    count = 0
    for r in loose:
        for j in range(start[r], start[r + 1]):
            p = pattern_of[j]
            if place[p] < 0:
                place[p] = count
                patterns[count] = p
                first[count + 1] = 0
                count += 1
            first[place[p] + 1] += 1
    first[0] = 0
    for i in range(count):
        first[i + 1] += first[i]
    for i in range(count, 0, -1):
        first[i] = first[i - 1]
    for turn in range(len(loose)):
        r = loose[by_worth[turn]]
        for j in range(start[r], start[r + 1]):
            at = place[pattern_of[j]] + 1
            arcs[first[at]] = arc_of[j]
            records[first[at]] = r
            first[at] += 1
    for i in range(count):
        place[patterns[i]] = -1
    return count


@part
def give_out(board: Any, power: float, noise: float, lift: float) -> bool:
    """Give all loose rows to patterns; tell whether that could be done. What was done is in the journal."""
    count = list_patterns(board)
    first, record, arcs, patterns = board.first, board.listed_record, board.listed, board.chosen
    free, worth, value, cost, draws = board.free, board.worth, board.value, board.cost, board.draws
    counts, size, least, able, take = board.counts, board.size, board.least, board.able, board.take
    asked, k = Asked(board.whole, board.limits, board.shares, board.parts, board.edges), board.limits[3]
    score, fresh, hopeful = board.score, board.fresh, board.hopeful
    noisy = int(drawn(board) * len(draws))
    left = 0
    for r in board.loose[: board.marks[LOOSE]]:
        left += free[r]
    for phase in range(2):
        any_gain = phase == 1
        offer = Offer(free, worth, value, any_gain, power, lift)
        turn = hopes = 0
        for i in range(count):
            p = patterns[i]
            records = record[first[i] : first[i + 1]]
            score[i] = promise(records, offer, cost[p], size[p], least[p], k)
            fresh[i] = -1
            if score[i] > (NONE if any_gain else 0.0):
                if not any_gain:
                    score[i] *= 1 + noise * draws[(noisy + i) % len(draws)]
                hopeful[hopes] = i
                hopes += 1
        while left > 0 and hopes > 0:
            at = 0
            for i in range(1, hopes):
                if score[hopeful[i]] > score[hopeful[at]]:
                    at = i
            best = hopeful[at]
            p, before = patterns[best], score[best]
            records = record[first[best] : first[best + 1]]
            rows, now = weigh(records, offer, cost[p], counts[p], size[p], least[p], able, take, asked)
            if rows == 0:
                # Fewer rows will be loose from now on: if they cannot form a group now, they never will.
                hopes -= 1
                hopeful[at] = hopeful[hopes]
                continue
            score[best] = now if any_gain else now * (1 + noise * draws[(noisy + best) % len(draws)])
            if fresh[best] < turn:
                fresh[best] = turn
                if score[best] < before * (1 - 1e-9 if before > 0 else 1 + 1e-9):
                    continue
            for j in range(first[best], first[best + 1]):
                r = record[j]
                v = value[r]
                if free[r] > 0 and take[v] > 0 and (any_gain or worth[r] + lift > cost[p]):
                    taken = min(free[r], take[v])
                    take[v] -= taken
                    left -= taken
                    move(board, arcs[j], taken)
            turn += 1
            score[best] = promise(records, offer, cost[p], size[p], least[p], k)
            if not any_gain:
                score[best] *= 1 + noise * draws[(noisy + best) % len(draws)]
        if left == 0:
            return True
    return False


@part
def let_go(board: Any, rows: int) -> None:
    """Let about `rows` rows go: of whole groups around one pattern, or rows that it matches and what others can then not hold."""
    r = board.own[int(drawn(board) * board.marks[OWN])]
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
    member, first, following, pattern = board.member, board.first_of_record, board.next_of_record, board.pattern
    size, cost, taken = board.size, board.cost, board.taken
    begin, length = board.start[p], board.start[p + 1] - board.start[p]
    at, left = int(drawn(board) * length), rows
    for looked in range(length):
        arc = first[member[begin + at]]
        at = at + 1 if at + 1 < length else 0
        while arc >= 0 and left > 0:
            here, other = arc, pattern[arc]
            arc = following[arc]
            if groups:
                if size[other] <= left:
                    left -= size[other]
                    dissolve(board, other)
            elif not dearer_only or cost[other] > cost[p]:
                gone = min(left, taken[here])
                move(board, here, -gone)
                left -= gone
        if left <= 0 or looked > (GROUPS_LOOKED_AT if groups else LOOKED_AT) * rows:
            break
    for i in range(board.marks[JOURNAL]):
        trim(board, board.pattern[board.changed[i]])


@loop(lambda: [(board_of_types(), True, WHOLE, WHOLE, 1, 1.0, 1.0, 1.0)], 10)
def try_often(board: Any, anew: bool, arcs: Any, held: Any, trials: int, rows: float, heat: float, lift: float) -> int:
    """Let rows go and give them out again, `trials` times; return how often that lowered the cost.

    If it is to begin `anew`, the board first takes over `held` rows of `arcs`, and nothing else.
    """
    better = 0
    if anew:
        take_over(board, arcs, held)
    for _ in range(trials):
        before = board.marks[COST]
        let_go(board, 2 + int(rows * 2 * drawn(board)))
        power = 0.2 + 0.9 * drawn(board)
        done = give_out(board, power, 0.5 * drawn(board), 2 * lift * drawn(board))
        most = before if heat == 0 else before - heat * np.log(1e-12 + drawn(board))
        if not done or board.marks[COST] > most:
            put_back(board)
        elif board.marks[COST] < before:
            better += 1
        forget(board)
    return better
