"""Cover by all small sets: which sets there are, which is taken, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import anoptima as ao
from anoptima.instances.errata_cells import table_of
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.solvers.approximate.anonymity import harmonic
from anoptima.solvers.approximate.cover import SmallSets, number_of_multisets


def test_equal_rows_make_fewer_sets() -> None:
    table = table_of(["a", "a", "a", "b", "b", "c"])
    sets = SmallSets(table, 2, 4)
    listed = [tuple(table.type_of_row[sorted(set_)]) for size in sets.members for set_ in size]
    rows = [tuple(sorted(table.type_of_row[list(c)])) for s in (2, 3, 4) for c in itertools.combinations(range(6), s)]
    assert sorted(listed) == sorted(set(rows))
    assert len(listed) == sum(number_of_multisets([3, 2, 1], 4)[2:])


def test_the_diameters_are_within_the_bound_of_the_greedy_cover() -> None:
    """sum diam <= H_{2k-1} D*; on the ten rows D* = 19 for k = 2 and 12 for k = 3."""
    for k, least in ((2, 19), (3, 12)):
        problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k))
        found = ao.solve(problem, "cover").require_solution()
        diameters = DiameterSum(problem.table, k)
        assert diameters.violations(found) == []
        assert least <= diameters.cost(found) <= harmonic(2 * k - 1) * least


def test_too_many_sets_are_refused_with_their_number() -> None:
    rows = np.random.default_rng(1).integers(0, 9, (2000, 6)).tolist()
    problem = ao.CellSuppression(table_of(rows), ao.KAnonymity(3))
    said = (
        r"^the sets of 3 to 5 of 2,000 rows have [\d,]+ members and more; 20,000,000 are allowed: "
        r"take fewer rows or 'truncated-balls', which is polynomial for every k$"
    )
    with pytest.raises(ao.ModelTooLarge, match=said):
        ao.solve(problem, "cover", start=None)


def test_far_too_many_sets_are_refused_with_a_power_of_ten() -> None:
    with pytest.raises(ao.ModelTooLarge, match=r"^the sets of 500 to 999 of 2,000 rows have 10\^\d+ members and more"):
        SmallSets(table_of([[i] for i in range(2000)]), 500, 999)


def test_many_equal_rows_are_counted_without_listing_them() -> None:
    with pytest.raises(ao.ModelTooLarge, match=r"have 10\^\d+ members and more"):
        SmallSets(table_of([[i % 40] for i in range(2000)]), 51, 101)


def test_a_unit_beyond_64_bits_is_exact() -> None:
    table = table_of([*"x" * 30, *"y" * 20, *"z" * 10])
    answer = ao.solve(ao.CellSuppression(table, ao.KAnonymity(22)), "cover", start=None)
    assert answer.verify()
