"""The loop that walks through all patterns whose groups gain: sets of columns are decided column by column, and classes of rows refined.

A class is the row types that agree on what was kept so far. Its groups have at least k rows, each of which pays what was starred so far
or more, so none of them gains where its k best rows are not worth more than that; refined, it only loses rows, and pays more. Row types
come by falling worth, in every class, so the k best are the first. Classes wait on a stack; what is refined is written to the next of the
levels, at the same places, while nothing that waits is there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from anoptima.solvers.compiling.loops import HALF, TRUTH, WHOLE, loop, part

WAITING, GAIN, FOUND, MEMBERS, LOOKS = range(5)
"""What is counted: classes that wait, the sum of all gains, patterns written and their members, and row types looked at."""
COLUMN, STEP, LEVEL, BEGIN, END, PAID = range(6)
"""Of a class that waits: the next column, what was done last or is to be done, where its row types are, and what is paid."""
REFINED, STARRED, TO_KEEP = range(3)
"""A class lost row types, or lost none and starred the column before; or what stars the next column is done, and it is to be kept."""
_FEW = 40
"""Classes of so many row types or fewer are refined by comparing their codes."""


class Ground(NamedTuple):
    """What does not change: codes (columns x row types, by falling worth), how many each column has, and what columns weigh; row types'
    worths and copies; the least size; how many of the first columns are decided, and what is decided of those.
    """

    codes: Any
    width: Any
    weight: Any
    worth: Any
    copies: Any
    k: int
    decided: Any


class State(NamedTuple):
    """Where a walk is: classes that wait, levels of row types, what the class in hand keeps, room to count codes, and the counts."""

    waiting: Any
    level: Any
    kept: Any
    tally: Any
    count: Any


class Room(NamedTuple):
    """Where patterns that gain are written: how many members each has, these, and what a row pays."""

    length: Any
    member: Any
    cost: Any


def _examples() -> list[tuple[Any, ...]]:
    ground = Ground(HALF[None], WHOLE, WHOLE, WHOLE, WHOLE, 0, TRUTH)
    return [(ground, State(WHOLE[None], HALF[None], TRUTH, WHOLE, WHOLE), Room(WHOLE, HALF, WHOLE), 0)]


@loop(_examples, seconds=6.0)
def walk(ground: Ground, state: State, out: Room, looks: int) -> None:
    """Walk on until nothing waits, so many row types were looked at, or what gains has no room to be written."""
    columns, waiting, count = len(ground.width), state.waiting, state.count
    until = count[LOOKS] + looks
    while count[WAITING] and count[LOOKS] < until:
        place = count[WAITING] - 1
        column, level = waiting[place, COLUMN], waiting[place, LEVEL]
        begin, end, paid = waiting[place, BEGIN], waiting[place, END], waiting[place, PAID]
        if waiting[place, STEP] == TO_KEEP:
            count[WAITING] -= 1
            state.kept[column] = True
            _refine(ground, state, column, level, begin, end, paid)
            continue
        rows = state.level[level, begin:end]
        count[LOOKS] += ground.k
        asked = column - 1 if waiting[place, STEP] == STARRED else 0
        if not _gains(ground, rows, paid) or not _is_closed(ground, state.kept, rows, asked, column):
            count[WAITING] -= 1
        elif column == columns:
            if count[FOUND] == len(out.cost) or count[MEMBERS] + len(rows) > len(out.member):
                return
            count[WAITING] -= 1
            count[GAIN] += _gain(ground, rows, paid)
            _write(out, count, rows, paid)
        elif column < len(ground.decided):
            if ground.decided[column]:
                waiting[place, STEP] = TO_KEEP
            else:
                state.kept[column] = False
                waiting[place, COLUMN], waiting[place, STEP] = column + 1, STARRED
                waiting[place, PAID] = paid + ground.weight[column]
        else:
            state.kept[column] = False
            waiting[place, STEP] = TO_KEEP
            _push(waiting, count, (column + 1, STARRED, level, begin, end, paid + ground.weight[column]))


@part
def _push(waiting: Any, count: Any, one: Any) -> None:
    for field in range(len(one)):
        waiting[count[WAITING], field] = one[field]
    count[WAITING] += 1


@part
def _gains(ground: Ground, rows: Any, paid: int) -> bool:
    """Tell whether there are k rows, and the k best are worth more than what they pay."""
    lacking, worth = ground.k, 0
    for row in rows:
        some = min(lacking, ground.copies[row])
        worth += some * ground.worth[row]
        lacking -= some
        if not lacking:
            return bool(worth > ground.k * paid)
    return False


@part
def _gain(ground: Ground, rows: Any, paid: int) -> int:
    """Return what the best group of a class gains: it has all rows that are worth more than they pay, and the best others that it lacks."""
    gain, lacking = 0, ground.k
    for row in rows:
        each, copies = ground.worth[row] - paid, ground.copies[row]
        if each <= 0 and lacking <= 0:
            break
        gain += each * (copies if each > 0 else min(copies, lacking))
        lacking -= copies
    return gain


@part
def _is_closed(ground: Ground, kept: Any, rows: Any, first_column: int, end_column: int) -> bool:
    """Tell whether row types differ in every one of some columns that is starred. A class that does not is reached by keeping it, too."""
    for column in range(first_column, end_column):
        if not kept[column]:
            codes = ground.codes[column]
            first, differ = codes[rows[0]], False
            for row in rows:
                if codes[row] != first:
                    differ = True
                    break
            if not differ:
                return False
    return True


@part
def _write(out: Room, count: Any, rows: Any, paid: int) -> None:
    out.cost[count[FOUND]] = paid
    for row in rows:
        out.member[count[MEMBERS]] = row
        count[MEMBERS] += 1
    out.length[count[FOUND]] = len(rows)
    count[FOUND] += 1


@part
def _refine(ground: Ground, state: State, column: int, level: int, begin: int, end: int, paid: int) -> None:
    """Put the classes of k rows or more that agree on one more column on the stack."""
    codes, rows, tally = ground.codes[column], state.level[level], state.tally
    state.count[LOOKS] += end - begin
    for place in range(begin, end):
        tally[codes[rows[place]]] += 1
    first_code = codes[rows[begin]]
    if tally[first_code] == end - begin:
        tally[first_code] = 0
        _push(state.waiting, state.count, (column + 1, REFINED, level, begin, end, paid))
        return
    refined = state.level[level + 1]
    if end - begin <= _FEW:
        at = begin
        for place in range(begin, end):
            code = codes[rows[place]]
            if tally[code]:
                tally[code], first, copies = 0, at, 0
                for other in range(place, end):
                    if codes[rows[other]] == code:
                        refined[at] = rows[other]
                        copies += ground.copies[rows[other]]
                        at += 1
                if copies >= ground.k:
                    _push(state.waiting, state.count, (column + 1, REFINED, level + 1, first, at, paid))
        return
    # Where each code goes, by the order in which codes are met: below 0, so that it is told from how many there are.
    at = begin
    for place in range(begin, end):
        code = codes[rows[place]]
        if tally[code] > 0:
            at, tally[code] = at + tally[code], -1 - at
    for place in range(begin, end):
        code = codes[rows[place]]
        refined[-1 - tally[code]] = rows[place]
        tally[code] -= 1
    place = begin
    while place < end:
        code, first, copies = codes[refined[place]], place, 0
        tally[code] = 0
        while place < end and codes[refined[place]] == code:
            copies += ground.copies[refined[place]]
            place += 1
        if copies >= ground.k:
            _push(state.waiting, state.count, (column + 1, REFINED, level + 1, first, place, paid))
