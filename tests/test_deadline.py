"""Deadlines: work that looks at the clock, and work that does not and is interrupted."""

import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from anoptima import deadline
from anoptima.deadline import Alarm, alarmed, check_time, extended, unbroken, under, within
from anoptima.errors import OutOfTime
from tests.clocks import Clock


def spin(begun: threading.Event | None = None) -> None:
    """Work for ever."""
    if begun is not None:
        begun.set()
    while True:
        pass


def struck(alarm: Alarm, begun: threading.Event, told: list[bool]) -> threading.Thread:
    """Strike from another thread, once it has begun."""

    def strike() -> None:
        begun.wait()
        told.append(alarm.strike())

    thread = threading.Thread(target=strike)
    thread.start()
    return thread


def test_a_loop_that_never_looks_at_the_clock_is_interrupted() -> None:
    begun, told = threading.Event(), list[bool]()
    alarm = Alarm(1e6)
    thread = struck(alarm, begun, told)
    with pytest.raises(OutOfTime, match="the time is up"), alarmed(alarm):
        spin(begun)
    thread.join()
    assert told == [True]


def test_what_is_not_to_be_broken_is_not_interrupted_but_what_follows_is() -> None:
    done: list[object] = []
    alarm = Alarm(1e6)
    with alarmed(alarm), pytest.raises(OutOfTime):  # noqa: PT012 - the exception may come at any step
        with unbroken(), within(lambda: False, 1e6), unbroken():
            done.append(alarm.strike())
        done.append("both left")
        alarm.strike()
        spin()
    assert done == [False, "both left"]


def test_an_alarm_that_was_left_strikes_no_more() -> None:
    alarm = Alarm(1e6)
    with alarmed(alarm):
        pass
    assert not alarm.strike()
    assert sum(range(1000)) == 499_500


def test_a_thread_that_starts_another_one_is_left_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    alarm, told = Alarm(1e6), list[bool]()
    with alarmed(alarm):
        thread = threading.Thread(target=lambda: None)
        started: Any = vars(thread)["_started"]
        wait = started.wait

        def strike_and_wait() -> None:
            told.append(alarm.strike())
            wait()

        monkeypatch.setattr(started, "wait", strike_and_wait)
        thread.start()
        thread.join()
    assert told == [False]


def test_native_code_that_the_exception_passes_makes_no_difference() -> None:
    broken = SystemError("returned a result with an exception set")
    broken.__cause__ = OutOfTime()
    with pytest.raises(OutOfTime), within(lambda: False, 1e6):
        raise broken
    with pytest.raises(SystemError), within(lambda: False, 1e6):
        raise SystemError("something else")


class Interrupted(Alarm):
    """An alarm that is interrupted the first time that it is left."""

    times = 0

    def leave(self) -> None:
        self.times += 1
        if self.times == 1:
            raise OutOfTime
        super().leave()


def test_an_interruption_that_comes_when_the_body_is_done_is_forgotten() -> None:
    alarm = Interrupted(1e6)
    with alarmed(alarm):
        done = True
    assert done
    assert alarm.times == 2
    assert not alarm.strike()


PROFILED = """
import cProfile, faulthandler, sys
from anoptima.deadline import Alarm, alarmed
from anoptima.errors import OutOfTime
faulthandler.dump_traceback_later(60, exit=True)
for has_struck in (False, True):
    try:
        with alarmed(alarm := Alarm(1e6)):
            if has_struck:
                alarm.strike()
    except OutOfTime:
        pass
    for traced in (cProfile.Profile().runcall, lambda work: (sys.settrace(lambda *_: None), work(), sys.settrace(None))):
        traced(lambda: sum(number for number in range(3)))
print("goes on")
"""
"""Python spins for ever under a profiler or a debugger if it goes on looking for an exception that was taken back."""


def test_profilers_and_debuggers_go_on_after_an_alarm() -> None:
    told = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, check=False)
    assert told.stdout == "goes on\n", told.stderr


def _note(alarm: Alarm, told: list[bool]) -> None:
    told.append(alarm.strike())


def test_packages_that_load_and_loops_that_compile_are_left_to_end() -> None:
    for name, struck in [
        ("<frozen importlib._bootstrap>", False),
        ("/lib/numba/core/compiler.py", False),
        ("x.py", True),
    ]:
        alarm, told = Alarm(1e6), list[bool]()
        found: dict[str, Callable[[], None]] = {}
        exec(compile("def work(): act()", name, "exec"), {"act": partial(_note, alarm, told)}, found)
        try:
            with alarmed(alarm):
                found["work"]()
        except OutOfTime:
            told.append(True)
        assert told[-1] is struck


def test_alarms_of_threads_that_overlap_leave_the_hook_as_it_was() -> None:
    """Each thread that put back what it had found would put back the hook of a thread that has ended."""
    before = sys.unraisablehook
    entered, left = threading.Event(), threading.Event()

    def outlast() -> None:
        with within(lambda: False, 1e6):
            entered.set()
            left.wait()

    other = threading.Thread(target=outlast)
    with within(lambda: False, 1e6):
        other.start()
        entered.wait()
    while_one_is_set = sys.unraisablehook
    left.set()
    other.join()
    assert while_one_is_set is not before
    assert sys.unraisablehook is before


def test_only_lost_interruptions_are_kept_quiet_about(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))

    class Raising:
        def __init__(self, error: type[BaseException]) -> None:
            self.error = error

        def __del__(self) -> None:
            raise self.error

    with within(lambda: False, 1e6):
        for error in (OutOfTime, ZeroDivisionError):
            Raising(error)
    assert told == [ZeroDivisionError]


def test_a_deadline_that_is_over_interrupts_by_itself() -> None:
    with pytest.raises(OutOfTime), within(lambda: False, -deadline.GRACE):
        spin()


def test_a_deadline_with_seconds_to_go_leaves_the_body_alone() -> None:
    with within(lambda: False, 1e9):
        check_time()


def test_who_is_told_of_a_run_is_under_his_own_deadline() -> None:
    with within(lambda: True):
        with under(lambda: False):
            check_time()
        with pytest.raises(OutOfTime):
            check_time()


def test_a_deadline_is_extended_by_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    with within(lambda: True):
        with extended(1_000):
            check_time()
            clock.forward(1_001)
            with pytest.raises(OutOfTime):
                check_time()
        with pytest.raises(OutOfTime):
            check_time()
