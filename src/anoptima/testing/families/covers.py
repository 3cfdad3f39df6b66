"""Families of sets that cover a universe."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from anoptima.problems.base import Problem
from anoptima.problems.sources.minimum_cover import MinimumCover
from anoptima.testing.families import register


def all_covers(elements: int = 3) -> Iterator[MinimumCover]:
    """Yield every family of different non-empty sets that covers the universe: 109 for three elements."""
    universe = "abcdefgh"[:elements]
    sets = [s for count in range(1, elements + 1) for s in itertools.combinations(universe, count)]
    for count in range(1, len(sets) + 1):
        for family in itertools.combinations(sets, count):
            if set(itertools.chain.from_iterable(family)) == set(universe):
                yield MinimumCover(universe, {f"c{j}": members for j, members in enumerate(family, start=1)})


@register("minimum-cover")
def _covers() -> Iterator[Problem[Any]]:
    return itertools.chain(all_covers(1), all_covers(2), all_covers(3))
