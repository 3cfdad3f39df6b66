from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path

import pytest

from anoptima.machine import Measured, available_memory

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
    with Measured() as measured:
        subprocess.run([sys.executable, "-c", "import time; b = bytearray(80 << 20); time.sleep(0.5)"], check=True)
    assert measured.peak is not None
    assert measured.peak > 70 * MIB
    assert measured.seconds > 0.4


def test_some_memory_can_be_had() -> None:
    assert available_memory() > 0
