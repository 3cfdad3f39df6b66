"""Whole rows under equal closeness, at one size: what is best at a price of common slots is the best of all groups."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.kernels.rows import Rows
from anoptima.solvers.exact.sifting.kernels.whole_rows import Asked, Room, best_rows, room_for, split_rows
from tests.loops import each

SEEDS = range(120)
TYPES = pytest.mark.parametrize("kind", [np.int64, np.float64], ids=["whole", "real"])


class Drawn:
    """Records by falling gain, closeness to some counts of values, a size, and every choice of so many rows."""

    def __init__(self, seed: int, kind: Any) -> None:
        chance = np.random.default_rng(seed)
        count, self.values = int(chance.integers(1, 7)), int(chance.integers(1, 4))
        gain = np.sort(chance.integers(-4, 9, count))[::-1].astype(kind)
        self.copies, self.value = chance.integers(1, 4, count), chance.integers(0, self.values, count)
        self.rows = Rows(gain, self.copies, self.value, count)
        whole = chance.integers(1, 4, self.values)
        self.n = int(whole.sum())
        self.asked = Asked(whole, int(chance.integers(0, 4)), 4, self.n)
        self.size = int(chance.integers(1, self.copies.sum() + 1))
        self.own, self.part = self.size * whole // self.n, self.n - self.size * whole % self.n
        choices = np.array([*product(*(range(s + 1) for s in self.copies))], dtype=np.int64)
        self.groups = choices[choices.sum(axis=1) == self.size]
        self.gains = self.groups @ gain
        one = np.eye(self.values, dtype=np.int64)[self.value]
        self.counts = self.groups @ one
        self.taken = np.zeros(count)
        self.room: Room = room_for(self.values, count, self.taken)

    @property
    def slots(self) -> NDArray[np.int64]:
        """What each group takes of common slots, value by value."""
        over = self.counts - self.own
        return np.where(over > 0, self.part + (over - 1) * self.n, 0)

    @property
    def is_legal(self) -> NDArray[np.bool_]:
        excess = np.maximum(0, self.n * self.counts - self.size * self.asked.whole).sum(axis=1)
        legal: NDArray[np.bool_] = self.asked.d * excess <= self.asked.c * self.n * self.size
        return legal

    def is_in(self, side: NDArray[np.int64]) -> NDArray[np.bool_]:
        over = self.counts > self.own
        fits: NDArray[np.bool_] = ((over | (side <= 0)) & (~over | (side >= 0))).all(axis=1)
        return fits


def sides_of(drawn: Drawn) -> list[NDArray[np.int64]]:
    return [np.array(side) for side in product((-1, 0, 1), repeat=drawn.values)]


@TYPES
@each("seed", SEEDS)
def test_the_best_rows_at_a_price_of_slots_are_those_of_all_groups(seed: int, kind: Any) -> None:
    drawn, chance = Drawn(seed, kind), np.random.default_rng(seed)
    for side in sides_of(drawn):
        inside = drawn.is_in(side)
        used, bound, fits = split_rows(drawn.rows, drawn.size, drawn.asked, side, drawn.room)
        assert fits == inside.any()
        assert bound == drawn.part[side > 0].sum()
        for price in chance.integers(0, 12, 3).astype(kind) if fits else []:
            drawn.taken[:] = 0
            gain, slots = best_rows(drawn.rows, drawn.size, price, drawn.n, used, drawn.room, 0.5, 0)
            free = drawn.slots.sum(axis=1) - bound
            worth = drawn.n * drawn.gains - price * free
            best = inside & (worth == worth[inside].max())
            assert drawn.n * gain - price * slots == worth[inside].max()
            assert slots == free[best].min()
            assert (drawn.groups[best & (free == slots)] == 2 * drawn.taken).all(axis=1).any()


@each("seed", SEEDS[:40])
def test_what_is_marked_are_values_that_are_just_over(seed: int) -> None:
    drawn = Drawn(seed, np.int64)
    used, _, fits = split_rows(drawn.rows, drawn.size, drawn.asked, np.zeros(drawn.values, np.int64), drawn.room)
    assert fits
    drawn.taken[:] = 0
    best_rows(drawn.rows, drawn.size, 0, drawn.n, used, drawn.room, 1.0, 4)
    counts = np.bincount(drawn.value, drawn.taken, drawn.values)
    assert drawn.room.marks.tolist() == (4 * (counts > drawn.own)).tolist()
