"""Groups made one after the other: each of k rows or more that its pattern matches, and nobody is left out or published twice."""

from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.approximate.near_patterns import greedy_publisher
from anoptima.solvers.approximate.near_patterns.greedy_publisher import GreedyPublisher
from anoptima.solvers.compiling.loops import compiled
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


@each("seed", range(20))
def test_what_is_published_is_a_release_whatever_rows_are_worth(seed: int) -> None:
    problem = problem_of(seed, 12)
    _, arcs = arcs_of(problem)
    types = np.arange(len(arcs.copies))
    for worth in (first_multipliers(arcs).worth, np.random.default_rng(seed).random(len(types)) * 5):
        publisher = GreedyPublisher(problem, arcs.k)
        publisher.cover(arcs, types, worth, lambda: False)
        assert publisher.left.sum() < arcs.k
        assert problem.is_feasible(publisher.partition())


@each("seed", range(12))
def test_loops_publish_the_same_compiled_and_plain(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(seed, 30)
    _, arcs = arcs_of(problem)
    worth, made = np.random.default_rng(seed).integers(0, 9, len(arcs.copies)) / 2, []
    for way in (compiled, lambda loop: loop):
        monkeypatch.setattr(greedy_publisher, "fastest", way)
        monkeypatch.setattr(greedy_publisher, "_LOOKS", 3)
        publisher = GreedyPublisher(problem, arcs.k)
        publisher.cover(arcs, np.arange(len(arcs.copies)), worth, lambda: False)
        made.append((publisher.left.tolist(), publisher.partition().labels.tolist()))
    assert made[0] == made[1]


def test_without_time_all_rows_are_one_group() -> None:
    problem = problem_of(1)
    _, arcs = arcs_of(problem)
    publisher = GreedyPublisher(problem, arcs.k)
    publisher.cover(arcs, np.arange(len(arcs.copies)), first_multipliers(arcs).worth, lambda: True)
    assert problem.cost(publisher.partition()) == problem.cost(problem.trivial())
