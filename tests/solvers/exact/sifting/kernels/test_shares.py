"""The best group with limited shares, by bisection, held against every group."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.kernels.shares import (
    best_frequency,
    fill_capped,
    frequency_may_gain,
)
from anoptima.solvers.exact.sifting.rules.shares import Shares
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting import witnesses
from tests.solvers.exact.sifting.one_pattern import Lots, drawn, priced

SEEDS = range(asked(300, 3000))
PARTS = [(2, 1), (3, 1), (3, 2), (5, 2), (5, 3), (7, 4), (6, 1)]
"""The a and b of l = a / b."""
NONE, ALL = np.zeros(4, dtype=np.bool_), np.ones(4, dtype=np.bool_)


def lots_of(seed: int) -> Lots:
    """Few copies of many records, or many of few."""
    return drawn(seed, values=4, records=7, most=2) if seed % 2 else drawn(seed, values=4, records=4, most=7)


def case_of(seed: int) -> tuple[int, int, int, NDArray[np.bool_]]:
    """A least size, the terms of l, and which values are limited: all of them in one case of two."""
    chance = np.random.default_rng(seed)
    limited = ALL if chance.random() < 1 / 2 else chance.integers(0, 2, 4).astype(bool)
    return int(chance.integers(0, 9)), *PARTS[seed % len(PARTS)], limited


def best_of_all(lots: Lots, least: int, a: int, b: int, limited: NDArray[np.bool_]) -> int | None:
    """What the best legal group gains, of one row at least; None if there is none."""
    sizes, most = lots.counts.sum(axis=1), np.where(limited, lots.counts, 0).max(axis=1)
    legal = (a * most <= b * sizes) & (sizes >= max(1, least))
    return int(lots.gains[legal].max()) if legal.any() else None


def require_legal(lots: Lots, taken: NDArray[Any], least: int, a: int, b: int, limited: NDArray[np.bool_]) -> None:
    counts = lots.counts_of(taken[None])[0]
    assert ((taken >= 0) & (taken <= lots.copies)).all()
    assert a * counts[limited].max(initial=0) <= b * counts.sum()
    assert counts.sum() >= max(1, least)


@each("seed", SEEDS)
def test_the_best_group_is_that_of_all_groups(seed: int) -> None:
    lots, case = lots_of(seed), case_of(seed)
    best, taken = best_of_all(lots, *case), np.full(len(lots.gain), 9.0)
    least, a, b, limited = case
    tallies = lots.tallies._replace(limited=limited)
    found = best_frequency(lots.rows, least, a, b, tallies, taken)
    assert found == (0 if best is None else best) == taken @ lots.gain
    assert not tallies.seen.any()
    if best is None:
        assert not taken.any()
    else:
        require_legal(lots, taken, *case)


@pytest.mark.parametrize("is_plain", [False, True])
@each("seed", SEEDS)
def test_patterns_are_priced_so_whether_compiled_or_not(seed: int, is_plain: bool) -> None:
    lots, (least, a, b, limited) = lots_of(seed), case_of(seed)
    rule = Shares("s", lots.value.astype(np.int32), 4, Fraction(b, a), a, b, limited, NONE)
    best = best_of_all(lots, least, a, b, limited)
    found, taken = priced(rule, lots, least, plain=is_plain)
    assert found == (0 if best is None else best) == taken @ lots.gain
    # Where nothing may gain the search is spared, and where something does it is not.
    assert priced(rule, lots, least, plain=is_plain, everything=False)[0] == max(0, best or 0)


@each("seed", SEEDS)
def test_at_a_cap_no_group_is_better_than_the_one_that_is_filled(seed: int) -> None:
    lots, (_, _, _, limited) = lots_of(seed), case_of(seed)
    chance, sizes = np.random.default_rng(seed), lots.counts.sum(axis=1)
    cap, wanted = int(chance.integers(0, 5)), int(chance.integers(0, 8))
    legal = (lots.counts[:, limited] <= cap).all(axis=1) & (sizes >= wanted)
    got, taken = np.full(4, 9), np.zeros(len(lots.gain))
    found = fill_capped(lots.rows, cap, wanted, lots.tallies._replace(got=got, limited=limited), taken)
    assert found == taken @ lots.gain
    counts = lots.counts_of(taken[None])[0]
    assert (got == counts)[lots.value].all()
    assert (counts[limited] <= cap).all()
    if legal.any():
        assert found == lots.gains[legal].max()
        assert counts.sum() >= wanted


@each("seed", SEEDS)
def test_a_group_may_gain_if_one_of_enough_copies_does(seed: int) -> None:
    """Records need no order: here they come by rising gain."""
    lots, (_, a, b, limited) = drawn(seed, values=4, records=4), case_of(seed)
    many = Lots(lots.gain[::-1].copy(), np.full(len(lots.gain), a), lots.value[::-1].copy(), 4)
    best, tallies = best_of_all(many, 1, a, b, limited), many.tallies._replace(limited=limited)
    said = frequency_may_gain(many.value, many.gain, len(many.gain), a, b, tallies)
    assert said == (best is not None and best > 0)
    assert not tallies.seen.any()


@each("seed", range(24))
def test_what_may_gain_is_what_some_group_of_enough_copies_gains(seed: int) -> None:
    """With any number of copies of each record, the test is exact."""
    chance = np.random.default_rng(seed)
    count, values = int(chance.integers(1, 6)), 3
    gain, value = chance.integers(-4, 5, count), chance.integers(0, values, count)
    limited = chance.integers(0, 2, values)
    a, b = int(chance.integers(2, 5)), 1
    tallies = Lots(gain, gain, value, values).tallies._replace(limited=limited)
    said = frequency_may_gain(value, gain, count, a, b, tallies)
    rule = Shares("s", value.astype(np.int32), values, Fraction(b, a), a, b, limited.astype(bool), limited.astype(bool))
    order = np.argsort(-gain, kind="stable")
    many = np.full(count, 4 * a)
    best, _ = witnesses.price_shares(rule, gain[order], many, value[order].astype(np.int32), 1)
    assert said == (best > 0)
