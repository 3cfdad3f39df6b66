"""The common part of matching problems: choose edges that have no member in common, so that few members remain."""

from __future__ import annotations

import heapq
import itertools
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from anoptima.arguments import checked
from anoptima.exact import Exact
from anoptima.limits import said
from anoptima.problems.base import every_subset, orderly
from anoptima.problems.sources.names import Name, listed, members_of
from anoptima.problems.sources.source_problem import ReadableProblem

Edge = tuple[Name, ...]


@checked
@orderly
@dataclass(frozen=True)
class Matching:
    """Edges, each written as its problem writes it.

    >>> import anoptima as ao
    >>> problem = ao.ThreeDimensionalMatching("ab", "xy", "12", [("a", "x", "1"), ("a", "y", "2"), ("b", "y", "2")])
    >>> sorted(ao.solve(problem).solution.edges)
    [('a', 'x', '1'), ('b', 'y', '2')]
    """

    edges: frozenset[Edge]

    @classmethod
    def of(cls, edges: Iterable[Iterable[Name]]) -> Matching:
        """Make one from any listing.

        >>> len(Matching.of(["abc", "def"]).edges)
        2
        """
        return cls(frozenset(members_of(edge, "an edge") for edge in edges))


@checked
class MatchingProblem(ReadableProblem[Matching]):
    """Fewest members that no chosen edge holds, over sets of edges that are pairwise disjoint.

    All edges have the same number k of members. With nu the largest number of disjoint edges, the least cost is
    `(number of members) - k nu`; there is a perfect matching exactly if it is 0.

    Subclasses give `choices`, the edges as solutions write them; `members`, the places of each edge's members among all members;
    `named`, a word for each member; and `edge_size`.
    """

    @property
    @abstractmethod
    def choices(self) -> tuple[Edge, ...]:
        """The edges, in order, each as a solution writes it."""

    @property
    @abstractmethod
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The places of each edge's members."""

    @property
    @abstractmethod
    def named(self) -> tuple[str, ...]:
        """The word for a member in messages."""

    @property
    @abstractmethod
    def edge_size(self) -> int:
        """The number of members of every edge."""

    @property
    @abstractmethod
    def edge_word(self) -> str:
        """The word for an edge in messages."""

    def violations(self, solution: Matching) -> list[str]:
        """Name what is no edge, and the members that two chosen edges share."""
        number = {edge: place for place, edge in enumerate(self.choices)}
        unknown = sorted((edge for edge in solution.edges if edge not in number), key=repr)
        if unknown:
            return said(
                (f"{edge!r} is no {self.edge_word}; those are {listed(self.choices)}" for edge in unknown), "are none"
            )
        return said(self._shared(solution, number), "members are shared")

    def _shared(self, solution: Matching, number: Mapping[Edge, int]) -> Iterator[str]:
        holder: dict[int, Edge] = {}
        for edge in sorted(solution.edges, key=number.__getitem__):
            for member in self.members[number[edge]]:
                if member in holder:
                    yield f"{holder[member]!r} and {edge!r} share {self.named[member]}"
                holder[member] = edge

    def cost(self, solution: Matching) -> Exact:
        """Return the number of members that are left over."""
        return len(self.named) - self.edge_size * len(solution.edges)

    def trivial(self) -> Matching:
        """Choose nothing."""
        return Matching(frozenset())

    def lower_bound(self) -> Exact:
        """Bound nu by members that hit every edge (a greedy choice), and by the members that are in edges at all.

        O(m k log n).
        """
        covered = set(itertools.chain.from_iterable(self.members))
        most = min(len(covered) // self.edge_size, self._greedy_hitting_set())
        return len(self.named) - self.edge_size * most

    def _greedy_hitting_set(self) -> int:
        """Take the member of most edges not yet hit, until all are. A queue keeps outdated counts until they come up."""
        holders: dict[int, list[int]] = {}
        for number, members in enumerate(self.members):
            for member in members:
                holders.setdefault(member, []).append(number)
        left = {member: len(numbers) for member, numbers in holders.items()}
        queue = [(-count, member) for member, count in left.items()]
        heapq.heapify(queue)
        hit = [False] * len(self.members)
        taken = 0
        while queue:
            count, member = heapq.heappop(queue)
            if -count != left[member]:
                heapq.heappush(queue, (-left[member], member))
                continue
            if not count:
                break
            taken += 1
            for number in holders[member]:
                if not hit[number]:
                    hit[number] = True
                    for other in self.members[number]:
                        left[other] -= 1
        return taken

    def solutions(self) -> Iterator[Matching]:
        """Yield every set of at most (members / k) edges, the smallest first."""
        most = min(len(self.choices), len(self.named) // self.edge_size)
        return (Matching(frozenset(chosen)) for chosen in every_subset(self.choices, most=most))

    def numbers(self, solution: Matching) -> list[int]:
        """Return the places of the chosen edges, in order."""
        return [number for number, edge in enumerate(self.choices) if edge in solution.edges]

    def matching(self, numbers: Iterable[int]) -> Matching:
        """Return the matching of the edges at the given places."""
        return Matching(frozenset(self.choices[int(number)] for number in numbers))
