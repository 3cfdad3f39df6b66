"""Cancelling: who asks is heard, inside and outside the main thread, and work that does not end is left behind, unheard."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from anoptima.answer import Event, Incumbent, StillRunning
from anoptima.deadline import check_time
from anoptima.errors import OutOfTime
from anoptima.solvers.backends import cancelling as module
from anoptima.solvers.backends.cancelling import Cancelling, Heard


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no work behind."""
    monkeypatch.setattr(module, "LAST", math.inf)


@pytest.fixture
def interrupted() -> Iterator[Callable[[], None]]:
    """Give what sends a Ctrl-C to the main thread, where Python's own handler is in place."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def until_asked(cancelling: Cancelling) -> None:
    """Wait until a cancel has been heard of."""
    while not cancelling.is_asked():
        time.sleep(0.001)


class Stuck:
    """Work that neither looks at the clock nor can be interrupted, until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.said: list[BaseException] = []

    def work(self, listener: Heard) -> None:
        """Tell of something, wait, and tell of something else."""
        listener(Incumbent(0.0, 2))
        self.begun.set()
        self.go.wait()
        try:
            listener(Incumbent(0.0, 1))
        except BaseException as error:
            self.said.append(error)
            raise
        finally:
            self.ended.set()


def test_without_an_event_nothing_is_asked() -> None:
    cancelling = Cancelling(None)

    def work() -> bool:
        check_time()
        return cancelling.is_asked()

    assert cancelling.run(work) is False


@pytest.mark.usefixtures("patient")
def test_what_looks_at_the_clock_hears_of_an_event_there() -> None:
    cancel = threading.Event()

    def work() -> str:
        check_time()
        cancel.set()
        with pytest.raises(OutOfTime):
            check_time()
        return "its own result"

    assert Cancelling(cancel).run(work) == "its own result"
    check_time()


def test_what_does_not_look_is_left_and_interrupted_in_any_thread() -> None:
    interruptions: list[str] = []
    done = threading.Semaphore(0)

    def loop(cancel: threading.Event, name: str) -> None:
        cancel.set()
        try:
            while True:
                pass
        except OutOfTime:
            interruptions.append(name)
            done.release()

    def call(name: str) -> None:
        cancel = threading.Event()
        with pytest.raises(OutOfTime):
            Cancelling(cancel).run(lambda: loop(cancel, name))

    threads = [threading.Thread(target=call, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
        done.acquire()
    assert sorted(interruptions) == ["one", "two"]


def test_what_cannot_be_interrupted_is_left_and_not_heard_any_more() -> None:
    stuck, cancel, heard = Stuck(), threading.Event(), list[Event]()
    cancelling = Cancelling(cancel)
    listener = Heard(cancelling, heard.append)

    def cancel_once_begun() -> None:
        stuck.begun.wait()
        cancel.set()

    threading.Thread(target=cancel_once_begun).start()
    with pytest.raises(OutOfTime):
        cancelling.run(lambda: stuck.work(listener))
    assert not stuck.ended.is_set()
    stuck.go.set()
    stuck.ended.wait()
    assert heard == [Incumbent(0.0, 2)]
    assert isinstance(stuck.said[0], OutOfTime)


def test_whoever_listens_hears_on_the_thread_of_the_caller_in_order_and_may_stop_the_work() -> None:
    cancelling = Cancelling(threading.Event())
    events = [Incumbent(0.0, cost) for cost in (3, 2, 1)]
    heard: list[Event] = []

    def hear(event: Event) -> bool:
        heard.append(event)
        assert threading.current_thread() is caller
        return event == events[1]

    caller, listener = threading.current_thread(), Heard(cancelling, hear)
    assert cancelling.run(lambda: [listener(event) for event in events]) == [False, True, True]
    assert heard == events


def test_that_the_work_goes_on_is_heard_while_it_does() -> None:
    """The listener needs a lock that the work has."""
    cancelling, lock, heard = Cancelling(threading.Event()), threading.Lock(), threading.Event()

    def hear(event: Event) -> bool:
        with lock:
            heard.set()
        return True

    def work() -> bool:
        with lock:
            listener(StillRunning(0.0))
        heard.wait()
        while not listener(StillRunning(0.0)):
            pass
        return True

    listener = Heard(cancelling, hear)
    assert cancelling.run(work)


def test_errors_come_to_the_caller_from_the_work_and_through_it_from_whoever_listens() -> None:
    class Wrong(Exception):
        pass

    def hear(event: Event) -> None:
        raise Wrong("by the listener")

    def fail() -> None:
        raise Wrong("by the work")

    passed: list[str] = []

    def work() -> None:
        try:
            listener(Incumbent(0.0, 1))
        except Wrong as error:
            passed.append(str(error))
            raise

    cancelling = Cancelling(threading.Event())
    listener = Heard(cancelling, hear)
    with pytest.raises(Wrong, match="by the work"):
        Cancelling(threading.Event()).run(fail)
    with pytest.raises(Wrong, match="by the listener"):
        cancelling.run(work)
    assert passed == ["by the listener"]
    cancelling = Cancelling(threading.Event())
    listener, left = Heard(cancelling, hear), threading.Event()

    def go_on() -> None:
        try:
            while True:
                listener(StillRunning(0.0))
                check_time()
        finally:
            left.set()

    with pytest.raises(Wrong, match="by the listener"):
        cancelling.run(go_on)
    left.wait()


@pytest.mark.usefixtures("patient")
def test_the_first_control_c_asks_and_the_second_raises(interrupted: Callable[[], None]) -> None:
    stuck, cancelling = Stuck(), Cancelling(None)
    listener = Heard(cancelling, lambda event: None)

    def interrupt_twice() -> None:
        stuck.begun.wait()
        interrupted()
        until_asked(cancelling)
        interrupted()

    threading.Thread(target=interrupt_twice).start()
    with pytest.raises(KeyboardInterrupt):
        cancelling.run(lambda: stuck.work(listener))
    stuck.go.set()
    stuck.ended.wait()
    assert isinstance(stuck.said[0], OutOfTime)
