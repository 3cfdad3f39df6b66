"""Groups that give up columns for rows that are left: what they come to is legal, holds every row once, and costs what was said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.exact.sifting.instance import Instance, instance_of
from anoptima.solvers.exact.sifting.releases import greedy
from anoptima.solvers.exact.sifting.releases.greedy import greedy_release, greedy_releases, legal_part
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of
from anoptima.solvers.exact.sifting.releases.widening import MOST, Widening
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import RARE, close_problem, problem_of


def without_some(instance: Instance, seed: int) -> tuple[Release, np.ndarray]:
    """Return the legal groups of a greedy release but for every other one, and what is left of each record."""
    release = greedy_release(instance, np.zeros(len(instance.arcs)), np.random.default_rng(seed))
    _, group = np.unique(instance.arcs.pattern_of[release.arc], return_inverse=True)
    some = legal_part(instance, Release(release.arc[group % 2 == 0], release.count[group % 2 == 0]))
    left = instance.arcs.copies.copy()
    np.subtract.at(left, instance.arcs.member[some.arc], some.count)
    return some, left


@each("seed", range(30))
def test_what_is_taken_in_leaves_groups_legal_and_is_there_once(seed: int) -> None:
    problem = problem_of(seed, principles=RARE) if seed % 5 == 0 else problem_of(seed)
    instance = instance_of(problem)
    some, left = without_some(instance, seed)
    widening, before = Widening(instance, some), int(left.sum())
    widening.take(left)
    found = widening.release()
    assert (np.diff(found.arc) > 0).all()
    held = np.bincount(instance.arcs.member[found.arc], found.count, len(left))
    assert (held + left == instance.arcs.copies).all()
    assert (left >= 0).all()
    assert legal_part(instance, found).arc.tolist() == found.arc.tolist()
    if not before:
        assert (found.arc.tolist(), found.count.tolist()) == (some.arc.tolist(), some.count.tolist())


def test_the_group_that_loses_least_gives_up_columns() -> None:
    """A row of (1, 2) may join the pair at (1, 1), which stars one column, or the triple at (2, 2), which stars the other for three."""
    rows = [(1, 1, "x"), (1, 1, "y"), (2, 2, "x"), (2, 2, "y"), (2, 2, "z"), (1, 2, "x")]
    table = ao.Table.from_frame(pd.DataFrame(rows, columns=["a", "b", "ill"]), ["a", "b"], "ill")
    problem = ao.CellSuppression(table, ao.LDiversity("3/2"))
    instance = instance_of(problem)
    found = list(greedy_releases(instance, np.zeros(len(instance.arcs)), np.random.default_rng(0)))
    costs = [instance.programs.cost_of(release) for release in found]
    assert costs[-1] == 3
    assert len(costs) == 2
    assert problem.cost(partition_of(instance.patterns, found[1])) == 3


@pytest.mark.parametrize("principle", [ao.LDiversity(2), ao.TCloseness("0.3")])
def test_rows_that_would_cost_too_much_are_left(principle: ao.Principle, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = instance_of(close_problem(3, principle))
    some, left = without_some(instance, 3)
    assert left.any()
    monkeypatch.setattr("anoptima.solvers.exact.sifting.releases.widening.MOST", (0.0,))
    before = left.copy()
    Widening(instance, some).take(left)
    assert left.tolist() == before.tolist()
    assert list(MOST) == sorted(MOST)


def test_there_is_a_second_release_where_rows_were_left() -> None:
    """Both ends of a greedy choice are releases."""
    counts = []
    for seed in range(20):
        problem = problem_of(seed)
        instance = instance_of(problem)
        found = list(greedy.greedy_releases(instance, np.zeros(len(instance.arcs)), np.random.default_rng(seed)))
        counts.append(len(found))
        for release in found:
            assert not problem.violations(partition_of(instance.patterns, release))
    assert set(counts) == {1, 2}
