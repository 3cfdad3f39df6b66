"""The terms of cuts: compiled or not, no choice of records gives more than the best prefix where all records are single."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.bound import separation
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.kernels import cut_search
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


def never() -> bool:
    return False


def uncompiled(loop: Any) -> Any:
    return getattr(loop, "py_func", loop)


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


@pytest.mark.parametrize("loop", [cut_search.best_term, uncompiled(cut_search.best_term)], ids=["here", "plain"])
@each("seed", range(120))
def test_the_best_term_of_a_pattern_is_the_best_of_all(loop: Any, seed: int) -> None:
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
    value, kind, length = loop(
        0, count, np.arange(count), np.array(x, dtype=float), float(y), copies, k, d, rest, inside
    )
    best = worth_by_trying(x, y, copies.tolist(), k, d, rest, inside)
    assert value <= float(best) + 1e-9
    if are_single:
        assert value == pytest.approx(float(best))
    assert 0 <= length <= count
    assert (kind == 0) == (value == 0)


@each("seed", range(20))
def test_cuts_keep_to_the_records_they_may_have_and_end_when_it_is_over(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed + 500, rows=9))
    catalogue = Catalogue(arcs)
    core = Core(catalogue, never)
    core.add_arcs(np.arange(len(arcs.member)))
    relaxed = core.solve()
    assert relaxed is not None
    among = np.arange(len(arcs.copies)) % 2 == 0
    support = separation.Support(catalogue, relaxed.x, relaxed.y)
    for row in separation.violated(support, np.random.default_rng(0), never, among=among):
        assert among[list(row.cut.records)].all()
        assert row.slack(relaxed.x, relaxed.y) < 0
    assert not separation.violated(support, np.random.default_rng(0), lambda: True)
    assert len(separation.violated(support, np.random.default_rng(0), never, most=1)) <= arcs.k
