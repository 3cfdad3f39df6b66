from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release, whole_groups
from anoptima.solvers.exact.sifting.releases.release import partition_of
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of


@each("seed", range(6))
def test_it_goes_on_from_groups_that_are_whole_and_legal_and_from_no_others(seed: int) -> None:
    problem = problem_of(seed + 50)
    instance, chance = instance_of(problem), np.random.default_rng(seed)
    first = greedy_release(instance, np.zeros(len(instance.arcs)), chance)
    x = first.count.astype(float)
    assert whole_groups(instance, first.arc, x).arc.tolist() == first.arc.tolist()
    x[0] -= 0.5
    begun = whole_groups(instance, first.arc, x)
    broken = instance.arcs.pattern_of[first.arc[0]]
    assert broken not in instance.arcs.pattern_of[begun.arc]
    release = greedy_release(instance, np.zeros(len(instance.arcs)), chance, begun)
    assert not problem.violations(partition_of(instance.patterns, release))
