from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path

import pytest

from anoptima.machine import Measured, available_memory
from tests.processes import wait_until

needs_linux = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux alone tells the peak")
MIB = 2**20


@needs_linux
def test_the_peak_counts_what_was_given_back() -> None:
    # Not from the heap, which may have that much to spare.
    with Measured() as measured, mmap.mmap(-1, 64 * MIB) as block:
        for place in range(0, len(block), 1024):
            block[place] = 1
    assert measured.peak is not None
    assert 60 * MIB < measured.peak < 90 * MIB
    with Measured() as measured:
        pass
    assert measured.peak is not None
    assert measured.peak < 30 * MIB


@needs_linux
@pytest.mark.skipif(not Path("/proc/thread-self/children").exists(), reason="the kernel does not list children")
def test_the_peak_counts_processes_that_were_started() -> None:
    program = "b = bytearray(80 << 20); print(flush=True); input()"
    with (
        Measured() as measured,
        subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child,
    ):
        assert child.stdout is not None
        child.stdout.readline()
        wait_until(lambda: measured._most.get(child.pid, 0) > 70 * MIB, "the process was looked at")
        child.communicate(b"\n")
    assert measured.peak is not None
    assert measured.peak > 70 * MIB
    assert measured.seconds > 0


def test_some_memory_can_be_had() -> None:
    assert available_memory() > 0
