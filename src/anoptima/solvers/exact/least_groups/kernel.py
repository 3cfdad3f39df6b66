"""The search for groups of k rows that gain: for each row, with rows after it in an order in which worths fall.

A group grows row by row. It can gain no more than if all further rows were worth as much as the next one, and starred nothing more. What
is no part of a good group, wherever it came in the order, is left out at first: if it gains nothing beside rows of the largest worths. Columns
in which a row differs from the first one are bits, 64 to a word, and what each eight of them weigh is looked up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import WHOLE, loop, part

BYTES = 8
"""How many bytes a word has, of eight bits each."""


class Ground(NamedTuple):
    """What stays: the columns in which two rows differ, what those weigh, what each eight columns weigh, kinds of rows, and k."""

    differ: Any
    apart: Any
    weight: Any
    kind: Any
    k: int


def example() -> Ground:
    """Return a ground of the types that every ground has."""
    table = np.zeros((1, 1), dtype=np.int64)
    return Ground(table[None], table.astype(np.int32), table, WHOLE, 1)


@part
def joined(weight: Any, far: Any, depth: int, differ: Any, first: int, row: int) -> int:
    """Let a row join: write down the columns in which the group then differs, and return what they weigh."""
    total = 0
    for word in range(far.shape[1]):
        columns = far[depth - 1, word] | differ[first, row, word]
        far[depth, word] = columns
        for byte in range(BYTES):
            total += weight[BYTES * word + byte, columns >> 8 * byte & 255]
    return int(total)


@loop(lambda: [(example(), WHOLE, WHOLE, 1, 1, 1, 1, WHOLE, np.zeros((1, 1, 1), dtype=np.int64))], 3)
def best_groups(
    ground: Any,
    order: Any,
    worth: Any,
    each: int,
    begin: int,
    end: int,
    most: int,
    gain: Any,
    group: Any,
) -> int:
    """Write down the best groups of each of the rows `order[begin:end]` with later ones, as many as there is room for, and the largest gain.

    What a group costs is k times `each` times what its columns weigh. After `most` looks a row is left unfinished: its gain is minus what
    a group can gain at most. No groups are left where a first row is -1. Return the number of looks.
    """
    k, rows, looks = ground.k, len(order), 0
    differ, apart, kind, weight, price = ground.differ, ground.apart, ground.kind, ground.weight, k * each
    able = np.zeros(rows, dtype=np.int64)
    place, cost = np.zeros(k + 1, dtype=np.int64), np.zeros(k, dtype=np.int64)
    chosen, held = np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64)
    far = np.zeros((k, differ.shape[2]), dtype=np.int64)
    for at in range(begin, end):
        first = order[at]
        best, count, highest = 0, 0, 0
        group[at, :, 0] = -1
        found = 0
        top = worth[order[min(at + 1, rows - 1)]]
        for later in range(at + 1, rows):
            row = order[later]
            could = worth[first] + worth[row] + (k - 2) * top
            if could <= 0:
                break
            could -= price * apart[first, row]
            if kind[row] != kind[first] and could > 0:
                able[count] = row
                count += 1
                highest = max(highest, could)
        looks += rows - at
        chosen[0], held[0], cost[0], place[1] = first, worth[first], 0, 0
        far[0] = 0
        depth, left = 1, most
        while depth >= 1 and left > 0:
            if place[depth] >= count:
                depth -= 1
                continue
            row = able[place[depth]]
            place[depth] += 1
            left -= 1
            most_held = held[depth - 1] + (k - depth) * worth[row]
            if most_held - cost[depth - 1] <= best:
                depth -= 1
                continue
            widest, is_alone = 0, True
            for other in range(1, depth):
                is_alone = is_alone and kind[chosen[other]] != kind[row]
                widest = max(widest, apart[chosen[other], row])
            if not is_alone or most_held - price * widest <= best:
                continue
            paid = price * joined(weight, far, depth, differ, first, row)
            if most_held - paid <= best:
                continue
            chosen[depth] = row
            if depth < k - 1:
                held[depth], cost[depth] = held[depth - 1] + worth[row], paid
                place[depth + 1] = place[depth]
                depth += 1
                continue
            best = held[depth - 1] + worth[row] - paid
            for member in range(k):
                group[at, found % group.shape[1], member] = chosen[member]
            found += 1
        looks += most - left
        gain[at] = best if left > 0 else -highest
    return int(looks)
