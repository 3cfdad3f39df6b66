"""What every pattern is worth, in numpy, where its groups have a least size of their own; and how arcs are looked up and taken apart."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from tests.loops import each
from tests.solvers.exact.sifting import cases

SEEDS = range(150)


def drawn(seed: int) -> Arcs:
    """Draw patterns of some records each, any of the least sizes that what they match allows, and copies."""
    chance = np.random.default_rng(seed)
    records, patterns = int(chance.integers(1, 6)), int(chance.integers(1, 7))
    own = [np.flatnonzero(chance.permutation(records) < chance.integers(1, records + 1)) for _ in range(patterns)]
    copies = chance.integers(1, 4, records)
    return Arcs(
        np.cumsum([0, *map(len, own)]),
        np.concatenate(own).astype(np.int32),
        chance.integers(0, 4, patterns),
        copies,
        np.array([chance.integers(0, copies[its].sum() + 1) for its in own]),
    )


def groups_of(arcs: Arcs, p: int) -> NDArray[np.int64]:
    """Every group of a pattern, by copies along its arcs."""
    own = arcs.copies[arcs.member[arcs.start[p] : arcs.start[p + 1]]]
    groups = np.array([*product(*(range(s + 1) for s in own))], dtype=np.int64)
    found: NDArray[np.int64] = groups[groups.sum(axis=1) >= arcs.least[p]]
    return found


@pytest.mark.parametrize("unit", [1, 2**53])
@each("seed", SEEDS)
def test_groups_are_priced_as_by_trying_all_of_them_in_whole_numbers(seed: int, unit: int) -> None:
    arcs, chance = drawn(seed).times(unit), np.random.default_rng(seed)
    worth, charge = chance.integers(-1, 5, len(arcs.copies)) * unit + 1, chance.integers(-3, 3, len(arcs)) * unit
    surcharge = chance.integers(-1, 2, len(arcs.member))
    values, least = kernels.opened(arcs, worth, charge, surcharge)
    reduced, taken = kernels.reduced_costs(arcs, worth, surcharge, values, least), np.zeros(len(arcs.member), np.int64)
    total, used, negative = kernels.activity(arcs, worth, charge, surcharge, taken)
    assert {its.dtype for its in (values, least, reduced, used)} == {np.dtype(np.int64)}
    for p in range(len(arcs)):
        own = slice(arcs.start[p], arcs.start[p + 1])
        groups = groups_of(arcs, p)
        prices = charge[p] + groups @ (arcs.cost[p] + surcharge[own] - worth[arcs.member[own]])
        assert values[p] == prices.min()
        assert negative[p] == (values[p] < 0)
        if negative[p]:
            assert prices[(groups == taken[own]).all(axis=1)].tolist() == [values[p]]
        else:
            assert not taken[own].any()
        for place in range(groups.shape[1]):
            forced = prices[groups[:, place] > 0].min()
            assert reduced[own][place] == forced - min(0, values[p])
    assert total == np.minimum(0, values).sum()
    assert used.tolist() == [taken[arcs.member == r].sum() for r in range(len(arcs.copies))]


def test_where_there_is_no_pattern_nothing_is_worth_anything() -> None:
    nothing = np.zeros(0, np.int64)
    arcs, worth = Arcs(np.zeros(1, np.int64), np.zeros(0, np.int32), nothing, np.ones(2, np.int64), nothing), np.ones(2)
    total, used, negative = kernels.activity(arcs, worth, np.zeros(0))
    assert (total, used.tolist(), negative.tolist()) == (0, [0, 0], [])
    assert [len(its) for its in kernels.opened(arcs, worth, np.zeros(0))] == [0, 0]
    assert arcs.k == 1
    assert arcs.by_record[1].tolist() == [0, 0, 0]
    assert len(kernels.part_of(arcs, nothing).arcs) == len(arcs) == 0


@each("seed", SEEDS)
def test_arcs_of_a_record_come_by_rising_cost_each_in_its_place(seed: int) -> None:
    arcs = drawn(seed)
    owner = [p for p in range(len(arcs)) for _ in range(arcs.start[p], arcs.start[p + 1])]
    some = np.random.default_rng(seed).permutation(len(owner))[:3]
    assert arcs.patterns_of(some).tolist() == [owner[a] for a in some]
    assert arcs.pattern_of.tolist() == owner
    assert arcs.patterns_of(some).tolist() == [owner[a] for a in some]
    assert arcs.k == min(arcs.least)
    order, start = arcs.by_record
    for record in range(len(arcs.copies)):
        own = [a for a in range(len(owner)) if arcs.member[a] == record]
        assert order[start[record] : start[record + 1]].tolist() == sorted(own, key=lambda a: arcs.cost[owner[a]])
    assert order[arcs.position].tolist() == list(range(len(owner)))


def test_more_records_than_sixteen_bits_tell_apart_are_told_apart() -> None:
    records = (1 << 16) + 1
    member, one = np.array([records - 1, 0, records - 1], np.int32), np.ones(2, np.int64)
    order, start = Arcs(np.array([0, 1, 3]), member, np.array([1, 2]), np.ones(records, np.int64), one).by_record
    assert order.tolist() == [1, 0, 2]
    assert (start[:2].tolist(), start[-2:].tolist()) == ([0, 1], [1, 3])


@each("seed", SEEDS)
def test_blocks_and_parts_are_priced_as_the_whole_is(seed: int) -> None:
    arcs, chance = drawn(seed), np.random.default_rng(seed)
    worth, charge = chance.random(len(arcs.copies)) * 5, chance.random(len(arcs))
    values, least = kernels.opened(arcs, worth, charge)
    middle = int(chance.integers(0, len(arcs) + 1))
    ends = [(first, last) for first, last in ((0, middle), (middle, len(arcs))) if first < last]
    found = [kernels.opened(arcs.block(*own), worth, charge[slice(*own)]) for own in ends]
    assert np.concatenate([its[0] for its in found]).tolist() == values.tolist()
    assert np.concatenate([its[1] for its in found]).tolist() == least.tolist()
    most = int(chance.integers(1, 9))
    for block, own, its in arcs.blocks(most):
        assert len(block) == 1 or len(block.member) <= most
        assert kernels.opened(block, worth, charge[own])[0].tolist() == values[own].tolist()
        assert block.member.tolist() == arcs.member[its].tolist()
    assert sum(len(block) for block, *_ in arcs.blocks(most)) == len(arcs)
    part = kernels.part_of(arcs, np.flatnonzero(chance.random(len(arcs.member)) < 0.5))
    pattern = arcs.pattern_of[part.chosen]
    assert part.patterns.tolist() == sorted(set(pattern.tolist()))
    assert part.patterns[part.arcs.pattern_of].tolist() == pattern.tolist()
    assert part.arcs.member.tolist() == arcs.member[part.chosen].tolist()
    assert part.arcs.least.tolist() == arcs.least[part.patterns].tolist()
    assert part.arcs.cost.tolist() == arcs.cost[part.patterns].tolist()


@each("seed", range(10))
def test_all_groups_of_k_anonymity_have_k_rows_and_a_cheapest_pattern(seed: int) -> None:
    patterns, arcs = cases.arcs_of(cases.problem_of(seed))
    assert set(arcs.least.tolist()) == {arcs.k}
    records = len(arcs.copies) + 1
    found = first_multipliers(replace(arcs, copies=np.ones(records, dtype=np.int64)))
    assert found.worth.tolist() == [
        min(arcs.cost[patterns.pattern_of_arc[arcs.member == r]], default=np.inf) for r in range(records)
    ]


def test_sums_of_whole_numbers_are_whole_however_large() -> None:
    place, large = np.array([2, 0, 2, 2]), 2**53
    assert kernels.sums(place, np.array([large, 5, 1, 1]), 4).tolist() == [5, 0, large + 2, 0]
    assert kernels.sums(place, np.array([0.25, 5, 1, 1], np.float32), 4).tolist() == [5, 0, 2.25, 0]
    assert kernels.sums(place, np.array([0.25, 5, 1, 1], np.float32), 4).dtype == np.float32
