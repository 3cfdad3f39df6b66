"""Publishing what a mixture says: the transport finds the cheapest rows, and none where there are none."""

from __future__ import annotations

import numpy as np

from anoptima.principles import TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.group_program import publish
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.releases.release import Release, release_of
from anoptima.solvers.exact.sifting.rules.rule import Counts
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of


def rows_of(instance: Instance, release: Release) -> Counts:
    """How many rows of each value a release gives each pattern."""
    value = instance.rules[0].value[instance.arcs.member[release.arc]]
    rows = np.zeros((len(instance.arcs), int(instance.rules[0].value.max()) + 1), dtype=np.int64)
    np.add.at(rows, (instance.arcs.pattern_of[release.arc], value), release.count)
    return rows


def cost_of(instance: Instance, release: Release) -> int:
    return int(instance.arcs.cost[instance.arcs.pattern_of[release.arc]] @ release.count)


@each("seed", range(300, 340))
def test_the_cheapest_rows_for_what_every_pattern_takes(seed: int) -> None:
    drawn = problem_of(seed, 6)
    problem = CellSuppression(drawn.table, TCloseness("1/2", column="s"))
    instance = instance_of(problem)
    feasible = [partition for partition in problem.solutions() if problem.is_feasible(partition)]
    for partition in feasible[:8]:
        release = release_of(problem, instance.patterns, partition)
        rows = rows_of(instance, release)
        found = publish(instance, rows)
        assert found is not None
        assert rows_of(instance, found).tolist() == rows.tolist()
        assert np.bincount(instance.arcs.member[found.arc], found.count).tolist() == instance.arcs.copies.tolist()
        assert cost_of(instance, found) <= cost_of(instance, release)
        rows[instance.arcs.pattern_of[release.arc[0]]] += 1
        assert publish(instance, rows) is None
