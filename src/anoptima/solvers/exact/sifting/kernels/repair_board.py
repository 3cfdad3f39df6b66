"""The board of `repair_moves`: which group has which rows, and what was changed since the release was last complete."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import REAL, TRUTH, WHOLE, part

MARKS = 5
"""How many single numbers a board keeps in `marks`."""
JOURNAL, LOOSE, COST, OWN, DRAW = range(MARKS)
"""Where: changes noted, loose records, scaled cost, records it has rows of, and the next of the draws."""
SHARE, SHARE_OF = 4, 5
"""Where in `limits`, after t as c / d, the table's rows and k, the largest share of a value is, as a fraction."""
FIRST, LAST, LENGTH, BELOW = range(4)
"""Rows of `edges`: each one's first value below it, one past the last, its length in whole numbers, the table's rows below it.

At equal distance there are no edges.
"""


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
    shares: Any
    parts: Any
    edges: Any
    own: Any
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
    hopeful: Any
    able: Any
    take: Any
    draws: Any


def board_of_types() -> Board:
    """Return a board of the types that every board has."""
    kinds: dict[str, Any] = dict.fromkeys(Board._fields, WHOLE)
    kinds |= dict.fromkeys(("worth", "score", "draws"), REAL) | {"is_loose": TRUTH}
    return Board(**kinds | dict.fromkeys(("shares", "parts", "counts", "edges"), np.zeros((1, 1), dtype=np.int64)))


@part
def drawn(board: Any) -> float:
    """Return the next number between 0 and 1."""
    at = board.marks[DRAW]
    board.marks[DRAW] = (at + 1) % len(board.draws)
    return float(board.draws[at])


@part
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


@part
def move(board: Any, arc: int, rows: int) -> None:
    """Let a pattern take rows of a record, or give them back if they are negative."""
    p, r = board.pattern[arc], board.member[arc]
    change(board, arc, p, r, rows)
    board.free[r] -= rows
    if board.free[r] > 0 and not board.is_loose[r]:
        board.is_loose[r] = True
        board.loose[board.marks[LOOSE]] = r
        board.marks[LOOSE] += 1
    board.changed[board.marks[JOURNAL]] = arc
    board.change_of[board.marks[JOURNAL]] = rows
    board.marks[JOURNAL] += 1


@part
def put_back(board: Any) -> None:
    """Undo all since the release was last whole."""
    last = board.marks[JOURNAL]
    for i in range(last - 1, -1, -1):
        arc, rows = board.changed[i], board.change_of[i]
        r = board.member[arc]
        change(board, arc, board.pattern[arc], r, -rows)
        board.free[r] += rows


@part
def take_over(board: Any, arcs: Any, rows: Any) -> None:
    """Hold these rows of these arcs and nothing else."""
    board.taken[:] = 0
    board.counts[:] = 0
    board.size[:] = 0
    board.marks[:DRAW] = 0
    board.is_loose[:] = False
    board.free[:] = 0
    board.first_of_record[:] = -1
    board.first_of_pattern[:] = -1
    for i in range(len(arcs)):
        change(board, arcs[i], board.pattern[arcs[i]], board.member[arcs[i]], rows[i])
    count = 0
    for r in range(len(board.free)):
        if board.first_of_record[r] >= 0:
            board.own[count] = r
            count += 1
    board.marks[OWN] = count


@part
def forget(board: Any) -> None:
    """Take the release as it is for whole."""
    for i in range(board.marks[LOOSE]):
        board.is_loose[board.loose[i]] = False
    board.marks[LOOSE] = 0
    board.marks[JOURNAL] = 0


@part
def excess(board: Any, p: int) -> int:
    """Return d sum_v max(0, n z_v - N N_v) - c n N of a pattern's group, or the same on a tree: at most 0 if it is within t."""
    c, d, n = board.limits[0], board.limits[1], board.limits[2]
    above = 0
    if board.edges.shape[1]:
        above = farthest(board.counts[p], board.size[p], board.edges, n, board.counts[p])[0]
    else:
        for v in range(len(board.whole)):
            above += max(0, n * board.counts[p, v] - board.size[p] * board.whole[v])
    return int(d * above - c * n * board.size[p])


@part
def too_frequent(counts: Any, size: int, limits: Any) -> int:
    """Return the most frequent of the values that have more than their share of a group; -1 if none has."""
    found = -1
    for v in range(len(counts)):
        if counts[v] * limits[SHARE_OF] > limits[SHARE] * size and (found < 0 or counts[v] > counts[found]):
            found = v
    return found


@part
def farthest(counts: Any, size: int, edges: Any, n: int, able: Any) -> Any:
    """Return sum_e length_e |n S_e - N N_e|, and the value, of those that are `able`, that is best left out once; -1 if none is.

    S_e of the group's N rows are below edge e, and N_e of the table's n.
    """
    first, last, length, below = edges[FIRST], edges[LAST], edges[LENGTH], edges[BELOW]
    apart, common = 0, 0
    nearer = np.zeros(len(counts) + 1, dtype=np.int64)
    for e in range(len(first)):
        rows = 0
        for v in range(first[e], last[e]):
            rows += counts[v]
        apart += length[e] * abs(n * rows - size * below[e])
        # Without a row of a value that is not below it, and of one that is.
        other, own = abs(n * rows - (size - 1) * below[e]), abs(n * (rows - 1) - (size - 1) * below[e])
        nearer[first[e]] += length[e] * (own - other)
        nearer[last[e]] -= length[e] * (own - other)
    best = -1
    for v in range(len(counts)):
        common += nearer[v]
        nearer[v] = common
        if able[v] > 0 and (best < 0 or nearer[v] < nearer[best]):
            best = v
    return apart, best


@part
def dissolve(board: Any, p: int) -> None:
    """Let all rows of a group go."""
    while board.first_of_pattern[p] >= 0:
        arc = board.first_of_pattern[p]
        move(board, arc, -board.taken[arc])


@part
def trim(board: Any, p: int) -> None:
    """Let rows of the values that are most too frequent go, until the group is legal or empty."""
    d, n = board.limits[1], board.limits[2]
    while board.size[p] > 0:
        if board.size[p] < board.least[p]:
            dissolve(board, p)
            return
        over = excess(board, p)
        frequent = too_frequent(board.counts[p], board.size[p], board.limits)
        if over <= 0 and frequent < 0:
            return
        worst, value, wanted = -1, 0, 1
        if frequent >= 0:
            value = frequent
        elif board.edges.shape[1]:
            value = farthest(board.counts[p], board.size[p], board.edges, n, board.counts[p])[1]
        else:
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
