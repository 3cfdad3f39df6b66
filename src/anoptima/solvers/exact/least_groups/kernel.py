"""The search for groups of k rows that gain: for each row, with rows after it in an order in which worths fall.

A group grows row by row. It can gain no more than if all further rows were worth as much as the next one, and starred nothing more. Rows
that gain nothing beside rows of the largest worths are left out at first: for each first row, that takes one look at all rows after it,
column by column. Columns in which the others differ from it are bits, 64 to a word, and what each eight of them weigh is looked up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anoptima.solvers.compiling.loops import HALF, WHOLE, loop, part

BYTES, _WORD = 8, 64
"""How many bytes a word has, and bits."""


class Ground(NamedTuple):
    """What is asked about: codes by column and rows, in an order in which worths fall; what columns weigh, each and by eights; kinds; k."""

    codes: Any
    each: Any
    weight: Any
    kind: Any
    k: int


class Asked(NamedTuple):
    """What is asked: the rows' worths, in parts of d, and the most looks for each row."""

    worth: Any
    d: int
    most: int


class Best(NamedTuple):
    """What is found: the largest gain of each row with later ones, and groups of it that gain."""

    gain: Any
    group: Any


def example() -> tuple[Ground, Asked, Best]:
    """Return arguments of the types that all have."""
    table = np.zeros((1, 1), dtype=np.int64)
    return Ground(table.astype(np.int32), HALF, table, WHOLE, 1), Asked(WHOLE, 1, 1), Best(WHOLE, table[None])


@part
def joined(weight: Any, far: Any, depth: int, differ: Any, number: int) -> int:
    """Let a row join: write down the columns in which the group then differs, and return what they weigh."""
    total = 0
    for word in range(far.shape[1]):
        columns = far[depth - 1, word] | differ[number, word]
        far[depth, word] = columns
        for byte in range(BYTES):
            total += weight[BYTES * word + byte, columns >> 8 * byte & 255]
    return int(total)


@part
def write_apart(ground: Any, first: int, apart: Any) -> None:
    """Write down what the columns weigh in which each later row differs from the first."""
    apart[first + 1 :] = 0
    for column in range(len(ground.codes)):
        codes, heavy = ground.codes[column], ground.each[column]
        own = codes[first]
        for row in range(first + 1, len(apart)):
            apart[row] += heavy * (codes[row] != own)


@part
def write_able(ground: Any, asked: Any, first: int, apart: Any, able: Any, differ: Any) -> Any:
    """Write down the rows that may gain with the first, and in which columns they differ; return how many, and the most that any gains."""
    worth, k, price = asked.worth, ground.k, ground.k * asked.d
    count, highest = 0, 0
    beside = worth[first] + (k - 2) * worth[min(first + 1, len(worth) - 1)]
    for row in range(first + 1, len(worth)):
        could = beside + worth[row]
        if could <= 0:
            break
        could -= price * np.int64(apart[row])
        if could <= 0 or ground.kind[row] == ground.kind[first]:
            continue
        able[count] = row
        differ[count] = 0
        for column in range(len(ground.codes)):
            if ground.codes[column, row] != ground.codes[column, first]:
                differ[count, column // _WORD] |= np.int64(1) << np.int64(column % _WORD)
        count += 1
        highest = max(highest, could)
    return count, highest


@loop(lambda: [(*example(), 1, 1)], 3)
def best_groups(ground: Any, asked: Any, best: Any, begin: int, end: int) -> int:
    """Write down the best of each of the rows from `begin` to `end` with later ones, and return the number of looks.

    There are as many groups as there is room for; the first row is -1 where there is none. After the most looks a row is left unfinished:
    its gain is minus what a group can gain at most.
    """
    worth, most, gain, group = asked.worth, asked.most, best.gain, best.group
    kind, weight, k, rows, price = ground.kind, ground.weight, ground.k, len(asked.worth), ground.k * asked.d
    apart, able = np.zeros(rows, dtype=np.int32), np.zeros(rows, dtype=np.int64)
    words = len(weight) // BYTES
    differ, far = np.zeros((rows, words), dtype=np.int64), np.zeros((k, words), dtype=np.int64)
    place, cost = np.zeros(k + 1, dtype=np.int64), np.zeros(k, dtype=np.int64)
    chosen, held = np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64)
    looks = 0
    for first in range(begin, end):
        write_apart(ground, first, apart)
        count, highest = write_able(ground, asked, first, apart, able, differ)
        group[first, :, 0] = -1
        chosen[0], held[0] = first, worth[first]
        depth, left, largest, found = 1, most, 0, 0
        place[1] = 0
        while depth >= 1 and left > 0:
            number = place[depth]
            if number >= count:
                depth -= 1
                continue
            row = able[number]
            place[depth] += 1
            left -= 1
            most_held = held[depth - 1] + (k - depth) * worth[row]
            if most_held - cost[depth - 1] <= largest:
                depth -= 1
                continue
            is_alone = True
            for other in range(1, depth):
                is_alone = is_alone and kind[chosen[other]] != kind[row]
            if not is_alone:
                continue
            paid = price * joined(weight, far, depth, differ, number)
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
                group[first, found % group.shape[1], member] = chosen[member]
            found += 1
        looks += rows - first + most - left
        gain[first] = largest if left > 0 else -highest
    return int(looks)
