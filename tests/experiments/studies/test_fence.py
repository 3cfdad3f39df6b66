from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from anoptima.experiments.studies import fence
from anoptima.experiments.studies.fence import Cause, Ended, Limits, command, fenced
from tests.processes import wait_until, wait_until_gone

MANY = 1 << 30
LONG = 3600.0


def run(code: str, seconds: float = LONG, memory: int = MANY, stop: threading.Event | None = None) -> Ended:
    return fenced(command((sys.executable, "-c", code)), "told", Limits(seconds, memory, 1), stop or threading.Event())


@pytest.fixture(params=["group", "watchdog"])
def means(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each limit by control groups, where there are any, and without."""
    if request.param == "watchdog":

        @contextlib.contextmanager
        def none(memory: int) -> Iterator[None]:
            yield None

        monkeypatch.setattr(fence, "_group", none)
    return str(request.param)


def test_what_ends_by_itself_is_left_alone(means: str) -> None:
    ended = run("import sys; print(input()); sys.exit(7)")
    assert (ended.cause, ended.code, ended.said.strip()) == (Cause.ITSELF, 7, "told")
    assert ended.how == "ended with exit code 7"
    assert ended.cpu > 0
    assert means == "group" or ended.means == "watchdog"


def test_time_is_limited(means: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deaf = tmp_path / "deaf"
    # Its time begins to count once it hears no request to end.
    monkeypatch.setattr(fence, "_waited", lambda process: 0.0 if deaf.exists() else LONG)
    ended = run(
        "import pathlib, signal, threading; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"pathlib.Path({str(deaf)!r}).touch(); threading.Event().wait()",
        0.2,
    )
    assert ended.cause is Cause.TIME
    assert ended.code == -signal.SIGKILL


def test_memory_is_limited(means: str) -> None:
    ended = run("import threading; held = b'x' * (400 << 20); threading.Event().wait()", memory=200 << 20)
    assert ended.cause is Cause.MEMORY
    assert run("held = b'x' * (100 << 20)", memory=400 << 20).cause is Cause.ITSELF


def test_whoever_was_started_ends_with_the_process(means: str, tmp_path: Path) -> None:
    told, stop = tmp_path / "child", threading.Event()

    def stop_once_it_is_there() -> None:
        wait_until(lambda: told.exists() and told.read_text(), "the process starts another")
        stop.set()

    waiting = threading.Thread(target=stop_once_it_is_there)
    waiting.start()
    ended = run(
        "import subprocess, sys, threading\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import threading; threading.Event().wait()'], start_new_session=True)\n"
        f"open({str(told)!r}, 'w').write(str(child.pid))\n"
        "threading.Event().wait()",
        stop=stop,
    )
    waiting.join()
    assert ended.cause is Cause.STOPPED
    wait_until_gone(int(told.read_text()))


def test_it_stops_at_once_when_asked(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert run("import threading; threading.Event().wait()", stop=stop).cause is Cause.STOPPED


def test_the_limit_of_the_kernel_is_one_of_time() -> None:
    assert run("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)").cause is Cause.TIME


def test_a_crash_has_the_name_of_its_signal() -> None:
    ended = run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert (ended.cause, ended.how) == (Cause.ITSELF, "was killed by SIGSEGV")


def test_waiting_for_a_core_does_not_count(means: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import threading; threading.Event().wait(0.5)"
    assert run(code, seconds=0.0).cause is Cause.TIME
    monkeypatch.setattr(fence, "_waited", lambda process: LONG)
    assert run(code, seconds=0.0).cause is Cause.ITSELF


def test_a_process_that_is_gone_waits_for_nothing() -> None:
    with subprocess.Popen((sys.executable, "-c", "")) as process:
        pass
    assert fence._waited(process.pid) == 0.0
