"""Searches over some of the arcs: the whole table as a region has its optimum, and a region leaves the rest alone."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.core import Core
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.bound.separation import Support, violated
from anoptima.solvers.exact.sifting.releases.region_program import Programs, Region
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from tests.loops import each
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def never() -> bool:
    return False


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
        rows = violated(Support(catalogue, relaxed.x, relaxed.y), np.random.default_rng(seed), never)
    start = release_of(problem, patterns, problem.trivial())
    region, programs = Region(everything, arcs.copies, rows=rows), Programs(catalogue, problem)
    one = programs.improve(region, start, PATIENCE, never, careful=careful)
    found = one.release
    assert found is not None
    assert one.done
    assert programs.cost_of(found) == optimum(problem) == np.ceil(one.bound - 1e-6)
    assert programs.is_legal(found)
    assert not problem.violations(partition_of(patterns, found))
    assert np.bincount(arcs.member[found.arc], found.count).tolist() == arcs.copies.tolist()


@each("seed", range(1020, 1035))
def test_rows_that_stay_take_others_in(seed: int) -> None:
    """One group of a release stays open and may grow, the others are decided anew."""
    problem = problem_of(seed)
    patterns, arcs = arcs_of(problem)
    catalogue = Catalogue(arcs)
    programs = Programs(catalogue, problem)
    _, partition = max(every_release(problem), key=lambda one: len(one[1].groups()))
    release = release_of(problem, patterns, partition)
    stays = int(catalogue.arcs.pattern_of[release.arc[0]])
    kept = catalogue.arcs.pattern_of[release.arc] == stays
    demand = arcs.copies - np.bincount(arcs.member[release.arc[kept]], release.count[kept], len(arcs.copies)).astype(
        int
    )
    if not demand.any():
        return
    region = Region(np.flatnonzero(demand[arcs.member] > 0), demand, Release(release.arc[kept], release.count[kept]))
    one = programs.improve(region, None, PATIENCE, never)
    found = one.release
    assert found is not None
    assert one.done
    assert np.bincount(arcs.member[found.arc], found.count, len(arcs.copies)).tolist() == demand.tolist()
    assert programs.is_legal(found, demand, region.staying)
    before = programs.cost_of(Release(release.arc[~kept], release.count[~kept]))
    assert programs.cost_of(found) <= before
