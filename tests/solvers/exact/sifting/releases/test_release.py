from __future__ import annotations

import numpy as np

from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.sifting.releases.release import legal_groups, partition_of, release_of, together
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of
from tests.solvers.exact.sifting.cases_under_rules import problem_of as problem_under_rules


@each("seed", range(6))
def test_a_partition_comes_back_with_the_same_cost(seed: int) -> None:
    problem = problem_of(seed)
    patterns, arcs = arcs_of(problem)
    for _, partition in every_release(problem)[::20]:
        release = release_of(problem, patterns, partition)
        cost = int(arcs.cost[arcs.pattern_of[release.arc]] @ release.count)
        assert cost == problem.cost(partition) * problem.cost_scale
        assert (np.bincount(arcs.member[release.arc], release.count, len(arcs.copies)) == arcs.copies).all()
        assert problem.cost(partition_of(patterns, release)) <= problem.cost(partition)
        assert together(release, release).count.tolist() == (2 * release.count).tolist()


@each("seed", range(20))
def test_groups_are_legal_if_the_principle_says_so(seed: int) -> None:
    problem = problem_under_rules(seed)
    of_row, chance = problem.table.records.of_row, np.random.default_rng(seed)
    partition = Partition.from_labels(chance.integers(0, 2, problem.table.rows))
    pairs, count = np.unique(partition.labels * len(problem.table.records) + of_row, return_counts=True)
    label, record = np.divmod(pairs, len(problem.table.records))
    groups = int(partition.labels.max()) + 1
    legal = legal_groups(problem, label, record, count, groups + 1)
    assert legal[:-1].all() == problem.is_feasible(partition)
    assert not legal[-1]
