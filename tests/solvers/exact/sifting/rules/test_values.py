"""Different values: sizes, groups and what is missing, held against every group inside the counts."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from tests.loops import each
from tests.solvers.exact.sifting.one_pattern import drawn, priced


def rule_for(different: int, values: int = 4) -> DifferentValues:
    return DifferentValues("s", np.zeros(1, dtype=np.int32), values, different)


@each("seed", range(60))
def test_the_least_size_and_the_largest_group_are_those_of_all_groups(seed: int) -> None:
    chance = np.random.default_rng(seed)
    counts, least, rule = (
        chance.integers(0, 3, (1, 4)),
        int(chance.integers(1, 7)),
        rule_for(int(chance.integers(1, 5))),
    )
    groups = np.array(list(np.ndindex(*(counts[0] + 1))))
    legal = groups[((groups > 0).sum(axis=1) >= rule.different) & (groups.sum(axis=1) >= least)]
    sizes = legal.sum(axis=1)
    assert rule.smallest(counts, np.array([least])).tolist() == [sizes.min(initial=99) if len(legal) else 0]
    largest = legal[sizes.argmax()] if len(legal) else np.zeros(4)
    assert rule.cut_down(counts, np.array([least]))[0].tolist() == largest.tolist()


def test_many_groups_are_looked_at_at_once_each_with_its_least_size() -> None:
    counts, least, rule = np.array([[1, 1, 1], [3, 0, 0], [2, 1, 0], [0, 0, 0]]), np.array([4, 1, 3, 1]), rule_for(2, 3)
    assert rule.smallest(counts, least).tolist() == [0, 0, 3, 0]
    assert rule.smallest(counts, np.ones(4, dtype=np.int64)).tolist() == [2, 0, 2, 0]
    assert rule.cut_down(counts, least).tolist() == [[0, 0, 0], [0, 0, 0], [2, 1, 0], [0, 0, 0]]
    assert rule.lacking(counts).tolist() == [0, 1, 0, 2]
    assert rule.lacking(counts).dtype == np.float64


def test_one_value_is_in_every_group_but_the_empty_one() -> None:
    rule, counts = rule_for(1), np.array([[0, 0, 0, 1], [0, 0, 0, 0]])
    assert rule.lacking(counts).tolist() == [0, 1]
    assert rule.smallest(counts, np.array([1, 1])).tolist() == [1, 0]


def test_no_groups_at_all() -> None:
    rule, counts, least = rule_for(2), np.zeros((0, 4), dtype=np.int64), np.zeros(0, dtype=np.int64)
    for found in (rule.smallest(counts, least), rule.cut_down(counts, least), rule.lacking(counts)):
        assert len(found) == 0


@pytest.mark.parametrize("is_plain", [False, True])
@each("seed", range(100))
def test_its_numbers_tell_the_loop_how_many_values_there_must_be(seed: int, is_plain: bool) -> None:
    lots, chance = drawn(seed, values=4, records=6, most=2), np.random.default_rng(seed)
    least, different = int(chance.integers(1, 7)), int(chance.integers(1, 5))
    rule = DifferentValues("s", lots.value.astype(np.int32), 4, different)
    legal = ((lots.counts > 0).sum(axis=1) >= different) & (lots.counts.sum(axis=1) >= least)
    best = int(lots.gains[legal].max()) if legal.any() else 0
    found, taken = priced(rule, lots, least, plain=is_plain)
    assert found == best == taken @ lots.gain
    assert taken.any() == legal.any()
    assert priced(rule, lots, least, plain=is_plain, everything=False)[0] == max(0, best)
