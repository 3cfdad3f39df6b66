"""Searches over some of the arcs: the whole table as a region has its optimum, and a region leaves the rest alone."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.bound.separation import violated
from anoptima.solvers.exact.sifting.releases.region_program import Region, improve
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from tests.loops import each
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def never() -> bool:
    return False


def cost_of(catalogue: Catalogue, release: Release) -> int:
    return int(catalogue.arcs.cost[catalogue.pattern_of[release.arc]] @ release.count)


def optimum(problem: CellSuppression) -> int:
    return int(min(cost for cost, _ in every_release(problem)) * problem.cost_scale)


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("with_cuts", [False, True])
@each("seed", range(1000, 1012))
def test_the_whole_table_has_its_optimum(seed: int, careful: bool, with_cuts: bool) -> None:
    problem = problem_of(seed)
    patterns, arcs = arcs_of(problem)
    catalogue, everything = Catalogue(arcs), np.arange(len(arcs.member))
    rows = []
    if with_cuts:
        core = Core(catalogue, never)
        core.add_arcs(everything)
        relaxed = core.solve()
        assert relaxed is not None
        rows = violated(catalogue, relaxed.x, relaxed.y, np.random.default_rng(seed), never)
    start = release_of(problem, patterns, problem.trivial())
    region = Region(everything, arcs.copies, rows=rows)
    found, is_done, bound = improve(catalogue, region, start, PATIENCE, never, careful=careful)
    assert found is not None
    assert is_done
    assert cost_of(catalogue, found) == optimum(problem) == np.ceil(bound - 1e-6)
    assert not problem.violations(partition_of(patterns, found))
    assert np.bincount(arcs.member[found.arc], found.count).tolist() == arcs.copies.tolist()


@each("seed", range(1020, 1035))
def test_rows_that_stay_take_others_in(seed: int) -> None:
    """One group of a release stays open and may grow, the others are decided anew."""
    problem = problem_of(seed)
    patterns, arcs = arcs_of(problem)
    catalogue = Catalogue(arcs)
    _, partition = max(every_release(problem), key=lambda one: len(one[1].groups()))
    release = release_of(problem, patterns, partition)
    stays = int(catalogue.pattern_of[release.arc[0]])
    kept = catalogue.pattern_of[release.arc] == stays
    demand = arcs.copies - np.bincount(arcs.member[release.arc[kept]], release.count[kept], len(arcs.copies)).astype(
        int
    )
    if not demand.any():
        return
    absorbers = np.arange(arcs.start[stays], arcs.start[stays + 1])
    others = np.flatnonzero(catalogue.pattern_of != stays)
    region = Region(others[demand[arcs.member[others]] > 0], demand, absorbers[demand[arcs.member[absorbers]] > 0])
    found, is_done, _ = improve(catalogue, region, None, PATIENCE, never)
    assert found is not None
    assert is_done
    assert np.bincount(arcs.member[found.arc], found.count, len(arcs.copies)).tolist() == demand.tolist()
    before = cost_of(catalogue, Release(release.arc[~kept], release.count[~kept]))
    assert cost_of(catalogue, found) <= before
