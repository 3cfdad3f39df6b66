"""What several tests look at and takes long to make: made once in a run, whichever worker asks first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(name: str, make: Callable[[Path], None], factory: pytest.TempPathFactory) -> Path:
    """Return a folder that `make` has filled. Workers share it: one fills it, and another that asks meanwhile waits for that one.

    If `make` fails, so does the test that asked; the next that asks tries again, in a new folder.
    """
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    kept = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            fresh = factory.mktemp(name)
            make(fresh)
            fresh.rename(kept)
    return kept
