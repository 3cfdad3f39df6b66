"""Minimum cover: the fewest of some sets that between them hold every element of a universe.

NP-hard (Karp 1972). Yuan and Wang start from it, and need every element to be in some set: otherwise a row of their table equals the
row of blanks and the equivalence is lost. So a universe that the sets do not cover is refused here.
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
from anoptima.limits import said, shown
from anoptima.problems.base import every_subset, orderly, problem_kinds
from anoptima.problems.sources.formats.blame import blamed
from anoptima.problems.sources.formats.json_objects import json_object, list_at, lists_at
from anoptima.problems.sources.names import Name, distinct_names, is_known, listed, members_of, twice
from anoptima.problems.sources.source_problem import ReadableProblem


@checked
@orderly
@dataclass(frozen=True)
class ChosenSets:
    """Some of the sets, by name.

    >>> import anoptima as ao
    >>> problem = ao.MinimumCover("abcde", {"c1": "abc", "c2": "bd", "c3": "cd", "c4": "de"})
    >>> sorted(ao.solve(problem).solution.names)
    ['c1', 'c4']
    """

    names: frozenset[Name]

    @classmethod
    def of(cls, names: Iterable[Name]) -> ChosenSets:
        """Make one from any listing.

        >>> len(ChosenSets.of(["c1", "c4"]).names)
        2
        """
        return cls(frozenset(names))


@problem_kinds.register
@checked
@dataclass(frozen=True, init=False, repr=False)
class MinimumCover(ReadableProblem[ChosenSets]):
    """Fewest sets that cover every element of the universe.

    Parameters
    ----------
    universe
        The elements by name, each once.
    sets
        From each set's name to its elements. Sets may be equal or empty.

    Examples
    --------
    >>> problem = MinimumCover("abcde", {"c1": "abc", "c2": "bd", "c3": "cd", "c4": "de"})
    >>> problem.cost(ChosenSets.of(["c1", "c4"])), problem.lower_bound()
    (2, 2)
    >>> problem.violations(ChosenSets.of(["c1", "c2", "c3"]))
    ["element 'e' is in no chosen set; it is in 'c4'"]
    """

    name = "minimum-cover"
    unit = "sets"

    universe: tuple[Name, ...]
    names: tuple[Name, ...]
    sets: tuple[tuple[Name, ...], ...]

    def __init__(self, universe: Iterable[Any], sets: Mapping[Any, Iterable[Any]]) -> None:
        object.__setattr__(self, "universe", distinct_names(universe, "element", "the universe"))
        object.__setattr__(self, "names", distinct_names(sets, "set", "the cover"))
        if not self.universe:
            raise BadInput("the universe has no element; it must have at least one")
        members = tuple(self._members(name, given) for name, given in zip(self.names, sets.values(), strict=True))
        object.__setattr__(self, "sets", members)
        for element, holders in zip(self.universe, self.holders, strict=True):
            if not holders:
                raise BadInput(f"element {element!r} is in no set; every element of the universe must be in one")

    def __repr__(self) -> str:
        return f"MinimumCover({self.universe!r}, {dict(zip(self.names, self.sets, strict=True))!r})"

    def _members(self, name: Name, given: Iterable[Any]) -> tuple[Name, ...]:
        members = members_of(given, f"set {name!r}")
        for element in members:
            if not is_known(element, self.position):
                raise BadInput(
                    f"set {name!r} has {shown(element)}, which is no element of the universe: {listed(self.universe)}"
                )
        repeated = twice(members)
        if repeated is not None:
            raise BadInput(f"set {name!r} has element {repeated!r} twice; a set has its elements once")
        return tuple(self.universe[place] for place in sorted(self.position[element] for element in members))

    @cached_property
    def position(self) -> Mapping[Name, int]:
        """The place of each element in the universe, from 0."""
        return {element: place for place, element in enumerate(self.universe)}

    @cached_property
    def holders(self) -> tuple[tuple[int, ...], ...]:
        """For each element the places of the sets that have it."""
        found: list[list[int]] = [[] for _ in self.universe]
        for number, members in enumerate(self.sets):
            for element in members:
                found[self.position[element]].append(number)
        return tuple(map(tuple, found))

    def violations(self, solution: ChosenSets) -> list[str]:
        """Name what is no set, and the elements that are in no chosen one."""
        unknown = sorted(solution.names.difference(self.names), key=repr)
        if unknown:
            return said((f"{name!r} is no set; the sets are {listed(self.names)}" for name in unknown), "are no sets")
        return said(self._uncovered(solution), "elements are in no chosen set")

    def _uncovered(self, solution: ChosenSets) -> Iterator[str]:
        for element, holders in zip(self.universe, self.holders, strict=True):
            able = [self.names[number] for number in holders]
            if solution.names.isdisjoint(able):
                yield f"element {element!r} is in no chosen set; it is in {listed(able)}"

    def cost(self, solution: ChosenSets) -> Exact:
        """Count the chosen sets."""
        return len(solution.names)

    def trivial(self) -> ChosenSets:
        """Take every set."""
        return ChosenSets(frozenset(self.names))

    def lower_bound(self) -> Exact:
        """Divide the universe by the largest set, or count elements no two of which are in one set (a greedy choice). O(sum of sizes)."""
        largest = max(len(members) for members in self.sets)
        used: set[int] = set()
        apart = 0
        for holders in sorted(self.holders, key=len):
            if used.isdisjoint(holders):
                used.update(holders)
                apart += 1
        return max(-(-len(self.universe) // largest), apart)

    def solutions(self) -> Iterator[ChosenSets]:
        """Yield every choice of sets, the smallest first: 2^q."""
        return (ChosenSets(frozenset(chosen)) for chosen in every_subset(self.names))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> MinimumCover:
        """Read a JSON file."""
        return cls.from_text(read_utf8(path), str(path))

    @classmethod
    def from_text(cls, text: str, where: str = "the cover problem") -> MinimumCover:
        """Read `{"universe": [...], "sets": {"name": [...], ...}}`; sets given as a list of lists are called 1, 2, ..."""
        data = json_object(text, where, "universe", "sets")

        def make() -> MinimumCover:
            sets = data["sets"]
            if isinstance(sets, Mapping):
                named: dict[Any, Any] = {name: list_at(sets, name) for name in sets}
            else:
                named = dict(enumerate(lists_at(data, "sets"), start=1))
            return MinimumCover(list_at(data, "universe"), named)

        return blamed(where, make)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data; the sets as a list if they are called 1, 2, ..., and under their names if those are texts."""
        if self.names == tuple(range(1, len(self.names) + 1)):
            return {"universe": self.universe, "sets": self.sets}
        for name in self.names:
            if not isinstance(name, str):
                raise BadInput(
                    f"set {name!r} cannot stand in a JSON document; sets are called 1, 2, ... there, or by texts"
                )
        return {"universe": self.universe, "sets": dict(zip(self.names, self.sets, strict=True))}

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield sets with a choice, with one that is enough, and with one that is needed."""
        yield cls("abcde", {"c1": "abc", "c2": "bd", "c3": "cd", "c4": "de"})
        yield cls("abcd", {"c1": "ab", "c2": "cd", "c3": "abcd"})
        yield cls("abcd", {"c1": "ab", "c2": "bc", "c3": "a", "c4": "bd"})

    def size(self) -> Mapping[str, int]:
        """Return elements and sets."""
        return {"elements": len(self.universe), "sets": len(self.names)}
