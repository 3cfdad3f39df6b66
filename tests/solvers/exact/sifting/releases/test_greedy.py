from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release, legal_part
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of


@each("seed", range(6))
def test_it_goes_on_from_groups_that_are_legal_and_from_no_others(seed: int) -> None:
    problem = problem_of(seed + 50)
    instance, chance = instance_of(problem), np.random.default_rng(seed)
    first = greedy_release(instance, np.zeros(len(instance.arcs)), chance)
    assert legal_part(instance, first).arc.tolist() == first.arc.tolist()
    broken = instance.arcs.pattern_of[first.arc] == instance.arcs.pattern_of[first.arc[0]]
    some = ~broken
    some[0] = True
    begun = legal_part(instance, Release(first.arc[some], np.where(broken, 1, first.count)[some]))
    assert begun.arc.tolist() == first.arc[~broken].tolist()
    release = greedy_release(instance, np.zeros(len(instance.arcs)), chance, begun)
    assert not problem.violations(partition_of(instance.patterns, release))
