"""A tree of toy cases: intervals of whole numbers, each bounded by its least number, halved until they are single ones."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from anoptima.deadline import current_deadline, within
from anoptima.errors import OutOfTime
from anoptima.solvers.exact.sifting.tree.tree import Tree
from tests.processes import PATIENCE


@dataclass(frozen=True)
class Interval:
    first: int
    last: int
    proved: float


class Halving:
    """Tells the value of the least number of an interval; the value of a number is its distance to 100."""

    def __init__(self, tree: Toy) -> None:
        self._tree = tree
        self.begun: list[Interval] = []

    def begin(self, case: Interval) -> None:
        self.begun.append(case)

    def examine(self, case: Interval, target: float) -> tuple[Interval, str | None]:
        values = [abs(number - 100) for number in range(case.first, case.last + 1)]
        return Interval(case.first, case.last, min(values)), "solution" if self._tree.solves else None

    def divide(self, case: Interval, solution: str | None) -> Sequence[Interval]:
        if case.first == case.last:
            self._tree.best = min(self._tree.best, case.proved)
            return []
        middle = (case.first + case.last) // 2
        return [Interval(case.first, middle, case.proved), Interval(middle + 1, case.last, case.proved)]


class Toy(Tree[Interval]):
    def __init__(self, first: int, last: int, threads: int = 1, solves: bool = True, step: float = math.inf) -> None:
        super().__init__(lambda: False, lambda case: case.proved)
        self.solves, self.best, self._step = solves, math.inf, step
        self.most = math.inf
        self.halving = [Halving(self) for _ in range(threads)]
        self.branchers = self.halving
        self.leave(Interval(first, last, 0))

    @property
    def wanted(self) -> float:
        return self.best

    @property
    def is_full(self) -> bool:
        return len(self.cases) >= self.most

    def target(self, case: Interval) -> float:
        return min(self.wanted, case.proved + self._step)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("solves", [True, False])
@pytest.mark.parametrize("step", [1.0, math.inf])
def test_the_least_is_found_and_proved_and_the_cases_are_a_partition(threads: int, solves: bool, step: float) -> None:
    for first, last in ((0, 63), (90, 117), (103, 300), (7, 7)):
        tree = Toy(first, last, threads, solves, step)
        tree.run(threads)
        assert tree.is_done
        assert tree.proved == tree.best == min(abs(number - 100) for number in range(first, last + 1))
        covered = sorted(number for case in tree.cases for number in range(case.first, case.last + 1))
        assert covered == list(range(first, last + 1))


def test_all_threads_are_under_the_deadline_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, met = Toy(0, 63, threads=2), threading.Barrier(2)
    under: list[bool] = []

    def begins(halving: Halving) -> Callable[[Interval], None]:
        def begin(case: Interval) -> None:
            under.append(current_deadline()())
            if not halving.begun:
                met.wait(PATIENCE)
            halving.begun.append(case)

        return begin

    for halving in tree.halving:
        monkeypatch.setattr(halving, "begin", begins(halving))
    tree.leave(Interval(64, 127, 0))
    with within(lambda: True):
        tree.run(2)
    assert len(under) >= 2
    assert all(under)


def test_one_that_is_not_followed_is_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = Toy(0, 63)
    followed.run()
    left = Toy(0, 63)
    monkeypatch.setattr(left, "is_followed", lambda: False)
    left.run()
    assert left.proved == followed.proved
    assert len(left.halving[0].begun) > len(followed.halving[0].begun)


def test_a_tree_that_is_full_or_out_of_time_is_left_as_it_is_and_gone_on_with() -> None:
    tree = Toy(0, 255, step=1.0)
    tree.run(seconds=0.0)
    assert len(tree.cases) == 1
    tree.most = 4
    tree.run()
    assert not tree.is_done
    assert 4 <= len(tree.cases) < 20
    assert tree.proved <= 0
    tree.most = math.inf
    tree.run()
    assert tree.is_done
    assert tree.proved == 0


@pytest.mark.parametrize("part", ["examine", "divide"])
@pytest.mark.parametrize("error", [OutOfTime, ValueError])
def test_no_case_is_lost_where_time_ends_it_and_a_tree_with_a_lost_one_is_not_whole(
    error: type[Exception], part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, calls = Toy(0, 255), itertools.count()
    act = getattr(tree.halving[0], part)

    def ends(*given: Any) -> Any:
        if next(calls) == 5:
            raise error
        return act(*given)

    monkeypatch.setattr(tree.halving[0], part, ends)
    with pytest.raises(error):
        tree.run()
    covered = sorted(number for case in tree.cases for number in range(case.first, case.last + 1))
    assert tree.is_whole is (error is OutOfTime)
    assert tree.is_whole is (covered == list(range(256)))


def test_what_breaks_one_thread_ends_what_others_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who interrupts a solver of two threads waited until the other one had followed its case to the end."""
    tree, met, calls = Toy(0, 255, threads=2), threading.Barrier(2), itertools.count()
    tree.leave(Interval(256, 511, 0))

    def breaks(case: Interval) -> None:
        met.wait(PATIENCE)
        raise KeyboardInterrupt

    def same(case: Interval, solution: str) -> list[Interval]:
        if next(calls) == 0:
            met.wait(PATIENCE)
        time.sleep(1e-3)
        return [case] if next(calls) < 10_000 else []

    monkeypatch.setattr(tree.halving[0], "begin", breaks)
    monkeypatch.setattr(tree.halving[1], "divide", same)
    with pytest.raises(KeyboardInterrupt):
        tree.run(2)
    assert next(calls) < 10_000
