"""Three-dimensional matching: disjoint triples, one element each of W, X and Y, that leave the fewest elements unmatched.

NP-complete (Karp 1972) as the question whether a perfect matching exists; Liang and Yuan (2013, Theorems 6 and 7) start from it.
Stated here as a minimisation: cost = 3n - 3 |M| for W, X and Y of size n, so a perfect matching costs 0.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.documents.reading import read_utf8
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.limits import shown
from anoptima.problems.base import problem_kinds
from anoptima.problems.sources.formats.blame import blamed
from anoptima.problems.sources.formats.json_objects import json_object, list_at, lists_at
from anoptima.problems.sources.matching import Edge, MatchingProblem
from anoptima.problems.sources.names import Name, distinct_names, is_known, listed, members_of

_PARTS = ("W", "X", "Y")


@problem_kinds.register
@checked
@dataclass(frozen=True, init=False)
class ThreeDimensionalMatching(MatchingProblem):
    """Fewest unmatched elements of W, X and Y, each of size n, over sets of disjoint triples; cost = 3n - 3 |M|.

    The three sets are told apart by their place in a triple, so they may use the same names. Triples are distinct.

    Examples
    --------
    >>> from anoptima.problems.sources.matching import Matching
    >>> problem = ThreeDimensionalMatching([1, 2], [1, 2], [1, 2], [(1, 1, 1), (2, 2, 2), (1, 2, 2)])
    >>> problem.cost(Matching.of([(1, 1, 1), (2, 2, 2)]))
    0
    >>> problem.violations(Matching.of([(2, 2, 2), (1, 2, 2)]))
    ['(2, 2, 2) and (1, 2, 2) share element 2 of X', '(2, 2, 2) and (1, 2, 2) share element 2 of Y']
    """

    name = "3d-matching"
    unit = "unmatched elements"
    edge_word = "triple"
    edge_size = 3

    w: tuple[Name, ...]
    x: tuple[Name, ...]
    y: tuple[Name, ...]
    triples: tuple[Edge, ...]

    def __init__(self, w: Iterable[Any], x: Iterable[Any], y: Iterable[Any], triples: Iterable[Iterable[Any]]) -> None:
        for field, names in zip("wxy", (w, x, y), strict=True):
            object.__setattr__(self, field, distinct_names(names, "element", field.upper()))
        if not len(self.w) == len(self.x) == len(self.y) >= 1:
            raise BadInput(
                f"W, X and Y have {len(self.w)}, {len(self.x)} and {len(self.y)} elements; "
                "they must have equally many, at least 1"
            )
        found: dict[Edge, int] = {}
        for number, given in enumerate(triples, start=1):
            triple = self._triple(number, given)
            if triple in found:
                raise BadInput(
                    f"triples {found[triple]} and {number} both are {triple!r}; every triple may be there once"
                )
            found[triple] = number
        object.__setattr__(self, "triples", tuple(found))

    def _triple(self, number: int, given: Iterable[Any]) -> Edge:
        triple = members_of(given, f"triple {number}")
        if len(triple) != 3:
            raise BadInput(f"triple {number} is {shown(triple)}; it must have one element each of W, X and Y")
        for name, part, places in zip(triple, _PARTS, self._places, strict=True):
            if not is_known(name, places):
                raise BadInput(
                    f"triple {number} is {shown(triple)}; {shown(name)} is no element of {part}, which has {listed(list(places))}"
                )
        return tuple(names[places[name]] for name, names, places in zip(triple, self.parts, self._places, strict=True))

    @cached_property
    def _places(self) -> tuple[dict[Name, int], ...]:
        return tuple({name: place for place, name in enumerate(names)} for names in self.parts)

    @property
    def parts(self) -> tuple[tuple[Name, ...], ...]:
        """W, X and Y."""
        return self.w, self.x, self.y

    @property
    def choices(self) -> tuple[Edge, ...]:
        """The triples."""
        return self.triples

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The places of each triple's elements: W from 0, X from n, Y from 2n."""
        n = len(self.w)
        return tuple(
            tuple(part * n + self._places[part][name] for part, name in enumerate(triple)) for triple in self.triples
        )

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The elements of W, then X, then Y."""
        return tuple(
            f"element {name!r} of {part}" for part, names in zip(_PARTS, self.parts, strict=True) for name in names
        )

    def lower_bound(self) -> Exact:
        """Bound the number of triples also by how many elements of W, of X and of Y are in triples at all."""
        most = min(len({triple[part] for triple in self.triples}) for part in range(3))
        return max(super().lower_bound(), 3 * len(self.w) - 3 * most)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> Self:
        """Read a JSON file."""
        return cls.from_text(read_utf8(path), str(path))

    @classmethod
    def from_text(cls, text: str, where: str = "the matching problem") -> Self:
        """Read `{"w": [...], "x": [...], "y": [...], "triples": [[...], ...]}`."""
        data = json_object(text, where, "w", "x", "y", "triples")
        return blamed(
            where, lambda: cls(list_at(data, "w"), list_at(data, "x"), list_at(data, "y"), lists_at(data, "triples"))
        )

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"w": self.w, "x": self.x, "y": self.y, "triples": self.triples}

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield triples with a perfect matching and without one."""
        yield cls([1, 2], [1, 2], [1, 2], [(1, 1, 1), (2, 2, 2), (1, 2, 2)])
        yield cls("ab", "cd", "ef", [("a", "c", "e"), ("b", "c", "f"), ("a", "d", "f")])

    def size(self) -> Mapping[str, int]:
        """Return n and the number of triples."""
        return {"n": len(self.w), "triples": len(self.triples)}
