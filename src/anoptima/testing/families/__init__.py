"""All small sources of the reductions: every graph, hypergraph, set of triples, family of sets, formula or table of a size.

A module of this package registers a generator under the kind of problem that reductions start from; `family` finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from anoptima.problems.base import Problem
from anoptima.registry import import_modules

Family = Callable[[], Iterator[Problem[Any]]]

_families: dict[str, Family] = {}


def register(*kinds: str) -> Callable[[Family], Family]:
    """Make a generator known as all small problems of these kinds; the decorator."""

    def keep(family: Family) -> Family:
        _families.update(dict.fromkeys(kinds, family))
        return family

    return keep


@cache
def families() -> dict[str, Family]:
    """Return the generators of all small problems of a kind, by the kind's name."""
    import_modules(__name__)
    return dict(sorted(_families.items()))


def spread(things: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` of some things, evenly spread from the first to the last.

    >>> spread(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(things) <= most:
        return list(things)
    return [things[round(place * (len(things) - 1) / max(1, most - 1))] for place in range(most)]
