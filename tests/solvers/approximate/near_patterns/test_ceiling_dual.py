"""The patterns of few stars are all those that the full list has."""

from __future__ import annotations

import numpy as np

from anoptima.principles import KAnonymity
from anoptima.solvers.approximate.near_patterns.ceiling_dual import patterns_below, reaches
from anoptima.solvers.approximate.near_patterns.nearest_types import nearest
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


@each("seed", range(40))
def test_patterns_below_a_reach_are_those_of_the_full_list(seed: int) -> None:
    problem = problem_of(seed, rows=30)
    table = problem.table
    assert isinstance(problem.principle, KAnonymity)
    k, weights = problem.principle.k, table.scaled_weights.tolist()
    radius = nearest(table.types, table.multiplicity, weights, k, 1, lambda: False).radius
    _, full = arcs_of(problem)
    everything = [
        (int(cost), tuple(sorted(full.member[full.start[p] : full.start[p + 1]].tolist())))
        for p, cost in enumerate(full.cost)
    ]
    for reach in range(sum(weights) + 2):
        some = patterns_below(table.types, table.multiplicity, radius, weights, k, reach, lambda: False)
        assert some is not None
        found = [
            (int(cost), tuple(sorted(some.member[some.start[p] : some.start[p + 1]].tolist())))
            for p, cost in enumerate(some.cost)
        ]
        assert sorted(found) == sorted(pattern for pattern in everything if pattern[0] < reach)


def test_out_of_time_there_are_none() -> None:
    one = np.array([1])
    assert patterns_below(np.zeros((1, 1), np.int32), one, np.zeros(1, np.int64), [1], 1, 1, lambda: True) is None


def test_reaches_rise_to_everything_where_that_is_few() -> None:
    assert reaches([1, 2], 4) == [4]
    assert reaches([1, 2], 3) == [1, 3]
    assert reaches([1] * 30, 1) == [1]
