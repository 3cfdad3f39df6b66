"""Trees of cases: forks, each with two sides, and ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from anoptima.proofs.plain_data import PlainData


@dataclass(frozen=True, slots=True)
class AboutSize(PlainData):
    """What a fork decides: the group of the pattern that keeps `kept` at the values of record `example` has at most `most` rows, or more.

    Rows with the sensitive value of that number, or any rows if `value` is None.
    """

    kept: frozenset[str]
    example: int
    value: int | None
    most: int


def ends(tree: Any, first: str, second: str) -> Iterator[tuple[Any, tuple[tuple[Any, bool], ...]]]:
    """Yield each end of a tree, with the forks that lead there, and whether it is on the first side of each, by the names of the sides.

    These wait in a list: trees may be deeper than Python's calls.

    >>> from anoptima.proofs.worths import WorthEnd, WorthFork
    >>> tree = WorthFork((0, 1), WorthEnd((5,)), WorthEnd((7,)))
    >>> [(end.worth, [(fork.about, is_low) for fork, is_low in path]) for end, path in ends(tree, "low", "high")]
    [((5,), [((0, 1), True)]), ((7,), [((0, 1), False)])]
    """
    waiting: list[tuple[Any, tuple[tuple[Any, bool], ...]]] = [(tree, ())]
    while waiting:
        node, path = waiting.pop()
        if hasattr(node, first):
            waiting += [(getattr(node, side), (*path, (node, side == first))) for side in (second, first)]
        else:
            yield node, path
