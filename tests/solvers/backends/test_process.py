"""Processes of backends: what becomes of one that is killed."""

from __future__ import annotations

import subprocess
import threading

import pytest

from anoptima.solvers.backends.process import WorkerProcess
from tests.processes import PATIENCE


def test_nobody_waits_for_a_process_that_takes_long_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is cleared away once it is gone, by a thread of its own."""
    worker = WorkerProcess(("tests.solvers.backends.plugins", "Loop"))
    process, wait = worker._process, worker._process.wait
    may_go, gone = threading.Event(), threading.Event()

    def slow(timeout: float | None = None) -> int:
        if timeout is not None:
            raise subprocess.TimeoutExpired(process.args, timeout)
        may_go.wait(PATIENCE)
        code = wait()
        gone.set()
        return code

    monkeypatch.setattr(process, "wait", slow)
    worker.kill()
    assert not gone.is_set()
    may_go.set()
    assert gone.wait(PATIENCE)
    assert process.returncode < 0
