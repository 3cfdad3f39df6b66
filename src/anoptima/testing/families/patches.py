"""Patches in the plane."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from anoptima.problems.base import Problem
from anoptima.problems.sources.patch_cover import PatchCover
from anoptima.testing.families import register


@register("patch-cover")
def _patches() -> Iterator[Problem[Any]]:
    """Yield patches alone, patches that one window holds, and wires; then pairs at every distance up to 9, and all short wires."""
    for cells in (
        [(0, 0)],
        [(0, 0), (1, 1)],
        [(0, 0), (4, 1)],
        [(0, 0), (9, 9)],
        [(0, 0), (3, 1), (6, 0)],
        [(0, 0), (4, -1), (8, 0)],
    ):
        yield PatchCover(cells)
    yield from (PatchCover([(0, 0), (x, y)]) for x in range(10) for y in range(x + 1) if x)
    for steps in itertools.product([(3, 1), (4, 1), (4, -1)], repeat=2):
        first, second = steps
        yield PatchCover([(0, 0), first, (first[0] + second[0], first[1] - second[1])])
