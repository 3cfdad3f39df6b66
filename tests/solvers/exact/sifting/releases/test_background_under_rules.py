"""Searches beside each other: what two of them change adds up where it can, is refused where it cannot, and errors come through."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from anoptima.principles import LDiversity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases.background_under_rules import Shared, beside
from anoptima.solvers.exact.sifting.releases.regions_under_rules import Search
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of
from tests.solvers.exact.sifting.releases.test_regions_under_rules import never, search_of

SEEDS = [*range(300, 319)]


class Interrupted(Search):
    """A search during whose step something else happens."""

    meanwhile: Callable[[], None]

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        better = super().step(seconds, is_over)
        self.meanwhile()
        return better


class Moving(Search):
    """A search whose step is what a test says."""

    move: Callable[[], None]

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        self.move()
        return True


@pytest.mark.parametrize("budget", [2, 40])
@each("seed", SEEDS)
def test_what_two_searches_change_is_a_release(seed: int, budget: int) -> None:
    """With regions of the whole table the second change cannot be carried over."""
    problem = problem_of(seed)
    instance = instance_of(problem)
    one, other = search_of(instance, Interrupted), search_of(instance)
    assert isinstance(one, Interrupted)
    for search in (one, other):
        for way in search._ways:
            way.budget = budget
    shared = Shared(one.release, one.reduced)
    seen = []

    def meanwhile() -> None:
        shared.step(other, 10.0, never)
        seen.append(shared.release)

    one.meanwhile = meanwhile
    for _ in range(3):
        before = one.cost_of(shared.release)
        assert shared.step(one, 10.0, never) == (one.cost_of(shared.release) < before)
        assert one.release is shared.release
        assert one.cost_of(shared.release) <= one.cost_of(seen[-1]) <= before
        assert not problem.violations(partition_of(instance.patterns, shared.release))


@each("seed", SEEDS[::3])
def test_two_searches_come_to_the_optimum(seed: int) -> None:
    problem = problem_of(seed, 7)
    instance = instance_of(problem)
    search = search_of(instance)
    shared = Shared(search.release, search.reduced)
    steps = 0
    with beside(shared, [search_of(instance)], never):
        while problem.unscale(search.cost_of(shared.release)) > optimum_of(problem) and steps < 200:
            shared.step(search, 10.0, never)
            steps += 1
    assert problem.unscale(search.cost_of(shared.release)) == optimum_of(problem)


def test_changes_that_are_legal_one_by_one_but_not_together_are_not_added() -> None:
    """Each lets one more x into the group of x, y, z, where it costs nothing; with two of them, three of five rows would be x."""
    frame = pd.DataFrame({"a": list("aaaaabcd"), "s": list("xyzxxyzy")})
    problem = CellSuppression(Table.from_frame(frame, ["a"], ["s"]), LDiversity(2, "s"))
    instance = instance_of(problem)

    def release(moved: int) -> Release:
        labels = np.array([0] * (3 + moved) + [1] * (5 - moved))
        return release_of(problem, instance.patterns, Partition.from_labels(labels))

    assert not problem.violations(partition_of(instance.patterns, release(1)))
    assert problem.violations(partition_of(instance.patterns, release(2)))

    search, shared = search_of(instance, Moving), Shared(release(0), np.zeros(len(instance.arcs.member)))
    assert isinstance(search, Moving)

    def both_move_one() -> None:
        search.release = shared.release = release(1)

    search.release, search.move = shared.release, both_move_one
    assert shared.step(search, 10.0, never)
    assert not problem.violations(partition_of(instance.patterns, shared.release))
    assert shared.release.arc.tolist() == release(1).arc.tolist()
    assert search.release is shared.release


def test_a_better_release_from_elsewhere_is_shared() -> None:
    problem = problem_of(300, 7)
    instance = instance_of(problem)
    search, best = search_of(instance), search_of(instance)
    for _ in range(50):
        best.step(10.0, never)
    shared = Shared(search.release, search.reduced)
    search.take(best.release)
    shared.step(search, 10.0, never)
    assert search.cost_of(shared.release) <= best.cost


def test_what_breaks_a_search_is_raised() -> None:
    instance = instance_of(problem_of(300))
    search = search_of(instance, Interrupted)
    assert isinstance(search, Interrupted)
    begun = threading.Event()

    def meanwhile() -> None:
        begun.set()
        raise ZeroDivisionError("a mistake")

    search.meanwhile = meanwhile
    with (
        pytest.raises(ZeroDivisionError, match="a mistake"),
        beside(Shared(search.release, search.reduced), [search], never),
    ):
        assert begun.wait(30)
