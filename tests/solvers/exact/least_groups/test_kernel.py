"""The loop that finds groups that gain: against all groups, plain and compiled; and what it says where it is cut short."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import anoptima as ao
from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.least_groups import pricing as room
from anoptima.solvers.exact.least_groups.pricing import Found, Pricing
from anoptima.table import Counts
from tests.loops import each
from tests.solvers.exact.least_groups.tables import pricing_of, wide

PRINCIPLES = (ao.KAnonymity(2), ao.KAnonymity(3), ao.KAnonymity(4), ao.LDiversity(2), ao.LDiversity(3))
PLAIN = pytest.mark.parametrize("plain", [True, False], ids=["plain", "compiled"])


def searched(pricing: Pricing, worth: Counts, d: int, most: int, *, plain: bool) -> Found:
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(room, "fastest", (lambda loop: loop) if plain else compiled)
        return pricing.best_groups(np.arange(len(worth)), worth, d, most)


def all_gains(pricing: Pricing, order: Counts, worth: Counts, d: int) -> list[int]:
    """Return the largest gain of each row with later ones, or 0."""
    found = []
    for at, first in enumerate(order.tolist()):
        groups = [
            [first, *others]
            for others in itertools.combinations(order[at + 1 :].tolist(), pricing.k - 1)
            if len({int(kind) for kind in pricing.kinds[[first, *others]]}) == pricing.k
        ]
        costs = pricing.costs(np.array(groups, dtype=np.int64).reshape(-1, pricing.k))
        gains = [int(worth[group].sum()) - d * int(cost) for group, cost in zip(groups, costs, strict=True)]
        found.append(max([0, *gains]))
    return found


@each("seed", range(25))
def test_the_best_gain_of_each_row_is_found_plain_and_compiled(seed: int) -> None:
    problem = wide(seed, 11, 9 if seed % 3 else 70, PRINCIPLES[seed % 5], weighted=seed % 2 == 1)
    pricing, chance, d = pricing_of(problem), np.random.default_rng(seed), 1 + seed % 3
    dear = int(pricing.apart(0).max())
    for share in (0.3, 0.6, 1.0, 1.6):
        worth = chance.integers(-1, max(1, int(share * d * dear)) + 1, 11)
        plain, quick = (searched(pricing, worth, d, 1 << 30, plain=plain) for plain in (True, False))
        assert plain.gain.tolist() == all_gains(pricing, plain.order, worth, d)
        assert (quick.gain == plain.gain).all()
        assert (quick.group == plain.group).all()
        for at in range(11):
            made = plain.group[at][plain.group[at, :, 0] >= 0]
            gains = worth[made].sum(axis=1) - d * pricing.costs(made)
            assert (gains > 0).all()
            assert gains.max(initial=0) == plain.gain[at]


def test_plain_loops_count_beyond_32_bits_too() -> None:
    """Of 200 columns, or of heavy ones, costs in small parts are larger; NumPy warns of an overflow, and warnings are errors here."""
    pricing, d = pricing_of(wide(2, 12, 200, ao.KAnonymity(3))), 5_040_000
    worth = np.full(12, 150 * d)
    plain = searched(pricing, worth, d, 1 << 20, plain=True)
    assert plain.gain.tolist() == all_gains(pricing, plain.order, worth, d)


@PLAIN
def test_cut_short_it_says_what_could_be_gained_at_most(plain: bool) -> None:
    pricing = pricing_of(wide(1, 14, 12, ao.KAnonymity(4)))
    worth = np.random.default_rng(1).integers(5, 14, 14)
    unfinished = 0
    for most in (1, 3, 10, 30):
        found = searched(pricing, worth, 1, most, plain=plain)
        true = all_gains(pricing, found.order, worth, 1)
        for gain, expected in zip(found.gain.tolist(), true, strict=True):
            assert gain == expected or (gain <= 0 and -gain >= expected)
        unfinished += int((found.gain < 0).sum())
        assert max(true) > 0
    assert unfinished
