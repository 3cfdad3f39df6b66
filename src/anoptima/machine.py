"""What the machine has, and what a stretch of work takes of it: memory that a model may be allowed, seconds and memory that were used."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import threading
import time
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

from anoptima.errors import BadInput
from anoptima.limits import shown

_PROCESSES = Path("/proc")
THREADS_VARIABLE = "OMP_NUM_THREADS"
"""The environment variable that says how many threads a process may use, for us as for most numerical libraries."""
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_PREFIXES = " KMGT"
_SAMPLE = 0.02
"""Seconds between two looks for processes that this one has started."""


def size_in_bytes(text: str) -> int:
    """Return the bytes that a size means; K, M, G and T count in steps of 1024.

    >>> size_in_bytes("4G") == 4 * 2**30, size_in_bytes("1.5 MiB")
    (True, 1572864)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise BadInput(f"the memory is {shown(text)}; it must be a size such as 500M or 4G")
    return int(Fraction(match[1]) * 1024 ** _PREFIXES.index(match[2].upper() or " "))


def available_memory() -> int:
    """Return the bytes that can be had now without swapping: the kernel's estimate, a container's limit, whichever is less."""
    page = os.sysconf("SC_PAGE_SIZE")
    machine = page * os.sysconf("SC_PHYS_PAGES")
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            machine = int(line.split()[1]) * 1024
    limit = next(iter(_lines(Path("/sys/fs/cgroup/memory.max"))), "max").strip()
    used = next(iter(_lines(Path("/sys/fs/cgroup/memory.current"))), "0").strip()
    return min(machine, int(limit) - int(used)) if limit.isdigit() and used.isdigit() else machine


def total_memory() -> int:
    """Return the bytes of memory that the machine has, or that a container allows if that is less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = next(iter(_lines(Path("/sys/fs/cgroup/memory.max"))), "max").strip()
    return min(machine, int(limit)) if limit.isdigit() else machine


def taken_memory() -> int | None:
    """Return the most bytes of memory that this process has taken so far; None where the system does not say."""
    return _memory(os.getpid(), "VmHWM")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def address_space() -> int | None:
    """Return the bytes that this process may map (`ulimit -v`); None if there is no limit."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if most == resource.RLIM_INFINITY else most


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def usable_threads() -> int:
    """Return how many threads this process may use: one a core, or fewer where `OMP_NUM_THREADS` says so.

    The variable is what starts several processes for several tasks sets for each, as Dask and joblib do. It may list a number for each
    level of nested threads; the first one counts.
    """
    said = os.environ.get(THREADS_VARIABLE, "").partition(",")[0].strip()
    allowed = int(said) if said.isascii() and said.isdigit() else 0
    return min(allowed, usable_cores()) if allowed else usable_cores()


def is_installed(package: str) -> bool:
    """Tell whether a package can be imported, without importing it.

    >>> is_installed("numpy"), is_installed("no.such.package")
    (True, False)
    """
    try:
        return importlib.util.find_spec(package) is not None
    except ImportError:
        # So it is for a module of a package that is not there, and where an import hook hides it.
        return False


class Measured:
    """Within the context, `seconds` and `peak` run: wall-clock time, and the most memory in bytes above what there was when it began.

    The memory is that of this process and of those that it has started, each at its own peak. Linux alone tells the peak of a stretch;
    elsewhere `peak` is None.

    >>> with Measured() as measured:
    ...     _ = bytearray(1 << 20)
    >>> measured.seconds > 0
    True
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.peak: int | None = None

    def __enter__(self) -> Self:
        self._own = os.getpid()
        self._before = {process: _memory(process, "VmRSS") for process in (self._own, *_started_by(self._own))}
        for process in self._before:
            _forget_peak(process)
        self._most: dict[int, int] = {}
        self._ended = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)
        self._sampler.start()
        self._began = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.seconds = time.perf_counter() - self._began
        self._ended.set()
        self._sampler.join()
        own, before = _memory(self._own, "VmHWM"), self._before[self._own]
        if own is not None and before is not None:
            self.peak = max(0, own - before) + sum(self._most.values())

    def _sample(self) -> None:
        while True:
            for process in _started_by(self._own):
                peak = _memory(process, "VmHWM")
                if peak is not None:
                    grown = peak - (self._before.get(process) or 0)
                    self._most[process] = max(self._most.get(process, 0), grown)
            if self._ended.wait(_SAMPLE):
                return


def _started_by(process: int) -> list[int]:
    """Return the processes below one."""
    found: list[int] = []
    try:
        tasks = list((_PROCESSES / str(process) / "task").iterdir())
    except OSError:
        return []
    for task in tasks:
        for line in _lines(task / "children"):
            for child in map(int, line.split()):
                found += [child, *_started_by(child)]
    return found


def _memory(process: int, field: str) -> int | None:
    for line in _lines(_PROCESSES / str(process) / "status"):
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    return None


def _forget_peak(process: int) -> None:
    try:
        (_PROCESSES / str(process) / "clear_refs").write_text("5")
    except OSError:
        return


def processor() -> str:
    """Return what the processor calls itself, for figures that depend on it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
