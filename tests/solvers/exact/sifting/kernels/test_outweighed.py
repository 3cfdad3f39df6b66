"""The best group whose most frequent value is outweighed, level by level, held against every group."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anoptima.principles import Outweighed
from anoptima.solvers.exact.sifting.kernels.outweighed import best_outweighed, fill_levels, is_outweighed
from anoptima.solvers.exact.sifting.rules.outweighed import OutweighedMost
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.one_pattern import Lots, drawn, priced

SEEDS = range(asked(300, 3000))
CASES = [(a, b, first) for a, b in ((2, 1), (1, 1), (3, 2), (1, 2), (5, 1), (1, 0)) for first in (3, 4)]


def lots_of(seed: int) -> Lots:
    """Few copies of many records, or many of few."""
    return drawn(seed, values=5, records=7, most=2) if seed % 2 else drawn(seed, values=5, records=5, most=6)


def case_of(seed: int) -> tuple[int, int, int, int]:
    """A least size, the terms of c, which are 1 and 0 where it has no limit, and the number of the first value that outweighs."""
    return int(np.random.default_rng(seed).integers(1, 9)), *CASES[seed % len(CASES)]


def legal_groups(lots: Lots, least: int, a: int, b: int, first: int) -> Any:
    falling = -np.sort(-lots.counts, axis=1)
    return (b * falling[:, 0] < a * falling[:, first - 1 :].sum(axis=1)) & (lots.counts.sum(axis=1) >= least)


@each("seed", SEEDS)
def test_the_best_group_is_that_of_all_groups(seed: int) -> None:
    lots, (least, a, b, first) = lots_of(seed), case_of(seed)
    legal = legal_groups(lots, least, a, b, first)
    different = first if b == 0 else first + b // a
    tallies, taken = lots.tallies, np.zeros(len(lots.gain))
    found = best_outweighed(lots.rows, least, a, b, first, different, tallies, taken)
    assert found == lots.gains[legal].max(initial=-100) if legal.any() else found == 0
    assert found == taken @ lots.gain
    assert taken.any() == legal.any()
    assert not legal.any() or (lots.groups[legal] == taken).all(axis=1).any()
    assert not tallies.seen.any()


@pytest.mark.parametrize("is_plain", [False, True])
@each("seed", SEEDS)
def test_patterns_are_priced_so_whether_compiled_or_not(seed: int, is_plain: bool) -> None:
    lots, (least, a, b, first) = lots_of(seed), case_of(seed)
    different = first if b == 0 else first + b // a
    factor = Fraction(a, b) if b else Fraction(10**6)
    rule = OutweighedMost("s", lots.value.astype(np.int32), lots.values, factor, a, b, first, different)
    legal = legal_groups(lots, least, a, b, first)
    best = lots.gains[legal].max(initial=-100) if legal.any() else 0
    found, taken = priced(rule, lots, least, plain=is_plain)
    assert found == best == taken @ lots.gain
    assert taken.any() == legal.any()
    assert priced(rule, lots, least, plain=is_plain, everything=False)[0] == max(0, best)


@each("seed", SEEDS)
def test_every_group_is_outweighed_that_satisfies_the_condition(seed: int) -> None:
    lots, (_, a, b, first) = lots_of(seed), case_of(seed)
    if b == 0:
        return
    condition, tallies = Outweighed("s", Fraction(a, b), first), lots.tallies
    for group, counts in zip(lots.groups[::7], lots.counts[::7], strict=True):
        assert is_outweighed(lots.rows, group, a, b, first, tallies) == condition.holds(counts.tolist())
        assert not tallies.seen.any()


@each("seed", SEEDS)
def test_a_level_and_a_cap_are_filled_with_the_best_rows(seed: int) -> None:
    lots, chance = lots_of(seed), np.random.default_rng(seed)
    cap, wanted, wanted_low = (int(chance.integers(low, high)) for low, high in ((1, 5), (0, 8), (0, 6)))
    level = int(chance.integers(1, cap + 1))
    up_to = np.minimum(lots.counts, level).sum(axis=1)
    sizes = lots.counts.sum(axis=1)
    legal = (lots.counts <= cap).all(axis=1) & (up_to >= wanted_low) & (sizes >= wanted)
    got, taken = lots.tallies.got, np.zeros(len(lots.gain))
    found = fill_levels(lots.rows, cap, level, wanted_low, wanted, got, taken)
    assert found == taken @ lots.gain
    assert got.tolist() == lots.counts_of(taken[None])[0].tolist()
    if legal.any():
        assert found == lots.gains[legal].max()
        assert (lots.groups[legal] == taken).all(axis=1).any()
