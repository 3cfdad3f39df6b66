"""What the machine has: how much memory a model may be allowed when nobody says."""

from __future__ import annotations

import os
from pathlib import Path


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


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
