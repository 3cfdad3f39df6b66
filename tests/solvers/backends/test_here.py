"""A worker that is a thread of this process answers as a process does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from anoptima.answer import Stop
from anoptima.solvers.backends.here import Here, WorkerHere
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.backends.messages import FoundBound, FoundIncumbent, Limits, Message, Request, Result, Spent
from tests.processes import PATIENCE
from tests.solvers.backends import plugins

LIMITS = Limits(deadline=None, gap=Fraction(0), threads=1, memory=None, seed=0, log=False, here=True)


def messages(worker: WorkerHere) -> Iterator[Message]:
    """Yield what is said, to the end."""
    while True:
        message = worker.receive(PATIENCE)
        assert message is not None
        yield message
        if isinstance(message, Result):
            return


def asked(backend: Any) -> WorkerHere:
    from anoptima.testing.programs import linear

    worker = Here(backend).take()
    worker.request(Request(backend.payload(linear([1], []), None), LIMITS, None))
    return worker


def test_it_says_what_was_found_what_was_spent_and_how_it_ended() -> None:
    said = list(messages(asked(Highs())))
    assert isinstance(said[-1], Result)
    assert said[-1].stop is Stop.PROVED
    assert isinstance(said[-2], Spent)
    assert any(isinstance(message, FoundIncumbent) for message in said)


def test_it_stops_when_asked_and_nothing_comes_from_one_that_has_nothing_to_say() -> None:
    worker = asked(plugins.Patient())
    assert isinstance(worker.receive(PATIENCE), FoundBound)
    assert worker.receive(0.0) is None
    worker.stop()
    assert next(message for message in messages(worker) if isinstance(message, Result)).stop is Stop.CANCELLED


def test_each_run_has_a_thread_of_its_own_that_ends_with_it() -> None:
    pool = Here(plugins.Patient())
    one, other = pool.take(), pool.take()
    assert one is not other
    before = set(threading.enumerate())
    worker = asked(plugins.Patient())
    (thread,) = set(threading.enumerate()) - before
    worker.leave()
    thread.join(PATIENCE)
    assert not thread.is_alive()
