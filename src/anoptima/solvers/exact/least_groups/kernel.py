"""The search for groups of k rows that gain: for each row, with rows after it in an order in which worths fall.

A group grows row by row. It can gain no more than if all further rows were worth as much as the next one, and starred nothing more. Rows
that gain nothing beside rows of the largest worths are left out at first. Columns in which a row differs from the first one are bits, 64 to
a word, and what each eight of them weigh is looked up.
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


class Asked(NamedTuple):
    """What is asked: rows in an order in which worths fall, what rows are worth, in parts of d, and the most looks for each row."""

    order: Any
    worth: Any
    d: int
    most: int


class Best(NamedTuple):
    """What is found, by place in the order: the largest gain of a row with later ones, and groups of it that gain."""

    gain: Any
    group: Any


def example() -> tuple[Ground, Asked, Best]:
    """Return arguments of the types that all have."""
    table = np.zeros((1, 1), dtype=np.int64)
    ground = Ground(table[None], table.astype(np.int32), table, WHOLE, 1)
    return ground, Asked(WHOLE, WHOLE, 1, 1), Best(WHOLE, table[None])


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


@loop(lambda: [(*example(), 1, 1)], 3)
def best_groups(ground: Any, asked: Any, best: Any, begin: int, end: int) -> int:
    """Write down the best of each of the rows with places from `begin` to `end` and later ones, and return the number of looks.

    There are as many groups as there is room for; the first row is -1 where there is none. After the most looks a row is left unfinished:
    its gain is minus what a group can gain at most.
    """
    order, worth, most, gain, group = asked.order, asked.worth, asked.most, best.gain, best.group
    differ, apart, kind, weight = ground.differ, ground.apart, ground.kind, ground.weight
    k, rows, looks, price = ground.k, len(order), 0, ground.k * asked.d
    able = np.zeros(rows, dtype=np.int64)
    place, cost = np.zeros(k + 1, dtype=np.int64), np.zeros(k, dtype=np.int64)
    chosen, held = np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64)
    far = np.zeros((k, differ.shape[2]), dtype=np.int64)
    for at in range(begin, end):
        first = order[at]
        largest, count, highest = 0, 0, 0
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
            if most_held - cost[depth - 1] <= largest:
                depth -= 1
                continue
            widest, is_alone = 0, True
            for other in range(1, depth):
                is_alone = is_alone and kind[chosen[other]] != kind[row]
                widest = max(widest, apart[chosen[other], row])
            if not is_alone or most_held - price * widest <= largest:
                continue
            paid = price * joined(weight, far, depth, differ, first, row)
            if most_held - paid <= largest:
                continue
            chosen[depth] = row
            if depth < k - 1:
                held[depth], cost[depth] = held[depth - 1] + worth[row], paid
                place[depth + 1] = place[depth]
                depth += 1
                continue
            largest = held[depth - 1] + worth[row] - paid
            for member in range(k):
                group[at, found % group.shape[1], member] = chosen[member]
            found += 1
        looks += most - left
        gain[at] = largest if left > 0 else -highest
    return int(looks)
