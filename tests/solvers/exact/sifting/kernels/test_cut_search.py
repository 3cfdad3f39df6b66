"""The terms of cuts: compiled or not, no choice of records gives more than the best prefix where all records are single."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.sifting.kernels.cut_search import best_term
from tests.loops import each

KINDS = pytest.mark.parametrize("made", [lambda loop: loop, compiled], ids=["plain", "compiled"])


def rounded(amount: int, divisor: int, rest: int) -> Fraction:
    """F(a) of the rounding, as it is defined."""
    whole, left = divmod(amount, divisor)
    return whole + Fraction(max(0, left - rest), divisor - rest)


def worth_by_trying(
    x: list[Fraction], y: Fraction, copies: list[int], k: int, d: int, rest: int, inside: Any
) -> Fraction:
    """What the best term gives, of those for every subset of the pattern's records."""
    best, everyone = Fraction(0), range(len(x))
    own = [i for i in everyone if inside[i]]
    others = [i for i in everyone if not inside[i]]
    for size in range(len(own) + 1):
        for chosen in itertools.combinations(own, size):
            amount = sum(copies[i] for i in chosen)
            lacking = sum((copies[i] * y - x[i] for i in chosen), Fraction(0))
            best = max(best, rounded(amount, d, rest) * y - lacking / (d - rest))
    for size in range(len(others) + 1):
        for chosen in itertools.combinations(others, size):
            amount = max(0, k - sum(copies[i] for i in chosen))
            spilled = sum((x[i] for i in others if i not in chosen), Fraction(0))
            best = max(best, rounded(amount, d, rest) * y - spilled / (d - rest))
    return best


@KINDS
@each("seed", range(120))
def test_the_best_term_of_a_pattern_is_the_best_of_all(made: Any, seed: int) -> None:
    chance = np.random.default_rng(seed)
    count, k = int(chance.integers(1, 6)), int(chance.integers(2, 5))
    d = int(chance.integers(2, k + 1))
    rest = int(chance.integers(1, d))
    are_single = seed % 2 == 0
    copies = np.ones(count, np.int64) if are_single else chance.integers(1, 4, count)
    y = Fraction(int(chance.integers(1, 9)), 8)
    x = [Fraction(int(chance.integers(0, 8 * s + 1)), 8) * y for s in copies.tolist()]
    order = sorted(range(count), key=lambda i: -x[i] / int(copies[i]))
    x, copies = [x[i] for i in order], copies[order]
    inside = chance.random(count) < 0.5
    value, kind, length = made(best_term)(
        0, count, np.arange(count), np.array(x, dtype=float), float(y), copies, k, d, rest, inside
    )
    best = worth_by_trying(x, y, copies.tolist(), k, d, rest, inside)
    assert value <= float(best) + 1e-9
    if are_single:
        assert value == pytest.approx(float(best))
    assert 0 <= length <= count
    assert (kind == 0) == (value == 0)


@KINDS
@each("seed", range(120))
def test_the_term_that_is_named_is_worth_what_is_said_and_no_prefix_is_worth_more(made: Any, seed: int) -> None:
    """Also where the divisor divides the rows of the set, and where the pattern's records are some of many."""
    chance = np.random.default_rng(seed)
    count, k, before = int(chance.integers(1, 7)), int(chance.integers(2, 6)), int(chance.integers(0, 4))
    d = int(chance.integers(2, k + 1))
    rest = int(chance.integers(0, d))
    copies, inside = chance.integers(1, 4, count + before), chance.random(count + before) < 0.5
    record, y = chance.permutation(count + before), Fraction(int(chance.integers(1, 9)), 8)
    x = [Fraction(int(chance.integers(0, 8 * s + 1)), 8) * y for s in copies[record].tolist()]
    own = range(before, before + count)
    values: dict[tuple[int, int], Fraction] = {}
    for kind in (1, 2):
        places = [a for a in own if inside[record[a]] == (kind == 1)]
        for length in range(len(places) + 1):
            named, others = places[:length], places[length:]
            rows = sum(int(copies[record[a]]) for a in named)
            error = sum((int(copies[record[a]]) * y - x[a] for a in named), Fraction(0))
            if kind == 2:
                rows, error = k - rows, sum((x[a] for a in others), Fraction(0))
            if rows > 0:
                values[kind, length] = rounded(rows, d, rest) * y - error / (d - rest)
    numbers = np.array(x, dtype=float)
    found, kind, length = made(best_term)(before, before + count, record, numbers, float(y), copies, k, d, rest, inside)
    assert found == pytest.approx(max(0.0, *map(float, values.values())))
    assert found == pytest.approx(float(values[kind, length]) if kind else 0)
