"""Publishing what a mixture says: the transport finds the cheapest rows, and none where there are none."""

from __future__ import annotations

import numpy as np

from anoptima.principles import TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.bound.group_program import publish
from anoptima.solvers.exact.sifting.instance import Setting, setting_of
from anoptima.solvers.exact.sifting.releases.release import Published, published
from anoptima.solvers.exact.sifting.rules.rule import Counts
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import problem_of


def rows_of(setting: Setting, release: Published) -> Counts:
    """How many rows of each value a release gives each pattern."""
    value = setting.rules[0].value[setting.arcs.member[release.arc]]
    rows = np.zeros((len(setting.arcs), int(setting.rules[0].value.max()) + 1), dtype=np.int64)
    np.add.at(rows, (setting.patterns.pattern_of_arc[release.arc], value), release.count)
    return rows


def cost_of(setting: Setting, release: Published) -> int:
    return int(setting.arcs.cost[setting.patterns.pattern_of_arc[release.arc]] @ release.count)


@each("seed", range(300, 340))
def test_the_cheapest_rows_for_what_every_pattern_takes(seed: int) -> None:
    drawn = problem_of(seed, 6)
    problem = CellSuppression(drawn.table, TCloseness("1/2", column="s"))
    setting = setting_of(problem)
    feasible = [partition for partition in problem.solutions() if problem.is_feasible(partition)]
    for partition in feasible[:8]:
        release = published(problem, setting.patterns, partition)
        rows = rows_of(setting, release)
        found = publish(setting, rows)
        assert found is not None
        assert rows_of(setting, found).tolist() == rows.tolist()
        assert np.bincount(setting.arcs.member[found.arc], found.count).tolist() == setting.arcs.copies.tolist()
        assert cost_of(setting, found) <= cost_of(setting, release)
        rows[setting.patterns.pattern_of_arc[release.arc[0]]] += 1
        assert publish(setting, rows) is None
