"""The best group of whole rows along edges is that of all groups, with copies; without room for its parts, no group is worth more."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.sifting.kernels import by_value
from anoptima.solvers.exact.sifting.kernels.by_value import Asked, Bench, bench, best_by_value
from anoptima.solvers.exact.sifting.kernels.tree import Edges
from tests.loops import each

KINDS = pytest.mark.parametrize("made", [lambda loop: loop, compiled], ids=["plain", "compiled"])
EDGES: tuple[list[tuple[int, int]], ...] = (
    [],
    [(0, 1), (1, 2), (2, 3)],
    [(0, 1), (0, 2), (0, 3)],
    [(0, 2), (2, 4)],
    [(1, 2), (1, 3), (0, 3), (3, 4)],
)
"""Where values below edges begin and end, inner ones first: no edge, stars, a path, and trees of two levels."""
VALUES, NOTHING, LARGE = 4, -(2**50), 2**40


def room(parts: int = 2000, pairs: int = 9000) -> Bench:
    order, spare = np.empty((2, pairs), np.int64)
    return Bench(np.empty((7, parts), np.int64), np.empty((3, pairs), np.int64), order, spare, np.zeros(1, np.int64))


class Drawn:
    """Records with gains, copies and values, what is asked of groups, and all groups that satisfy it."""

    def __init__(self, seed: int, unit: int = 1) -> None:
        chance = np.random.default_rng(seed)
        count, n = int(chance.integers(0, 6)), int(chance.integers(4, 9))
        self.gain, self.copies = chance.integers(-5, 6, count) * unit, chance.integers(1, 4, count)
        self.place = chance.integers(0, VALUES, count)
        ends = np.array(EDGES[seed % len(EDGES)], dtype=np.int64).reshape(-1, 2)
        held = chance.multinomial(n, np.full(VALUES, 1 / VALUES))
        below = np.array([held[first:last].sum() for first, last in ends], dtype=np.int64)
        self.edges = Edges(ends[:, 0].copy(), ends[:, 1].copy(), chance.integers(1, 3, len(ends)), below)
        sizes = np.arange(int(self.copies.sum()) + n + 1)
        limit, share = int(chance.integers(1, 2 * n)), int(chance.integers(1, 4))
        self.asked = Asked(n, int(chance.integers(0, 4)), limit * sizes, -(-share * sizes // 3))
        self.least = int(chance.integers(1, 4))
        self.most = self.least + int(chance.integers(0, 9))
        groups = np.array([*product(*(range(s + 1) for s in self.copies))], dtype=np.int64)
        self.groups = groups[np.array([self.holds(group) for group in groups])]
        self.gains = self.groups @ self.gain
        self.lift = chance.integers(-2, 3, VALUES) * unit
        lifts = self.groups @ self.lift[self.place]
        self.lift -= min(0, int((lifts // np.maximum(1, self.groups.sum(axis=1))).min(initial=0)))

    def holds(self, group: NDArray[np.int64]) -> bool:
        size = int(group.sum())
        counts = np.bincount(self.place, group, VALUES).astype(np.int64)
        ends = zip(self.edges.first, self.edges.last, strict=True)
        sums = np.array([counts[first:last].sum() for first, last in ends], dtype=np.int64)
        paid = self.edges.length @ np.abs(self.asked.rows * sums - size * self.edges.below)
        is_diverse = (counts > 0).sum() >= self.asked.different and counts.max() <= self.asked.most[size]
        return bool(self.least <= size <= self.most and is_diverse and paid <= self.asked.room[size])

    def best(self, loop: Any, known: int, work: Bench) -> tuple[int, NDArray[np.int64]]:
        taken = np.zeros(len(self.gain), np.int64)
        sizes = self.least, self.most, known
        return int(
            loop(self.gain, self.copies, self.place, self.lift, *sizes, self.edges, self.asked, work, taken)
        ), taken


@KINDS
@pytest.mark.parametrize("unit", [1, LARGE])
@each("seed", range(200))
def test_the_best_group_is_that_of_all_groups(made: Any, unit: int, seed: int) -> None:
    drawn, work = Drawn(seed, unit), room()
    best = int(drawn.gains.max(initial=NOTHING))
    for known in (NOTHING, best - 1, best, best + 1):
        found, taken = drawn.best(made(best_by_value), known, work)
        assert found == max([known, *drawn.gains])
        assert taken.any() == (known < best and len(drawn.groups) > 0)
        assert not taken.any() or ((drawn.groups == taken).all(axis=1) & (drawn.gains == best)).any()


@pytest.mark.parametrize("limit", ["parts", "pairs", "looks"])
@each("most", [2, 4, 8])
def test_without_room_no_group_gains_more_than_is_promised(
    limit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best rows promise what they gain with what their values gain more."""
    monkeypatch.setattr(by_value, "MOST_LOOKS", most if limit == "looks" else by_value.MOST_LOOKS)
    drawn_ones = [Drawn(seed) for seed in range(60)]
    are_short = 0
    for drawn in drawn_ones:
        found, _ = drawn.best(best_by_value, NOTHING, room(**{limit: most} if limit != "looks" else {}))
        rows = np.sort(np.repeat(drawn.gain + drawn.lift[drawn.place], drawn.copies))[::-1]
        promised = [int(rows[:size].sum()) for size in range(drawn.least, min(drawn.most, len(rows)) + 1)]
        best = max([NOTHING, *drawn.gains])
        assert best <= found <= max([NOTHING, *promised])
        are_short += found > best
    assert are_short > 0


def test_a_bench_has_room_for_all_that_may_be_looked_at() -> None:
    found = bench()
    assert found.parts.shape == (7, by_value.MOST_PARTS)
    assert found.pairs.shape == (3, by_value.MOST_PAIRS)
    assert len(found.order) == len(found.spare) == by_value.MOST_PAIRS
    assert found.looks.tolist() == [0]
