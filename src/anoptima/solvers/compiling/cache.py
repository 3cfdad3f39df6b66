"""Where compiled loops are kept, which of them are there, and who may add to them.

Each loop has a folder of its own, whose name ends in a digest of all that the loop is compiled from, by and for: its sources, numba, numpy
and Python, and the processor. Beside numba's files it has an empty one that says that all is there. The folders, and the lock of the one
process that adds to them, lie in `NUMBA_CACHE_DIR` if that is set; else beside the sources; else in the user's cache.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

PLACE = "NUMBA_CACHE_DIR"
"""The environment variable that says where numba keeps what it compiles, for us as for everybody."""
NAME = "anoptima-loops"
DONE = "prepared"
LEFT_BEHIND = 30 * 86400.0
"""Age in seconds at which folders of other states of the loops are removed."""


class Cache:
    """The folders of loops; `folder` is where they lie, None if no place for it can be written to, and `why` says so."""

    def __init__(self, places: Iterable[Path]) -> None:
        self.folder: Path | None = None
        self.why = ""
        tried = []
        for place in places:
            folder = place / NAME
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                if os.access(folder, os.W_OK):
                    self.folder = folder
                    return
            tried.append(str(place))
        self.why = (
            f"there is no place to keep compiled loops, which are many times faster: {' and '.join(tried) or 'no folder'} cannot be "
            f"written to; set {PLACE} to a folder that can"
        )

    def has(self, key: str) -> bool:
        """Tell whether a loop is there with all its types."""
        return self.folder is not None and (self.folder / key / DONE).exists()

    def note(self, key: str) -> None:
        """Write down that a loop is there."""
        if self.folder is not None:
            (self.folder / key).mkdir(exist_ok=True)
            (self.folder / key / DONE).touch()

    @contextlib.contextmanager
    def locked(self, *, wait: bool) -> Iterator[bool]:
        """Within the context, be the one process that adds to the folder; yield whether it is. The lock goes with the process."""
        if self.folder is None:
            yield False
            return
        with (self.folder / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            except OSError:
                # Some network file systems have no locks: what two processes compile is then only compiled twice.
                pass
            yield True

    def clear(self, kept: Collection[str]) -> None:
        """Remove folders but these that are old: they were left behind by other states of the loops."""
        if self.folder is None:
            return
        for other in self.folder.iterdir():
            with contextlib.suppress(OSError):
                if other.is_dir() and other.name not in kept and time.time() - other.stat().st_mtime > LEFT_BEHIND:
                    shutil.rmtree(other)

    @contextlib.contextmanager
    def for_numba(self, key: str) -> Iterator[bool]:
        """Within the context, functions that numba is to keep are kept in a loop's folder; yield whether they can be kept."""
        import numba

        config: Any = numba.config
        if self.folder is None:
            yield False
            return
        before, config.CACHE_DIR = config.CACHE_DIR, str(self.folder / key)
        try:
            yield True
        finally:
            config.CACHE_DIR = before


def places() -> list[Path]:
    """Return the folders that compiled loops may be kept in, the best first."""
    if chosen := os.environ.get(PLACE):
        return [Path(chosen)]
    found = [Path(__file__).parent / "__pycache__"]
    with contextlib.suppress(RuntimeError):
        # Without a home there is no cache of a user.
        found.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "anoptima")
    return found


def digest_of(sources: Iterable[Path], constants: Iterable[object]) -> str:
    """Return what tells states of a loop, of what compiles it, and of processors apart."""
    found = hashlib.sha256(_surroundings().encode())
    for source in sorted(sources):
        # numba compiles anew whatever file was written anew.
        found.update(f"{source} {source.stat().st_mtime_ns} {source.stat().st_size}\n".encode())
        found.update(source.read_bytes())
    found.update(repr(list(constants)).encode())
    return found.hexdigest()[:16]


@cache
def _surroundings() -> str:
    """Return versions, the processor, and how numba is set."""
    versions = " ".join(version(name) for name in ("numba", "llvmlite", "numpy"))
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_") and item[0] != PLACE)
    return f"{versions} {sys.implementation.cache_tag} {platform.machine()} {_processor()} {settings}"


def _processor() -> str:
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return "".join(next((line for line in lines if line.startswith(name)), "") for name in ("model name", "flags"))
    return platform.processor()
