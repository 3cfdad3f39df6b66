"""3-partition: put 3m numbers into m triples of equal sum, as many of them as possible.

With numbers in unary it is still NP-complete to decide whether all numbers go into such triples (Garey and Johnson 1975).
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.deadline import check_time
from anoptima.documents.reading import read_utf8
from anoptima.errors import BadInput
from anoptima.limits import shown
from anoptima.problems.base import problem_kinds
from anoptima.problems.sources.formats.blame import blamed
from anoptima.problems.sources.formats.json_objects import json_object, list_at
from anoptima.problems.sources.matching import Edge, MatchingProblem
from anoptima.problems.sources.names import members_of


@problem_kinds.register
@checked
@dataclass(frozen=True, init=False)
class ThreePartition(MatchingProblem):
    """Fewest of 3m numbers left over by disjoint triples that each add up to B, an m-th of the sum of all; cost = 3m - 3 |M|.

    The numbers are whole, from 0 up. A solution names them by their places, from 1 to 3m: numbers may be equal.

    Examples
    --------
    >>> from anoptima.problems.sources.matching import Matching
    >>> problem = ThreePartition([0, 0, 1, 1, 2, 2])
    >>> problem.bound, problem.cost(Matching.of([(1, 3, 5), (2, 4, 6)]))
    (3, 0)
    >>> problem.violations(Matching.of([(1, 2, 3)]))
    ['(1, 2, 3) is no triple of sum 3; those are (1, 3, 5), (1, 3, 6), (1, 4, 5), (1, 4, 6), (2, 3, 5), (2, 3, 6), ... (8 in all)']
    """

    name = "3-partition"
    unit = "numbers left over"
    edge_size = 3

    addends: tuple[int, ...]

    def __init__(self, numbers: Iterable[Any]) -> None:
        given = members_of(numbers, "the list of numbers")
        for place, number in enumerate(given, start=1):
            if not isinstance(number, Integral) or isinstance(number, bool) or number < 0:
                raise BadInput(f"number {place} is {shown(number)}; it must be a whole number, 0 or more")
        m, rest = divmod(len(given), 3)
        if rest or not m:
            raise BadInput(f"there are {len(given)} numbers, and triples need a multiple of three, at least 3")
        object.__setattr__(self, "addends", tuple(map(int, given)))
        if sum(self.addends) % m:
            raise BadInput(f"the numbers add up to {sum(self.addends)}, which {m} triples cannot share equally")

    @property
    def triples(self) -> int:
        """The number m of triples that a 3-partition has."""
        return len(self.addends) // 3

    @property
    def places(self) -> range:
        """1, ..., 3m."""
        return range(1, len(self.addends) + 1)

    @property
    def bound(self) -> int:
        """The sum B that each triple must have."""
        return sum(self.addends) // self.triples

    @property
    def edge_word(self) -> str:
        """A triple of sum B."""
        return f"triple of sum {self.bound}"

    @cached_property
    def choices(self) -> tuple[Edge, ...]:
        """The triples of places whose numbers add up to B, in order. O(m^2 log m) and what there are of them."""
        whole, at, found = self.bound, dict[int, list[int]](), list[Edge]()
        for place, number in zip(self.places, self.addends, strict=True):
            at.setdefault(number, []).append(place)
        for first, number in zip(self.places, self.addends, strict=True):
            check_time()
            rest = whole - number
            for second, other in enumerate(self.addends[first:], start=first + 1):
                third = at.get(rest - other)
                if third is not None and third[-1] > second:
                    found += [(first, second, place) for place in third[bisect_right(third, second) :]]
        return tuple(found)

    def sum_of(self, places: Iterable[int]) -> int:
        """Return what the numbers at some places, counted from 1, add up to."""
        return sum(self.addends[place - 1] for place in places)

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The places of each triple, counted from 0."""
        return tuple(tuple(int(place) - 1 for place in triple) for triple in self.choices)

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The numbers with their places."""
        return tuple(f"number {place} ({number})" for place, number in enumerate(self.addends, start=1))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> Self:
        """Read a JSON file."""
        return cls.from_text(read_utf8(path), str(path))

    @classmethod
    def from_text(cls, text: str, where: str = "the 3-partition problem") -> Self:
        """Read `{"numbers": [...]}`."""
        data = json_object(text, where, "numbers")
        return blamed(where, lambda: cls(list_at(data, "numbers")))

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        return {"numbers": self.addends}

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield numbers with a 3-partition, and two lists without one: with triples of sum B - 1 and B + 1, and with one large number."""
        yield cls([0, 0, 1, 1, 2, 2])
        yield cls([0, 0, 0, 2, 2, 2])
        yield cls([0, 0, 0, 0, 1, 3])

    def size(self) -> Mapping[str, int]:
        """Return how many numbers there are, and their sum."""
        return {"numbers": len(self.addends), "sum": sum(self.addends)}
