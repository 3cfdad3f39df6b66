"""Patches in the plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anoptima.problems.base import Problem
from anoptima.problems.sources.patch_cover import PatchCover
from anoptima.testing.families import register


@register("patch-cover")
def _patches() -> Iterator[Problem[Any]]:
    """Yield patches alone, patches that one window holds, and wires."""
    for cells in (
        [(0, 0)],
        [(0, 0), (1, 1)],
        [(0, 0), (4, 1)],
        [(0, 0), (9, 9)],
        [(0, 0), (3, 1), (6, 0)],
        [(0, 0), (4, -1), (8, 0)],
    ):
        yield PatchCover(cells)
