"""Cliques: of a given size, of half the vertices, and the largest.

*Clique of size K* asks whether K vertices are pairwise joined. As a minimisation: choose K vertices, pay for every pair of them that
no edge joins; there is a clique of size K exactly if that costs 0. *Half-clique* is the case K = n/2, from which Liang and Yuan (2013,
Theorem 5) start. *Maximum clique* is stated as the fewest vertices outside a clique: the clique number is n minus the least cost.
NP-complete (Karp 1972), half-clique by padding: the least cost of clique of size K is that of half-clique on the graph with 2K - n
isolated vertices more (K >= n/2), or n - 2K vertices joined to everything (K <= n/2).
"""

from __future__ import annotations

import itertools
import math
import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer
from anoptima.limits import said
from anoptima.problems.base import problem_kinds
from anoptima.problems.sources.formats.graphs import read_graph
from anoptima.problems.sources.graph import require_simple, small_graphs
from anoptima.problems.sources.source_problem import GraphProblem, VertexSet, by_position, strangers


@checked
@dataclass(frozen=True)
class _OnSimpleGraph(GraphProblem):
    def __post_init__(self) -> None:
        require_simple(self.graph, self.name)

    def missing(self, solution: VertexSet) -> int:
        """Count the pairs of members that no edge joins. O(m)."""
        inside = sum(first in solution.vertices and second in solution.vertices for first, second in self.graph.edges)
        return math.comb(len(solution.vertices), 2) - inside


@checked
class SizedClique(_OnSimpleGraph):
    """Fewest pairs without an edge among `order` vertices; 0 exactly if there is a clique of that order."""

    unit = "missing edges"

    @property
    @abstractmethod
    def order(self) -> int:
        """The number of vertices to choose."""

    def violations(self, solution: VertexSet) -> list[str]:
        """Say what is no vertex, or that they are too few or too many."""
        found = strangers(solution, self.graph)
        if not found and len(solution.vertices) != self.order:
            found = [f"{self.order} vertices are to be chosen, and these are {len(solution.vertices)}"]
        return found

    def cost(self, solution: VertexSet) -> Exact:
        """Count the pairs of chosen vertices that no edge joins."""
        return self.missing(solution)

    def trivial(self) -> VertexSet:
        """Take the first vertices."""
        return VertexSet(frozenset(self.graph.vertices[: self.order]))

    def lower_bound(self) -> Exact:
        """Count the pairs beyond all edges there are, and what each vertex misses at least. O(n log n).

        A chosen vertex of degree d misses at least K - 1 - d of the others, every missing pair is counted at both ends, and the K
        vertices that miss least are the best case.
        """
        every_edge = math.comb(self.order, 2) - len(self.graph.edges)
        misses = sorted(max(0, self.order - 1 - degree) for degree in self.graph.degrees)
        return max(0, every_edge, (sum(misses[: self.order]) + 1) // 2)

    def solutions(self) -> Iterator[VertexSet]:
        """Yield every choice of `order` vertices."""
        for chosen in itertools.combinations(self.graph.vertices, self.order):
            yield VertexSet(frozenset(chosen))


@problem_kinds.register
@checked
@dataclass(frozen=True)
class CliqueOfSize(SizedClique):
    """Fewest pairs without an edge among K vertices; 0 exactly if the graph has a clique of size K.

    Examples
    --------
    >>> from anoptima import Graph
    >>> problem = CliqueOfSize(Graph("abcd", ["ab", "bc", "ca", "cd"]), 3)
    >>> problem.cost(VertexSet.of("abc")), problem.cost(VertexSet.of("abd"))
    (0, 2)
    """

    name = "clique"
    takes_k = True

    k: int

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "k", as_integer(self.k, "K"))
        if not 1 <= self.k <= len(self.graph.vertices):
            raise BadInput(
                f"K is {self.k}; it must lie between 1 and {len(self.graph.vertices)}, the number of vertices"
            )

    @property
    def order(self) -> int:
        """K."""
        return self.k

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int | None = None) -> Self:
        """Read the graph; somebody must say K."""
        if k is None:
            raise BadInput("clique asks for K vertices; say how many")
        return cls(read_graph(path), k)

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield small graphs, for cliques that are there and others."""
        yield from (cls(graph, k) for graph in small_graphs() for k in (1, 2, 3) if k <= len(graph.vertices))

    def size(self) -> Mapping[str, int]:
        """Return vertices, edges and K."""
        return {**super().size(), "K": self.k}


@problem_kinds.register
@checked
@dataclass(frozen=True)
class HalfClique(SizedClique):
    """Fewest pairs without an edge among half of the vertices; 0 exactly if the graph has a clique of size n/2.

    Examples
    --------
    >>> from anoptima import Graph
    >>> HalfClique(Graph("abcd", ["ab"])).cost(VertexSet.of("ab"))
    0
    """

    name = "half-clique"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.graph.vertices) % 2:
            raise BadInput(f"the graph has {len(self.graph.vertices)} vertices; half-clique needs an even number")

    @property
    def order(self) -> int:
        """Half of the vertices."""
        return len(self.graph.vertices) // 2

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield small graphs with an even number of vertices."""
        yield from (cls(graph) for graph in small_graphs() if len(graph.vertices) % 2 == 0)


@problem_kinds.register
@checked
@dataclass(frozen=True)
class MaximumClique(_OnSimpleGraph):
    """Fewest vertices outside a clique. The clique number is n minus the least cost.

    Examples
    --------
    >>> from anoptima import Graph
    >>> problem = MaximumClique(Graph("abcd", ["ab", "bc", "ca", "cd"]))
    >>> problem.cost(VertexSet.of("abc")), problem.lower_bound()
    (1, 1)
    >>> problem.violations(VertexSet.of("abd"))
    ["no edge joins 'a' and 'd'", "no edge joins 'b' and 'd'"]
    """

    name = "maximum-clique"
    unit = "vertices outside"

    def violations(self, solution: VertexSet) -> list[str]:
        """Name what is no vertex, and the pairs that no edge joins."""
        found = strangers(solution, self.graph)
        return found if found or not self.missing(solution) else said(self._apart(solution), "pairs are not joined")

    def _apart(self, solution: VertexSet) -> Iterator[str]:
        names = self.graph.vertices
        for first, second in itertools.combinations(by_position(solution, self.graph), 2):
            if (first, second) not in self.graph.pairs:
                yield f"no edge joins {names[first]!r} and {names[second]!r}"

    def cost(self, solution: VertexSet) -> Exact:
        """Count the vertices that are not in the clique."""
        return len(self.graph.vertices) - len(solution.vertices)

    def trivial(self) -> VertexSet:
        """Take the first vertex."""
        return VertexSet(frozenset(self.graph.vertices[:1]))

    def lower_bound(self) -> Exact:
        """Bound the clique's order w by w vertices of degree w - 1 or more, and by the colours of a greedy colouring. O(n + m)."""
        degrees = sorted(self.graph.degrees, reverse=True)
        enough = [order for order in range(1, len(degrees) + 1) if degrees[order - 1] >= order - 1]
        return len(degrees) - min(enough[-1], self._greedy_colours())

    def _greedy_colours(self) -> int:
        """Colour the vertices, those of high degree first: a clique has all its colours different."""
        colour: dict[int, int] = {}
        for vertex in sorted(range(len(self.graph.vertices)), key=lambda v: (-len(self.graph.neighbours[v]), v)):
            taken = {colour[other] for other in self.graph.neighbours[vertex] if other in colour}
            colour[vertex] = next(number for number in itertools.count() if number not in taken)
        return max(colour.values()) + 1

    def solutions(self) -> Iterator[VertexSet]:
        """Yield every set of vertices, the largest first: 2^n."""
        for order in range(len(self.graph.vertices), -1, -1):
            for chosen in itertools.combinations(self.graph.vertices, order):
                yield VertexSet(frozenset(chosen))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield small graphs."""
        yield from (cls(graph) for graph in small_graphs())
