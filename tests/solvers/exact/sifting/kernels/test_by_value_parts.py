"""Parts of groups: put together as by trying all pairs, and no better one is ever left out."""

from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.kernels.by_value import (
    DIFFERENT,
    GAIN,
    LEFT,
    LIFTED,
    PAID,
    RIGHT,
    SIZE,
    Wanted,
    best_others,
    put_together,
)
from tests.loops import each
from tests.solvers.exact.sifting.kernels.test_by_value import room

WANTED = Wanted(size=5, different=2, room=7, known=3)
SIZE_ASKED, DIFFERENT_ASKED, ROOM, KNOWN = WANTED


@each("seed", range(150))
def test_all_pairs_that_may_be_of_use_are_there_or_better_ones(seed: int) -> None:
    chance, work = np.random.default_rng(seed), room()
    counts = chance.integers(0, 7, 2).tolist()
    one, two = np.array([0, counts[0]]), np.array([counts[0], sum(counts)])
    begin, parts = int(two[1]), work.parts
    parts[:, :begin] = chance.integers(0, 5, (7, begin))
    parts[DIFFERENT, :begin] = np.minimum(parts[DIFFERENT, :begin], DIFFERENT_ASKED)
    others, last = np.cumsum([0, *chance.integers(-1, 2, SIZE_ASKED)]), int(chance.integers(0, SIZE_ASKED + 1))
    given = parts.copy()
    end = put_together(one, two, begin, others, last, WANTED, work)
    pairs = [(i, j) for i in range(*one) for j in range(*two)]
    assert work.looks[0] == len(pairs)
    useful = {}
    for i, j in pairs:
        its = given[:, i] + given[:, j]
        missing = SIZE_ASKED - its[SIZE]
        if 0 <= missing <= last and its[LIFTED] + others[missing] > KNOWN and its[PAID] <= ROOM:
            useful[i, j] = (its[SIZE], min(DIFFERENT_ASKED, its[DIFFERENT]), its[PAID], its[GAIN])
    found = {}
    for place in range(begin, end):
        i, j = int(parts[LEFT, place]), int(parts[RIGHT, place])
        found[i, j] = tuple(parts[[SIZE, DIFFERENT, PAID, GAIN], place])
        assert found[i, j] == useful[i, j]
        assert parts[LIFTED, place] == given[LIFTED, i] + given[LIFTED, j]
    assert len(found) == end - begin
    for size, kinds, paid, gain in useful.values():
        assert any(its[:2] == (size, kinds) and its[2] <= paid and its[3] >= gain for its in found.values())
    for pair, (size, kinds, paid, gain) in found.items():
        as_good = [its for key, its in found.items() if key != pair and its[:2] == (size, kinds) and its[3] == gain]
        assert not any(its[2] <= paid for its in as_good)


def test_where_there_is_no_room_there_is_no_end() -> None:
    for parts, pairs, end in ((100, 3, -1), (7, 9, -1), (8, 4, 8)):
        work = room(parts, pairs)
        work.parts[:, :4] = np.array(
            [[1, 1, 1, 2], [1, 1, 1, 1], [0, 1, 0, 1], [1, 2, 1, 2], [9, 9, 9, 9], [0] * 4, [0] * 4]
        )
        one, two = np.array([0, 2]), np.array([2, 4])
        assert put_together(one, two, 4, np.zeros(9, np.int64), 5, Wanted(5, 2, 9, 0), work) == end


@each("seed", range(30))
def test_the_best_others_are_the_best_rows_of_values_outside(seed: int) -> None:
    chance = np.random.default_rng(seed)
    count, size = chance.integers(0, 9, 2).tolist()
    gain, value = chance.integers(-4, 5, count), chance.integers(0, 5, count)
    first, last = sorted(chance.integers(0, 6, 2).tolist())
    others = np.full(count + 1, 99)
    found = best_others(gain, value, np.argsort(-gain), first, last, size, others)
    outside = sorted(
        (g for g, v in zip(gain.tolist(), value.tolist(), strict=True) if not first <= v < last), reverse=True
    )
    assert found == min(size, len(outside))
    assert others[: found + 1].tolist() == [sum(outside[:some]) for some in range(found + 1)]
