"""Copying in loops: a slice that is set to an array takes numba seconds to compile, most of them for a message about shapes."""

from __future__ import annotations

from typing import Any

from anoptima.solvers.compiling.loops import part


@part
def copy_to(target: Any, source: Any, count: int) -> None:
    """Set the first `count` numbers of `target` to those of `source`."""
    for i in range(count):
        target[i] = source[i]
