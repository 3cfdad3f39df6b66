"""Searches beside each other: what they change adds up where it can, is refused where it cannot; they hear news; errors come through."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Budget
from anoptima.deadline import check_time, within
from anoptima.principles import LDiversity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import Sifting, standing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases import background
from anoptima.solvers.exact.sifting.releases.annealed_regions import AnnealedRegions
from anoptima.solvers.exact.sifting.releases.background import Background
from anoptima.solvers.exact.sifting.releases.regions import Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from anoptima.solvers.exact.sifting.stages import core_rounds
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.tree.by_pattern import TreeByPattern
from anoptima.table import Table
from tests.clocks import Clock
from tests.loops import each
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of
from tests.solvers.exact.sifting.releases.test_regions import never, one_of, search_of


def background_of(search: RegionSearch) -> Background[RegionSearch]:
    return Background(search.programs, search.release, never)


def middling(rows: int = 90) -> ao.CellSuppression:
    chance = np.random.default_rng(5)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2], (rows, 4)), columns=list("abcd"))
    return ao.CellSuppression(ao.Table.from_frame(frame, list("abcd")), ao.KAnonymity(3))


@pytest.fixture
def _even_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "LARGE_RECORDS", 0)


@pytest.mark.usefixtures("_even_small_tables")
def test_two_threads_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    begin = Background.start

    def count(self: Background[AnnealedRegions], searches: list[AnnealedRegions]) -> None:
        started.append(self)
        begin(self, searches)

    monkeypatch.setattr(Background, "start", count)
    problem = middling()
    alone = Sifting().solve(problem, Budget(seconds=PATIENCE, threads=1))
    assert not started
    together = Sifting().solve(problem, Budget(seconds=PATIENCE, threads=2))
    assert started
    assert not any(thread.is_alive() for thread in started[0]._threads)
    assert together.claim is alone.claim is ao.Claim.OPTIMAL
    assert together.cost == alone.cost


@pytest.mark.usefixtures("_even_small_tables")
def test_what_breaks_the_search_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: AnnealedRegions, *_: object) -> bool:
        raise ZeroDivisionError("in the search")

    monkeypatch.setattr(AnnealedRegions, "step", broken)
    with pytest.raises(ZeroDivisionError, match="in the search"):
        Sifting().solve(middling(), Budget(seconds=PATIENCE, threads=2))


def test_out_of_time_the_search_ends_too() -> None:
    answer = Sifting().solve(middling(400), Budget(seconds=0.5, threads=2))
    assert answer.cost is not None
    assert not answer.verify().wrong


@pytest.mark.usefixtures("_even_small_tables")
def test_a_search_that_rests_goes_on_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def watch(self: Branch, tree: TreeByPattern) -> None:
        search = self.standing.shared
        (before,) = search._threads
        with search.resting():
            seen.append(before.is_alive())
        seen.append(search._threads != [before])
        grow(self, tree)

    grow = Branch._grow
    monkeypatch.setattr(Branch, "_grow", watch)
    monkeypatch.setattr(core_rounds, "PATIENCE", 0)
    answer = Sifting().solve(middling(30), Budget(seconds=PATIENCE, threads=2))
    assert answer.claim is ao.Claim.OPTIMAL
    assert seen[:2] == [False, True]


SEEDS = [*range(300, 319)]


class Interrupted(RegionSearch):
    """A search during whose step something else happens."""

    meanwhile: Callable[[], None]

    def step(self, seconds: float, is_over: Callable[[], bool]) -> bool:
        better = super().step(seconds, is_over)
        self.meanwhile()
        return better


class Listening(RegionSearch):
    """A search that notes how it is guided."""

    heard: list[Guide]

    def guide(self, guide: Guide) -> None:
        super().guide(guide)
        self.heard = [*getattr(self, "heard", []), guide]


class Moving(RegionSearch):
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
    one, other = one_of(Interrupted, instance), search_of(instance)
    for search in (one, other):
        for way in search._ways:
            way.budget = budget
    shared = background_of(one)
    seen = []

    def meanwhile() -> None:
        shared.step(other, 10.0, never)
        seen.append(shared.release)

    one.meanwhile = meanwhile
    for _ in range(3):
        before = shared.cost
        assert shared.step(one, 10.0, never) == (shared.cost < before)
        assert one.release is shared.release
        assert shared.cost <= one.programs.cost_of(seen[-1]) <= before
        assert not problem.violations(partition_of(instance.patterns, shared.release))


@each("seed", SEEDS[::3])
def test_two_searches_come_to_the_optimum(seed: int) -> None:
    problem = problem_of(seed, 7)
    instance = instance_of(problem)
    search = search_of(instance)
    shared = background_of(search)
    steps = 0
    shared.start([search_of(instance)])
    try:
        while problem.unscale(shared.cost) > optimum_of(problem) and steps < 200:
            shared.step(search, 10.0, never)
            steps += 1
    finally:
        shared.stop()
    assert problem.unscale(shared.cost) == optimum_of(problem)


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

    search = one_of(Moving, instance)
    search.release = release(0)
    shared = background_of(search)

    def both_move_one() -> None:
        search.release = shared._release = release(1)

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
    shared = background_of(search)
    search.take(best.release)
    shared.step(search, 10.0, never)
    assert shared.cost <= best.cost


def test_what_breaks_a_search_is_raised() -> None:
    instance = instance_of(problem_of(300))
    search = one_of(Interrupted, instance)
    begun = threading.Event()

    def meanwhile() -> None:
        begun.set()
        raise ZeroDivisionError("a mistake")

    search.meanwhile = meanwhile
    shared = background_of(search)
    shared.start([search])
    assert begun.wait(30)
    shared.stop()
    with pytest.raises(ZeroDivisionError, match="a mistake"):
        _ = shared.release


def test_a_search_that_hears_that_the_time_is_up_leaves_what_it_has_come_to() -> None:
    search = one_of(Moving, instance_of(problem_of(300)))
    shared, heard = background_of(search), threading.Event()

    def move() -> None:
        heard.set()
        check_time()

    search.move = move
    release = shared.release
    with within(lambda: True):
        shared.start([search])
    assert heard.wait(PATIENCE)
    shared.stop()
    assert shared.release is release


def test_searches_that_do_not_come_back_are_waited_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, left = Clock(monkeypatch), list[object]()

    class Stuck(threading.Thread):
        def join(self, timeout: float | None = None) -> None:
            assert timeout is not None
            clock.forward(timeout)

        def is_alive(self) -> bool:
            return True

    monkeypatch.setattr(background, "leave", left.append)
    shared = background_of(search_of(instance_of(problem_of(0))))
    shared._threads = [Stuck() for _ in range(50)]
    shared.end()
    assert left == shared._threads
    assert clock._ahead <= background.LAST_S


def test_a_search_hears_the_last_of_what_it_was_told_and_once() -> None:
    search = one_of(Listening, instance_of(problem_of(300)))
    shared, guides = background_of(search), [Guide(search._guide.reduced + more) for more in (1.0, 2.0)]
    search.heard = []
    for guide in guides:
        shared.guide(guide)
    shared.meet(search)
    shared.meet(search)
    assert search.heard == guides[1:]
    shared.guide(guides[0])
    shared.meet(search)
    assert search.heard == guides[::-1]


def test_a_release_that_is_taken_is_there_at_once_and_every_search_knows_of_it() -> None:
    problem = problem_of(302, 7)
    instance = instance_of(problem)
    search, best = search_of(instance), search_of(instance)
    while problem.unscale(best.cost) > optimum_of(problem):
        best.step(10.0, never)
    assert best.cost < search.cost
    shared, first = background_of(search), search.release
    shared.take(Release(best.release.arc[1:], best.release.count[1:]))
    assert shared.release is first
    shared.take(best.release)
    assert shared.release is best.release
    shared.meet(search)
    assert search.release is best.release
