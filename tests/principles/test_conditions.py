"""Conditions: the least size that whole rows allow under closeness on a tree, and the entropy of large groups."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import prod

import numpy as np
import pandas as pd
import pytest

from anoptima import Numeric, Table, TCloseness
from anoptima.principles import AtLeastEntropy, CloseOnTree, conditions
from tests.cases import seeded
from tests.loops import each


def close_on(ages: list[int], t: Fraction) -> CloseOnTree:
    table = Table.from_frame(pd.DataFrame({"zip": 1, "age": ages}), ["zip"], "age")
    [condition] = TCloseness(t, space=Numeric()).conditions(table)
    assert isinstance(condition, CloseOnTree)
    return condition


def apart(condition: CloseOnTree, size: int) -> Fraction:
    """Return how far so many rows are from the table at least, from the definition."""
    rows = sum(condition.whole)
    below = condition.sides.astype(object) @ list(condition.whole)
    rests = (Fraction(size * int(held), rows) for held in below)
    return sum(
        length * abs(rest - round(rest)) for length, rest in zip(condition.lengths, rests, strict=True)
    ) + Fraction(0)


@each("seed", range(20))
def test_the_least_size_is_the_first_that_could_be_close(seed: int) -> None:
    chance = seeded(seed)
    # Ages that are far apart have distances with large denominators, which 64 bits do not hold.
    most = chance([5, 90, 10**17])
    ages = [chance(range(most)) for _ in range(chance(range(2, 30)))]
    condition = close_on(ages, Fraction(chance([0, 1, 2, 5]), chance([7, 40, 1000])))
    size = chance(range(1, 80))

    def could_be(rows: int) -> bool:
        return apart(condition, rows) <= condition.limit * condition.scale * rows

    assert [condition.could_be(rows) for rows in range(1, 40)] == [could_be(rows) for rows in range(1, 40)]
    assert condition.least_from(size) == next(rows for rows in count(size) if could_be(rows))


class Edges(list[tuple[int, int]]):
    """The edges of a tree, and how often all were gone through."""

    times = 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        self.times += 1
        return super().__iter__()


def test_sizes_of_a_large_table_are_not_looked_at_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    condition = close_on([1] * 19_997 + [2] * 3, Fraction(0))
    edges = Edges(condition._edges)
    monkeypatch.setitem(vars(condition), "_edges", edges)
    assert condition.least_from(1) == 20_000
    assert edges.times < 40


def has_entropy(counts: list[int], equal: Fraction) -> bool:
    """Decide it from the definition."""
    n = sum(counts)
    return bool(Fraction(n) ** n >= equal**n * prod(count**count for count in counts))


@each("seed", range(20))
def test_large_groups_have_the_entropy_that_powers_say(seed: int) -> None:
    chance = seeded(seed)
    counts = [chance([0, 1, 3, 700, 900, 1_500]) for _ in range(4)] + [2_001]
    n = sum(counts)
    # The entropy itself, to fifteen digits, and something well off.
    itself = float(np.exp(sum(-count / n * np.log(count / n) for count in counts if count)))
    for equal in (Fraction(itself), Fraction(itself) * Fraction(99, 100), Fraction(int(itself) + 1)):
        assert AtLeastEntropy("ill", equal).holds(counts) == has_entropy(counts, equal)


@pytest.mark.parametrize(
    ("counts", "equal", "has_it"),
    [
        ([10**6] * 3, Fraction(3), True),
        ([10**6, 10**6, 10**6 - 1], Fraction(3), False),
        ([10**6, 10**6, 10**6 - 1, 0], Fraction(2_999_999, 1_000_000), True),
        ([10**6, 0], Fraction(1), True),
        # log 4, with half the rows of one value.
        ([4_000, 1_000, 1_000, 1_000, 1_000], Fraction(4), True),
        ([4_000, 1_000, 1_000, 1_000, 999], Fraction(4), False),
    ],
)
def test_powers_are_for_what_is_near_alone(
    counts: list[int], equal: Fraction, has_it: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    powers: list[int] = []

    def power(number: int) -> int:
        powers.append(number)
        return int(number**number)

    monkeypatch.setattr(conditions, "_power", power)
    assert AtLeastEntropy("ill", equal).holds(counts) is has_it
    assert max(powers, default=0) < 10**6
