from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.ascent import ascend
from anoptima.solvers.exact.sifting.bound.averaged_rounds import Averaging, averaged
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.releases import annealed_regions as annealed_search
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.annealing import Cooling, PatternAnnealing, RowAnnealing
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from tests.solvers.exact.sifting.bound.test_ascent import some_rows
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def test_steps_end_at_the_optimum_of_small_tables_and_never_below() -> None:
    reached = 0
    for seed in range(12):
        problem = problem_of(seed)
        patterns, arcs = arcs_of(problem)
        catalogue = Catalogue(arcs)
        terms = Terms(arcs, kernels, some_rows(catalogue, seed))
        near = ascend(arcs, terms, Multipliers(first_multipliers(arcs).worth, np.zeros(len(terms.rows))), lambda: False)
        release = release_of(problem, patterns, problem.trivial())
        search = AnnealedRegions(
            Programs(catalogue, problem),
            release,
            Guide(near.reduced, terms.of_price(near.at.prices)),
            np.random.default_rng(seed),
            row_annealing=RowAnnealing(arcs, 1, seed),
            share_of_left=lambda share: 60.0 * share,
        )
        for _ in range(12):
            before = search.cost
            assert search.step(2.0, lambda: False) == (search.cost < before)
            assert search.cost <= before
            assert problem.is_feasible(partition_of(patterns, search.release))
        optimum = float(min(cost for cost, _ in every_release(problem)) * problem.cost_scale)
        assert search.cost >= optimum
        reached += search.cost == optimum
    assert reached >= 10


def test_a_search_asks_how_much_time_is_left_before_it_anneals(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(4)
    patterns, arcs = arcs_of(problem)
    catalogue, asked = Catalogue(arcs), []

    def noted(self: RowAnnealing, release: Release, *more: object) -> Release:
        asked.append(more[2])
        return release

    monkeypatch.setattr(RowAnnealing, "anneal", noted)
    near = Terms(arcs, kernels).look(arcs, first_multipliers(arcs))
    release = release_of(problem, patterns, problem.trivial())
    for left in (100.0, np.inf):
        search = AnnealedRegions(
            Programs(catalogue, problem),
            release,
            Guide(near.reduced),
            np.random.default_rng(0),
            row_annealing=RowAnnealing(arcs, 1, 0),
            share_of_left=lambda share, left=left: share * left,  # type: ignore[misc]
        )
        for _ in range(2):
            search.step(1.0, lambda: False)
    assert asked == pytest.approx([70.0, 30.0, np.inf, np.inf])


def test_a_hint_is_searched_near_to_its_last_level() -> None:
    reached = 0
    for seed in (0, 2, 4, 7, 8):
        problem = problem_of(seed)
        patterns, arcs = arcs_of(problem)
        terms = Terms(arcs, kernels)
        near = ascend(arcs, terms, first_multipliers(arcs), lambda: False)
        release = release_of(problem, patterns, problem.trivial())
        chance = np.random.default_rng(seed)
        search = AnnealedRegions(
            Programs(Catalogue(arcs), problem),
            release,
            Guide(near.reduced),
            chance,
            share_of_left=lambda share: 60.0 * share,
        )
        x, _ = averaged(arcs, terms, near, lambda: False, 1.0, Averaging(200, 0.01, 1.0))
        search.hint(x)
        for _ in range(200):
            if not search._nearby.is_ready:
                break
            search.step(2.0, lambda: False)
        assert not search._nearby.is_ready
        optimum = min(cost for cost, _ in every_release(problem)) * problem.cost_scale
        assert search.cost >= optimum
        reached += search.cost == optimum
    assert reached >= 3


def test_a_release_from_elsewhere_is_a_hint_even_if_it_costs_more() -> None:
    problem = problem_of(4)
    patterns, arcs = arcs_of(problem)
    near = Terms(arcs, kernels).look(arcs, first_multipliers(arcs))
    every = sorted(every_release(problem), key=lambda found: found[0])
    best, worst = (release_of(problem, patterns, every[place][1]) for place in (0, -1))
    search = AnnealedRegions(Programs(Catalogue(arcs), problem), best, Guide(near.reduced), np.random.default_rng(0))
    ways = len(search._ways)
    search.take(worst)
    assert search.release is best
    assert len(search._ways) > ways
    assert search._arcs_of(search._ways[-1])[worst.arc].all()


@pytest.mark.parametrize(("gain", "share"), [(3, 0.1), (0, 0.5)])
def test_the_whole_table_takes_more_of_the_time_where_regions_gain_nothing(
    gain: int, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_of(4)
    patterns, arcs = arcs_of(problem)
    near = Terms(arcs, kernels).look(arcs, first_multipliers(arcs))
    release = release_of(problem, patterns, problem.trivial())
    search = AnnealedRegions(Programs(Catalogue(arcs), problem), release, Guide(near.reduced), np.random.default_rng(0))
    cost, kinds = [10_000], []

    def region(*_: object) -> bool:
        kinds.append("region")
        cost[0] -= gain
        return gain > 0

    monkeypatch.setattr(AnnealedRegions, "cost", property(lambda _: cost[0]))
    monkeypatch.setattr(RegionSearch, "step", region)
    monkeypatch.setattr(AnnealedRegions, "_search_whole", lambda *_: kinds.append("whole"))
    monkeypatch.setattr(annealed_search, "time", SimpleNamespace(monotonic=itertools.count().__next__))
    search.hint(np.zeros(len(arcs.member)))
    for _ in range(200):
        search.step(1.0, lambda: False)
    assert kinds.count("whole") / len(kinds) == pytest.approx(share, abs=0.05)


def test_patterns_are_annealed_for_longer_after_each_time_without_a_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(4)
    patterns, arcs = arcs_of(problem)
    catalogue, steps = Catalogue(arcs), []
    near = Terms(arcs, kernels).look(arcs, first_multipliers(arcs))
    every = sorted(every_release(problem), key=lambda found: found[0])
    best, worst = (release_of(problem, patterns, every[place][1]) for place in (0, -1))
    found = itertools.chain([worst, worst], itertools.repeat(best))

    def noted(self: PatternAnnealing, release: Release, reduced: object, cooling: Cooling, *more: object) -> Release:
        steps.append(cooling.steps)
        return next(found)

    monkeypatch.setattr(PatternAnnealing, "anneal", noted)
    chains = PatternAnnealing(arcs, 1, 0)
    search = AnnealedRegions(
        Programs(catalogue, problem), worst, Guide(near.reduced), np.random.default_rng(0), pattern_annealing=chains
    )
    monkeypatch.setattr(annealed_search, "time", SimpleNamespace(monotonic=itertools.count().__next__))
    monkeypatch.setattr(RegionSearch, "step", lambda *_: False)
    while len(steps) < 5:
        search.step(1.0, lambda: False)
    first = annealed_search.PATTERNS.steps
    assert steps == [first, 2 * first, 4 * first, 4 * first, 8 * first]
    assert search.release is best


@pytest.mark.parametrize(("gain_of_regions", "share"), [(0, 0.6), (9, 0.2)])
def test_annealed_patterns_take_most_of_the_time_unless_all_else_gains_more(
    gain_of_regions: int, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_of(4)
    patterns, arcs = arcs_of(problem)
    catalogue = Catalogue(arcs)
    near = Terms(arcs, kernels).look(arcs, first_multipliers(arcs))
    release = release_of(problem, patterns, problem.trivial())
    chance, chains = np.random.default_rng(0), PatternAnnealing(arcs, 1, 0)
    search = AnnealedRegions(
        Programs(catalogue, problem), release, Guide(near.reduced), chance, pattern_annealing=chains
    )
    cost, kinds = [10_000], []

    def region(*_: object) -> bool:
        kinds.append("region")
        cost[0] -= gain_of_regions
        return gain_of_regions > 0

    def chain(*_: object) -> None:
        kinds.append("chain")
        cost[0] -= 1

    monkeypatch.setattr(AnnealedRegions, "cost", property(lambda _: cost[0]))
    monkeypatch.setattr(RegionSearch, "step", region)
    monkeypatch.setattr(AnnealedRegions, "_anneal_patterns", chain)
    monkeypatch.setattr(annealed_search, "time", SimpleNamespace(monotonic=itertools.count().__next__))
    for _ in range(300):
        search.step(1.0, lambda: False)
    assert kinds.count("chain") / len(kinds) == pytest.approx(share, abs=0.05)
