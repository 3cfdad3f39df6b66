"""Searches by regions, under every kind of principle: what programs find, what holds in them, what comes out whole."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import CLOSE_WAYS, WAYS, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.solvers.exact.sifting.rules.shares import largest_cap
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of

S = TypeVar("S", bound=RegionSearch)
Ways = Sequence[tuple[float, float]]
SEEDS = [*range(300, 319), *range(320, 325)]


def never() -> bool:
    return False


def search_of(instance: Instance, ways: Ways = WAYS) -> RegionSearch:
    """Search from a greedy release on, with no arc dearer than another."""
    return one_of(RegionSearch, instance, ways)


def one_of(kind: type[S], instance: Instance, ways: Ways = WAYS) -> S:
    """The same, of a kind of search."""
    chance = np.random.default_rng(3)
    release = greedy_release(instance, np.zeros(len(instance.arcs)), chance)
    return kind(
        Programs(Catalogue(instance.arcs), instance.problem),
        release,
        np.zeros(len(instance.arcs.member)),
        chance,
        ways,
    )


@each("seed", SEEDS)
def test_the_whole_table_as_a_region_is_solved(seed: int) -> None:
    problem = problem_of(seed, 7)
    instance = instance_of(problem)
    search = search_of(instance)
    for way in search._ways:
        way.budget = len(instance.arcs.copies)
    assert search.is_whole
    search.step(60.0, never)
    assert not problem.violations(partition_of(instance.patterns, search.release))
    assert problem.unscale(search.cost) == optimum_of(problem)


@pytest.mark.parametrize("ways", [WAYS, CLOSE_WAYS], ids=["plain", "close"])
@each("seed", SEEDS[::2])
def test_steps_keep_the_release_legal_and_never_raise_its_cost(seed: int, ways: Ways) -> None:
    problem = problem_of(seed)
    instance = instance_of(problem)
    search = search_of(instance, ways=ways)
    for way in search._ways:
        way.budget = 2
    for _ in range(4):
        before = search.cost
        assert search.step(10.0, never) == (search.cost < before)
        assert search.cost <= before
        assert not problem.violations(partition_of(instance.patterns, search.release))


def test_a_release_that_is_none_is_not_taken() -> None:
    instance = instance_of(problem_of(300))
    search = search_of(instance)
    before = search.release
    search.take(Release(before.arc[1:], before.count[1:]))
    assert search.release is before


@pytest.mark.parametrize("limited", [(1, 1, 1, 1), (0, 1, 0, 1), (1, 0, 0, 0)])
@pytest.mark.parametrize(("whole", "parts"), [(2, 1), (3, 1), (3, 2), (5, 3)])
def test_the_largest_cap_is_that_of_the_groups_inside(whole: int, parts: int, limited: tuple[int, ...]) -> None:
    chance = np.random.default_rng(whole)
    counts, is_limited = chance.integers(0, 4, (20, 4)), np.array(limited, dtype=bool)
    for row, cap in zip(counts, largest_cap(counts, whole, parts, is_limited).tolist(), strict=True):
        inside = itertools.product(*(range(count + 1) for count in row))
        largest = ((max(np.array(group)[is_limited]), sum(group)) for group in inside)
        assert cap == max(most for most, size in largest if parts * size >= whole * most)
