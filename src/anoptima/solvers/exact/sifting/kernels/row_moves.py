"""The loops of `annealing`: moves of rows between groups, taken back where they are not accepted.

Every row is in one group, the one of its pattern; a pattern whose group is empty is closed. Rows of a group are a linked list. A step draws
an arc and does what it says: opens its pattern, closes it, or moves one row into it. Groups that are left with less than k rows are filled
up from groups that have more than k, or dissolved, whichever costs less.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import HALF, REAL, WHOLE, loop, part

NEVER = 1 << 60
"""The cost of what cannot be done: more than any release, in scaled costs."""
AT, BEFORE, AFTER = range(3)
"""Columns of `Groups.rows`."""
FIRST, SIZE = range(2)
"""Columns of `Groups.patterns`."""


class Ground(NamedTuple):
    """What stays: the patterns (`kernels.Arcs`), the rows of each record, and the patterns of each record, cheapest first."""

    start: Any
    member: Any
    cost: Any
    k: int
    record: Any
    row_start: Any
    pattern_start: Any
    pattern: Any


class Groups(NamedTuple):
    """Where each row is, and the rows before and after it in its group; each group's first row and size.

    By rows and by patterns: what a move looks at together lies together in memory.
    """

    rows: Any
    patterns: Any

    @property
    def at(self) -> Any:
        """The pattern of each row."""
        return self.rows[:, AT]

    @property
    def size(self) -> Any:
        """The rows of each pattern."""
        return self.patterns[:, SIZE]


class Notes(NamedTuple):
    """Room for what a step has moved, and for what it chooses among."""

    moved: Any
    origin: Any
    best: Any
    worth: Any
    hopeful: Any
    to: Any


@part
def following(state: int) -> int:
    """Return the next state of a generator of 31 bits, of which the lowest few are not to be used."""
    return (state * 1103515245 + 12345) & 0x7FFFFFFF


@part
def _move(groups: Any, row: int, pattern: int) -> None:
    origin, before, after = groups.rows[row, AT], groups.rows[row, BEFORE], groups.rows[row, AFTER]
    if before >= 0:
        groups.rows[before, AFTER] = after
    else:
        groups.patterns[origin, FIRST] = after
    if after >= 0:
        groups.rows[after, BEFORE] = before
    groups.patterns[origin, SIZE] -= 1
    head = groups.patterns[pattern, FIRST]
    groups.rows[row, AT], groups.rows[row, BEFORE], groups.rows[row, AFTER] = pattern, -1, head
    if head >= 0:
        groups.rows[head, BEFORE] = row
    groups.patterns[pattern, FIRST] = row
    groups.patterns[pattern, SIZE] += 1


@part
def _noted(groups: Any, notes: Any, count: int, row: int, pattern: int) -> int:
    """Move a row, and write down where it was; return how many have been moved."""
    notes.moved[count], notes.origin[count] = row, groups.rows[row, AT]
    _move(groups, row, pattern)
    return count + 1


@part
def _taken_back(groups: Any, notes: Any, count: int, left: int) -> int:
    while count > left:
        count -= 1
        _move(groups, notes.moved[count], notes.origin[count])
    return count


@part
def _cheapest(ground: Any, groups: Any, record: int, besides: int) -> int:
    """Return the cheapest open pattern of a record but one; -1 if there is none."""
    for place in range(ground.pattern_start[record], ground.pattern_start[record + 1]):
        pattern = ground.pattern[place]
        if pattern != besides and groups.patterns[pattern, SIZE] > 0:
            return int(pattern)
    return -1


@part
def _ranked(notes: Any, held: int, most: int, row: int, worth: float) -> int:
    """Enter a row among the `most` best so far; return how many are held."""
    if held == most:
        if most == 0 or worth <= notes.worth[held - 1]:
            return held
        held -= 1
    place = held
    while place > 0 and notes.worth[place - 1] < worth:
        notes.worth[place], notes.best[place] = notes.worth[place - 1], notes.best[place - 1]
        place -= 1
    notes.worth[place], notes.best[place] = worth, row
    return held + 1


@part
def _window(ground: Any, pattern: int, longest: int, state: int) -> Any:
    """Return at most `longest` arcs of a pattern, from a random one on."""
    first, last = ground.start[pattern], ground.start[pattern + 1]
    if last - first > longest:
        first += (state >> 4) % (last - first - longest)
        last = first + longest
    return first, last


@part
def _opened(
    ground: Any, groups: Any, notes: Any, pattern: int, record: int, penalty: float, first: int, last: int
) -> Any:
    """Open a pattern with the k rows that gain most, one of `record` before others, and all that gain and can be spared.

    Taking a row from a group of just k is thought to cost `penalty`. Return how many rows have moved (-1 if k cannot be had), and what it
    costs.
    """
    k, price = ground.k, ground.cost[pattern]
    held, hopeful = 0, 0
    for a in range(first, last):
        of = ground.member[a]
        for row in range(ground.row_start[of], ground.row_start[of + 1]):
            gain = ground.cost[groups.rows[row, AT]] - price
            worth = float(gain)
            if groups.patterns[groups.rows[row, AT], SIZE] <= k:
                worth -= penalty
            if of == record:
                worth += penalty
            held = _ranked(notes, held, k, row, worth)
            if gain > 0 and hopeful < len(notes.hopeful):
                notes.hopeful[hopeful] = row
                hopeful += 1
    if held < k:
        return -1, 0
    count, paid = 0, 0
    for place in range(k):
        row = notes.best[place]
        paid += price - ground.cost[groups.rows[row, AT]]
        count = _noted(groups, notes, count, row, pattern)
    for place in range(hopeful):
        row = notes.hopeful[place]
        origin = groups.rows[row, AT]
        if origin != pattern and groups.patterns[origin, SIZE] != k:
            paid += price - ground.cost[origin]
            count = _noted(groups, notes, count, row, pattern)
    return count, paid


@part
def _price_of_dissolving(ground: Any, groups: Any, notes: Any, pattern: int, most: int) -> int:
    """Note the cheapest open patterns of a group's rows; return what moving them there costs, or what its first rows cost beyond `most`."""
    paid, place = 0, 0
    row = groups.patterns[pattern, FIRST]
    while row >= 0 and paid <= most:
        to = _cheapest(ground, groups, ground.record[row], pattern)
        if to < 0:
            return NEVER
        paid += ground.cost[to] - ground.cost[pattern]
        notes.to[place] = to
        place += 1
        row = groups.rows[row, AFTER]
    return paid


@part
def _dissolved(groups: Any, notes: Any, count: int, pattern: int) -> int:
    """Move all rows of a group where has been noted; return how many rows have moved."""
    place = 0
    while groups.patterns[pattern, FIRST] >= 0:
        count = _noted(groups, notes, count, groups.patterns[pattern, FIRST], notes.to[place])
        place += 1
    return count


@part
def _price_of_filling(ground: Any, groups: Any, notes: Any, pattern: int, forced: int, first: int, last: int) -> int:
    """Note the rows that fill a group up to k at the least cost, from groups of more than k; return what they cost."""
    need = ground.k - groups.patterns[pattern, SIZE]
    held, price = 0, ground.cost[pattern]
    for a in range(first, last):
        of = ground.member[a]
        for row in range(ground.row_start[of], ground.row_start[of + 1]):
            origin = groups.rows[row, AT]
            if origin != pattern and row != forced and groups.patterns[origin, SIZE] > ground.k:
                held = _ranked(notes, held, need, row, float(ground.cost[origin] - price))
    if held < need:
        return NEVER
    paid = 0
    for place in range(need):
        paid += price - ground.cost[groups.rows[notes.best[place], AT]]
    return paid


@part
def _filled(ground: Any, groups: Any, notes: Any, count: int, pattern: int) -> int:
    """Move the rows that have been noted; return how many have moved, -1 if two of them cannot both be spared."""
    before = count
    for place in range(ground.k - groups.patterns[pattern, SIZE]):
        row = notes.best[place]
        if groups.patterns[groups.rows[row, AT], SIZE] <= ground.k:
            _taken_back(groups, notes, count, before)
            return -1
        count = _noted(groups, notes, count, row, pattern)
    return count


@part
def _mended(ground: Any, groups: Any, notes: Any, count: int, longest: int, state: int) -> Any:
    """Fill or dissolve the groups that moves have left with less than k rows; return how many rows have moved, and what it costs."""
    paid, forced = 0, notes.moved[0]
    for place in range(count):
        pattern = notes.origin[place]
        if groups.patterns[pattern, SIZE] == 0 or groups.patterns[pattern, SIZE] >= ground.k:
            continue
        state = following(state)
        first, last = _window(ground, pattern, longest, state)
        filling = _price_of_filling(ground, groups, notes, pattern, forced, first, last)
        dissolving = _price_of_dissolving(ground, groups, notes, pattern, filling)
        filled = _filled(ground, groups, notes, count, pattern) if filling <= dissolving and filling < NEVER else -1
        if filled >= 0:
            count = filled
            paid += filling
        else:
            if filling <= dissolving:
                dissolving = _price_of_dissolving(ground, groups, notes, pattern, NEVER)
            if dissolving >= NEVER:
                return count, NEVER
            count = _dissolved(groups, notes, count, pattern)
            paid += dissolving
    return count, paid


def example() -> tuple[Ground, Groups, Notes]:
    """Return arrays of the types that rows, groups and notes have."""
    groups = Groups(np.zeros((1, 4), dtype=np.int32), np.zeros((1, 2), dtype=np.int32))
    notes = Notes(WHOLE, WHOLE, WHOLE, REAL, WHOLE, WHOLE)
    return Ground(WHOLE, HALF, WHOLE, 1, WHOLE, WHOLE, WHOLE, HALF), groups, notes


@loop(lambda: [(*example(), WHOLE, WHOLE, 1, 1.0, 1.0, 1.0, 1, 1, 1)], 3)
def anneal(
    ground: Any,
    groups: Any,
    notes: Any,
    patterns: Any,
    records: Any,
    steps: int,
    hot: float,
    cold: float,
    penalty: float,
    longest: int,
    largest: int,
    state: int,
) -> Any:
    """Do `steps` steps along the arcs (`patterns`, `records`), at temperatures that fall geometrically from `hot` to `cold`.

    Return by how much the cost has changed, and the state of the generator. Of a pattern `longest` arcs are looked at, and a group that
    is dissolved has `largest` rows at most.
    """
    change, temperature = 0, hot
    falling = (cold / hot) ** (1.0 / max(1, steps))
    for _ in range(steps):
        temperature *= falling
        state = following(state)
        high = state >> 8
        state = following(state)
        drawn = ((high << 23) + (state >> 8)) % len(patterns)
        state = following(state)
        limit = int(-temperature * math.log(((state >> 8) + 1) / 8388609.0))
        state = following(state)
        pattern, record = patterns[drawn], records[drawn]
        outside = -1
        for row in range(ground.row_start[record], ground.row_start[record + 1]):
            if groups.rows[row, AT] != pattern:
                outside = row
                break
        if groups.patterns[pattern, SIZE] == 0:
            first, last = _window(ground, pattern, longest, state)
            count, paid = _opened(
                ground, groups, notes, pattern, record, penalty * 2 * ((state >> 8) / 8388608.0), first, last
            )
            if count < 0:
                continue
        elif outside >= 0:
            paid = ground.cost[pattern] - ground.cost[groups.rows[outside, AT]]
            count = _noted(groups, notes, 0, outside, pattern)
        elif groups.patterns[pattern, SIZE] <= largest:
            paid = _price_of_dissolving(ground, groups, notes, pattern, limit)
            if paid <= limit:
                _dissolved(groups, notes, 0, pattern)
                change += paid
            continue
        else:
            continue
        # Mending seldom gains anything.
        if paid <= limit:
            count, mending = _mended(ground, groups, notes, count, longest, state)
            paid = NEVER if mending >= NEVER else paid + mending
        if paid <= limit:
            change += paid
        else:
            _taken_back(groups, notes, count, 0)
    return change, state
