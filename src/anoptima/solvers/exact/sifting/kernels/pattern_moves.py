"""The loops of `annealing`: groups are opened and closed, and rows follow each other until every group has its k again.

A chain is some rows, each of which moves to the group of the one before it. Its cost is that of the first group's pattern less that of the
last one's, whichever rows they are, so the cheapest chain is found by asking which groups can be reached: breadth first, each once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from anoptima.solvers.compiling.loops import HALF, WHOLE, loop, part
from anoptima.solvers.exact.sifting.kernels.row_moves import (
    AFTER,
    AT,
    FIRST,
    NEVER,
    SIZE,
    _noted,
    _taken_back,
    example,
    following,
)

NONE = -1
"""The number of no group."""


class Paths(NamedTuple):
    """Room for what is reached: when each group was, by which row, from which group; and the groups in the order in which they were."""

    reached: Any
    row: Any
    source: Any
    queue: Any


@part
def _supplier(ground: Any, groups: Any, paths: Any, pattern: int, closing: int, now: int) -> Any:
    """Return a group from which a chain leads to `pattern`, and how many groups were reached.

    It is the one that is being closed if a chain leads from there, or else the dearest that can spare a row.
    """
    reached, queue = paths.reached, paths.queue
    queue[0], reached[pattern] = pattern, now
    head, tail, best, price = 0, 1, NONE, -1
    while head < tail:
        source = queue[head]
        head += 1
        for a in range(ground.start[source], ground.start[source + 1]):
            of = ground.member[a]
            for row in range(ground.row_start[of], ground.row_start[of + 1]):
                group = groups.rows[row, AT]
                if reached[group] == now:
                    continue
                reached[group], paths.row[group], paths.source[group] = now, row, source
                queue[tail] = group
                tail += 1
                if group == closing:
                    return group, tail
                if groups.patterns[group, SIZE] > ground.k and ground.cost[group] > price:
                    best, price = group, ground.cost[group]
    return best, tail


@part
def _taker(ground: Any, groups: Any, paths: Any, pattern: int, below: int, now: int) -> int:
    """Return the cheapest group that a chain leads to from the group of `pattern`, if it costs less than `below`."""
    reached, queue = paths.reached, paths.queue
    queue[0], reached[pattern] = pattern, now
    head, tail, best, price = 0, 1, NONE, below
    while head < tail:
        source = queue[head]
        head += 1
        row = groups.patterns[source, FIRST]
        while row >= 0:
            of = ground.record[row]
            for place in range(ground.pattern_start[of], ground.pattern_start[of + 1]):
                group = ground.pattern[place]
                if groups.patterns[group, SIZE] == 0 or reached[group] == now:
                    continue
                reached[group], paths.row[group], paths.source[group] = now, row, source
                queue[tail] = group
                tail += 1
                if ground.cost[group] < price:
                    best, price = group, ground.cost[group]
            row = groups.rows[row, AFTER]
    return best


@part
def _moved(groups: Any, notes: Any, paths: Any, count: int, end: int, pattern: int, inwards: bool) -> int:
    """Move a chain's rows from its `end` to `pattern`, or the other way unless `inwards`; return how many have moved."""
    group = end
    while group != pattern:
        row, source = paths.row[group], paths.source[group]
        count = _noted(groups, notes, count, row, source if inwards else group)
        group = source
    return count


@part
def _opened(
    ground: Any, groups: Any, notes: Any, paths: Any, pattern: int, few: int, room: int, now: int, state: int
) -> Any:
    """Open a pattern with k rows; where k rows cannot be spared, one of the `few` groups nearest to it is to be closed for it.

    Return which (`NONE` if none), how many rows have moved, what it costs (`NEVER` if k cannot be had), and the time.
    """
    closing, count, paid = NONE, 0, 0
    while groups.patterns[pattern, SIZE] < ground.k:
        if count > room:
            return closing, count, NEVER, now
        now += 1
        supplier, reached = _supplier(ground, groups, paths, pattern, closing, now)
        if supplier != NONE:
            paid += ground.cost[pattern] - ground.cost[supplier]
            count = _moved(groups, notes, paths, count, supplier, pattern, True)
        elif closing == NONE and reached > 1:
            closing = paths.queue[1 + (state >> 8) % min(reached - 1, few)]
        else:
            return closing, count, NEVER, now
    return closing, count, paid, now


@part
def _closed(ground: Any, groups: Any, notes: Any, paths: Any, count: int, pattern: int, room: int, now: int) -> Any:
    """Move all rows of a group elsewhere; return how many rows have moved, what it costs (`NEVER` if it cannot be), and the time."""
    paid = 0
    while groups.patterns[pattern, SIZE] > 0:
        now += 1
        taker = _taker(ground, groups, paths, pattern, NEVER, now)
        if taker == NONE or count > room:
            return count, NEVER, now
        paid += ground.cost[taker] - ground.cost[pattern]
        count = _moved(groups, notes, paths, count, taker, pattern, False)
    return count, paid, now


@part
def _spared(ground: Any, groups: Any, notes: Any, paths: Any, count: int, room: int, now: int) -> Any:
    """Move rows that can be spared to cheaper groups as long as a chain leads there; return the same as `_closed`."""
    paid, again = 0, True
    while again and count <= room:
        again = False
        for row in range(len(groups.rows)):
            group = groups.rows[row, AT]
            if groups.patterns[group, FIRST] != row or groups.patterns[group, SIZE] <= ground.k:
                continue
            now += 1
            taker = _taker(ground, groups, paths, group, ground.cost[group], now)
            if taker != NONE:
                paid += ground.cost[taker] - ground.cost[group]
                count = _moved(groups, notes, paths, count, taker, group, False)
                again = True
                if count > room:
                    break
    return count, paid, now


@loop(lambda: [(*example(), Paths(WHOLE, WHOLE, WHOLE, WHOLE), WHOLE, 1, 1.0, 1.0, 1.0, 1, HALF, 1, 1, 1)], 3)
def anneal(
    ground: Any,
    groups: Any,
    notes: Any,
    paths: Any,
    patterns: Any,
    steps: int,
    hot: float,
    cold: float,
    closings: float,
    few: int,
    best: Any,
    lowest: int,
    now: int,
    state: int,
) -> Any:
    """Do `steps` steps, of which the share `closings` closes a group and the others open one of `patterns`.

    Temperatures fall geometrically from `hot` to `cold`. `best` holds where each row is in the cheapest state so far, which costs `lowest`
    more than the first. Return by how much the cost has changed, what `lowest` is now, the time, and the state of the generator.
    """
    change, temperature = 0, hot
    falling = (cold / hot) ** (1.0 / max(1, steps))
    room = len(notes.moved) - len(groups.rows)
    for _ in range(steps):
        temperature *= falling
        state = following(state)
        luck = ((state >> 8) + 1) / 8388609.0
        state = following(state)
        is_closing = (state >> 8) < closings * 8388608.0
        state = following(state)
        count, paid = 0, 0
        if is_closing:
            closing = groups.rows[(state >> 4) % len(groups.rows), AT]
        else:
            pattern = patterns[(state >> 4) % len(patterns)]
            if groups.patterns[pattern, SIZE] > 0:
                continue
            state = following(state)
            closing, count, paid, now = _opened(ground, groups, notes, paths, pattern, few, room, now, state)
        if paid < NEVER and closing != NONE:
            count, price, now = _closed(ground, groups, notes, paths, count, closing, room, now)
            paid = NEVER if price >= NEVER else paid + price
        if paid < NEVER:
            count, price, now = _spared(ground, groups, notes, paths, count, room, now)
            paid += price
        if paid <= 0 or (paid < NEVER and luck < math.exp(-paid / temperature)):
            change += paid
            if change < lowest:
                lowest = change
                for row in range(len(best)):
                    best[row] = groups.rows[row, AT]
        else:
            _taken_back(groups, notes, count, 0)
    return change, lowest, now, state
