"""Recursive diversity by levels, and entropy by values alike: two checkers and the engine say the same of the same records."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.proofs import check_anoptima
from anoptima.proofs.entropy import more_or_alike
from anoptima.proofs.group_pricing import distinct
from anoptima.proofs.outweighed import OutweighedMost
from anoptima.proofs.views import ROOM, View
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.kernels.outweighed import best_outweighed, is_outweighed
from anoptima.solvers.exact.sifting.kernels.pricing import price_all
from anoptima.solvers.exact.sifting.kernels.rows import Rows, Tallies
from anoptima.solvers.exact.sifting.rules.entropy import Entropy
from tests.loops import each
from tests.sizing import asked

FACTORS = ["1", "2", "1/2", "3/2", "2/3", "5", "3", "4/3"]


def pricing_of(c: Fraction, first: int, total: list[int]) -> Any:
    """Return how the file prices groups of records with these counts of values."""
    condition = object.__new__(check_anoptima.Recursive)
    condition.c, condition.first, condition.total = c, first, total
    condition.shares, condition.least_rows = False, first + int(1 / c)
    condition.l = Fraction(condition.least_rows)
    return condition


@each("seed", range(asked(300, 3000)))
def test_file_package_and_engine_find_the_same(seed: int) -> None:
    chance = random.Random(seed)
    values, records = chance.randint(3, 6), chance.randint(4, 12)
    drawn = ((chance.randint(-9, 9), chance.randint(1, 7), chance.randrange(values)) for _ in range(records))
    lots = sorted(drawn, key=lambda lot: -lot[0])
    c, first, least = Fraction(chance.choice(FACTORS)), chance.choice((3, 4)), chance.randint(1, 14)
    a, b = c.as_integer_ratio()
    different = first + int(1 / c)
    gain, copies, value = (np.array(numbers, dtype=np.int64) for numbers in zip(*lots, strict=True))
    pricing = pricing_of(c, first, np.bincount(value, copies, values).astype(int).tolist())
    view = View(np.zeros(records, dtype=np.int64), gain, copies, value, 1)
    ours = OutweighedMost(a, b, first, different)
    wanted = pricing.smallest(lots, least)
    assert ours.smallest(view, np.array([least])).tolist() == [wanted]
    if not wanted:
        return
    rows, taken = Rows(gain, copies, value, records), np.zeros(records)
    have, got, best, limited = (np.full(values, number) for number in (0, 0, 0, 1))
    tallies = Tallies(have, got, best, np.zeros(values, dtype=np.bool_), limited)
    found = best_outweighed(rows, wanted, a, b, first, different, tallies, taken)
    assert pricing.price(lots, wanted, -math.inf) == ours.price(view, np.array([wanted]))[0] == found
    assert is_outweighed(rows, taken, a, b, first, tallies)
    assert taken.sum() >= wanted
    assert gain @ taken == found


@each("seed", range(asked(200, 2000)))
def test_they_find_the_same_under_entropy(seed: int) -> None:
    chance = random.Random(seed)
    values, records, l = chance.randint(2, 5), chance.randint(3, 10), chance.choice((2, 3))  # noqa: E741
    drawn = ((chance.randint(-9, 9), chance.randint(1, 5), chance.randrange(values)) for _ in range(records))
    lots = sorted(drawn, key=lambda lot: -lot[0])
    gain, copies, value = (np.array(numbers, dtype=np.int64) for numbers in zip(*lots, strict=True))
    least = chance.randint(l, 9)
    condition = object.__new__(check_anoptima.Entropy)
    condition.asked = condition.l = Fraction(l)
    condition.least_rows = l
    condition.total = np.bincount(value, copies, values).astype(int).tolist()
    if not condition.smallest(lots, least):
        return
    view = View(np.zeros(records, dtype=np.int64), gain, copies, value, 1)
    found = condition.price(lots, least, -math.inf)
    ours = int(more_or_alike(l, distinct)(view, np.array([least]))[0])
    assert ours == (found if found > -math.inf else -ROOM)
    rule = Entropy("s", value.astype(np.int32), values, l, float(l), True)
    arcs = Arcs(
        np.array([0, records]),
        np.arange(records, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
        copies,
        np.array([least]),
    )
    for is_plain in (True, False):
        prices, taken = price_all(rule, arcs, gain, everything=True, plain=is_plain)
        assert prices.tolist() == [0 if found == -math.inf else found]
        assert gain @ taken == prices[0]
        had = np.bincount(value, taken, values).astype(int)
        assert not taken.any() or (had > 0).sum() > l or len(set(had[had > 0].tolist())) == 1
