"""Searches by regions, under every kind of principle: what programs find, what holds in them, what comes out whole."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pytest

from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import CLOSE_WAYS, WAYS, Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from anoptima.solvers.exact.sifting.rules.shares import largest_cap
from tests.loops import each
from tests.solvers.exact.sifting import cases
from tests.solvers.exact.sifting.bound.test_ascent import some_rows
from tests.solvers.exact.sifting.cases import arcs_of, every_release
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
        Guide(np.zeros(len(instance.arcs.member))),
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


def test_regions_go_on_where_all_have_failed_thousands_of_times() -> None:
    search = search_of(instance_of(problem_of(SEEDS[0], 7)))
    search._failures[:] = 5_000
    cost = search.cost
    search.step(1.0, never)
    assert search.cost <= cost


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


def test_rows_of_a_region_hold_for_every_release_that_keeps_the_other_groups() -> None:
    assert sum(looked_at(seed) for seed in range(25)) > 1000


def looked_at(seed: int) -> int:
    """Hold the rows of some regions against every release; return how often."""
    problem = cases.problem_of(seed, 7)
    patterns, arcs = arcs_of(problem)
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
    rows = some_rows(catalogue, seed)
    near = Terms(arcs, kernels, rows).look(arcs, Multipliers(first_multipliers(arcs).worth, np.ones(len(rows))))
    every = [release_of(problem, patterns, found) for _, found in every_release(problem)]
    held = 0
    for _ in range(4):
        release = every[int(chance.integers(len(every)))]
        guide = Guide(near.reduced, Terms(arcs, kernels, rows))
        search = RegionSearch(Programs(catalogue, problem), release, guide, np.random.default_rng(0))
        of_arc = catalogue.arcs.pattern_of[release.arc]
        let_go = chance.random(len(arcs.cost))[of_arc] < 0.6
        kept = Release(release.arc[~let_go], release.count[~let_go])
        staying = np.isin(catalogue.arcs.pattern_of, of_arc[~let_go])
        freed = np.isin(arcs.member, arcs.member[release.arc[let_go]])
        own = np.flatnonzero(freed & ~staying)
        limits = search._rows_within(own, np.flatnonzero(freed & staying), kept)
        for other in every:
            x, y = np.zeros(len(arcs.member)), np.zeros(len(arcs.cost))
            x[other.arc] = other.count
            if (x[kept.arc] < kept.count).any():
                continue
            inside = np.zeros(len(arcs.member), dtype=np.bool_)
            inside[own] = True
            y[catalogue.arcs.pattern_of[np.flatnonzero(inside & (x > 0))]] = 1
            for row in limits:
                assert row.slack(np.where(inside, x, 0), y) >= 0
                held += 1
    return held
