from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.ascent import ascend
from anoptima.solvers.exact.sifting.bound.averaged_rounds import Averaging, averaged
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Terms
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from anoptima.solvers.exact.sifting.releases import program_near as nearby
from anoptima.solvers.exact.sifting.releases.program_near import LEVELS, ProgramNear
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.releases.regions import Guide
from anoptima.solvers.exact.sifting.releases.release import partition_of, release_of
from tests.solvers.exact.sifting.bound.test_ascent import some_rows
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def test_near_a_fractional_release_the_whole_table_is_searched_over_more_and_more_arcs() -> None:
    reached = 0
    for seed in range(12):
        problem = problem_of(seed)
        patterns, arcs = arcs_of(problem)
        catalogue = Catalogue(arcs)
        terms = Terms(arcs, kernels, some_rows(catalogue, seed))
        near = ascend(arcs, Terms(arcs, kernels), first_multipliers(arcs), lambda: False)
        release = release_of(problem, patterns, problem.trivial())
        x, _ = averaged(arcs, Terms(arcs, kernels), near, lambda: False, 1.0, Averaging(200, 0.01, 1.0))
        search, levels, costs = ProgramNear(Programs(catalogue, problem), 1), [0], []
        search.hint(x)
        while search.is_ready:
            found = search.search(release, Guide(near.reduced, terms), 5.0, lambda: False)
            assert found is not None
            assert problem.is_feasible(partition_of(patterns, found))
            costs.append(int(arcs.cost[catalogue.arcs.pattern_of[found.arc]] @ found.count))
            levels.append(search.level)
            release = found
        last = len(LEVELS) - 1
        assert levels == [*range(len(LEVELS)), last - 1]
        assert costs == sorted(costs, reverse=True)
        optimum = float(min(cost for cost, _ in every_release(problem)) * problem.cost_scale)
        assert costs[-1] >= optimum
        reached += costs[-1] == optimum
    assert reached >= 9


def test_too_many_arcs_are_not_searched_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(4)
    patterns, arcs = arcs_of(problem)
    near = Terms(arcs, kernels).look(arcs, first_multipliers(arcs))
    release = release_of(problem, patterns, problem.trivial())
    for most, each, is_searched in ((0, 0, False), (len(arcs.member), 0, True), (0, len(arcs.member), True)):
        monkeypatch.setattr(nearby, "MOST_ARCS", most)
        monkeypatch.setattr(nearby, "MOST_EACH", each)
        search = ProgramNear(Programs(Catalogue(arcs), problem), 1)
        search.hint(np.ones(len(arcs.member)))
        found = search.search(release, Guide(near.reduced, Terms(arcs, kernels)), 1.0, lambda: False)
        assert (found is not None) is search.is_ready is is_searched
