"""What a run does around itself: what it prints, and which processes it leaves."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MOST_READ = 200
"""Bytes that are read of what was printed."""


@contextmanager
def captured() -> Iterator[list[str]]:
    """Catch what this process and its children write to standard output, past Python, too; after the context, the list holds it."""
    said: list[str] = []
    with tempfile.TemporaryFile() as file:
        if sys.stdout is not None:
            sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            yield said
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
            said.append(os.pread(file.fileno(), MOST_READ, 0).decode(errors="replace"))


def descendants(process: int) -> set[int] | None:
    """Return the processes that `process` and its descendants have started and that run; None where the system does not tell."""
    if not Path("/proc/self/stat").exists():
        return None
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                state, parent, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
                if state != "Z":
                    parents[int(folder.name)] = int(parent)
    found: set[int] = set()
    while new := {child for child, parent in parents.items() if parent in found | {process}} - found:
        found |= new
    return found
