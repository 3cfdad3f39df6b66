"""What a run in a worker tells its parent, without a process around it."""

from __future__ import annotations

import resource
import threading

import numpy as np
import pytest

from anoptima.answer import StartFate
from anoptima.solvers.backends import worker
from anoptima.solvers.backends.messages import FoundBound, FoundIncumbent, FoundLines, Judged, Message
from anoptima.solvers.backends.worker import Report
from tests.processes import PATIENCE


def test_lines_travel_together_and_before_what_comes_after_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LOG_EVERY", PATIENCE)
    sent: list[Message] = []
    report = Report(sent.append)
    report.log("one\n\n  \ntwo")
    report.log("three")
    assert sent == []
    report.bound(3)
    assert sent == [FoundLines(("one", "two", "three")), FoundBound(3)]
    report.flush()
    report.start(StartFate.ACCEPTED)
    assert sent[2:] == [Judged(StartFate.ACCEPTED)]


def test_lines_that_have_waited_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LOG_EVERY", -1.0)
    sent: list[Message] = []
    Report(sent.append).log("alone")
    assert sent == [FoundLines(("alone",))]


def test_an_incumbent_is_a_copy() -> None:
    sent: list[Message] = []
    values = np.ones(2)
    Report(sent.append).incumbent(7, values)
    values[:] = 0
    (message,) = sent
    assert isinstance(message, FoundIncumbent)
    assert (message.objective, message.values.tolist()) == (7, [1, 1])


def test_a_stop_is_repeated_until_the_run_is_over() -> None:
    report = Report(lambda message: None)
    often = threading.Semaphore(0)
    report.when_stopped(often.release)
    assert not report.should_stop()
    report.request_stop()
    assert report.should_stop()
    for _ in range(3):
        assert often.acquire(timeout=PATIENCE), "the run was asked to stop again"
    report.finish()


def test_a_limit_on_memory_is_lifted_afterwards() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with worker.memory_limit(2**40):
        assert resource.getrlimit(resource.RLIMIT_DATA) == (2**40, before[1])
    with worker.memory_limit(None):
        assert resource.getrlimit(resource.RLIMIT_DATA) == before
    with pytest.raises(MemoryError), worker.memory_limit(1):
        pass
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
