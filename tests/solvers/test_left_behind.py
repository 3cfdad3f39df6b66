"""Threads that were left to themselves: Python waits for them as it ends, and not for long."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading

import pytest

from anoptima.solvers import left_behind

PROGRAM = """
import threading, time
from anoptima.solvers import left_behind
from anoptima.solvers.left_behind import leave

left_behind.PATIENT_S = {patience}

def work():
    time.sleep({seconds})
    print("came back", flush=True)

thread = threading.Thread(target=work, daemon=True)
thread.start()
leave(thread)
"""


@pytest.mark.parametrize(
    ("seconds", "patience", "said"), [(0.3, left_behind.PATIENT_S, "came back\n"), (3600, 1.0, "")]
)
def test_python_waits_for_those_that_come_back_soon(seconds: float, patience: float, said: str) -> None:
    program = textwrap.dedent(PROGRAM.format(seconds=seconds, patience=patience))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, said)


def test_the_command_line_ends_with_its_code_whatever_does_not_come_back() -> None:
    # A thread that needs Python while Python ends is what aborts it: the sleeping one stands for HiGHS.
    program = textwrap.dedent(PROGRAM.format(seconds=3600, patience=left_behind.PATIENT_S)) + textwrap.dedent("""
        import atexit
        from anoptima.solvers.left_behind import end

        atexit.register(print, "cleaned up")
        end(7)
        print("not reached")
        """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (7, "cleaned up\n")


def test_those_that_came_back_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(left_behind, "_left", [])
    ended = threading.Event()
    for _ in range(3):
        thread = threading.Thread(target=ended.wait, args=(0,), daemon=True)
        thread.start()
        thread.join()
        left_behind.leave(thread)
    assert len(left_behind._left) == 1
