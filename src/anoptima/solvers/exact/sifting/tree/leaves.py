"""The leaves of a tree of cases: those to be taken up, the least of them next, and those with nothing left to decide."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

C = TypeVar("C")


class Leaves(Generic[C]):
    """Open cases come back by their rising `key`, equals in the order in which they were left.

    >>> leaves = Leaves(len)
    >>> for case in ("bb", "a", "ccc"):
    ...     leaves.leave(case)
    >>> leaves.close(leaves.take())
    >>> leaves.next(), leaves.open, list(leaves)
    ('bb', 2, ['a', 'bb', 'ccc'])
    """

    def __init__(self, key: Callable[[C], Any]) -> None:
        self._key = key
        self._numbers = itertools.count()
        self._open: list[tuple[Any, int, C]] = []
        self._closed: list[C] = []

    @property
    def open(self) -> int:
        """How many cases are to be taken up."""
        return len(self._open)

    def __len__(self) -> int:
        return len(self._open) + len(self._closed)

    def __iter__(self) -> Iterator[C]:
        return itertools.chain(self._closed, (entry[2] for entry in self._open))

    def leave(self, case: C) -> None:
        """Leave a case for later."""
        heapq.heappush(self._open, (self._key(case), next(self._numbers), case))

    def close(self, case: C) -> None:
        """Put a case aside in which nothing is left to decide."""
        self._closed.append(case)

    def next(self) -> C | None:
        """Return the case that is next; None if none is open."""
        return self._open[0][2] if self._open else None

    def take(self) -> C:
        """Take the next case up."""
        return heapq.heappop(self._open)[2]

    def clear(self) -> None:
        """Begin anew with no case."""
        self._open.clear()
        self._closed.clear()
