from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.kernels.row_moves import AFTER, BEFORE, FIRST
from anoptima.solvers.exact.sifting.releases.release import release_of, together
from anoptima.solvers.exact.sifting.releases.row_layout import RowLayout
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


@each("seed", range(20))
def test_a_release_is_laid_out_and_read_back(seed: int) -> None:
    problem = problem_of(seed, 40)
    patterns, arcs = arcs_of(problem)
    chance, layout = np.random.default_rng(seed), RowLayout(arcs)
    partition = next(iter(problem.solutions())) if problem.table.rows < 6 else problem.trivial()
    release = release_of(problem, patterns, partition)
    at_hand, staying = layout.divided(release)
    both = together(at_hand, staying)
    assert both.arc.tolist() == release.arc.tolist()
    assert both.count.tolist() == release.count.tolist()
    ground, groups = layout.ground(release), layout.groups(release)
    found = layout.release_of(ground, groups.at)
    assert found.arc.tolist() == release.arc.tolist()
    assert found.count.tolist() == release.count.tolist()
    for pattern in range(len(arcs)):
        row, before, seen = int(groups.patterns[pattern, FIRST]), -1, 0
        while row >= 0:
            assert groups.rows[row, BEFORE] == before
            row, before, seen = int(groups.rows[row, AFTER]), row, seen + 1
        assert seen == groups.size[pattern] == (groups.at == pattern).sum()
    record = int(chance.integers(len(arcs.copies)))
    own = ground.pattern[ground.pattern_start[record] : ground.pattern_start[record + 1]]
    assert sorted(own.tolist()) == arcs.pattern_of[arcs.member == record].tolist()
    assert (np.diff(arcs.cost[own]) >= 0).all()
