from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.bound import separation
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Cut, Named, rounded
from anoptima.solvers.exact.sifting.releases.release import partition_of, release_of
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def random_cut(catalogue: Catalogue, chance: np.random.Generator) -> Cut:
    arcs = catalogue.arcs
    records = np.flatnonzero(chance.random(len(arcs.copies)) < chance.random())
    records = records if len(records) else np.array([0])
    named = []
    for p in np.flatnonzero(chance.random(len(arcs.cost)) < 0.4):
        members = arcs.member[arcs.start[p] : arcs.start[p + 1]]
        inside = bool(chance.random() < 0.5)
        able = members[np.isin(members, records) == inside]
        named.append(Named(int(p), inside, tuple(able[chance.random(len(able)) < 0.6].tolist())))
    return Cut(tuple(records.tolist()), int(chance.integers(2, arcs.k + 1)), tuple(named))


@each("seed", range(80))
def test_no_release_violates_a_cut_whatever_it_names(seed: int) -> None:
    problem = problem_of(seed, rows=7)
    patterns, arcs = arcs_of(problem)
    if arcs.k < 2:
        return
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
    rows = [row for _ in range(12) if (row := catalogue.row(random_cut(catalogue, chance))) is not None]
    for cost, partition in every_release(problem):
        release = release_of(problem, patterns, partition)
        x, y = np.zeros(len(arcs.member)), np.zeros(len(arcs.cost))
        x[release.arc] = release.count
        y[catalogue.arcs.pattern_of[release.arc]] = 1
        assert arcs.cost[catalogue.arcs.pattern_of[release.arc]] @ release.count == cost * problem.cost_scale
        assert problem.cost(partition_of(patterns, release)) <= cost
        for row in rows:
            assert row.slack(x, y) >= -1e-9, (row.cut, partition.labels)


@each("seed", range(30))
def test_cuts_that_are_found_are_violated_and_raise_the_core(seed: int) -> None:
    problem = problem_of(seed + 500, rows=9)
    _, arcs = arcs_of(problem)
    catalogue = Catalogue(arcs)
    core = Core(catalogue, lambda: False)
    core.add_arcs(np.arange(len(arcs.member)))
    relaxed = core.solve()
    assert relaxed is not None
    for _ in range(4):
        support = separation.Support(catalogue, relaxed.x, relaxed.y)
        rows = separation.violated(support, np.random.default_rng(0), lambda: False, thorough=seed % 2 == 0)
        assert all(row.slack(relaxed.x, relaxed.y) < 0 for row in rows)
        core.drop_slack(relaxed.x, relaxed.y)
        core.add_cuts(rows)
        better = core.solve()
        assert better is not None
        assert better.value >= relaxed.value - 1e-6
        relaxed = better
    best = min(cost for cost, _ in every_release(problem)) if problem.table.rows <= 8 else None
    assert best is None or relaxed.value <= best * problem.cost_scale + 1e-6


@each("seed", range(40))
def test_rows_are_those_of_counting_every_pattern(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed, rows=9))
    if arcs.k < 2:
        return
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
    for _ in range(10):
        named = random_cut(catalogue, chance)
        cut = Cut(named.records, named.divisor)
        row = catalogue.row(cut)
        rest = int(arcs.copies[list(cut.records)].sum()) % cut.divisor
        outside = np.where(np.isin(arcs.member, cut.records), 0, arcs.copies[arcs.member])
        free = np.maximum(0, arcs.k - np.bincount(catalogue.arcs.pattern_of, outside, len(arcs.cost)).astype(np.int64))
        on = rounded(free, cut.divisor, rest) if rest else free
        assert (row is None) == (rest == 0)
        if row is not None:
            assert row.patterns.dtype == row.on_pattern.dtype == np.int64
            assert row.patterns.tolist() == np.flatnonzero(on).tolist()
            assert row.on_pattern.tolist() == on[on > 0].tolist()


def test_a_divisor_of_the_number_of_rows_gives_no_cut() -> None:
    _, arcs = arcs_of(problem_of(3))
    catalogue = Catalogue(arcs)
    whole = tuple(range(len(arcs.copies)))
    rows = int(arcs.copies.sum())
    assert [catalogue.row(Cut(whole, d)) is None for d in (2, 3)] == [rows % 2 == 0, rows % 3 == 0]
