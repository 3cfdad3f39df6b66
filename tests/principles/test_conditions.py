"""Conditions: the least size that whole rows allow under closeness on a tree."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima import Numeric, Table, TCloseness
from anoptima.principles import AtMostShare, CloseOnTree
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


@pytest.mark.parametrize("share", [2 / 3, "2/3"])
def test_a_share_is_exact(share: Any) -> None:
    with pytest.raises(ao.BadInput, match=r"the share of a condition is .*; it must be"):
        AtMostShare("ill", share)
