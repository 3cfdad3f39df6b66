"""HiGHS on a thread of its own: it comes back, breaks, or does not look up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from anoptima.deadline import within
from anoptima.errors import OutOfTime
from anoptima.solvers import left_behind
from anoptima.solvers.exact.sifting.native import LARGE, run
from tests.clocks import Clock


class Program:
    """A large program that does something when it is run."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.run = act

    def getNumRow(self) -> int:
        return LARGE

    def getNumCol(self) -> int:
        return 0


def on(act: Callable[[], object]) -> Any:
    return Program(act)


def test_a_run_that_does_not_look_up_is_left_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, looks_up = Clock(monkeypatch), threading.Event()

    def is_over() -> bool:
        clock.forward(10)
        return True

    for _ in range(2):
        with pytest.raises(OutOfTime), within(is_over):
            run(on(looks_up.wait))
    left = [thread for thread in left_behind._left if thread.name == "HiGHS"]
    assert len(left) >= 2, "Python waits for them as it ends"
    looks_up.set()
    left_behind.wait()


def test_a_run_that_is_over_may_still_come_back() -> None:
    asked, done = threading.Event(), []

    def is_over() -> bool:
        asked.set()
        return True

    def act() -> None:
        asked.wait()
        done.append(True)

    with within(is_over):
        run(on(act))
    assert done == [True]


def test_what_a_run_raises_is_raised() -> None:
    def act() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(on(act))
