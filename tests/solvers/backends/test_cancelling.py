"""Cancelling: who asks is heard, inside and outside the main thread, and work that does not look is interrupted."""

from __future__ import annotations

import signal
import threading

import pytest

from anoptima.deadline import check_time
from anoptima.errors import OutOfTime
from anoptima.solvers.backends.cancelling import Cancelling


def test_without_an_event_nothing_is_asked() -> None:
    cancelling = Cancelling(None)
    with cancelling.watched():
        check_time()
        assert not cancelling.is_asked()


def test_what_looks_at_the_clock_hears_of_an_event_there() -> None:
    cancel = threading.Event()
    with Cancelling(cancel).watched():
        check_time()
        cancel.set()
        with pytest.raises(OutOfTime):
            check_time()
    check_time()


def test_what_does_not_look_is_interrupted_in_any_thread() -> None:
    ended: list[str] = []

    def work() -> None:
        cancel = threading.Event()
        with pytest.raises(OutOfTime), Cancelling(cancel).watched():  # noqa: PT012 - it comes at any step
            cancel.set()
            while True:
                pass
        ended.append(threading.current_thread().name)

    threads = [threading.Thread(target=work, name=name) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ended) == ["one", "two"]


def test_the_first_control_c_asks_the_second_raises_and_afterwards_python_hears_it() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        cancelling = Cancelling(None)
        with pytest.raises(KeyboardInterrupt), cancelling.watched():  # noqa: PT012 - the second of two
            signal.raise_signal(signal.SIGINT)
            assert cancelling.is_asked()
            with pytest.raises(OutOfTime):
                check_time()
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
